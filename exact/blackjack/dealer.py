"""The dealer's hand as a polynomial in the counts of the shoe.

A dealer who shows ``up`` ends on a final total after drawing some multiset of cards. How many orders of that multiset he really
draws (he stops as soon as his rule says so) is a number that depends on no shoe: the coefficient. The ways to a final total from
any shoe are then the sum of coefficient x product of falling factorials of the counts, and all player hands are evaluated at once,
as vectors of counts. Everything is an integer; the bound that keeps 64-bit vectors exact is computed before they are used.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import groupby
from math import perm

import numpy as np

from exact.blackjack.cards import ACE, TEN, Counts, RankShoe, best_total
from exact.blackjack.hands import IntArray, ObjectArray, arrangements, left_after

INT64_BOUND = 2**62  # every vector below stays under half of 2**63, since a push and a loss weigh 1 and 2
HOLE_OF_BLACKJACK = {ACE: TEN, TEN: ACE}  # up card -> second card that makes a dealer blackjack


@dataclass(frozen=True, slots=True)
class Term:
    """One multiset of cards the dealer draws after his up card: ``orders`` of them lead to ``total``.

    ``finished`` is false for a hand that still has to draw: it counts only when the shoe has run out.
    """

    draws: Counts
    orders: int
    total: int
    finished: bool

    @property
    def cards(self) -> int:
        return sum(self.draws)


@cache
def terms(up: int, hits_soft_17: bool) -> tuple[Term, ...]:
    """Every multiset of draws after an up card that ends at most at 21, and every unfinished one; without blackjacks.

    >>> sum(term.finished for up in range(10) for term in terms(up, False))
    4632
    """
    found: list[Term] = []
    level: dict[Counts, int] = {(0,) * 10: 1}
    while level:
        grown: defaultdict[Counts, int] = defaultdict(int)
        for draws, orders in level.items():
            total, finished = _dealer_total(up, draws, hits_soft_17)
            if total > 21 or (sum(draws) == 1 and draws[HOLE_OF_BLACKJACK.get(up, up)] and total == 21):
                continue
            found.append(Term(draws, orders, total, finished))
            if not finished:
                for rank in range(10):
                    grown[(*draws[:rank], draws[rank] + 1, *draws[rank + 1 :])] += orders
        level = grown
    return tuple(sorted(found, key=lambda term: term.draws))


def _dealer_total(up: int, draws: Counts, hits_soft_17: bool) -> tuple[int, bool]:
    hard = up + 1 + sum((rank + 1) * count for rank, count in enumerate(draws))
    total, soft = best_total(hard, up == ACE or draws[ACE] > 0)
    return total, total > 17 or (total == 17 and not (soft and hits_soft_17))


def longest_draw(hits_soft_17: bool) -> int:
    """The most cards a dealer can draw after the up card."""
    return max(term.cards for up in range(10) for term in terms(up, hits_soft_17) if term.finished)


Final = tuple[int, int]  # final total, cards drawn after the up card


def final_ways(shoe: RankShoe, removed: IntArray, up: int, hits_soft_17: bool) -> dict[Final, IntArray | ObjectArray]:
    """For each final total and number of draws, the ordered ways to it after each row of removed cards (the up card not among them).

    Blackjacks and busts are not counted here. Where a draw empties the shoe, the dealer keeps the total he has (2 to 17).
    """
    left = left_after(shoe, removed + (np.arange(10) == up))
    cards_left = left.sum(axis=1)
    usable = [term for term in terms(up, hits_soft_17) if _usable(shoe, term, up, cards_left)]
    exact_type = np.int64 if _fits_int64(shoe, usable, up) else object
    falling = _Falling(left.astype(exact_type), shoe.infinite)
    ways: dict[Final, IntArray | ObjectArray] = {}
    for term, product in _products(usable, 0, falling, np.ones(len(left), dtype=exact_type)):
        key = (term.total, term.cards)
        counted = product if term.finished else product * (cards_left == term.cards)
        ways[key] = ways[key] + term.orders * counted if key in ways else term.orders * counted
    return ways


def _usable(shoe: RankShoe, term: Term, up: int, cards_left: IntArray) -> bool:
    if not term.finished and (shoe.infinite or not bool((cards_left == term.cards).any())):
        return False
    return all(
        not drawn or shoe.counts[rank] >= (1 if shoe.infinite else drawn) for rank, drawn in enumerate(term.draws)
    )


def _fits_int64(shoe: RankShoe, usable: Iterable[Term], up: int) -> bool:
    """Whether no sum of ways can leave 64 bits: removing cards only lowers every factor, so the full shoe bounds them all."""
    sums: defaultdict[int, int] = defaultdict(int)
    for term in usable:
        ways = term.orders
        for count, drawn in zip(shoe.counts, term.draws, strict=True):
            if drawn:
                ways *= count**drawn if shoe.infinite else perm(count, drawn)
        sums[term.cards] += ways
    return max(sums.values(), default=0) < INT64_BOUND


class _Falling:
    """Falling factorials of the columns of counts, each computed once."""

    def __init__(self, left: IntArray | ObjectArray, infinite: bool) -> None:
        self._left, self._infinite = left, infinite
        self._known: dict[tuple[int, int], IntArray | ObjectArray] = {}

    def __call__(self, rank: int, drawn: int) -> IntArray | ObjectArray:
        if (rank, drawn) not in self._known:
            column = self._left[:, rank]
            factor = column if self._infinite else np.maximum(column - (drawn - 1), 0)
            self._known[rank, drawn] = factor if drawn == 1 else self(rank, drawn - 1) * factor
        return self._known[rank, drawn]


def _products(
    group: Iterable[Term], rank: int, falling: _Falling, product: IntArray | ObjectArray
) -> Iterator[tuple[Term, IntArray | ObjectArray]]:
    """Each term with its product of falling factorials; terms that begin alike share the beginning (they come sorted)."""
    if rank == 10:
        for term in group:
            yield term, product
        return
    for drawn, same in groupby(group, key=lambda term: term.draws[rank]):
        yield from _products(same, rank + 1, falling, product * falling(rank, drawn) if drawn else product)


def dealer_distribution(shoe: RankShoe, removed: Counts, up: int, hits_soft_17: bool) -> dict[str, Fraction]:
    """The exact distribution of the dealer's final total with these cards out of the shoe, unconditionally: "17" to "21",
    "blackjack" and "bust".

    >>> dealer_distribution(RankShoe((4,) * 9 + (16,)), (0,) * 10, 0, False)["blackjack"]
    Fraction(16, 51)
    """
    row = np.array([removed], dtype=np.int64)
    left = left_after(shoe, row + (np.arange(10) == up))[0]
    cards_left = int(left.sum())
    found = {str(total): Fraction(0) for total in range(17, 22)} | {"blackjack": Fraction(0)}
    for (total, cards), ways in sorted(final_ways(shoe, row, up, hits_soft_17).items()):
        probability = Fraction(int(ways[0]), arrangements(shoe, cards_left, cards)) if ways[0] else Fraction(0)
        if probability or total >= 17:
            found[str(total)] = found.get(str(total), Fraction(0)) + probability
    if up in HOLE_OF_BLACKJACK and cards_left:
        found["blackjack"] = Fraction(int(left[HOLE_OF_BLACKJACK[up]]), cards_left)
    found["bust"] = 1 - sum(found.values())
    return found
