"""What a shoe alone decides about every hand and up card, before any rule on stakes: kept and shared by all options.

Every number counts ordered deals of one fixed length, the ``horizon`` T (the most cards a round can use): a hand that
has left n cards of the N-card shoe behind it is valued over the (N - n)(N - n - 1)...(N - T + 1) orders of what may
still come. So a hit is a plain sum, the next hands' values times the counts of the cards that lead there, and nothing
is divided.

One rule covers a shoe that runs out: nobody draws from an empty shoe. A player cannot ask for a card that is not there,
and the dealer keeps the total he has. After a split each hand is valued with the cards that the other one drew counted
as unseen, which is exact while the shoe cannot run out.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

import numpy as np

from exact.blackjack.cards import RankShoe
from exact.blackjack.dealer import HOLE_OF_BLACKJACK, INT64_BOUND, Final, final_ways, longest_draw
from exact.blackjack.hands import Hands, IntArray, ObjectArray, all_hands, arrangements, hands_of, left_after

_KEPT: dict[tuple[RankShoe, bool, int | None], Table] = {}
_MOST_KEPT = 66  # six shoes with every split: a grid over options finds its shoe here again


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """The player's hands from one shoe and the dealer's answer to them; arrays have the shape hands x up cards.

    ``other`` is the rank of the other card of a split pair, out of the shoe as well, or None. ``unseen`` is the number
    of cards left after each hand, ``left`` their counts (hands x up cards x ranks), ``orders`` the orders of what may
    still come (a column), ``blackjack`` those with a dealer blackjack, and ``against`` twice those that the dealer wins
    by a higher total plus those that push: a hand that stands nets orders - blackjack - against, before blackjacks.
    """

    shoe: RankShoe
    other: int | None
    hands: Hands
    horizon: int
    unseen: IntArray
    left: IntArray
    orders: ObjectArray
    blackjack: ObjectArray
    against: ObjectArray

    def orders_after(self, drawn: int) -> ObjectArray:
        """For each hand, the orders of what may come after ``drawn`` further cards, as a column."""
        return _orders_after(self.shoe, self.hands, self.other, self.horizon, drawn)


def horizon(shoe: RankShoe, hits_soft_17: bool) -> int:
    """The most cards a round can use: the longest hand, the other card of a pair, the dealer's longest hand."""
    most = len(all_hands(shoe).levels) - 1 + 2 + longest_draw(hits_soft_17)
    return most if shoe.infinite else min(most, shoe.size)


def tables(shoe: RankShoe, hits_soft_17: bool, others: Iterable[int | None]) -> dict[int | None, Table]:
    """The tables of a shoe by ``other``: None for the unsplit hand, a rank for one hand of its split pair.

    Tables made before are found again; those that are missing are made in one pass over the dealer's polynomial.
    """
    wanted = {other: (shoe, hits_soft_17, other) for other in others}
    found = {other: _KEPT[key] for other, key in wanted.items() if key in _KEPT}
    missing = [other for other in wanted if other not in found]
    if missing:
        made = _make(shoe, hits_soft_17, missing)
        while _KEPT and len(_KEPT) + len(made) > _MOST_KEPT:
            del _KEPT[next(iter(_KEPT))]
        _KEPT.update({wanted[other]: table for other, table in made.items()})
        found |= made
    return found


def _make(shoe: RankShoe, hits_soft_17: bool, others: list[int | None]) -> dict[int | None, Table]:
    hands = {other: all_hands(shoe) if other is None else holding(shoe, other) for other in others}
    removed = np.concatenate([hands[other].cards + (np.arange(10) == other) for other in others])
    parts, start = {}, 0
    for other in others:
        parts[other] = slice(start, start + len(hands[other]))
        start += len(hands[other])
    made = {other: _before_dealer(shoe, hands[other], other, horizon(shoe, hits_soft_17)) for other in others}
    for up in range(10):
        ways = final_ways(shoe, removed, up, hits_soft_17)
        for other, table in made.items():
            mine = {key: counted[parts[other]] for key, counted in ways.items()}
            table.against[:, up] = _against(table, mine, longest_draw(hits_soft_17))
    return made


def _before_dealer(shoe: RankShoe, hands: Hands, other: int | None, total: int) -> Table:
    removed = hands.cards + (np.arange(10) == other)
    left = np.stack([left_after(shoe, removed + (np.arange(10) == up)) for up in range(10)], axis=1)
    out = hands.size + 1 + (other is not None)
    unseen = np.full(len(hands), shoe.size) if shoe.infinite else np.maximum(shoe.size - out, 0)
    blackjack = np.zeros((len(hands), 10), dtype=object)
    for up, hole in HOLE_OF_BLACKJACK.items():
        blackjack[:, up] = left[:, up, hole] * _orders_after(shoe, hands, other, total, 1)[:, 0]
    orders = _orders_after(shoe, hands, other, total, 0)
    return Table(shoe, other, hands, total, unseen, left, orders, blackjack, np.zeros_like(blackjack))


def _orders_after(shoe: RankShoe, hands: Hands, other: int | None, total: int, drawn: int) -> ObjectArray:
    by_size = []
    for size in range(len(hands.levels)):
        out = size + 1 + (other is not None) + drawn
        by_size.append(arrangements(shoe, shoe.size - out, max(total - out, 0)))
    return cast(ObjectArray, np.array(by_size, dtype=object)[hands.size].reshape(-1, 1))


def _against(table: Table, ways: dict[Final, IntArray | ObjectArray], longest: int) -> ObjectArray:
    """Twice the orders in which the dealer's total is higher plus those in which it is equal to each hand's total."""
    shoe, hands = table.shoe, table.hands
    room = table.horizon - hands.size - 1 - (table.other is not None)  # cards that may still come
    sums: IntArray | ObjectArray = np.zeros(len(hands), dtype=np.int64)
    for drawn in range(longest + 1):
        # The ways so far become ways of one more card by the orders of that card, as in Horner's rule.
        if drawn and sums.dtype != object and 2 * arrangements(shoe, shoe.size, drawn) >= INT64_BOUND:
            sums = sums.astype(object)
        if drawn:
            next_card = table.unseen if shoe.infinite else np.maximum(table.unseen - (drawn - 1), 1)
            sums = sums * np.where(drawn <= room, next_card, 1)
        for (total, cards), found in ways.items():
            if cards == drawn:
                sums = sums + (1 + np.sign(total - hands.total)) * found
    beyond = table.orders_after(longest)[:, 0]
    return sums.astype(object) * beyond


@lru_cache(maxsize=64)
def holding(shoe: RankShoe, rank: int) -> Hands:
    """The hands that hold at least one card of a rank: those that a split of it can become."""
    cards = all_hands(shoe).cards
    return hands_of(cards[cards[:, rank] > 0])
