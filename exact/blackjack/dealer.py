"""The dealer's hand as a polynomial in the counts of the shoe.

A dealer who shows an up card ends on a final total after drawing some multiset of cards. How many orders of that
multiset he really draws (he stops as soon as his rule says so) depends on no shoe: it is the coefficient. The ways to a
final total from any shoe are then the sum of coefficient x product of falling factorials of the counts, and all player
hands are evaluated at once, as vectors of counts. Everything is an integer; the bound that keeps 64-bit vectors exact
is computed before they are used.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import perm

import numpy as np

from exact.blackjack.cards import ACE, TEN, Counts, RankShoe, best_total
from exact.blackjack.hands import IntArray, ObjectArray, arrangements, left_after

INT64_BOUND = 2**62  # vectors of ways stay under half of 2**63, since they are later weighted with 1 and 2
HOLE_OF_BLACKJACK = {ACE: TEN, TEN: ACE}  # up card -> second card that makes a dealer blackjack


@dataclass(frozen=True, slots=True)
class Term:
    """One multiset of cards the dealer draws after his up card, of which ``orders`` orders lead to ``total``.

    ``draws`` lists (rank, how many), ``cards`` is their number. ``finished`` is false for a hand that still has to
    draw: it counts only when the shoe has run out.
    """

    draws: tuple[tuple[int, int], ...]
    cards: int
    orders: int
    total: int
    finished: bool


@cache
def terms(up: int, hits_soft_17: bool) -> tuple[Term, ...]:
    """Every multiset of draws after an up card that is not over 21, finished or not, without the dealer's blackjack.

    >>> sum(term.finished for up in range(10) for term in terms(up, False))
    4632
    """
    found: list[Term] = []
    level: dict[Counts, int] = {(0,) * 10: 1}
    cards = 0
    while level:
        grown: defaultdict[Counts, int] = defaultdict(int)
        for draws, orders in level.items():
            total, finished = _dealer_total(up, draws, hits_soft_17)
            if total > 21 or (cards == 1 and total == 21):
                continue
            found.append(Term(tuple((r, n) for r, n in enumerate(draws) if n), cards, orders, total, finished))
            if not finished:
                for rank in range(10):
                    grown[(*draws[:rank], draws[rank] + 1, *draws[rank + 1 :])] += orders
        level, cards = grown, cards + 1
    return tuple(sorted(found, key=lambda term: term.draws))


def _dealer_total(up: int, draws: Counts, hits_soft_17: bool) -> tuple[int, bool]:
    hard = up + 1 + sum((rank + 1) * count for rank, count in enumerate(draws))
    total, soft = best_total(hard, up == ACE or draws[ACE] > 0)
    return total, total > 17 or (total == 17 and not (soft and hits_soft_17))


@cache
def longest_draw(hits_soft_17: bool) -> int:
    """The most cards a dealer can draw after the up card."""
    return max(term.cards for up in range(10) for term in terms(up, hits_soft_17) if term.finished)


Final = tuple[int, int]  # final total, cards drawn after the up card


def final_ways(shoe: RankShoe, removed: IntArray, up: int, hits_soft_17: bool) -> dict[Final, IntArray | ObjectArray]:
    """For each final total and number of draws, the ordered ways to it after each row of removed cards.

    The up card is taken out besides. Blackjacks and busts are not counted here. Where a draw empties the shoe, the
    dealer keeps the total he has, 2 to 17.
    """
    left = left_after(shoe, removed + (np.arange(10) == up))
    cards_left = left.sum(axis=1)
    scarce = set() if shoe.infinite else set(cards_left[cards_left <= longest_draw(hits_soft_17)].tolist())
    usable = [
        term
        for term in terms(up, hits_soft_17)
        if (term.finished or term.cards in scarce)
        and all(shoe.counts[rank] >= (1 if shoe.infinite else drawn) for rank, drawn in term.draws)
    ]
    kind = np.int64 if _fits_int64(shoe, usable) else object
    falling = _Falling(left.astype(kind), shoe.infinite)
    ways: dict[Final, IntArray | ObjectArray] = {}
    for term, product in _products(usable, falling, np.ones(len(left), dtype=kind)):
        counted = term.orders * product
        if not term.finished:
            counted = counted * (cards_left == term.cards)
        key = (term.total, term.cards)
        if key in ways:
            ways[key] += counted
        else:
            ways[key] = counted
    return ways


def _fits_int64(shoe: RankShoe, usable: Sequence[Term]) -> bool:
    """Whether no sum of ways leaves 64 bits: removing cards only lowers factors, so the full shoe bounds them all."""
    sums: defaultdict[int, int] = defaultdict(int)
    for term in usable:
        ways = term.orders
        for rank, drawn in term.draws:
            ways *= shoe.counts[rank] ** drawn if shoe.infinite else perm(shoe.counts[rank], drawn)
        sums[term.cards] += ways
    return max(sums.values(), default=0) < INT64_BOUND


class _Falling:
    """Falling factorials of the columns of counts, each computed once."""

    def __init__(self, left: IntArray | ObjectArray, infinite: bool) -> None:
        self._left, self._infinite = left, infinite
        self._known: dict[tuple[int, int], IntArray | ObjectArray] = {}

    def __call__(self, rank: int, drawn: int) -> IntArray | ObjectArray:
        if (rank, drawn) not in self._known:
            column = np.ascontiguousarray(self._left[:, rank])
            factor = column if self._infinite else np.maximum(column - (drawn - 1), 0)
            self._known[rank, drawn] = factor if drawn == 1 else self(rank, drawn - 1) * factor
        return self._known[rank, drawn]


def _products(
    usable: Sequence[Term], falling: _Falling, one: IntArray | ObjectArray
) -> Iterator[tuple[Term, IntArray | ObjectArray]]:
    """Each term with its product of falling factorials; terms come sorted, and what begins alike is multiplied once."""
    before: tuple[tuple[int, int], ...] = ()
    products = [one]
    for term in usable:
        shared = 0
        for old, new in zip(before, term.draws, strict=False):
            if old != new:
                break
            shared += 1
        del products[shared + 1 :]
        for rank, drawn in term.draws[shared:]:
            products.append(products[-1] * falling(rank, drawn))
        before = term.draws
        yield term, products[-1]


def dealer_distribution(shoe: RankShoe, removed: Counts, up: int, hits_soft_17: bool) -> dict[str, Fraction]:
    """The exact distribution of the dealer's final total with these cards and the up card out of the shoe.

    The keys are "17" to "21", "blackjack" and "bust" (and lower totals where the shoe can run out); nothing is assumed
    about the second card.

    >>> dealer_distribution(RankShoe((4,) * 9 + (16,)), (0,) * 10, 0, False)["blackjack"]
    Fraction(16, 51)
    """
    row = np.array([removed], dtype=np.int64)
    left = left_after(shoe, row + (np.arange(10) == up))[0]
    cards_left = int(left.sum())
    found = dict.fromkeys(range(17, 22), Fraction(0))
    for (total, cards), ways in final_ways(shoe, row, up, hits_soft_17).items():
        if ways[0]:
            probability = Fraction(int(ways[0]), arrangements(shoe, cards_left, cards))
            found[total] = found.get(total, Fraction(0)) + probability
    named = {str(total): found[total] for total in sorted(found)}
    hole = HOLE_OF_BLACKJACK.get(up)
    named["blackjack"] = Fraction(0) if hole is None or not cards_left else Fraction(int(left[hole]), cards_left)
    named["bust"] = 1 - sum(named.values(), Fraction(0))
    return named
