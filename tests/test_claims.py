"""Every claim of the two baccarat rule pages, held against the rule file: its rounds, its tables, its wagers."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable
from decimal import Decimal
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from exact.games import load
from exact.trace import Trace, play

GAME = load("baccarat")
FOLDER = Path(__file__).parents[1] / "data" / "claims"
CLAIMS = [
    row
    for page in ("000.csv", "001.csv")
    for row in csv.DictReader((FOLDER / page).read_text(encoding="utf-8").splitlines())
]
Data = dict[str, Any]
CARDS = {0: "K", 1: "A"} | {value: str(value) for value in range(2, 10)}
THIRDS = [CARDS[value] for value in range(10)]
LAST = ("K", "4", "9")  # the sixth card decides nothing but the Banker's score


def hand(score: int) -> tuple[str, str]:
    """Two cards of a score."""
    return ("K", CARDS[score])


@cache
def round_of(player: tuple[str, str], banker: tuple[str, str], further: tuple[str, ...]) -> Trace:
    """A round with these two-card hands; of the further cards as many are dealt as the rules draw."""
    return play(GAME, (player[0], banker[0], player[1], banker[1], *further))


def rounds(given: Data) -> list[Trace]:
    """Rounds of every kind that a claim speaks of: what it leaves open takes every value."""
    players = [tuple(given["player_cards"])] if "player_cards" in given else scores(given, "player_two")
    bankers = scores(given, "banker_two")
    thirds: Iterable[str] = THIRDS
    if "player_third_value" in given:
        thirds = [CARDS[given["player_third_value"]]]
    if "player_third_card" in given:
        thirds = str(given["player_third_card"]).split("|")
    found = [round_of(p, b, (t, u)) for p, b, t, u in product(players, bankers, thirds, LAST)]  # type: ignore[arg-type]
    if "player_action" in given:
        found = [r for r in found if action(r, "p3") == given["player_action"] and not r.row["natural"]]
    if "player_third_value" in given or "player_third_card" in given:
        found = [r for r in found if r.row["p3"] is not None]
    return [r for r in found if r.row["natural"] == given.get("natural_present", r.row["natural"])]


def scores(given: Data, side: str) -> list[tuple[str, str]]:
    said = given.get(side, "any")
    listed = range(10) if said == "any" else [int(s) for s in said.split("|")] if isinstance(said, str) else [said]
    return [hand(score) for score in listed]


def action(trace: Trace, slot: str) -> str:
    return "stand" if trace.row[slot] is None else "draw"


SEEN: dict[str, Callable[[Trace], object]] = {
    "player_action": lambda r: action(r, "p3"),
    "banker_action": lambda r: action(r, "b3"),
    "player_draws": lambda r: r.row["p3"] is not None,
    "banker_draws": lambda r: r.row["b3"] is not None,
    "player_drew": lambda r: r.row["p3"] is not None,
    "player_third_value": lambda r: r.row["p3"],
    "player_two": lambda r: r.row["player_two"],
    "player_final": lambda r: r.row["player_total"],
    "natural": lambda r: r.row["natural"],
    "player_natural": lambda r: r.row["natural"] and int(str(r.row["player_two"])) >= 8,
    "banker_natural": lambda r: r.row["natural"] and int(str(r.row["banker_two"])) >= 8,
    "result": lambda r: str(r.outcome).upper(),
}


def check_rounds(given: Data, expected: Data) -> None:
    found = rounds(given)
    assert found
    for trace in found:
        assert {key: SEEN[key](trace) for key in expected} == expected


def check_value(given: Data, expected: Data) -> None:
    assert {value for (rank, _), value in GAME.attributes["value"].items() if rank == given["card"]} == {
        expected["value"]
    }


def check_sum(given: Data, expected: Data) -> None:
    first, second = given["cards"]
    row = round_of((first, second), hand(9), ()).row  # the other side's natural ends the round
    assert int(str(row["p1"])) + int(str(row["p2"])) == expected["raw_sum"]
    assert row["player_two"] == row["player_total"] == expected["score"]


def check_pay(given: Data, expected: Data) -> None:
    """A unit staked on the wager of this name, over rounds of every kind that ends so."""
    ended = [r for r in rounds({}) if str(r.outcome).upper() == given["result"]]
    nets = {s.net for r in ended for s in r.settled if s.wager.name.upper() == given["bet"]}
    assert nets == {Fraction(Decimal(str(expected["net"]))) * given["stake"]}


def check_pair(given: Data, expected: Data) -> None:
    """Read as two bets, one a side: 10 and J are no pair, a third card changes nothing."""
    for name, cards in (("player-pair", "7 A 7 5 9 K"), ("banker-pair", "A 7 5 7 9 K"), ("player-pair", "J 9 J K")):
        nets = {s.wager.name: s.net for s in play(GAME, cards.split()).settled}
        other = {"player-pair": "banker-pair", "banker-pair": "player-pair"}[name]
        assert nets[name] == expected["net"] * given["stake"]
        assert nets[other] == -1
    assert {s.wager.name: s.net for s in play(GAME, ["10", "9", "J", "K"]).settled}["player-pair"] == -1


# Claims that are neither a table cell nor an example with an input: what each of them comes to.


def player_ignores_the_banker() -> bool:
    """000-P-80."""
    return all(
        len({action(r, "p3") for r in rounds({"player_two": score}) if not r.row["natural"]}) == 1 for score in range(8)
    )


def final_score_does_not_decide() -> bool:
    """000-EX4c: a final 3 against 4 may draw or stand."""
    found = [r for r in rounds({"banker_two": 4}) if r.row["player_total"] == 3 and r.row["p3"] is not None]
    return {action(r, "b3") for r in found} == {"draw", "stand"}


def order_of_decisions() -> bool:
    """000-ORD: natural, Player, Banker, comparison."""
    dealt = [step.slots for step in GAME.steps if step.slots]
    worked_out = [name for step in GAME.steps for name, _ in step.lets]
    last = [name for name, _ in GAME.steps[-1].lets]
    first = worked_out[: worked_out.index("natural") + 1]
    return dealt == [("p1", "b1", "p2", "b2"), ("p3",), ("b3",)] and not set(first) & set(last) and "outcome" in last


def draws_only_on(given: Data, expected: Data) -> None:
    """000-EX3-RULE."""
    drawn = {r.row["p3"] for r in rounds(given) if r.row["b3"] is not None}
    stood = {r.row["p3"] for r in rounds(given) if r.row["b3"] is None}
    assert drawn == set(expected["banker_draws_iff_third_value_in"])
    assert stood == set(range(10)) - drawn


def listed_players(given: Data, expected: Data) -> None:
    """000-P-78."""
    for score, does in zip(given["player_two"], expected["player_action"], strict=True):
        check_rounds({"player_two": score, "natural_present": False}, {"player_action": does})


def holds(prove: Callable[[], bool]) -> Callable[[Data, Data], None]:
    def check(given: Data, expected: Data) -> None:
        assert prove() is expected["holds"]

    return check


def definition(given: Data, expected: Data) -> None:
    """000-DEF-1: a ten-value third card is a card: the Banker reads the third-card table, not 0-5."""
    expected = dict(expected)
    assert expected.pop("banker_uses") == "third-card table"
    check_rounds(given, expected)
    read = {cell.table for r in rounds(given) if not r.row["natural"] for cell in r.played[3].reason.cells}
    assert read == {"banker_after_draw"}


def row_key(given: Data, expected: Data) -> None:
    """000-MIS-5: the row is chosen by the Banker's two-card score."""
    assert expected["row_key"] == "banker two-card total"
    assert {t.row for t in GAME.tables if t.name.startswith("banker")} == {"banker_two"}


def table_words(given: Data, expected: Data) -> None:
    """000-MIS-6: a table says draw or stand, final scores are compared afterwards."""
    assert expected["table_gives"].startswith("draw/stand only")
    assert all(type(value) is bool for table in GAME.tables for value in table.cells.values())


def decided_immediately(given: Data, expected: Data) -> None:
    """001-NAT."""
    assert expected["decided_immediately"] is True
    naturals = [r for r in rounds({}) if r.row["natural"]]
    assert naturals
    assert all(r.row["p3"] is None and r.row["b3"] is None for r in naturals)
    assert all(
        8 in (r.row["player_two"], r.row["banker_two"]) or 9 in (r.row["player_two"], r.row["banker_two"])
        for r in naturals
    )


def highest_score(given: Data, expected: Data) -> None:
    """001-SUM-3."""
    assert max(int(str(r.row["player_total"])) for r in rounds({})) == expected["value"]
    assert GAME.facts["player_total"].high == GAME.facts["banker_total"].high == expected["value"]


def exactly_ten(given: Data, expected: Data) -> None:
    """001-SUM-4, imprecise on the page: exactly 10 gives 0 as well."""
    assert given["raw_sum"] == 10
    for pair in (("A", "9"), ("5", "5"), ("3", "7")):
        assert round_of(pair, hand(9), ()).row["player_two"] == expected["score"]


def dealing_order(given: Data, expected: Data) -> None:
    """001-DEAL."""
    assert [slot[0].upper() for slot in GAME.slots[: given["deal"]]] == expected["order"]


def commission(given: Data, expected: Data) -> None:
    """001-PAY-11."""
    assert given["commission"] == "5% on banker wins"
    assert GAME.chosen["commission"] == Fraction(5, 100)
    assert GAME.wager("banker").pays[0].odds == Fraction(Decimal(str(expected["banker_net"])))


def bets(given: Data, expected: Data) -> None:
    """001-BETS: Pair is two wagers, one a side."""
    names = {wager.name for wager in GAME.wagers if not wager.extra}
    assert expected["all_present"] is (names == {"banker", "player", "tie", "player-pair", "banker-pair"})


SPECIAL: dict[str, Callable[[Data, Data], None]] = {
    "000-DEF-1": definition,
    "000-P-78": listed_players,
    "000-P-80": holds(player_ignores_the_banker),
    "000-EX3-RULE": draws_only_on,
    "000-EX4c": holds(final_score_does_not_decide),
    "000-MIS-5": row_key,
    "000-MIS-6": table_words,
    "000-ORD": holds(order_of_decisions),
    "001-SUM-3": highest_score,
    "001-SUM-4": exactly_ten,
    "001-DEAL": dealing_order,
    "001-NAT": decided_immediately,
    "001-PAY-10": check_pair,
    "001-PAY-11": commission,
    "001-BETS": bets,
}


def checker(claim: str) -> Callable[[Data, Data], None]:
    """How a claim is checked, by its name: most are cells and examples of rounds."""
    kinds = {"VAL": check_value, "SUM": check_sum, "PAY": check_pay}
    return SPECIAL.get(claim) or kinds.get(claim.split("-")[1], check_rounds)


@pytest.mark.parametrize("claim", CLAIMS, ids=[row["example_id"] for row in CLAIMS])
def test_claim(claim: dict[str, str]) -> None:
    checker(claim["example_id"])(json.loads(claim["input"]), json.loads(claim["expected"]))


def test_every_claim_of_both_pages_is_here() -> None:
    assert [sum(row["example_id"].startswith(page) for row in CLAIMS) for page in ("000", "001")] == [140, 127]
    assert len({row["example_id"] for row in CLAIMS}) == 267
