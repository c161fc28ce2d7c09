"""Side bets beside the hand: Perfect Pairs by suit, for the player and for the dealer, and insurance."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction

from exact.blackjack.cards import ACE, TEN, RankShoe
from exact.errors import InputError
from exact.shoe import Shoe
from exact.wager import LineFigures, WagerFigures

# 002_34ca06e8a3ac76e1.txt L140-L148, L161-L163
PAIR_PAYS: Mapping[str, int] = {"perfect pair": 25, "coloured pair": 12, "mixed pair": 6}
RED = ("H", "D")
TEN_TO_ONE_AGAINST = 2  # insurance pays 2:1, L124, L158


def pair_ways(shoe: Shoe) -> tuple[dict[str, int], int]:
    """The ordered ways in which the next two cards are each kind of pair, and of all two cards.

    A pair is of one rank (a ten and a jack are none): perfect in one suit, coloured in one colour, mixed in two.

    >>> pair_ways(Shoe.decks(8))[0]["perfect pair"] // 2
    1456

    Raises ``InputError`` when the shoe's suits are not known.
    """
    if not shoe.has_suits:
        raise InputError("Perfect Pairs needs a shoe whose suits are known: give decks or counts by card")
    by_rank: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for (rank, suit), count in shoe.counts().items():
        by_rank[rank][suit] = count
    ways = dict.fromkeys(PAIR_PAYS, 0)
    for suits in by_rank.values():
        for first, count in suits.items():
            for second, others in suits.items():
                left = others - (first == second and not shoe.infinite)
                same_colour = (first in RED) == (second in RED)
                kind = "perfect pair" if first == second else "coloured pair" if same_colour else "mixed pair"
                ways[kind] += count * left
    return ways, shoe.orders(2)


def perfect_pairs(shoe: Shoe, name: str = "player_pair", pays: Mapping[str, int] = PAIR_PAYS) -> WagerFigures:
    """Perfect Pairs on two cards of the shoe; which two does not matter, so the dealer's bet has the same value.

    >>> perfect_pairs(Shoe.decks(6)).expectation, perfect_pairs(Shoe.decks(8)).expectation
    (Fraction(-19, 311), Fraction(-17, 415))
    """
    ways, total = pair_ways(shoe)
    lines = tuple(LineFigures(kind, Fraction(odds), ways[kind], total) for kind, odds in pays.items())
    return WagerFigures(name, "Perfect Pairs", lines, total, total)


def insurance(shoe: RankShoe) -> WagerFigures | None:
    """Insurance knowing only the dealer's ace, per unit insured; None if no ace can be dealt.

    >>> insurance(RankShoe((24,) * 9 + (96,))).expectation
    Fraction(-23, 311)
    """
    aces, tens, others = shoe.counts[ACE], shoe.counts[TEN], shoe.size - (not shoe.infinite)
    if not aces or not others:
        return None
    line = LineFigures("dealer blackjack", Fraction(TEN_TO_ONE_AGAINST), aces * tens, aces * others)
    return WagerFigures("insurance", "Insurance", (line,), aces * others, shoe.size * others)


def insurance_value(tens: int, unseen: int) -> Fraction:
    """What a unit of insurance nets with so many ten-value cards among the unseen ones.

    >>> insurance_value(128, 415)
    Fraction(-31, 415)
    """
    return Fraction((TEN_TO_ONE_AGAINST + 1) * tens, unseen) - 1


def non_tens_needed(shoe: RankShoe) -> int | None:
    """The least number of seen cards, none of them worth ten, beyond the dealer's ace that makes insurance favourable.

    >>> [non_tens_needed(RankShoe((4 * decks,) * 9 + (16 * decks,))) for decks in (1, 6, 8)]
    [4, 24, 32]
    """
    tens, unseen = shoe.counts[TEN], shoe.size - 1
    for seen in range(unseen - tens + 1):
        if insurance_value(tens, unseen - seen) > 0:
            return seen
    return None
