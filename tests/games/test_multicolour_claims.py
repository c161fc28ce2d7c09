"""Every claim of page 004 (multi-colour baccarat), held against the rule file; a contradicting one under its own."""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from exact.games import load
from exact.rulefile.game import Game
from exact.shoe import Shoe
from exact.trace import Trace, play

GAME = load("multicolour-baccarat")
FOLDER = Path(__file__).parents[2] / "data" / "claims"
CLAIMS = list(csv.DictReader((FOLDER / "004.csv").read_text(encoding="utf-8").splitlines()))
READING = {"004-D11b": {"gap_eleven": "stand"}}  # L48 "less than 11"; all others hold under the rules as they stand
Data = Mapping[str, Any]
CARDS = [*range(-11, 0), *range(1, 12)]


@cache
def hands() -> dict[int, list[tuple[int, int]]]:
    """Hands of two cards by their score."""
    found: dict[int, list[tuple[int, int]]] = {}
    for first in CARDS:
        for second in range(first, 12):
            total = first + second
            if second:
                found.setdefault(total % 10 if total >= 0 else total, []).append((first, second))
    return found


def pair(given: Data, side: str) -> tuple[int, int]:
    """The hand of a side: as given, or some hand of two coloured or white cards that has the score given."""
    if side in given:
        return tuple(given[side])  # type: ignore[return-value]
    return hands()[given[f"{side}_two"]][0]


def dealt(game: Game, player: tuple[int, int], banker: tuple[int, int], *further: int) -> Trace:
    return play(game, [str(card) for card in (player[0], banker[0], player[1], banker[1], *further)])


def rounds(game: Game, given: Data) -> list[Trace]:
    """The rounds that a claim speaks of: what it leaves open takes every value."""
    player, banker = pair(given, "player"), pair(given, "banker")
    thirds = [given["player_third"]] if "player_third" in given else CARDS
    return [dealt(game, player, banker, third, last) for third in thirds for last in CARDS]


def acts(found: Trace, slot: str) -> str:
    return "stand" if found.row[slot] is None else "draw"


def number(found: Trace, column: str) -> int:
    return int(str(found.row[column]))


def drawer(found: Trace) -> str:
    """Who draws first after four cards."""
    return "PLAYER" if found.row["p3"] is not None else "BANKER" if found.row["b3"] is not None else "NOBODY"


def leader(found: Trace) -> str:
    """Who is ahead after the Player's draw: as if the Banker stood, which the round then shows."""
    player, banker = number(found, "player_total"), number(found, "banker_two")
    ahead = player < banker if min(player, banker) < 0 else player > banker
    return "PLAYER" if ahead else "BANKER"


SEEN: dict[str, Callable[[Trace], object]] = {
    "player_two": lambda r: number(r, "player_two"),
    "banker_two": lambda r: number(r, "banker_two"),
    "player_final": lambda r: number(r, "player_total"),
    "player_action": lambda r: acts(r, "p3"),
    "banker_action": lambda r: acts(r, "b3"),
    "result": lambda r: str(r.outcome).upper(),
    "difference": lambda r: abs(number(r, "player_two") - number(r, "banker_two")),
    "low_side": drawer,
    "leader_after_player": leader,
    "player_still_low": lambda r: str(r.outcome) == "banker" and r.row["b3"] is None,
}


def check_rounds(game: Game, given: Data, expected: Data) -> None:
    expected = dict(expected)
    who = expected.pop("who_draws", None)
    wrong = expected.pop("wrong_value", None)
    found = rounds(game, {"banker_two": 6, **given})  # a Banker of 6 stands, whatever the Player draws
    assert found
    for trace in found:
        assert {key: SEEN[key](trace) for key in expected} == expected
        assert who is None or drawer(trace) == who.split(" ")[0]
        assert wrong is None or number(trace, "player_total") != wrong


def check_deck(game: Game, given: Data, expected: Data) -> None:
    shoe = Shoe.decks(given["decks"], game.deck)
    by_points = Counter[int]()
    for card, count in shoe.counts().items():
        by_points[int(str(game.attributes["points"][card]))] += count
    assert (len(game.deck.cards), shoe.size, len(game.deck.suits)) == (
        expected["cards_per_deck"], expected["total_cards"], expected["suits"],
    )  # fmt: skip
    low, high = map(int, expected["ranks_per_suit"].split(".."))
    assert {p: n for p, n in by_points.items() if p > 0} == dict.fromkeys(
        range(low, high + 1), expected["positive_cards_per_value"]
    )
    assert {p: n for p, n in by_points.items() if p < 0} == dict.fromkeys(
        range(-high, -low + 1), expected["negative_cards_per_value"]
    )


def check_range(game: Game, given: Data, expected: Data) -> None:
    """-33 by the Banker: -20 draws -11, -22 answers with -11."""
    lowest = dealt(game, (-9, -11), (-11, -11), -11, -11)
    assert number(lowest, "banker_total") == expected["max_negative"]
    assert game.facts["banker_total"].high == game.facts["player_total"].high == expected["max_positive"]
    assert number(dealt(game, (4, 5), (1, 1)), "player_total") == expected["max_positive"]


def check_hand(game: Game, given: Data, expected: Data) -> None:
    """The score of a hand of two or three cards, whoever holds it."""
    first, second, *third = given["hand"]
    other = (-11, -11) if not third else (1, 1)  # too far away to draw against, or low enough to let the other draw
    found = dealt(game, (first, second), other, *third, 5)
    assert [found.row["p3"]] == (third or [None])
    assert number(found, "player_total") == expected["score"]


def finals(game: Game, player: int, banker: int) -> list[Trace]:
    """Rounds that end with these scores."""
    found = [
        dealt(game, a, b, third, last)
        for a in hands().get(player, [])[:3]
        for b in hands().get(banker, [])[:3]
        for third in (1, -1)
        for last in (1, -1)
    ]
    for start in (0, 1, 2, 3, 4, 5):
        found += [
            dealt(game, hands()[start][0], b, player - start, 1)
            for b in hands().get(banker, [])
            if player - start in CARDS
        ]
    return [r for r in found if (number(r, "player_total"), number(r, "banker_total")) == (player, banker)]


def check_winner(game: Game, given: Data, expected: Data) -> None:
    """W1, W3: the outcome at two final scores, in every round tried that ends so."""
    found = finals(game, given["player_final"], given["banker_final"])
    assert found
    assert {str(r.outcome).upper() for r in found} == {expected["result"]}


def check_positive_winner(game: Game, given: Data, expected: Data) -> None:
    """W2: of two scores that are not negative the larger wins."""
    assert (given["both"], expected["winner"]) == ("non-negative", "larger score (closest to 9)")
    for player, banker in product(range(10), repeat=2):
        found = dealt(game, hands()[player][-1], hands()[banker][-1], 2, 3)
        ours, theirs = number(found, "player_total"), number(found, "banker_total")
        assert min(ours, theirs) >= 0
        assert found.outcome == ("tie" if ours == theirs else "player" if ours > theirs else "banker")


def check_table(game: Game, given: Data, expected: Data) -> None:
    """A-0 to A-9: one table for both sides, both scores of two cards not negative."""
    score = given["two_card_total"]
    if expected["action"] == "natural":
        for other in [hands()[s][0] for s in range(10) if s != score]:
            assert drawer(dealt(game, hands()[score][0], other, 1, 1)) == "NOBODY"
            assert drawer(dealt(game, other, hands()[score][0], 1, 1)) == "NOBODY"
        return
    others = [s for s in range(8) if s != score]
    players = [dealt(game, hands()[score][0], hands()[other][0], 1, 1) for other in others]
    bankers = [dealt(game, hands()[other][0], hands()[score][0], 1, 1) for other in others]
    assert {acts(r, "p3") for r in players} == {acts(r, "b3") for r in bankers} == {expected["action"]}


def check_order(game: Game, given: Data, expected: Data) -> None:
    """F5: the Player draws before the Banker, and nobody after the Banker."""
    assert (game.slots == ("p1", "b1", "p2", "b2", "p3", "b3")) is expected["holds"]


CHECKS: dict[str, Callable[[Game, Data, Data], None]] = {
    "DECK": check_deck,
    "RANGE": check_range,
    "E1": check_hand,
    "E2": check_hand,
    "W1": check_winner,
    "W2": check_positive_winner,
    "W3": check_winner,
    "A": check_table,
    "F5": check_order,
}


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim["example_id"])
def test_claim(claim: dict[str, str]) -> None:
    name = claim["example_id"]
    check = CHECKS.get(name.split("-")[1], check_rounds)
    game = load("multicolour-baccarat", READING.get(name, {}))
    check(game, json.loads(claim["input"]), json.loads(claim["expected"]))


@pytest.mark.parametrize("reading", ["draw", "stand"])
def test_a_contradicting_pair_holds_under_one_reading_each(reading: str) -> None:
    """004-D11a (L27, L71, L73: not more than 11 draws) against 004-D11b (L48: less than 11)."""
    game = load("multicolour-baccarat", {"gap_eleven": reading})
    found = {acts(r, "p3") for r in rounds(game, {"player_two": 3, "banker_two": -8})}
    assert found == {reading}
    pair_ = {c["example_id"]: json.loads(c["expected"])["player_action"] for c in CLAIMS if "D11" in c["example_id"]}
    assert pair_ == {"004-D11a": "draw", "004-D11b": "stand"}


def test_only_one_claim_contradicts_another() -> None:
    assert [c["example_id"] for c in CLAIMS if c["kind"] == "contradiction"] == list(READING)
    assert len(CLAIMS) == 33
