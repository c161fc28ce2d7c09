"""The published tables: those that are kept are current, their checksums right, and a second run gives the same."""

from __future__ import annotations

import csv
import json
from collections import Counter
from fractions import Fraction
from hashlib import sha256
from io import StringIO
from pathlib import Path

import polars as pl
import pytest
from click.testing import CliRunner

from exact.cli import main
from exact.cli.tables import range_of
from exact.datafiles import data_folder
from exact.errors import InputError
from exact.games import load
from exact.output.report import Table
from exact.shoe import Shoe
from exact.tables.tableset import csv_text, save, tables
from exact.tally import Digit, tally

KEPT = data_folder() / "tables"
GAME = load("baccarat")
NAMES = ("outcomes", "wagers", "pays", "joint_totals", "cards_used", "cells")


def kept(name: str) -> list[dict[str, str]]:
    with (KEPT / f"{name}.csv").open(newline="") as lines:
        return list(csv.DictReader(lines))


@pytest.fixture(scope="module")
def fresh() -> dict[str, Table]:
    return {table.name: table for table in tables(GAME, range(1, 13))}


@pytest.mark.parametrize("name", NAMES)
def test_the_kept_tables_are_current(name: str, fresh: dict[str, Table]) -> None:
    again = list(csv.DictReader(StringIO(csv_text(fresh[name]))))
    assert kept(name) == again
    assert [row["decks"] for row in kept(name)] == sorted((row["decks"] for row in kept(name)), key=int)
    assert {row["decks"] for row in kept(name)} == set(map(str, range(1, 13)))


def test_no_table_is_kept_that_is_not_made(fresh: dict[str, Table]) -> None:
    made = {f"{name}.{kind}" for name in fresh for kind in ("csv", "parquet")}
    assert {path.name for path in KEPT.iterdir()} == made | {"CHECKSUMS", "provenance.json", "SOURCE.md"}
    assert sum(path.stat().st_size for path in KEPT.iterdir()) < 3_000_000


def test_checksums() -> None:
    sums = dict(reversed(line.split("  ")) for line in (KEPT / "CHECKSUMS").read_text().splitlines())  # type: ignore[arg-type]
    assert sums.keys() == {*(f"{name}.csv" for name in NAMES), "provenance.json"}
    assert {name: sha256((KEPT / name).read_bytes()).hexdigest() for name in sums} == sums


@pytest.mark.parametrize("name", NAMES)
def test_parquet_holds_what_csv_holds(name: str) -> None:
    frame = pl.read_parquet(KEPT / f"{name}.parquet")
    texts = {column: pl.String for column, kind in frame.schema.items() if kind == pl.String}
    assert frame.equals(pl.read_csv(KEPT / f"{name}.csv", schema_overrides=texts))
    assert json.loads(pl.read_parquet_metadata(KEPT / f"{name}.parquet")["exact"])["game"] == "baccarat"


def test_published_counts_stand_in_the_tables() -> None:
    ways = {(row["decks"], row["outcome"]): row["ways"] for row in kept("outcomes")}
    assert ways["8", "banker"] == "2292252566437888"
    assert ways["12", "tie"] == "5488795281294720"
    joint = {tuple(row.values())[:4]: row["ways"] for row in kept("joint_totals")}
    assert joint["8", "0", "8", "true"] == "69686799163392"
    assert (
        joint["8", "0", "8", "false"] == "15389778067456"
    )  # read as one row, the second part was lost by a public program
    assert {row["probability"] for row in kept("wagers") if "probability" in row} == set()


@pytest.mark.parametrize("decks", range(1, 13))
def test_every_table_adds_up_to_all_deals(decks: int) -> None:
    total = Shoe.decks(decks).orders(6)
    for name in ("outcomes", "joint_totals", "cards_used"):
        rows = [row for row in kept(name) if row["decks"] == str(decks)]
        assert sum(int(row["ways"]) for row in rows) == total
        assert sum(Fraction(row["probability"]) for row in rows) == 1


def test_a_cell_decides_the_rounds_that_come_to_it() -> None:
    """The same from the words of the rule pages: no natural, and the cell's score and third card."""
    columns = ["natural", "player_two", "banker_two", "p3"]
    expected: Counter[tuple[str, str, str]] = Counter()
    for key, ways in tally(GAME, Shoe.decks(8), [Digit.of_column(GAME, name) for name in columns]).items():
        natural, player, banker, third = key
        if natural:
            continue
        expected["player_draws", str(player), ""] += ways
        if third is None:
            expected["banker_after_stand", str(banker), ""] += ways
        else:
            expected["banker_after_draw", str(banker), str(third)] += ways
    rows = [row for row in kept("cells") if row["decks"] == "8"]
    assert {(row["rule"], row["row"], row["column"]): int(row["ways"]) for row in rows} == expected
    assert len(rows) == 96
    draws = {
        (row["row"], row["column"]) for row in rows if row["rule"] == "banker_after_draw" and row["draws"] == "true"
    }
    assert ("6", "7") in draws
    assert ("6", "5") not in draws


def test_a_second_run_gives_the_same(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    for folder in (first, second):
        ended = CliRunner().invoke(main, ["tables", "--decks", "1", "-o", str(folder)])
        assert (ended.exit_code, ended.stdout) == (0, "")
        assert ended.stderr == f"14 files written to {folder}\n"
    for path in first.iterdir():
        if path.suffix == ".parquet":
            assert pl.read_parquet(path).equals(pl.read_parquet(second / path.name))
        else:
            assert path.read_bytes() == (second / path.name).read_bytes()


def test_a_game_of_ones_own_has_the_tables_that_its_file_names(tmp_path: Path) -> None:
    rules = tmp_path / "mine.toml"
    rules.write_text(
        'extends = "baccarat"\n[breakdown.naturals]\ntitle = "Naturals"\ncolumns = "natural outcome"\n'
        '[option.tie_odds]\ndefault = "9"\nmeaning = "a Tie bet pays this to 1"\nsource = "this table"\n'
    )
    save(load(str(rules)), [2], tmp_path / "out")
    rows = list(csv.DictReader(StringIO((tmp_path / "out" / "naturals.csv").read_text())))
    assert [row["natural"] for row in rows] == ["false"] * 3 + ["true"] * 3
    assert sum(int(row["ways"]) for row in rows if row["natural"] == "true") == 375439996800
    assert json.loads((tmp_path / "out" / "provenance.json").read_text())["options"]["tie_odds"] == "9"


def test_a_breakdown_by_an_unknown_column_is_refused(tmp_path: Path) -> None:
    rules = tmp_path / "mine.toml"
    rules.write_text('extends = "baccarat"\n[breakdown.a]\ncolumns = "player_totl"\n[breakdown.b]\ntitle = "B"\n')
    with pytest.raises(InputError) as error:
        load(str(rules))
    assert str(error.value).splitlines() == [
        "mine.toml: breakdown.a.columns: no column 'player_totl'; did you mean 'player_total'?",
        "mine.toml: breakdown.b.columns: name the columns of a round to break results down by",
    ]


@pytest.mark.parametrize("text", ["0", "0-3", "5-2", "x", "", "1-2-3"])
def test_ranges_of_decks_that_are_none(text: str) -> None:
    with pytest.raises(InputError, match="cannot read --decks"):
        range_of(text)


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    ended = CliRunner().invoke(main, ["tables", "--decks", "1", "-o", str(tmp_path / "file" / "x")])
    assert ended.exit_code == 2
    assert "cannot write into" in ended.stderr
