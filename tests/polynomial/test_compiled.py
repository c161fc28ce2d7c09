"""The polynomial against the enumeration: the same figures of any shoe, on every kind of arithmetic."""

from __future__ import annotations

from fractions import Fraction
from math import perm

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exact.errors import InputError
from exact.games import load
from exact.polynomial.compiled import Compiled, compiled
from exact.polynomial.counting import counting
from exact.result import compute
from exact.rulefile.wagers import read_wagers
from exact.shoe import Shoe

RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
SUITED = [
    {"name": "perfect", "pays": [{"when": "p1_rank = p2_rank AND p1_suit = p2_suit", "odds": "25"}]},
    {"name": "red", "pays": [{"when": "b1_colour = 'red'", "odds": "1"}]},
    {"name": "offer", "offered": "player_two = 6", "pays": [{"when": "outcome = 'player'", "odds": "3/2"}]},
]


@settings(max_examples=12)
@given(st.lists(st.integers(0, 33), min_size=13, max_size=13).filter(lambda counts: sum(counts) >= 6))
def test_equals_the_enumeration_on_random_shoes(counts: list[int]) -> None:
    game = load("baccarat")
    shoe = Shoe.of(dict(zip(RANKS, counts, strict=True)))
    assert compiled(game).figures(shoe) == compute(game, shoe).all


@pytest.mark.parametrize("decks", [1, 8, 9, 12, 27, 28, 100])
def test_equals_the_enumeration_on_every_arithmetic(decks: int, main_bets: Compiled) -> None:
    shoe = Shoe.decks(decks)
    wagers = [m.wager for m in main_bets.measures if m.wager]
    assert main_bets.figures(shoe) == compute(main_bets.game, shoe, wagers).all


def test_wagers_that_see_suits_and_offers() -> None:
    game = load("baccarat")
    wagers = read_wagers(game, SUITED, "test")
    shoe = Shoe.decks(2).remove("8H,8S,KD")
    assert compiled(game, wagers).figures(shoe) == compute(game, shoe, wagers).all


def test_under_a_condition() -> None:
    game, condition = load("baccarat"), "player_two = 6 AND banker_cards = 3"
    assert compiled(game, given=condition).figures(Shoe.decks(3)) == compute(game, Shoe.decks(3), given=condition).all


@pytest.mark.parametrize("name", ["insurance-baccarat", "chemin-de-fer"])
def test_other_games(name: str) -> None:
    game = load(name)
    assert compiled(game).figures(Shoe.decks(6)) == compute(game, Shoe.decks(6)).all


def test_punto_banco_has_6958_multisets(baccarat: Compiled) -> None:
    assert baccarat.parts[0].multisets == 6958


@pytest.mark.parametrize("kind", [np.uint8, np.uint64, object])
def test_whole_numbers_of_any_kind(kind: type, main_bets: Compiled) -> None:
    counts = np.array([[128] + [32] * 9]).astype(kind)
    ways = main_bets.at_many(counts).outcome("tie").tolist()
    assert ways == [475627426473216]
    assert isinstance(ways[0], int)


def test_many_shoes_are_each_as_one(baccarat: Compiled) -> None:
    counts = np.random.default_rng(3).integers(0, 40, (200, 13))
    many = baccarat.at_many(counts)
    for row in range(0, 200, 17):
        shoe = Shoe.of(dict(zip(RANKS, counts[row].tolist(), strict=True)))
        figures = compute(baccarat.game, shoe).all
        for outcome in figures.outcomes:
            assert many.outcome(outcome.name)[row] == outcome.ways
        for place, wager in enumerate(figures.wagers, 1):
            net, offered = many.expectation(place)
            assert Fraction(int(net[row]), int(offered[row])) == wager.expectation


@pytest.mark.parametrize("cards", [457, 458, 459, 1449, 1450, 1451])
def test_nothing_wraps_on_either_side_of_a_switch(cards: int, main_bets: Compiled) -> None:
    """Ordered deals pass 2^53 between 458 and 459 cards, 2^63 between 1450 and 1451."""
    assert perm(458, 6) < 2**53 <= perm(459, 6)
    assert perm(1450, 6) < 2**63 <= perm(1451, 6)
    shoe = Shoe.of({"A": cards - 12 * 30} | dict.fromkeys(RANKS[1:], 30))
    many = main_bets.at_many(np.array([main_bets.counting.counts(shoe)]))
    found = {name: int(many.outcome(name)[0]) for name in main_bets.game.outcomes}
    assert sum(found.values()) == perm(cards, 6)
    assert found == {o.name: o.ways for o in compute(main_bets.game, shoe, []).all.outcomes}


@pytest.mark.parametrize("decks", [27, 30, 100])
def test_cards_dealt_unseen_are_counted_exactly(decks: int, baccarat: Compiled) -> None:
    """A pair looks at four cards, whose ways fit a double where those of all six are beyond 64 bits (from 28 decks)."""
    shoe = Shoe.decks(decks)
    assert baccarat.figures(shoe).wager("player-pair") == compute(baccarat.game, shoe).all.wager("player-pair")
    net, offered = baccarat.at_many(np.array([[4 * decks] * 13])).expectation(4)
    assert isinstance(offered.tolist()[0], int)
    assert Fraction(net.tolist()[0], offered.tolist()[0]) == -Fraction(4 * decks + 11, 52 * decks - 1)


def test_impossible_left_halves_do_no_harm(main_bets: Compiled) -> None:
    """Without some values a factor is 0, whatever large number it meets."""
    shoe = Shoe.of({"9": 400, "10": 16})
    assert main_bets.figures(shoe).outcomes == compute(main_bets.game, shoe, []).all.outcomes


def test_all_eights_gone_from_eight_decks(baccarat: Compiled) -> None:
    """Edges as printed: Player 1.0563 %, Banker 1.2191 %, Tie 9.6472 %."""
    figures = baccarat.figures(Shoe.decks(8).remove(",".join(["8"] * 32)))
    shown = {name: f"{float(100 * figures.wager(name).edge):.4f}" for name in ("player", "banker", "tie")}
    assert shown == {"player": "1.0563", "banker": "1.2191", "tie": "9.6472"}


def test_six_tens_left_always_tie(baccarat: Compiled) -> None:
    assert baccarat.figures(Shoe.of({"K": 4, "10": 2})).wager("tie").expectation == 8


def test_counts_by_value_cannot_price_pairs(baccarat: Compiled) -> None:
    with pytest.raises(InputError, match="shoes counted by value do not tell 10S from JS"):
        baccarat.at_many(np.full((1, 10), 32), counting(baccarat.game, "value"))


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ([[32] * 13, [32] * 12 + [-1]], "row 2: the count of K is negative"),
        ([[32] * 13, [2**62] + [32] * 12], "row 2: the count of A is over 1,000,000,000,000,000"),
        ([[32] * 13, [0] * 12 + [5]], "row 2: the shoe holds 5 cards, too few"),
        ([[32] * 12], "shoes are rows of 13 counts, by rank"),
        ([[32.0] * 13], "counts are whole numbers; the array holds float64"),
    ],
)
def test_what_is_no_shoe_is_refused_by_row(counts: list[list[float]], message: str, baccarat: Compiled) -> None:
    with pytest.raises(InputError, match=message):
        baccarat.at_many(np.array(counts))


def test_an_infinite_or_empty_shoe_is_refused(baccarat: Compiled) -> None:
    with pytest.raises(InputError, match="finite shoe"):
        baccarat.figures(Shoe.decks("infinite"))
    with pytest.raises(InputError, match="holds 5 cards, too few"):
        baccarat.figures(Shoe.of({"A": 5}))
