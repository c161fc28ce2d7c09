"""``exact rounds``: every distinct round once, its ways exact, the file whole or not there."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from math import perm
from pathlib import Path

import polars as pl
import pytest
from click.testing import CliRunner, Result

from exact import rounds
from exact.cli import main
from exact.errors import InputError
from exact.games import load
from exact.shoe import Shoe
from exact.tables.listing import Listing, save
from tests.punto_banco import count

GAME = load("baccarat")
WORKED_OUT = (
    "player_two",
    "banker_two",
    "natural",
    "player_total",
    "banker_total",
    "player_cards",
    "banker_cards",
    "outcome",
)
SMALL = Shoe.of({"A": 3, "4": 2, "8": 3, "9": 1, "K": 4})
TINY = "8H 8S 9H KD KC 4S 5H AD"


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["rounds", *map(str, arguments)])


def test_values_of_eight_decks(tmp_path: Path) -> None:
    path = tmp_path / "rounds.parquet"
    result = run("baccarat", "--decks", 8, "-o", path)
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == f"339,400 rounds written to {path}\n"
    frame = pl.read_parquet(path)
    assert frame.columns == ["p1", "b1", "p2", "b2", "p3", "b3", *WORKED_OUT, "ways"]
    assert frame.height == frame.unique(["p1", "b1", "p2", "b2", "p3", "b3"]).height == 339_400
    assert frame.group_by("outcome").agg(pl.col("ways").sum()).sort("outcome").rows() == [
        ("banker", 2292252566437888), ("player", 2230518282592256), ("tie", 475627426473216),
    ]  # fmt: skip
    origin = json.loads(pl.read_parquet_metadata(path)["exact"])
    assert (origin["game"], origin["shoe"]["cards"], origin["options"]["commission"]) == ("baccarat", 416, "1/20")


def test_ranks_of_eight_decks(tmp_path: Path) -> None:
    written = save(Listing(GAME, Shoe.decks(8), "rank"), "parquet", tmp_path / "ranks.parquet")
    frame = pl.scan_parquet(tmp_path / "ranks.parquet")
    assert written == frame.select(pl.len()).collect().item() == 1_659_001
    assert frame.select(pl.col("ways").sum()).collect().item() == perm(416, 6)


@pytest.mark.parametrize("cards", ["value", "rank", "card"])
def test_each_round_of_a_tiny_shoe_has_its_ways(cards: str) -> None:
    seen = {"value": ("",), "rank": ("_rank",), "card": ("_rank", "_suit")}[cards]
    names = [f"{slot}{kind}" for slot in ("p1", "b1", "p2", "b2", "p3", "b3") for kind in seen] + list(WORKED_OUT)
    expected = count(TINY.split(), lambda row: tuple(row.get(name) for name in names))
    found: Counter[tuple[object, ...]] = Counter()
    for frame in Listing(GAME, Shoe.of(Counter(TINY.split())), cards).frames():
        assert frame.columns == [*names, "ways"]
        for *row, ways in frame.iter_rows():
            assert tuple(row) not in found
            found[tuple(row)] = ways
    assert found == expected


@pytest.mark.parametrize("shoe", [SMALL, replace(SMALL, infinite=True), SMALL.remove("8,K")])
def test_ways_as_texts_are_the_ways_as_numbers(shoe: Shoe, monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = pl.concat(Listing(GAME, shoe, "value").frames())
    monkeypatch.setattr("exact.tables.listing.fits", lambda *_: False)
    texts = pl.concat(Listing(GAME, shoe, "value").frames())
    assert texts["ways"].dtype == pl.String
    order = ["p1", "b1", "p2", "b2", "p3", "b3"]
    assert texts.with_columns(pl.col("ways").cast(pl.Int64)).sort(order).equals(numbers.sort(order))


def test_ways_beyond_64_bits(tmp_path: Path) -> None:
    assert run("--decks", 100, "-o", tmp_path / "big.csv").exit_code == 0
    frame = pl.read_csv(tmp_path / "big.csv", schema_overrides={"ways": pl.String})
    assert frame.height == 339_400
    assert sum(map(int, frame["ways"])) == perm(5200, 6) > 2**63


def test_all_formats_hold_the_same_rows(tmp_path: Path) -> None:
    shoe = ("--shoe", "A=2,4=2,9=2,K=3")
    frames = {}
    for name in ("parquet", "csv", "tsv", "jsonl"):
        assert run(*shoe, "-o", tmp_path / f"rounds.{name}").exit_code == 0
        path = tmp_path / f"rounds.{name}"
        if name == "parquet":
            frames[name] = pl.read_parquet(path)
        elif name == "jsonl":  # ways are texts there, as in every JSON of ours
            rows = [json.loads(line) for line in path.read_text().splitlines()]
            frames[name] = pl.DataFrame([row | {"ways": int(row["ways"])} for row in rows], infer_schema_length=None)
        else:
            frames[name] = pl.read_csv(path, separator="," if name == "csv" else "\t", infer_schema_length=None)
    assert all(frame.equals(frames["parquet"]) for frame in frames.values())
    assert frames["csv"].height > 50


def test_without_a_file_the_rows_are_on_stdout() -> None:
    result = run("--shoe", "A=6", "--format", "csv")
    header = ",".join(["p1", "b1", "p2", "b2", "p3", "b3", *WORKED_OUT, "ways"])
    assert result.stdout == f"{header}\n1,1,1,1,1,1,2,2,false,3,3,3,3,tie,720\n"
    assert result.stderr == ""
    assert run("--shoe", "A=6", "--format", "jsonl").stdout.startswith('{"p1":1,"b1":1,')


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--format", "parquet"), "parquet needs a file: give one with -o"),
        (("-o", "rounds.xlsx"), "rounds are not written as xlsx; known: parquet, csv, tsv, jsonl"),
        (("--shoe", "A=3", "-o", "rounds.csv"), "the shoe holds 3 cards, too few for a round to be completed"),
        (("--cards", "card", "-o", "rounds.csv"), "this asks for up to 19,770,609,664 different card sequences"),
        (("--cards", "card", "--shoe", "A=9", "-o", "rounds.parquet"), "this shoe knows ranks only"),
        (("blackjak", "-o", "rounds.csv"), "unknown game 'blackjak'"),
    ],
)
def test_what_cannot_be_listed_is_refused_and_nothing_written(
    arguments: tuple[str, ...], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert says in result.stderr
    assert not list(tmp_path.iterdir())


BROKEN = """
extends = "baccarat"
[[step]]
name = "banker draws"
draw = "b3"
when = "NOT natural AND p3 + 0 * b1 > 4 AND banker_two < 6"
"""


@pytest.mark.parametrize("name", ["rounds.parquet", "rounds.csv"])
def test_rules_that_fail_half_way_leave_the_old_file(name: str, tmp_path: Path) -> None:
    rules, path = tmp_path / "broken.toml", tmp_path / name
    rules.write_text(BROKEN)
    path.write_text("old")
    result = run(rules, "-o", path)
    assert result.exit_code == 2
    assert "NULL" in result.stderr
    assert path.read_text() == "old"
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted(["broken.toml", name])


def test_rows_come_in_frames_of_bounded_size(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = pl.concat(Listing(GAME, Shoe.decks(1), "value").frames())
    monkeypatch.setattr(rounds, "CHUNK", 20_000)
    parts = list(Listing(GAME, Shoe.decks(1), "value").frames())
    assert max(part.height for part in parts) <= 20_000 < whole.height
    order = ["p1", "b1", "p2", "b2", "p3", "b3"]
    assert pl.concat(parts).sort(order).equals(whole.sort(order))


def test_rules_that_lose_ways_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exact.rounds.undealt_orders", lambda *_: 1)
    with pytest.raises(InputError, match="loses or doubles rounds"):
        list(Listing(GAME, Shoe.decks(1), "value").frames())
