"""Faults seen in public programs and figures, one test a kind: ours must not have them.

Cards are in dealing order P1 B1 P2 B2, then the further cards as dealt.
"""

from __future__ import annotations

from fractions import Fraction
from math import perm

import pytest

from exact.errors import InputError
from exact.games import load
from exact.result import compute
from exact.rulefile.wagers import read_wagers
from exact.shoe import FRENCH, Shoe
from exact.trace import play
from exact.wager import parse_inline

GAME = load("baccarat")

DRAWING = {
    "a ten-value third card compared as 10, so that third == 0 fails": ("2 K 3 4 K", 3, 2),
    "the Player's total used where the value of the third card belongs": ("2 3 K 3 5", 3, 2),
    "a condition that is always true, total >= 4 or total <= 7": ("10 2 2 3 10", 3, 2),
    "an 8 or 9 reached with a third card taken for a natural": ("A A 4 A 3 5", 3, 3),
    "after the table says stand the code falls through to 0-5 draws": ("K K 2 3 8", 3, 2),
    "one row of the table copied from the next": ("A A A 4 5 6", 3, 3),
    "half-open ranges that miss the last value of each": ("A A 4 A A 4", 3, 3),
    "the Banker draws twice when the Player stands": ("A A 5 A A", 2, 3),
    "the Banker's third card always taken from the sixth place": ("K A 6 2 9", 2, 3),
}


@pytest.mark.parametrize("kind", DRAWING)
def test_drawing(kind: str) -> None:
    cards, player, banker = DRAWING[kind]
    trace = play(GAME, cards.split()).complete()  # no card too few, none left over
    assert (trace.row["player_cards"], trace.row["banker_cards"]) == (player, banker)


def net(wager: str, cards: str) -> Fraction | None:
    return next(s.net for s in play(GAME, cards.split()).settled if s.wager.name == wager)


def test_the_next_undealt_card_is_the_bankers_third() -> None:
    assert play(GAME, ["K", "A", "6", "2", "9"]).row["b3"] == 9


def test_a_pair_pays_though_the_hand_draws() -> None:
    """Credited only at two cards the edge is 60.64 %; it is 10.36 %."""
    assert net("player-pair", "A 2 A K 5 3") == 11
    edge = compute(GAME, Shoe.decks(8)).all.wager("player-pair").edge
    assert f"{float(100 * edge):.2f}" == "10.36"


def test_commission_is_not_cut_to_whole_units() -> None:
    """A stake of 5 returns 9.75, not 9."""
    won = net("banker", "K 9 2 K")
    assert won is not None
    assert 5 * (1 + won) == Fraction("9.75")


def test_a_natural_tie_is_told_apart_from_other_ties() -> None:
    """The Dragon Bonus pushes on a natural tie and loses on any other."""
    dragon = read_wagers(GAME, [parse_inline("dragon: outcome = 'tie' AND natural pays 0")], "--wager")
    assert [play(GAME, cards.split(), dragon).settled[0].net for cards in ("4 4 4 4", "K K 7 7")] == [0, -1]


def test_classes_of_one_wager_are_disjoint() -> None:
    """Tiger Pair: one program added overlapping classes: 0.143819831, more than the chance of either pair."""
    mixed = "p1_rank = p2_rank OR b1_rank = b2_rank"
    both = "p1_rank = p2_rank AND b1_rank = b2_rank"
    wagers = read_wagers(GAME, [parse_inline(f"tiger: {both} pays 20; {mixed} pays 5")], "--wager")
    lines = compute(GAME, Shoe.decks(8), wagers).all.wager("tiger").lines
    either = compute(GAME, Shoe.decks(8), [], given=mixed)
    assert sum(line.ways for line in lines) == either.total
    assert f"{either.total / perm(416, 6):.9f}" == "0.143816872"


def test_constants_are_not_rounded() -> None:
    assert sum(o.probability for o in compute(GAME, Shoe.decks("infinite"), []).all.outcomes) == 1


def test_exact_is_a_fraction_not_a_double() -> None:
    player = compute(GAME, Shoe.decks(8), []).all.outcome("player")
    assert player.probability == Fraction(2230518282592256, 4998398275503360)
    assert player.probability != Fraction(0.44624660934900956)


@pytest.mark.parametrize("decks", [9, 100])
def test_numbers_beyond_2_to_the_53_and_the_63_are_exact(decks: int) -> None:
    result = compute(GAME, Shoe.decks(decks), [])
    assert result.total == perm(52 * decks, 6) > 2**53
    assert all(outcome.ways > 0 for outcome in result.all.outcomes)
    assert sum(outcome.ways for outcome in result.all.outcomes) == result.total


def test_every_row_that_matches_counts_not_the_first_only() -> None:
    """Player 0, Banker 8 comes with a natural and without."""
    groups = compute(GAME, Shoe.decks(8), [], given="player_total = 0 AND banker_total = 8", by=["natural"]).by
    assert {group.key["natural"]: group.ways for group in groups} == {False: 15389778067456, True: 69686799163392}


def test_removing_a_rank_removes_that_rank() -> None:
    for rank in FRENCH.ranks:
        left = Shoe.decks(8).remove(rank).counts_by("rank")
        assert {other: count for other, count in left.items() if count != 32} == {rank: 31}
    without = {r: compute(GAME, Shoe.decks(8).remove(r), []).all.outcome("tie").ways for r in FRENCH.ranks}
    assert len({without[rank] for rank in ("10", "J", "Q", "K")}) == 1
    assert len(set(without.values())) == 10  # each value has an effect of its own


def test_no_decks_are_refused() -> None:
    with pytest.raises(InputError, match="the number of decks must be a whole number from 1, or 'infinite', not '0'"):
        Shoe.decks(0)
