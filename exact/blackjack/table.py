"""What a shoe alone decides about every hand and up card, before any rule on stakes: kept and shared by all options.

Every number counts ordered deals of one fixed length, the ``horizon`` T (the most cards a round can use): a hand that has left
n cards of the N-card shoe behind it is valued over the (N - n)(N - n - 1)...(N - T + 1) orders of what may still come. So a hit is a
plain sum, value of the next hands times the counts of the cards that lead there, and nothing is ever divided.

One rule covers a shoe that runs out: nobody draws from an empty shoe. A player cannot ask for a card that is not there, and the
dealer keeps the total he has. After a split each hand is valued with the cards that the other one drew counted as unseen, which
is exact while the shoe cannot run out.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from exact.blackjack.cards import RankShoe
from exact.blackjack.dealer import HOLE_OF_BLACKJACK, final_ways, longest_draw
from exact.blackjack.hands import Hands, IntArray, ObjectArray, all_hands, arrangements, left_after

EXACT_INT64 = 2**62


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """The player's hands from one shoe and the dealer's answer to them; arrays have the shape hands x up cards.

    ``other`` is the rank of the other card of a split pair, out of the shoe as well, or None. ``unseen`` is the number of cards left
    after each hand, ``left`` their counts (hands x up cards x ranks), ``orders`` the orders of what may still come, ``blackjack``
    those with a dealer blackjack, and ``against`` those that the dealer wins by a higher total, twice, plus those that push: a hand
    that stands nets orders - blackjack - against, before the blackjacks.
    """

    shoe: RankShoe
    other: int | None
    hands: Hands
    horizon: int
    unseen: IntArray
    left: ObjectArray
    orders: ObjectArray
    blackjack: ObjectArray
    against: ObjectArray

    def orders_after(self, drawn: int) -> ObjectArray:
        """For each hand, the orders of what may come after ``drawn`` further cards, as a column."""
        still = np.maximum(self.horizon - self.hands.size - 1 - (self.other is not None) - drawn, 0)
        known: dict[tuple[int, int], int] = {}
        for unseen, length in zip((self.unseen - drawn).tolist(), still.tolist(), strict=True):
            known.setdefault((unseen, length), arrangements(self.shoe, unseen, min(length, max(unseen, 0))))
        found = [known[key] for key in zip((self.unseen - drawn).tolist(), still.tolist(), strict=True)]
        return np.array(found, dtype=object).reshape(-1, 1)


def horizon(shoe: RankShoe, hits_soft_17: bool) -> int:
    """The most cards a round from this shoe can use: the longest hand, the other card of a pair, the dealer's longest hand."""
    most = int(all_hands(shoe).size.max()) + 2 + longest_draw(hits_soft_17)
    return most if shoe.infinite else min(most, shoe.size)


@lru_cache(maxsize=64)
def table(shoe: RankShoe, hits_soft_17: bool, other: int | None = None) -> Table:
    """The table of a shoe, or of one hand of a split pair of rank ``other``: then only hands that hold that rank."""
    hands = all_hands(shoe) if other is None else holding(shoe, other)
    removed = hands.cards + (np.arange(10) == other)
    total = horizon(shoe, hits_soft_17)
    out = hands.size + 1 + (other is not None)
    unseen = np.full(len(hands), shoe.size) if shoe.infinite else np.maximum(shoe.size - out, 0)
    left = np.stack([left_after(shoe, removed + (np.arange(10) == up)) for up in range(10)], axis=1)
    blank = np.zeros((len(hands), 10), dtype=object)
    found = Table(shoe, other, hands, total, unseen, left.astype(object), blank[:, :1], blank.copy(), blank.copy())
    found.orders[:] = found.orders_after(0)
    rest = found.orders_after(1)
    for up, hole in HOLE_OF_BLACKJACK.items():
        found.blackjack[:, up] = found.left[:, up, hole] * rest[:, 0]
    for up in range(10):
        found.against[:, up] = _against(found, removed, up, hits_soft_17)
    return found


def _against(table: Table, removed: IntArray, up: int, hits_soft_17: bool) -> ObjectArray:
    """Twice the orders in which the dealer's total is higher plus those in which it is equal, for each hand's own total."""
    ways = final_ways(table.shoe, removed, up, hits_soft_17)
    draws = longest_draw(hits_soft_17)
    room = np.maximum(table.horizon - table.hands.size - 1 - (table.other is not None), 0)  # cards that may still come
    kept: IntArray | ObjectArray = np.zeros(len(removed), dtype=np.int64)
    for drawn in range(draws + 1):
        # Ways with `drawn` cards, raised from those with one less by the orders of the next card, as Horner's rule does.
        raised = 1 if drawn == 0 else np.where(drawn <= room, _next_card(table, drawn), 1)
        if kept.dtype != object and 2 * arrangements(table.shoe, table.shoe.size, drawn) >= EXACT_INT64:
            kept = kept.astype(object)
        kept = kept * raised
        for (total, cards), counted in ways.items():
            if cards == drawn:
                weight = 1 + np.sign(total - table.hands.total)
                kept = kept + (weight * counted if kept.dtype != object else (weight * counted).astype(object))
    tail = {(unseen, length): 0 for unseen, length in zip(table.unseen.tolist(), room.tolist(), strict=True)}
    for unseen, length in tail:
        tail[unseen, length] = arrangements(table.shoe, max(unseen - draws, 0), max(length - draws, 0))
    last = np.array([tail[key] for key in zip(table.unseen.tolist(), room.tolist(), strict=True)], dtype=object)
    return kept.astype(object) * last


def _next_card(table: Table, drawn: int) -> IntArray:
    return table.unseen if table.shoe.infinite else np.maximum(table.unseen - (drawn - 1), 1)


@lru_cache(maxsize=64)
def holding(shoe: RankShoe, rank: int) -> Hands:
    """The hands that hold at least one card of a rank: those that a split of it can become."""
    hands = all_hands(shoe)
    rows = np.flatnonzero(hands.cards[:, rank] > 0)
    new_row = np.full(len(hands) + 1, -1, dtype=np.int64)  # the extra row answers for -1
    new_row[rows] = np.arange(len(rows))
    sizes = hands.size[rows]
    levels = [
        range(int(np.searchsorted(sizes, size)), int(np.searchsorted(sizes, size, "right")))
        for size in range(len(hands.levels))
    ]
    return Hands(
        hands.cards[rows],
        sizes,
        hands.total[rows],
        hands.soft[rows],
        new_row[hands.next[rows]],
        tuple(levels),
        {hand: int(new_row[row]) for hand, row in hands.row.items() if new_row[row] >= 0},
    )
