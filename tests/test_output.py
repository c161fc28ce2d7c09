"""Every format of exact/output/__init__.py by exact text, and what must be refused."""

import csv
import io
import json
import os
from fractions import Fraction
from pathlib import Path
from zipfile import ZipFile

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exact import output
from exact.errors import InputError
from exact.output import Column, Count, Report, Table, layout
from exact.output.report import decimal_text, plain

OUTCOMES = Table(
    "outcomes",
    [
        {"outcome": "banker", "ways": 2292252566437888, "probability": Fraction(1, 3)},
        {"outcome": "tie", "ways": 0, "probability": Fraction(0)},
    ],
    (Column("outcome"), Column("ways", "count"), Column("probability", "exact")),
    title="Outcomes",
)
WAGERS = Table(
    "wagers",
    [
        {"wager": "lucky | six_6", "edge": Fraction(-19, 311), "deviation": 0.1, "cards": 6, "offered": True},
        {"wager": "=1+1"},
    ],
    (
        Column("wager"),
        Column("edge", "exact", shown="value"),
        Column("deviation", "number", title="std. dev."),
        Column("cards", "integer"),
        Column("offered", "boolean"),
    ),
)
PROVENANCE = {
    "game": "baccarat",
    "options": {"commission": Fraction(1, 20), "tie": Fraction(8)},
    "shoe": {"cards": 416, "counts": {"A": 32, "K": 31}},
    "given": None,
}
REPORT = Report(PROVENANCE, (OUTCOMES, WAGERS), {"total": Count(2**70), "edges": [Fraction(1)]}, ("Punto banco",))


def text(report: Report, format: str, digits: int = 4) -> str:
    return output.render(report, format, digits).decode()


def records(report: Report, format: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text(report, format)), delimiter={"csv": ",", "tsv": "\t"}[format]))


def test_table_for_people() -> None:
    assert text(REPORT, "table") == (
        "Punto banco\n"
        "\n"
        "Outcomes\n"
        "outcome              ways  probability   value\n"
        "-------  ----------------  -----------  ------\n"
        "banker   2292252566437888          1/3  0.3333\n"
        "tie                     0          0/1  0.0000\n"
        "\n"
        "wager             edge  std. dev.  cards  offered\n"
        "-------------  -------  ---------  -----  -------\n"
        "lucky | six_6  -0.0611     0.1000      6  true\n"
        "=1+1\n"
        "\n"
        "game: baccarat\n"
        "options: commission=1/20,tie=8/1\n"
        "shoe cards: 416\n"
        "shoe counts: A=32,K=31\n"
    )


def test_only_a_terminal_gets_bold_headings() -> None:
    bold = layout.terminal(REPORT, 4, bold=True)
    assert "\x1b[1mOutcomes\x1b[0m\n" in bold
    assert bold.replace("\x1b[1m", "").replace("\x1b[0m", "") == text(REPORT, "table")


@pytest.mark.parametrize("format", ["csv", "tsv"])
def test_separated_values_stack_the_tables(format: str) -> None:
    first, second, third, last = records(REPORT, format)
    assert list(first) == [
        *("table", "outcome", "ways", "probability", "probability_value"),
        *("wager", "edge", "edge_value", "deviation", "cards", "offered"),
        *("game", "options", "shoe_cards", "shoe_counts", "given"),
    ]
    assert [row["table"] for row in (first, second, third, last)] == ["outcomes", "outcomes", "wagers", "wagers"]
    assert (first["ways"], first["probability"], first["probability_value"]) == (
        "2292252566437888",
        "1/3",
        "0.3333333333333333",
    )
    assert (second["probability"], second["probability_value"]) == ("0/1", "0.0")
    assert (third["wager"], third["edge"], third["cards"], third["offered"]) == (
        "lucky | six_6",
        "-19/311",
        "6",
        "true",
    )
    assert (third["edge_value"], third["ways"]) == (repr(-19 / 311), "")
    assert (last["shoe_counts"], last["options"], last["given"]) == ("A=32,K=31", "commission=1/20,tie=8/1", "")


def test_csv_quotes_and_ends_lines_alike_everywhere() -> None:
    table = Table("t", [{"a": 'x,"y"\nz'}], (Column("a"),))
    assert text(Report({}, (table,)), "csv") == 'table,a\nt,"x,""y""\nz"\n'


def test_json_is_the_document_led_by_the_provenance() -> None:
    document = json.loads(text(REPORT, "json"))
    assert list(document) == ["game", "options", "shoe", "given", "total", "edges"]
    assert document["options"] == {"commission": "1/20", "tie": "8/1"}
    assert (document["given"], document["total"], document["edges"]) == (None, str(2**70), ["1/1"])


def test_json_without_a_document_lists_the_rows() -> None:
    document = json.loads(text(Report({"game": "baccarat"}, (OUTCOMES,)), "json"))
    assert document["outcomes"][0] == {
        "outcome": "banker",
        "ways": "2292252566437888",
        "probability": "1/3",
        "probability_value": 1 / 3,
    }


def test_jsonl_has_every_column_and_nested_provenance_on_each_line() -> None:
    rows = [json.loads(line) for line in text(REPORT, "jsonl").splitlines()]
    assert rows[2]["edge"] == "-19/311"
    assert rows[2]["ways"] is None
    assert rows[3]["shoe"] == {"cards": 416, "counts": {"A": 32, "K": 31}}
    assert all(list(row) == list(rows[0]) for row in rows)


def test_a_column_keeps_its_name_beside_a_provenance_entry_of_that_name() -> None:
    table = Table("t", [{"game": "mine"}], (Column("game"),))
    assert records(Report({"game": "baccarat"}, (table,)), "csv") == [
        {"table": "t", "game": "mine", "report_game": "baccarat"}
    ]


def test_markdown_escapes_what_would_break_the_table() -> None:
    written = text(REPORT, "markdown")
    assert written.startswith(
        "Punto banco\n\n**Outcomes**\n\n| outcome | ways | probability | value |\n| :--- | ---: | ---: | ---: |\n"
        "| banker | 2292252566437888 | 1/3 | 0.3333 |\n"
    )
    assert "| lucky \\| six\\_6 | -0.0611 | 0.1000 | 6 | true |\n" in written
    assert written.endswith("- shoe counts: A=32,K=31\n")


def test_latex_escapes_its_signs() -> None:
    table = Table("t", [{"a": "5% of a_b & {c} \\ ~ ^ # $ ♠"}], (Column("a"), Column("p", "exact", shown="fraction")))
    assert text(Report({}, (table,)), "latex") == (
        "\\begin{tabular}{lr}\n\\hline\na & p \\\\\n\\hline\n"
        "5\\% of a\\_b \\& \\{c\\} "
        "\\textbackslash{} \\textasciitilde{} \\textasciicircum{} \\# \\$ $\\spadesuit$ &  \\\\\n"
        "\\hline\n\\end{tabular}\n"
    )


def test_html_escapes_its_signs_and_states_the_provenance() -> None:
    table = Table("t", [{"a": "<b> & 'c'"}], (Column("a"),), title="A < B")
    written = text(Report({"game": "a&b"}, (table,)), "html")
    assert "<caption>A &lt; B</caption>\n<thead><tr><th>a</th></tr></thead>" in written
    assert "<tr><td>&lt;b&gt; &amp; &#x27;c&#x27;</td></tr>" in written
    assert "<dt>game</dt><dd>a&amp;b</dd>" in written


def test_parquet_holds_types_and_provenance() -> None:
    data = output.render(REPORT, "parquet")
    frame = pl.read_parquet(io.BytesIO(data))
    assert dict(frame.schema) == {
        **dict.fromkeys(("table", "outcome", "ways", "probability"), pl.String),
        "probability_value": pl.Float64,
        **dict.fromkeys(("wager", "edge"), pl.String),
        **dict.fromkeys(("edge_value", "deviation"), pl.Float64),
        "cards": pl.Int64,
        "offered": pl.Boolean,
    }
    assert frame["edge"].to_list() == [None, None, "-19/311", None]
    assert frame["edge_value"].to_list() == [None, None, -19 / 311, None]
    assert json.loads(pl.read_parquet_metadata(io.BytesIO(data))["exact"]) == plain(PROVENANCE)


COLUMNS = (Column("card"), Column("total", "integer"), Column("ways", "count"), Column("natural", "boolean"))
MANY = pl.DataFrame(
    {"card": ["A", None, "x,}"], "ways": [2**62, 0, 1], "natural": [True, None, False], "total": [9, 0, None]},
    schema_overrides={"total": pl.Int8},
)


@pytest.mark.parametrize("format", output.FORMATS)
@pytest.mark.parametrize("provenance", [PROVENANCE, {}])
def test_a_data_frame_is_written_as_its_rows_are(format: str, provenance: dict[str, object]) -> None:
    framed, by_row = (Report(provenance, (Table("t", rows, COLUMNS), WAGERS)) for rows in (MANY, MANY.to_dicts()))
    if format == "jsonl":  # polars leaves out the blanks
        framed_rows, rows = ([json.loads(line) for line in text(r, format).splitlines()] for r in (framed, by_row))
        assert framed_rows == rows
    elif format == "parquet":
        framed_frame, frame = (pl.read_parquet(io.BytesIO(output.render(r, format))) for r in (framed, by_row))
        assert framed_frame.equals(frame)
        assert framed_frame["ways"].to_list()[:3] == [str(2**62), "0", "1"]
    elif format == "xlsx":
        books = (ZipFile(io.BytesIO(output.render(r, format))) for r in (framed, by_row))
        first, second = ([book.read(f"xl/worksheets/sheet{n}.xml") for n in (1, 2, 3)] for book in books)
        assert first == second
    else:
        assert text(framed, format) == text(by_row, format)


def test_a_data_frame_holds_no_exact_values() -> None:
    with pytest.raises(ValueError, match="'t' is a data frame, which holds no exact values"):
        Table("t", MANY, (Column("ways", "exact"),))


def test_xlsx_has_a_sheet_a_table_and_keeps_formulas_as_text() -> None:
    with ZipFile(io.BytesIO(output.render(REPORT, "xlsx"))) as book:
        workbook = book.read("xl/workbook.xml").decode()
        wagers = book.read("xl/worksheets/sheet2.xml").decode()
        strings = book.read("xl/sharedStrings.xml").decode()
    assert [f'name="{name}"' in workbook for name in ("outcomes", "wagers", "provenance")] == [True] * 3
    assert "<f>" not in wagers
    assert "<t>=1+1</t>" in strings
    assert "<t>2292252566437888</t>" in strings
    assert f"<v>{-19 / 311:.16G}</v>" in wagers  # the 16 digits that xlsx writers give a number


def test_xlsx_refuses_a_cell_it_would_cut() -> None:
    table = Table("t", [{"a": "x" * 40000}], (Column("a"),))
    with pytest.raises(InputError, match="row 1 of 't' is too large for xlsx"):
        output.render(Report({}, (table,)), "xlsx")


@given(st.fractions(), st.integers(0, 30))
def test_decimals_are_the_nearest(value: Fraction, digits: int) -> None:
    written = decimal_text(value, digits)
    if "e" in written:
        assert 0 < abs(value) * 2 * 10**digits <= 1
    else:
        assert abs(Fraction(written) - value) * 2 * 10**digits <= 1
        assert len(written.partition(".")[2]) == digits


@given(st.integers(-(10**400), 10**400), st.integers(10**395, 10**400))
def test_floats_are_the_nearest_to_fractions_of_any_size(numerator: int, denominator: int) -> None:
    value = Fraction(numerator, denominator)
    table = Table("t", [{"x": value}], (Column("x", "exact"),))
    (row,) = records(Report({}, (table,)), "csv")
    numerator, denominator = map(int, row["x"].split("/"))
    assert (numerator, denominator) == (value.numerator, value.denominator)
    nearest = float(row["x_value"])
    gaps = [abs(Fraction(other) - value) for other in (nearest, *_neighbours(nearest))]
    assert gaps[0] == min(gaps)


def _neighbours(value: float) -> tuple[float, float]:
    from math import inf, nextafter

    return nextafter(value, -inf), nextafter(value, inf)


@pytest.mark.parametrize(
    ("value", "digits", "written"),
    [(Fraction(1, 8), 2, "0.12"), (Fraction(3, 8), 2, "0.38"), (Fraction(-7, 2), 0, "-4"), (0, 3, "0.000")],
)
def test_decimals_round_half_to_even(value: Fraction, digits: int, written: str) -> None:
    assert decimal_text(value, digits) == written


@pytest.mark.parametrize("value", [float("inf"), float("nan")])
def test_numbers_that_are_none_are_shown_and_never_written_as_json(value: float) -> None:
    report = Report({}, (Table("t", [{"x": value}], (Column("x", "number"),)),))
    assert str(value) in text(report, "table")
    with pytest.raises(ValueError, match="JSON compliant"):
        text(report, "json")


def test_large_integers_must_be_counts() -> None:
    assert plain([2**53, Count(5)]) == [2**53, "5"]
    with pytest.raises(ValueError, match="make it a Count"):
        plain({"total": 2**53 + 1})
    with pytest.raises(TypeError, match="object has no place in a report"):
        plain(object())


def test_columns_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="columns of one name: x_value"):
        Table("t", [], (Column("x", "exact"), Column("x_value", "number")))
    with pytest.raises(ValueError, match="columns of one name: table"):
        Table("t", [], (Column("table"),))
    tables = (Table("a", [], (Column("x"),)), Table("b", [], (Column("x", "integer"),)))
    with pytest.raises(ValueError, match="column 'x' is text in one table and integer in 'b'"):
        text(Report({}, tables), "csv")


@pytest.mark.parametrize("format", output.FORMATS)
def test_a_table_without_rows_and_a_report_without_tables(format: str) -> None:
    empty, bare = Report({}, (Table("t", [], (Column("x", "exact"),)),)), Report({"game": "baccarat"}, ())
    lengths = [len(output.render(report, format)) > 0 for report in (empty, bare)]
    assert lengths == [format != "jsonl"] * 2  # no row, no line


@pytest.mark.parametrize(("extension", "format"), output.EXTENSIONS.items())
def test_the_extension_chooses_the_format_and_the_file_has_its_bytes(
    tmp_path: Path, extension: str, format: str
) -> None:
    path = tmp_path / f"edges{extension.upper()}"
    output.write(REPORT, None, path, 4)
    if format not in output.BINARY:  # those carry the time of writing
        assert path.read_bytes() == output.render(REPORT, format, 4)
    assert list(tmp_path.iterdir()) == [path]


def test_a_named_format_goes_before_the_extension(tmp_path: Path) -> None:
    output.write(REPORT, "json", tmp_path / "edges.csv")
    assert json.loads((tmp_path / "edges.csv").read_text())["game"] == "baccarat"


@pytest.mark.parametrize(
    ("format", "name", "message"),
    [
        ("jsno", None, "unknown format 'jsno'; did you mean 'json'?"),
        (None, "edges.docx", "edges.docx has the unknown extension '.docx'; known: .txt, .json, "),
        (None, "edges", "edges has no extension; known: .txt, .json, "),
        (None, "missing/edges.csv", "there is no folder"),
        ("csv", ".", "it is a folder"),
    ],
)
def test_bad_destinations_are_refused_before_anything_is_written(
    tmp_path: Path, format: str | None, name: str | None, message: str
) -> None:
    with pytest.raises(InputError) as error:
        output.write(REPORT, format, None if name is None else tmp_path / name)
    assert message in str(error.value)
    assert not list(tmp_path.iterdir())


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "edges.csv"
    path.write_text("old")

    def full(self: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(InputError, match=r"cannot write .*edges.csv: No space left on device"):
        output.write(REPORT, None, path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_and_a_pipe_stay_what_they_are(tmp_path: Path) -> None:
    (tmp_path / "link.json").symlink_to("file.json")
    output.write(REPORT, None, tmp_path / "link.json")
    assert (tmp_path / "link.json").is_symlink()
    assert json.loads((tmp_path / "file.json").read_text())["game"] == "baccarat"
    os.mkfifo(tmp_path / "pipe.json")
    reader = os.open(tmp_path / "pipe.json", os.O_RDONLY | os.O_NONBLOCK)
    output.write(Report({"game": "baccarat"}, ()), None, tmp_path / "pipe.json")
    assert json.loads(os.read(reader, 1000)) == {"game": "baccarat"}
    os.close(reader)
    assert (tmp_path / "pipe.json").is_fifo()


def test_stdout_gets_the_bytes_and_nothing_else(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    output.write(REPORT, "parquet")
    captured = capfdbinary.readouterr()
    assert pl.read_parquet(io.BytesIO(captured.out))["table"].to_list() == ["outcomes", "outcomes", "wagers", "wagers"]
    assert captured.err == b""


def test_a_terminal_gets_no_bytes_it_cannot_show(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    with pytest.raises(InputError, match="xlsx is no text for a terminal"):
        output.write(REPORT, "xlsx")


def test_a_light_format_loads_no_heavy_library() -> None:
    import subprocess
    import sys

    program = (
        "import sys; from exact import output; r = output.Report({'game': 'baccarat'}, ());"
        "[output.write(r, f) for f in output.FORMATS if f not in output.BINARY];"
        "print({'polars', 'numpy', 'rich', 'xlsxwriter', 'sympy'} & set(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=Path(__file__).parents[1]
    )
    assert (done.returncode, done.stderr.strip()) == (0, "set()")
