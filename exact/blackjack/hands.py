"""Every hand a player can hold without being bust, as arrays: one row a composition, in order of the number of cards."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import perm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exact.blackjack.cards import ACE, Counts, RankShoe, best_total

IntArray = NDArray[np.int64]
ObjectArray = NDArray[Any]  # Python integers of any size


@dataclass(frozen=True, slots=True, eq=False)
class Hands:
    """The compositions of at most 21 points that a shoe can deal.

    ``cards`` counts the ten ranks of each (shape hands x 10); ``next`` is the row of the hand with one more card of a rank, or -1
    where that is over 21 or the shoe has no such card; ``levels[n]`` is the range of rows with n cards.
    """

    cards: IntArray
    size: IntArray
    total: IntArray
    soft: NDArray[np.bool_]
    next: IntArray
    levels: tuple[range, ...]
    row: dict[Counts, int]

    def __len__(self) -> int:
        return len(self.size)


@lru_cache(maxsize=8)
def all_hands(shoe: RankShoe) -> Hands:
    """Every hand of one card or more that is not over 21, from this shoe.

    >>> len(all_hands(RankShoe((32,) * 9 + (128,)))) - 10
    3072
    """
    compositions: list[Counts] = []
    levels = [range(0)]
    level: list[Counts] = [(0,) * 10]
    while level:
        grown = {_with(hand, rank) for hand in level for rank in range(10) if _fits(hand, rank, shoe)}
        level = sorted(grown, reverse=True)
        if level:
            levels.append(range(len(compositions), len(compositions) + len(level)))
            compositions += level
    row = {hand: index for index, hand in enumerate(compositions)}
    cards = np.array(compositions, dtype=np.int64).reshape(-1, 10)
    bests = [best_total(_hard(hand), hand[ACE] > 0) for hand in compositions]
    return Hands(
        cards,
        cards.sum(axis=1),
        np.array([total for total, _ in bests], dtype=np.int64),
        np.array([soft for _, soft in bests], dtype=np.bool_),
        np.array([[row.get(_with(hand, rank), -1) for rank in range(10)] for hand in compositions], dtype=np.int64),
        tuple(levels),
        row,
    )


def _with(hand: Counts, rank: int) -> Counts:
    return (*hand[:rank], hand[rank] + 1, *hand[rank + 1 :])


def _hard(hand: Counts) -> int:
    return sum((rank + 1) * count for rank, count in enumerate(hand))


def _fits(hand: Counts, rank: int, shoe: RankShoe) -> bool:
    enough = shoe.counts[rank] > 0 if shoe.infinite else hand[rank] < shoe.counts[rank]
    return enough and _hard(hand) + rank + 1 <= 21


def arrangements(shoe: RankShoe, cards: int, drawn: int) -> int:
    """The ordered ways to draw so many of ``cards`` cards: a falling factorial, or a power from an infinite shoe."""
    return shoe.size**drawn if shoe.infinite else perm(max(cards, 0), drawn)


def left_after(shoe: RankShoe, removed: IntArray) -> IntArray:
    """The counts of the ten ranks left when ``removed`` (rows of ten counts) are out; never below zero, so that a row which
    the shoe cannot deal has no ways instead of negative ones."""
    counts = np.array(shoe.counts, dtype=np.int64)
    return np.broadcast_to(counts, removed.shape).copy() if shoe.infinite else np.maximum(counts - removed, 0)
