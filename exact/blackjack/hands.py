"""Every hand a player can hold without being bust, as arrays: one row a composition, fewest cards first."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import perm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exact.blackjack.cards import ACE, Counts, RankShoe

IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]
ObjectArray = NDArray[Any]  # Python integers of any size

_POINTS = np.arange(1, 11)
_DIGITS = 23 ** np.arange(10, dtype=np.int64)  # a composition, of at most 22 cards, as one number


@dataclass(frozen=True, slots=True, eq=False)
class Hands:
    """The compositions of at most 21 points that a shoe can deal.

    ``cards`` counts the ten ranks of each (shape hands x 10); ``next`` is the row of the hand with one more card of a
    rank, or -1 where that is over 21 or the shoe has no such card; ``levels[n]`` is the slice of rows with n cards.
    """

    cards: IntArray
    size: IntArray
    total: IntArray
    soft: BoolArray
    next: IntArray
    levels: tuple[slice, ...]
    keys: IntArray  # each composition as one number

    def __len__(self) -> int:
        return len(self.size)

    def row(self, counts: Counts) -> int | None:
        """The row of a composition, or None if it is not among these hands."""
        found = np.flatnonzero(self.keys == int(np.array(counts) @ _DIGITS))
        return int(found[0]) if len(found) else None


@lru_cache(maxsize=8)
def all_hands(shoe: RankShoe) -> Hands:
    """Every hand of one card or more that is not over 21, from this shoe.

    >>> len(all_hands(RankShoe((32,) * 9 + (128,)))) - 10
    3072
    """
    counts = np.array(shoe.counts, dtype=np.int64)
    most = np.where(counts > 0, 21, 0) if shoe.infinite else counts
    level, levels = np.zeros((1, 10), dtype=np.int64), []
    while len(level):
        grown = np.concatenate([level + (np.arange(10) == rank) for rank in range(10)])
        grown = grown[(grown @ _POINTS <= 21) & (grown <= most).all(axis=1)]
        level = grown[np.unique(grown @ _DIGITS, return_index=True)[1]]
        levels.append(level)
    return hands_of(np.concatenate(levels))


def hands_of(cards: IntArray) -> Hands:
    """The hands of some compositions (rows of ten counts, fewest cards first)."""
    hard, size = cards @ _POINTS, cards.sum(axis=1)
    soft = (cards[:, ACE] > 0) & (hard <= 11)
    keys = cards @ _DIGITS
    order = np.argsort(keys)
    wanted = keys[:, None] + _DIGITS
    place = np.minimum(np.searchsorted(keys, wanted, sorter=order), max(len(keys) - 1, 0))
    rows = order[place] if len(keys) else np.zeros((0, 10), dtype=np.int64)
    following = np.where(keys[rows] == wanted, rows, -1)
    bounds = np.searchsorted(size, np.arange(int(size.max(initial=0)) + 2))
    levels = tuple(slice(int(start), int(stop)) for start, stop in pairwise(bounds))
    return Hands(cards, size, np.where(soft, hard + 10, hard), soft, following, levels, keys)


def arrangements(shoe: RankShoe, cards: int, drawn: int) -> int:
    """The ordered ways to draw so many of ``cards`` cards: a falling factorial, or a power from an infinite shoe."""
    return shoe.size**drawn if shoe.infinite else perm(max(cards, 0), drawn)


def left_after(shoe: RankShoe, removed: IntArray) -> IntArray:
    """The counts of the ten ranks left when ``removed`` (rows of ten counts) are out.

    They are never below zero, so that a row which the shoe cannot deal has no ways instead of negative ones.
    """
    counts = np.array(shoe.counts, dtype=np.int64)
    return np.broadcast_to(counts, removed.shape).copy() if shoe.infinite else np.maximum(counts - removed, 0)
