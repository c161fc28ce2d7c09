"""Bad input: exit code 2, one clear message on stderr, nothing on stdout, nothing written."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from click.testing import Result

CASES = tomllib.loads((Path(__file__).parent / "errors.toml").read_text())["case"]


@pytest.mark.parametrize("case", CASES, ids=[" ".join(case["run"]) for case in CASES])
def test_refused_with_this_message(exact, case) -> None:
    result: Result = exact(*case["run"])
    message = [line for line in result.stderr.splitlines() if line.startswith("Error: ")]
    assert (result.exit_code, result.stdout, message) == (2, "", [f"Error: {case['says']}"])
    assert not list(Path().iterdir())


@pytest.mark.parametrize("name", ["result.json", "result.csv", "result.parquet", "result.xlsx", "result.txt"])
def test_nothing_is_written_on_bad_input(exact, name: str) -> None:
    for wrong in (["--decks", "0"], ["--given", "player_two = 11"], ["--option", "x=1"], ["--wager", "x"]):
        assert exact("compute", *wrong, "-o", name).exit_code == 2
        assert not list(Path().iterdir())


def test_a_file_that_stands_there_stays_as_it_is(exact) -> None:
    Path("result.json").write_text("mine")
    assert exact("compute", "--decks", "0", "-o", "result.json").exit_code == 2
    assert Path("result.json").read_text() == "mine"
    assert [path.name for path in Path().iterdir()] == ["result.json"]


def test_files_of_a_shoe_that_cannot_be_read(exact) -> None:
    Path("shoe.toml").write_text("A = ")
    Path("shoe.csv").write_text("rang,count\nA,3\n")
    Path("shoe.json").write_text("[1]")
    Path("shoe.txt").write_text("A=3")
    Path("count.csv").write_text("card,count\nA,x\n")
    said = {
        name: exact("compute", "--shoe-file", name)
        for name in ("shoe.toml", "shoe.csv", "shoe.json", "shoe.txt", "count.csv")
    }
    assert {result.exit_code for result in said.values()} == {2}
    assert {name: result.stderr.removeprefix("Error: ").strip() for name, result in said.items()} == {
        "shoe.toml": "shoe.toml: cannot be read as toml: Invalid value (at end of document)",
        "shoe.csv": "shoe.csv: a shoe in CSV has the columns card,count or rank,count or rank,suit,count",
        "shoe.json": "shoe.json: expected a count for each card, such as A = 32",
        "shoe.txt": "shoe.txt: a shoe file ends in .toml, .csv or .json",
        "count.csv": "count.csv: the count of 'A' must be a whole number from 0, not 'x'",
    }


def test_files_of_wagers_that_cannot_be_read(exact) -> None:
    Path("broken.toml").write_text("[[wager]")
    Path("empty.toml").write_text("title = 'x'")
    Path("wrong.toml").write_text(
        "[[wager]]\nname = 'x'\npay = []\npays = [{ when = 'player_to = 1', odds = '1' }]\n"
        "[[wager]]\nname = 'y'\npays = [{ when = 'natural', odds = 'evens' }]\n"
    )
    said = {name: exact("compute", "--wagers", name) for name in ("broken.toml", "empty.toml", "wrong.toml")}
    assert {result.exit_code for result in said.values()} == {2}
    assert said["broken.toml"].stderr.startswith("Error: broken.toml: not a TOML file: ")
    assert (
        said["empty.toml"].stderr == "Error: empty.toml: a file of wagers holds [[wager]] entries with name and pays\n"
    )
    unknown = "'player_to = 1': unknown column 'player_to' here; did you mean 'player_two'?"
    assert said["wrong.toml"].stderr.splitlines() == [
        "Error: wrong.toml: wager 'x'.pay: unknown key; did you mean 'pays'?",
        f"Error: wrong.toml: wager 'x'.pays[1].when: {unknown}",
        "Error: wrong.toml: wager 'y'.pays[1].odds: odds must be a fraction of at least -1 such as 19/20, not 'evens'",
    ]


def test_every_fault_of_a_rule_file_is_an_error_line(exact) -> None:
    Path("g.toml").write_text('extends = "baccarat"\ntitel = "x"\n[option.commission]\ndefault = "2"\nmost = 1\n')
    result = exact("compute", "g.toml")
    assert (result.exit_code, result.stdout) == (2, "")
    allowed = "allowed: a fraction such as 19/20 or 0.95, at most 1"
    assert result.stderr.splitlines() == [
        "Error: g.toml: titel: unknown key; did you mean 'title'?",
        "Error: g.toml: option.commission.meaning: every option has a default, a meaning and a source",
        "Error: g.toml: option.commission.source: every option has a default, a meaning and a source",
        f"Error: g.toml: option.commission.default: option commission cannot be '2'; {allowed}",
    ]
