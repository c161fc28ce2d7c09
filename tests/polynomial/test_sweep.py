"""Sweeps: every row as ``compute`` gives it, whatever the source, width or interruption; no shoe, refused by row."""

from __future__ import annotations

import json
from math import comb
from pathlib import Path

import polars as pl
import pytest
from click.testing import CliRunner, Result

from exact.cli import main
from exact.games import load
from exact.polynomial import depletion, shoes, shoetable, sweep
from exact.result import compute
from exact.shoe import Shoe

RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
VALUES = [str(value) for value in range(10)]


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["sweep", *map(str, arguments)])


def swept(output: Path, *arguments: object) -> pl.DataFrame:
    result = run(*arguments, "-o", output)
    assert result.exit_code == 0, result.output
    assert not list(output.parent.glob("*.part*")), "nothing is left but the file"
    return pl.read_parquet(output) if output.suffix == ".parquet" else pl.read_csv(output, infer_schema_length=None)


def shoe_of(row: dict[str, int]) -> Shoe:
    if "A" in row:
        return Shoe.of({rank: row[rank] for rank in RANKS})
    return Shoe.of({"A": row["1"]} | {v: row[v] for v in VALUES[2:]} | {"10": row["0"]})


def check(frame: pl.DataFrame, wagers: tuple[str, ...] = ("player", "banker", "tie"), every: int = 1) -> None:
    game = load("baccarat")
    chosen = [game.wager(name) for name in wagers]
    for row in frame.gather_every(every).iter_rows(named=True):
        figures = compute(game, shoe_of(row), chosen).all
        assert int(row["rounds"]) == figures.whole
        for outcome in figures.outcomes:
            assert int(row[f"ways_{outcome.name}"]) == outcome.ways
        for wager in figures.wagers:
            net, denominator = int(row[f"net_{wager.name}"]), int(row["denominator"])
            assert net * wager.expectation.denominator == wager.expectation.numerator * denominator
            assert row[f"edge_{wager.name}"] == pytest.approx(float(wager.edge), rel=1e-14, abs=1e-15)  # rounded twice


MAIN = ("--wager", "player", "--wager", "banker", "--wager", "tie")


@pytest.fixture
def by_value(tmp_path: Path) -> Path:
    random = pl.Series(range(240)).shuffle(4).to_list()
    rows = [[random[10 * r + v] % 33 for v in range(10)] for r in range(24)]
    path = tmp_path / "shoes.csv"
    frame = pl.DataFrame(rows, schema=VALUES, orient="row").with_columns(table=pl.lit("north, 1"))
    frame.write_csv(path)
    return path


def test_a_file_by_value_carries_other_columns(by_value: Path, tmp_path: Path) -> None:
    frame = swept(tmp_path / "out.parquet", by_value, *MAIN)
    check(frame)
    assert frame["table"].unique().to_list() == ["north, 1"]


def test_a_file_by_rank_with_pairs(tmp_path: Path) -> None:
    path = tmp_path / "shoes.parquet"
    pl.DataFrame({rank: pl.Series([8, 32, 5], dtype=pl.UInt8) for rank in RANKS}).write_parquet(path)
    frame = swept(tmp_path / "out.csv", path)
    check(frame, ("player", "banker", "tie", "player-pair", "banker-pair"))


def test_what_64_bits_cannot_hold_is_text(tmp_path: Path) -> None:
    path = tmp_path / "shoes.csv"
    path.write_text(
        ",".join(VALUES) + "\n" + ",".join(["1600", *["400"] * 9]) + "\n" + ",".join(["16", *["4"] * 9]) + "\n"
    )
    frame = swept(tmp_path / "out.parquet", path, *MAIN)
    assert frame.schema["ways_tie"] == pl.String
    check(frame)


def test_the_denominator_that_only_just_fits_and_the_one_that_does_not(tmp_path: Path) -> None:
    """20 x 8 x ordered deals of n cards reach 2^63 between 624 and 625 cards: 64 bits up to there, text beyond."""
    kinds = []
    for cards in (624, 625):
        path = tmp_path / f"{cards}.csv"
        path.write_text(",".join(VALUES) + "\n" + ",".join([str(cards - 450), *["50"] * 9]) + "\n")
        frame = swept(tmp_path / f"{cards}.parquet", path, *MAIN)
        check(frame)
        kinds.append(frame.schema["net_tie"])
    assert kinds == [pl.Int64, pl.String]


def test_every_removal(tmp_path: Path) -> None:
    frame = swept(tmp_path / "out.parquet", "--remove-all", 3, "--decks", 1, *MAIN)
    assert frame.height == comb(10 + 3 - 1, 3)
    assert frame["subsets"].sum() == comb(52, 3)
    check(frame, every=23)
    ways = frame.select((pl.col("subsets").cast(pl.Int128) * pl.col("ways_tie")).sum()).item()
    total = frame.select((pl.col("subsets").cast(pl.Int128) * pl.col("rounds")).sum()).item()
    tie = compute(load("baccarat"), Shoe.decks(1), []).all.outcome("tie")
    assert ways * tie.total == tie.ways * total, "cards out of sight change nothing"


def test_random_depletion_is_the_seed_s(tmp_path: Path) -> None:
    one, again = (swept(tmp_path / f"{n}.parquet", "--random", 40, "--seed", 5, *MAIN) for n in (1, 2))
    other = swept(tmp_path / "3.parquet", "--random", 40, "--seed", 6, "--left", 52, *MAIN)
    assert one.equals(again)
    assert not one.equals(other)
    assert other.select(pl.sum_horizontal(VALUES)).to_series().unique().to_list() == [52]
    check(one, every=9)


def test_simulated_shoes_begin_full_and_end_at_the_cut(tmp_path: Path) -> None:
    frame = swept(tmp_path / "out.parquet", "--simulate", 3, "--cut", 20, "--decks", 2, *MAIN)
    left = frame.with_columns(left=pl.sum_horizontal(VALUES))
    assert left.filter(pl.col("round") == 1)["left"].to_list() == [104] * 3
    used = left.select(pl.col("left").diff().over("shoe")).to_series().drop_nulls()
    assert set(used.to_list()) == {-4, -5, -6}
    last = left.group_by("shoe").agg(pl.col("left").min())["left"]
    assert (last.min() > 20, last.max() <= 26) == (True, True)
    check(frame, every=11)


def test_what_is_left_after_each_round_of_a_log(tmp_path: Path) -> None:
    log = tmp_path / "log.csv"
    log.write_text("shoe,p1,b1,p2,b2,p3,b3\n1,9,K,K,QH,,\n1,2,3,4,5,6,\n2,A,A,A,A,A,A\n")
    frame = swept(tmp_path / "out.parquet", "--log", log, "--decks", 2, *MAIN)
    assert {value: frame[value].to_list() for value in ("0", "1", "6", "9")} == {
        "0": [29, 29, 32], "1": [8, 8, 2], "6": [8, 7, 8], "9": [7, 7, 8],
    }  # fmt: skip
    check(frame)


class Told:
    """Stands in for the progress: what it is told."""

    def __call__(self, unit: str, total: int, done: int) -> Told:
        self.total, self.before, self.added = total, done, 0
        return self

    def __enter__(self) -> Told:
        return self

    def add(self, number: int) -> None:
        self.added += number

    def __exit__(self, *_: object) -> None:
        pass


def test_an_interrupted_sweep_continues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (depletion, shoes, shoetable, sweep):
        monkeypatch.setattr(module, "PART", 50)
    arguments = ("--remove-all", 3, "--decks", 1, "--jobs", 1, *MAIN)
    whole = swept(tmp_path / "whole.parquet", *arguments)
    output, worked, calls = tmp_path / "out.parquet", sweep.worked, []

    def stops(*given: object) -> pl.DataFrame:
        calls.append(given[-1])
        if len(calls) == 4:
            raise KeyboardInterrupt
        return worked(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(sweep, "worked", stops)
    stopped = run(*arguments, "-o", output)
    assert (stopped.exit_code, "the same command continues" in stopped.output) == (1, True)
    parts = tmp_path / "out.parquet.parts"
    finished = {path.name: path.stat().st_mtime_ns for path in parts.glob("part-*.parquet")}
    assert len(finished) >= 3
    assert not output.exists()
    assert not list(parts.glob(".*")), "no half part"
    begun, told = len(calls), Told()
    monkeypatch.setattr("exact.cli.sweep.Progress", told)
    monkeypatch.setattr(sweep, "worked", lambda *given: (calls.append(given[-1]), worked(*given))[1])
    assert swept(output, *arguments).equals(whole)
    assert len(calls) - begun == 5 - len(finished), "finished parts are not worked out again"
    assert told.total == whole.height == told.before + told.added, "what was finished does not count as this run's"
    assert told.before == 50 * len(finished)


def test_parts_of_another_sweep_are_not_mixed_in(tmp_path: Path) -> None:
    parts = tmp_path / "out.parquet.parts"
    parts.mkdir()
    (parts / "sweep.json").write_text(json.dumps({"game": "another"}))
    result = run("--remove-all", 1, "-o", tmp_path / "out.parquet")
    assert (result.exit_code, "holds parts of another sweep" in result.output) == (2, True)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([[32] * 10, [32] * 9 + [-1]], "row 2: the count of 9 must be a whole number from 0, not '-1'"),
        ([[32] * 10, [32] * 9 + ["x"]], "row 2: the count of 9 must be a whole number from 0, not 'x'"),
        ([[32] * 10, [32] * 9 + [1.5]], "row 2: the count of 9 must be a whole number from 0, not '1.5'"),
        ([[32] * 10, [32] * 9 + [" 32"]], "row 2: the count of 9 must be a whole number from 0, not ' 32'"),
        ([[32] * 10, [2**62] * 4 + [32] * 6], "row 2: the count of 0 is over 1,000,000,000,000,000, the most counted"),
        ([[32] * 10, [1] * 5 + [0] * 5], "row 2: 5 cards are too few for a round"),
        ([[32] * 10, [32] * 9], "row 2: the count of 9 must be a whole number from 0, not ''"),
        ([[32] * 10, [32] * 11], "row 2 has 11 fields, the header 10"),
        ([], "holds no shoes"),
    ],
)
def test_rows_that_are_no_shoes(rows: list[list[object]], message: str, tmp_path: Path) -> None:
    path = tmp_path / "shoes.csv"
    path.write_text("\n".join(",".join(map(str, row)) for row in [VALUES, *rows]) + "\n")
    result = run(path, "-o", tmp_path / "out.parquet", *MAIN)
    assert result.exit_code == 2
    assert message in result.output
    assert not (tmp_path / "out.parquet").exists()


@pytest.mark.parametrize(
    ("header", "message"),
    [
        (VALUES[:-1], "counted by value, these are missing: 9"),
        ([*VALUES, "A"], "counted by value, but there is a column 'A' too"),
        (["x", "y"], "no columns that count a shoe"),
    ],
)
def test_wrong_columns(header: list[str], message: str, tmp_path: Path) -> None:
    path = tmp_path / "shoes.csv"
    path.write_text(f"{','.join(header)}\n{','.join(['32'] * len(header))}\n")
    result = run(path, "-o", tmp_path / "out.parquet", *MAIN)
    assert (result.exit_code, message in result.output) == (2, True), result.output


def test_counts_that_are_no_integers(tmp_path: Path) -> None:
    path = tmp_path / "shoes.parquet"
    pl.DataFrame({value: [32.0] for value in VALUES}).write_parquet(path)
    assert "holds Float64; counts are whole numbers" in run(path, "-o", tmp_path / "out.csv", *MAIN).output


def test_pairs_cannot_be_priced_by_value(by_value: Path, tmp_path: Path) -> None:
    result = run(by_value, "-o", tmp_path / "out.csv")
    assert result.exit_code == 2
    assert "shoes.csv: player-pair: shoes counted by value do not tell 10S from JS" in result.output
    assert "these counts are enough for --wager player --wager banker --wager tie" in result.output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "nothing says which shoes"),
        (("--remove-all", 1, "--random", 2), "--remove-all and --random are given"),
        (("--random", 2, "--decks", "infinite"), "an infinite shoe never changes"),
        (("--random", 2, "--left", 5), "5 cards left: a round needs 6"),
        (("--remove-all", 50, "--decks", 1), "too few for a round"),
        (("nowhere.csv",), "there is no such file"),
        (("nowhere.csv", "--decks", 6), "--decks is for shoes that are generated"),
        (("--remove-all", 1, "--left", 52), "--left goes with --random"),
        (("--simulate", 2, "--cut", 416), "no round can be begun"),
        (("--log", "nowhere.csv"), "cannot be read"),
    ],
)
def test_what_cannot_be_swept(arguments: tuple[object, ...], message: str, tmp_path: Path) -> None:
    result = run(*arguments, "-o", tmp_path / "out.parquet")
    assert (result.exit_code, message in result.output) == (2, True), result.output


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("p1,b1,p2,b2,p3\nA,A,A,A,A\n", "no column 'b3'"),
        ("p1,b1,p2,b2,p3,b3\nA,A,A,A,A,Z\n", "row 1: b3: 'Z' is not a card"),
        ("p1,b1,p2,b2,p3,b3\nA,A,A,A,2,2\nA,2,2,2,2,2\n", "row 2: more 1 dealt than the shoe holds"),
    ],
)
def test_logs_that_are_no_logs(text: str, message: str, tmp_path: Path) -> None:
    log = tmp_path / "log.csv"
    log.write_text(text)
    result = run("--log", log, "--decks", 1, "-o", tmp_path / "out.parquet", *MAIN)
    assert (result.exit_code, message in result.output) == (2, True), result.output
