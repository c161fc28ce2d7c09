"""Logs of dealt rounds: every way of writing one, every kind of fault, and hostile files."""

from __future__ import annotations

import gzip
import json
import zipfile
from fractions import Fraction
from pathlib import Path
from typing import Any

import engines
import logs
import polars as pl
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from exact.cli import main
from exact.errors import InputError
from exact.games import load
from exact.rulefile.mutate import cells, flip
from exact.trace import play
from exact.verify.log import LogAnswer, LogRequest, replay_log

GAME = load("baccarat")
ROUNDS = logs.deal(3000)


def replay(path: str | Path, **said: Any) -> LogAnswer:
    return replay_log(GAME, [str(path)], LogRequest(**said))


def faults(answer: LogAnswer) -> dict[tuple[str, str], int]:
    found: dict[tuple[str, str], int] = {}
    for what, finding in answer.findings.found.items():
        found[what.group, what.fault] = found.get((what.group, what.fault), 0) + finding.count
    return found


# -- every way of writing a clean log --------------------------------------------------------------------------------

NUMBER = {rank: number for number, rank in enumerate(logs.RANKS, 1)}
NOTATIONS = {
    "ranks": str,
    "T": lambda rank: "T" if rank == "10" else rank,
    "lower": str.lower,
    "1-13": lambda rank: str(NUMBER[rank]),
    "0-12": lambda rank: str(NUMBER[rank] - 1),
    "values": lambda rank: str(engines.VALUES[rank]),
    "suits": lambda rank: rank + "♥",
    "suit first": lambda rank: "S" + rank,
    "suit words": lambda rank: f"{rank} of spades",
    "floats": lambda rank: f"{NUMBER[rank]}.0",
}


@pytest.mark.parametrize("name", NOTATIONS)
def test_notations(tmp_path: Path, name: str) -> None:
    cards = pl.col("^[pb][123]$")
    frame = logs.slots(ROUNDS).with_columns(cards.map_elements(NOTATIONS[name], return_dtype=pl.String))
    answer = replay(logs.write(frame, tmp_path / "log.csv"))
    assert answer.findings.rows == 3000
    assert faults(answer) == {}


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".jsonl", ".json", ".parquet"])
def test_kinds_of_files(tmp_path: Path, suffix: str) -> None:
    answer = replay(logs.write(logs.slots(ROUNDS), tmp_path / f"log{suffix}"))
    assert (answer.findings.rows, faults(answer)) == (3000, {})


@pytest.mark.parametrize("order", ["PBPB", "PPBB", "BPBP", "BBPP"])
@pytest.mark.parametrize("form", ["columns", "joined", "spaced", "list"])
def test_dealing_orders_are_recognised(tmp_path: Path, order: str, form: str) -> None:
    cards = logs.dealt(ROUNDS, order)
    winner = pl.Series("winner", [r["outcome"] for r in ROUNDS])
    path = tmp_path / ("log.jsonl" if form == "list" else "log.csv")
    if form == "columns":
        frame = pl.DataFrame({f"card{k + 1}": [(c + [None] * 6)[k] for c in cards] for k in range(6)})
    else:
        frame = pl.DataFrame(
            {"cards": cards if form == "list" else [("" if form == "joined" else " ").join(c) for c in cards]}
        )
    answer = replay(logs.write(frame.with_columns(winner), path))
    assert answer.reading.order == order
    assert faults(answer) == {}


def test_fixed_places_are_told_from_dealing_order(tmp_path: Path) -> None:
    frame = logs.slots(ROUNDS).select("p1", "b1", "p2", "b2", "p3", "b3", "winner")
    frame.columns = ["c1", "c2", "c3", "c4", "c5", "c6", "winner"]
    answer = replay(logs.write(frame, tmp_path / "log.csv"))
    assert answer.reading.order == "fixed"
    assert faults(answer) == {}


@pytest.mark.parametrize("form", ["joined", "spaced", "list", "brackets"])
def test_hands(tmp_path: Path, form: str) -> None:
    def written(cards: list[str]) -> Any:
        return (
            cards
            if form == "list"
            else f"[{', '.join(cards)}]"
            if form == "brackets"
            else ("" if form == "joined" else " ").join(cards)
        )

    frame = pl.DataFrame({side: [written(r[side]) for r in ROUNDS] for side in ("player", "banker")})
    answer = replay(logs.write(frame, tmp_path / ("log.jsonl" if form == "list" else "log.csv")))
    assert (answer.findings.rows, faults(answer)) == (3000, {})


def test_hands_named_as_cards(tmp_path: Path) -> None:
    """``player.cards`` holds the cards where nothing else does, beside them their number."""
    path = tmp_path / "log.jsonl"
    path.write_text('{"player": {"cards": ["A", "A", "5"]}, "banker": {"cards": ["4", "A", "9"]}}\n')
    assert (replay(path).reading.columns.layout, faults(replay(path))) == ("hands", {})
    path.write_text('{"player": "A A 5", "banker": "A 4 9", "player_cards": 2}\n')
    assert faults(replay(path)) == {("rule", "wrong player_cards"): 1}


@pytest.mark.parametrize("name", ["结果", "ผล", "Winner"])
def test_names_of_outcome_columns(tmp_path: Path, name: str) -> None:
    path = logs.write(logs.slots(ROUNDS).rename({"winner": name}), tmp_path / "log.csv")
    assert replay(path).reading.columns.claims == {"outcome": name}


@pytest.mark.parametrize(
    "words",
    [
        ("P", "B", "T"),
        ("Player", "Banker", "Tie"),
        ("闲", "庄", "和"),
        ("ผู้เล่น", "เจ้ามือ", "เสมอ"),
        ("player_win", "Banker Wins", "draw"),
    ],
)
def test_outcome_words(tmp_path: Path, words: tuple[str, str, str]) -> None:
    mapping = dict(zip(("player", "banker", "tie"), words, strict=True))
    frame = logs.slots(ROUNDS).with_columns(pl.col("winner").replace(mapping))
    assert faults(replay(logs.write(frame, tmp_path / "log.csv"))) == {}
    wrong = frame.with_columns(
        pl.when(pl.int_range(pl.len()) == 4).then(pl.lit("?!")).otherwise("winner").alias("winner")
    )
    assert faults(replay(logs.write(wrong, tmp_path / "log.csv"))) == {("shape", "unreadable outcome"): 1}


def test_own_words_and_columns(tmp_path: Path) -> None:
    frame = logs.slots(ROUNDS).with_columns(pl.col("winner").replace({"player": "1", "banker": "2", "tie": "3"}))
    frame.columns = ["a", "b", "c", "d", "e", "f", "g"]
    columns = dict(zip(("p1", "p2", "p3", "b1", "b2", "b3", "outcome"), "abcdefg", strict=True))
    path = logs.write(frame, tmp_path / "log.csv")
    answer = replay(path, columns=columns, words={"1": "player", "2": "banker", "3": "tie"}, cards="ranks", strict=True)
    assert faults(answer) == {}
    with pytest.raises(InputError, match="the cards are not found"):
        replay(path)


def test_orders_and_words_that_are_none_are_refused(tmp_path: Path) -> None:
    slots = logs.write(logs.slots(ROUNDS), tmp_path / "slots.csv")
    cards = [" ".join(c) for c in logs.dealt(ROUNDS, "PBPB")]
    dealt = logs.write(pl.DataFrame({"cards": cards}), tmp_path / "dealt.csv")
    for path, said, message in (
        (dealt, {"order": "XBXB"}, "--order XBXB: this log is in no such dealing order"),
        (slots, {"order": "PPBB"}, "its cards lie in columns of slots or hands"),
        (slots, {"words": {"1": "playr"}}, "--words 1=playr: baccarat has no such outcome"),
    ):
        with pytest.raises(InputError, match=message):
            replay(path, **said)


def test_strict_refuses_to_guess(tmp_path: Path) -> None:
    path = logs.write(logs.slots(ROUNDS), tmp_path / "log.csv")
    with pytest.raises(InputError, match="--strict guesses nothing; say --columns p1=p1"):
        replay(path, strict=True)


def test_folders_and_globs(tmp_path: Path) -> None:
    for number in range(3):
        logs.write(logs.slots(logs.deal(100, number)), tmp_path / f"table{number}.csv")
    assert replay(tmp_path).findings.rows == 300
    assert replay(tmp_path / "table[01].csv").findings.rows == 200


def test_cards_without_header(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text("\n".join(" ".join(c) for c in logs.dealt(ROUNDS, "PBPB")).replace(" ", ","))
    frame = pl.DataFrame({f"{k + 1}": [(c + [None] * 6)[k] for c in logs.dealt(ROUNDS, "PBPB")] for k in range(6)})
    frame.write_csv(path, include_header=False)
    columns = {f"card{k}": str(k) for k in range(1, 7)}
    assert faults(replay(path, columns=columns)) == {}


# -- faults ------------------------------------------------------------------------------------------------------------

RULE_FAULTS = {
    "ten_is_ten": "drew when it must stand",
    "players_total": "stood when it must draw",
    "always_true": "drew when it must stand",
    "retested_natural": "stood when it must draw",
    "falls_through": "drew when it must stand",
    "copied_row": "stood when it must draw",
    "half_open": "stood when it must draw",
    "draws_twice": "more cards than the rules deal",
}


@pytest.mark.parametrize("name", RULE_FAULTS)
def test_every_kind_of_wrong_engine_is_seen_in_its_log(tmp_path: Path, name: str) -> None:
    rounds = logs.deal(3000, engine=engines.FAULTY[name])
    wrong = sum(engines.FAULTY[name](c) != engines.right(c) for c in _cards(3000))
    frame = pl.DataFrame({side: [" ".join(r[side]) for r in rounds] for side in ("player", "banker")})
    answer = replay(logs.write(frame, tmp_path / "log.csv"))
    assert ("rule", RULE_FAULTS[name]) in faults(answer)
    assert answer.findings.rule == wrong > 0
    assert answer.findings.shape == 0


def _cards(number: int) -> list[list[str]]:
    import random

    chance = random.Random(1)
    return [[chance.choice(logs.RANKS) for _ in range(6)] for _ in range(number)]


def test_the_finding_names_the_cell_the_cards_and_the_line(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text("player,banker,winner\nA A 5,A 4 9,P\nA A 5,A 4,P\n")
    (what, finding), *rest = replay(path).findings.of("rule")
    assert what.rule == "'Banker, the Player drew', row 5, column 5: D"
    assert what.source == "000 L103-108"
    assert (finding.line, finding.cards) == (3, "player A A 5, banker A 4")
    assert (finding.expected, finding.seen) == ("draw", "stand")
    assert not rest


def test_wrong_total_and_winner(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text("player,banker,player_score,winner\nK 9,K 8,9,Banker\nK 9,K 8,8,Player\n")
    assert faults(replay(path)) == {("rule", "wrong winner"): 1, ("rule", "wrong total"): 1}


def test_stale_cards_are_a_fault_of_the_log_not_of_the_dealing(tmp_path: Path) -> None:
    frame = logs.stale(logs.slots(ROUNDS))
    kept = sum(len(r["player"]) == 2 or len(r["banker"]) == 2 for r in ROUNDS[1:])
    for columns in (frame.columns, frame.columns[:-1]):  # with what the log states, and without
        answer = replay(logs.write(frame.select(columns), tmp_path / "log.csv"))
        first = next(n for n, r in enumerate(ROUNDS) if len(r["player"]) == 3)
        assert faults(answer).keys() == {("shape", "stale card")}
        assert kept - first - 8 <= faults(answer)["shape", "stale card"] <= kept  # nothing stands there at first


def test_a_wrong_draw_among_stale_cards_is_still_a_rule_fault(tmp_path: Path) -> None:
    frame = logs.stale(logs.slots(ROUNDS))
    place = next(n for n, r in enumerate(ROUNDS) if n > 50 and len(r["player"]) == 2 and len(r["banker"]) == 2)
    row = pl.int_range(pl.len()) == place
    other = "2" if frame["p3"][place] != "2" else "3"
    made = engines.answer([*ROUNDS[place]["player"], other], ROUNDS[place]["banker"])
    changed = frame.with_columns(
        pl.when(row).then(pl.lit(other)).otherwise("p3").alias("p3"),
        pl.when(row).then(pl.lit(made["outcome"])).otherwise("winner").alias("winner"),
    )
    before = faults(replay(logs.write(frame, tmp_path / "log.csv")))
    after = replay(logs.write(changed.select(frame.columns[:-1]), tmp_path / "log.csv"))
    assert ("rule", "drew when it must stand") not in before
    assert any(f.line == place + 2 for w, f in after.findings.found.items() if w.fault == "drew when it must stand")


def test_shape_faults(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text("p1,p2,p3,b1,b2,b3\nA,A,5,A,4,9\n,A,5,A,4,9\nA,1X,5,A,4,9\nA,A,5\nA,A,5,A,4,9,9\n")
    answer = replay(path)
    assert faults(answer) == {
        ("shape", "missing card"): 1,
        ("shape", "unreadable card"): 1,
        ("shape", "unreadable row"): 2,
    }
    assert (answer.findings.rows, answer.findings.shape, answer.findings.rule) == (5, 4, 0)


def test_a_shoe_that_deals_too_much(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text("shoe,player,banker\n" + "1,K 9,K 8\n" * 17 + "2,K 9,K 8\n" * 16)
    found = replay(path).findings
    assert [(w.fault, w.about, f.line, f.seen) for w, f in found.of("shape")] == [
        ("more copies than the shoe holds", "K", 18, "34 of K in shoe 1")
    ]
    path.write_text(
        "shoe,player,banker\n" + "".join(f"1,{a} 9,{b} 9\n" for a, b in [("10", "J"), ("Q", "K")] * 52 + [("10", "J")])
    )
    assert ("shape", "the shoe runs out") in faults(replay(path))


SETTLED = "player,banker,banker_stake,banker_paid\nK 2 5,K 3 5,5,{}\n"


@pytest.mark.parametrize(
    ("paid", "rounding", "unit", "wrong"),
    [
        ("9.75", "exact", "1", 0),
        ("9", "exact", "1", 1),
        ("9", "floor", "1", 0),
        ("10", "nearest", "1", 0),
        ("9.7", "floor", "0.1", 0),
    ],
)
def test_settlement_with_rounding(tmp_path: Path, paid: str, rounding: Any, unit: str, wrong: int) -> None:
    path = tmp_path / "log.csv"
    path.write_text(SETTLED.format(paid))
    found = faults(replay(path, rounding=rounding, unit=Fraction(unit), paid="returned"))
    assert found.get(("rule", "wrong settlement"), 0) == wrong


def test_settlement_names_the_difference(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text(SETTLED.format("9"))
    (what, finding), *_ = replay(path, paid="returned").findings.of("rule")
    assert (what.about, finding.expected, finding.seen) == ("banker", "9.75", "9")


def test_amounts_that_cannot_be_read_are_faults_of_shape(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text(SETTLED.format("abc") + "K 2 5,K 3 5,1e400,9\nK 2 5,K 3 5,,\nK 2 5,K 3 5,$1.00,1.95\n")
    assert faults(replay(path, paid="returned")) == {("shape", "unreadable number"): 2}


def test_settlement_of_a_natural_tie(tmp_path: Path) -> None:
    """The Dragon Bonus pushes on it, and loses on other ties."""
    path = tmp_path / "log.csv"
    head = "player,banker,dragon-bonus-player_stake,dragon-bonus-player_paid\n"
    path.write_text(head + "K 8,K 8,5,5\nK 7,K 7,5,0\nK 8,K 8,5,0\nK 7,K 7,5,5\n")
    (what, finding), *rest = replay(path, paid="returned").findings.of("rule")
    assert (what.fault, what.about, finding.count, finding.line) == ("wrong settlement", "dragon-bonus-player", 2, 4)
    assert (finding.expected, finding.seen, rest) == ("5", "0", [])


def test_settlement_of_a_pair_and_of_named_bets(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text(
        "player,banker,bet,stake,paid\nA A 5,K 7,player-pair,5,0\nA A 5,K 7,Player Pair,5,60\nA A 5,K 7,Player,5,5\n"
    )
    found = replay(path, paid="returned").findings
    assert [(w.fault, w.about, f.count) for w, f in found.of("rule")] == [("wrong settlement", "player-pair", 1)]


def test_texts_that_come_late_are_read_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the beginning does not hold: a card written otherwise, no card, an unreadable one, a new word."""
    monkeypatch.setattr("exact.verify.log.SAMPLE", 100)
    late = {"p3": (["10", "T"], [None, "-"]), "winner": (["player", "P"], ["tie", "Draw"])}
    frame = logs.slots(ROUNDS)
    for name, pairs in late.items():
        for old, new in pairs:
            here = (pl.int_range(pl.len()) > 2000) & pl.col(name).eq_missing(pl.lit(old))
            frame = frame.with_columns(pl.when(here).then(pl.lit(new)).otherwise(name).alias(name))
    for path in (tmp_path / "log.csv", tmp_path / "log.parquet"):
        assert faults(replay(logs.write(frame, path))) == {}
        last = pl.int_range(pl.len()) == 2999
        wrong = frame.with_columns(
            pl.when(last).then(pl.lit("1X")).otherwise("p1").alias("p1"),
            pl.when(last).then(pl.lit("?!")).otherwise("winner").alias("winner"),
        )
        found = faults(replay(logs.write(wrong, path)))
        assert found == {("shape", "unreadable card"): 1, ("shape", "unreadable outcome"): 1}


# -- hostile files
# -------------------------------------------------------------------------------------------------------

LINE = "A A 5,A 4 9\n"
HEAD = "player,banker\n"


def test_truncated_gzip(tmp_path: Path) -> None:
    path = tmp_path / "log.csv.gz"
    path.write_bytes(gzip.compress((HEAD + LINE * 5000).encode()))
    assert replay(path).findings.rows == 5000
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(InputError, match="cannot be read to its end"):
        replay(path)


def test_bombs_are_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exact.verify.source.SMALL", 2**16)
    path = tmp_path / "log.csv.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("log.csv", HEAD + LINE * 200_000)
    with pytest.raises(InputError, match="unpacks to more than 300 times its size"):
        replay(path)


def test_nul_bytes_make_a_row_unreadable(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_bytes((HEAD + LINE).encode() + b"A A\0 5,A 4 9\n" + LINE.encode())
    answer = replay(path)
    assert (answer.findings.rows, faults(answer)) == (3, {("shape", "unreadable row"): 1})


def test_carriage_returns_inside_a_row_make_it_unreadable(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_bytes((HEAD + LINE).encode() + b"A A\r 5,A 4 9\n" + b'"A A 5",A 4 9\n')
    answer = replay(path)
    assert (answer.findings.rows, faults(answer)) == (3, {("shape", "unreadable row"): 1})
    assert next(f.line for _, f in answer.findings.of("shape")) == 3
    path.write_bytes((HEAD + LINE).encode().replace(b"\n", b"\r"))
    with pytest.raises(InputError, match="do all lines end with a line feed"):
        replay(path)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("log.json", b"[]", "holds no rounds"),
        ("log.json", b"[1, 2]", "holds no rounds that can be read: line 1: not an object"),
        ("log.jsonl", b"[" * 1000, "holds no rounds that can be read: line 1"),
        ("log.csv", HEAD.encode() + b"A\n", "holds no rounds that can be read: line 2: 1 cells where 2 are named"),
        ("log.csv", HEAD.encode("utf-16-le"), "its first line holds NUL bytes"),
    ],
)
def test_files_without_a_readable_round(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(InputError, match=message):
        replay(path)


def test_endless_lines_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text(HEAD + LINE + "A" * 9_000_000 + "\n" + LINE)
    with pytest.raises(InputError, match="longer than 4 MB"):
        replay(path)
    jsonl = tmp_path / "log.jsonl"
    jsonl.write_text('{"player": "' + "A" * 40_000_000 + '"}\n')
    with pytest.raises(InputError, match="longer than 4 MB"):
        replay(jsonl)


def test_mixed_encodings_and_formulas_stay_text(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_bytes(b'player,banker,note\nA A 5,A 4 9,caf\xe9\nA A 5,A 4 9,"=HYPERLINK(""x"")"\nA A 5,A 4,=1+1\n')
    rows = tmp_path / "rows.csv"
    answer = replay_log(GAME, [str(path)], LogRequest(), rows)
    assert faults(answer) == {("rule", "stood when it must draw"): 1}
    assert rows.read_text().splitlines()[1].endswith("A A 5,A 4,=1+1")


def test_numbers_as_text_and_bad_json_lines(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    good = {"p1": "1", "p2": 1, "p3": "5", "b1": 1.0, "b2": 4, "b3": 9}
    path.write_text(json.dumps(good) + "\n{broken\n" + json.dumps(good | {"b3": None}) + "\n[1]\n")
    answer = replay(path)
    assert faults(answer) == {("shape", "unreadable row"): 2, ("rule", "stood when it must draw"): 1}
    assert answer.findings.of("rule")[0][1].line == 3


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "is empty"),
        ("a,a\n1,2\n", "two columns have the same name"),
        ("x,y\n1,2\n", "the cards are not found"),
        ("player,banker\n" + "hello,world\n" * 3, "cards in no known notation"),
    ],
)
def test_unusable_files(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "log.csv"
    path.write_text(content)
    result = CliRunner().invoke(main, ["verify", "log", str(path)])
    assert result.exit_code == 2
    assert message in result.stderr


def test_exit_codes_and_rows(tmp_path: Path) -> None:
    path, rows = tmp_path / "log.csv", tmp_path / "rows.parquet"
    path.write_text(HEAD + LINE)
    assert CliRunner().invoke(main, ["verify", "log", str(path)]).exit_code == 0
    path.write_text(HEAD + LINE + "A A 5,A 4\n")
    result = CliRunner().invoke(main, ["verify", "log", str(path), "-o", str(rows)])
    assert result.exit_code == 1
    assert pl.read_parquet(rows).select("line", "player", "rule").rows() == [
        (3, "A A 5", "stood when it must draw (b3)")
    ]


def test_blocks_give_the_same_as_the_whole(tmp_path: Path) -> None:
    """Lines and stale cards do not depend on where a block ends."""
    frame = logs.stale(logs.slots(logs.deal(60_000)))
    path = logs.write(frame, tmp_path / "log.csv")
    whole, parts = replay(path), replay(path, memory=2**20)
    assert whole.findings == parts.findings


# -- properties
# ----------------------------------------------------------------------------------------------------------

CARDS = st.lists(st.lists(st.sampled_from(logs.RANKS), min_size=6, max_size=6), min_size=1, max_size=60)


def written(rounds: list[list[str]], game: Any, path: Path) -> str:
    rows = []
    for cards in rounds:
        trace = play(game, cards, ())
        dealt = {slot: card for step in trace.played for slot, card in step.cards}
        rows.append({slot: dealt.get(slot) for slot in game.slots} | {"outcome": trace.outcome})
    return logs.write(pl.DataFrame(rows, schema=dict.fromkeys([*game.slots, "outcome"], pl.String)), path)


@settings(max_examples=8)
@given(CARDS)
def test_a_log_of_the_rules_is_clean(tmp_path_factory: pytest.TempPathFactory, rounds: list[list[str]]) -> None:
    path = written(rounds, GAME, tmp_path_factory.mktemp("logs") / "log.csv")
    assert faults(replay(path, cards="ranks")) == {}


@settings(max_examples=8)
@given(CARDS, st.sampled_from(list(cells(GAME))))
def test_a_log_of_a_mutant_is_caught_where_it_differs(
    tmp_path_factory: pytest.TempPathFactory, rounds: list[list[str]], cell: Any
) -> None:
    mutant = flip(GAME, cell)
    differ = sum(_drawn(mutant, cards) != _drawn(GAME, cards) for cards in rounds)
    path = written(rounds, mutant, tmp_path_factory.mktemp("logs") / "log.csv")
    answer = replay(path, cards="ranks")
    assert answer.findings.rule + answer.findings.shape == differ


def _drawn(game: Any, cards: list[str]) -> Any:
    return [step.cards for step in play(game, cards, ()).played]
