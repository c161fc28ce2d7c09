"""How much of a wager's changing expectation a linear count can follow, at every depth of the shoe.

Shuffle a shoe of N cards and leave n of them: the expectation f(n) of the next round varies with which cards are
left. For a game of forced play it is an average over the hands that the cards left can make, and splits into
uncorrelated parts of order 1, 2, ... (the decomposition of Hoeffding for sampling without replacement): a part of
order k varies as

    C(N - 2k, n - k) / C(N, n) / (n (n - 1) ... (n - k + 1))^2

with n, whatever the game. The part of order 1 is the best linear count (least squares): each card gone is worth its
effect of removal times (N - 1) / n. With N - j cards left only orders up to j vary, so that removing 1, 2, ... cards
in every way, each shoe evaluated exactly, gives every part one after another.

Sources: W. Hoeffding, "A class of statistics with asymptotically normal distribution" (1948); for finite populations
M. Bloznelis and F. Götze, "Orthogonal decomposition of finite population statistics" (2001).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import comb, perm, prod

from exact.errors import InputError
from exact.polynomial import Polynomial
from exact.polynomial.compiled import Compiled, worth
from exact.polynomial.counting import class_counts
from exact.polynomial.products import Products
from exact.rulefile.expression import Value
from exact.rulefile.game import Wager
from exact.shoe import Shoe

MOST_TERMS = 10**10  # multisets evaluated for all shoes: some ten seconds


@dataclass(frozen=True)
class Spread:
    """The variance of a wager's expectation over uniformly random subsets of a shoe, by order: ``parts`` of order 1,
    2, ...

    ``size`` is the number of cards of the whole shoe, ``least`` the fewest from which a round can be dealt.
    """

    size: int
    least: int
    parts: tuple[Fraction, ...]

    def variance(self, left: int) -> Fraction:
        """The variance of the expectation of a round dealt from ``left`` uniformly random cards of the shoe."""
        self._check(left)
        return sum((part * _factor(self.size, left, k) for k, part in enumerate(self.parts, 1)), Fraction(0))

    def linear(self, left: int) -> Fraction | None:
        """R^2: which part of that variance the best linear count explains; None where nothing varies."""
        whole = self.variance(left)
        return self.parts[0] * _factor(self.size, left, 1) / whole if whole else None

    def weight(self, left: int) -> Fraction:
        """What the effects of removal are multiplied with, for each card gone, in the best linear count."""
        self._check(left)
        return Fraction(self.size - 1, left)

    def _check(self, left: int) -> None:
        if not self.least <= left <= self.size:
            raise InputError(f"{left} cards left: a round needs {self.least}, and the shoe holds {self.size}")


def _factor(size: int, left: int, order: int) -> Fraction:
    """How the part of an order varies with the cards left."""
    if order > left or left - order > size - 2 * order:
        return Fraction(0)
    return Fraction(comb(size - 2 * order, left - order), comb(size, left) * perm(left, order) ** 2)


@dataclass(frozen=True)
class _Removals:
    """A wager over every shoe that lacks some cards of a first one."""

    wager: Wager
    part: Polynomial
    lines: Mapping[Value, int]
    counts: tuple[int, ...]

    @property
    def cards(self) -> int:
        """The most cards that decide the wager."""
        return int(self.part.drawn.sum(axis=1).max(initial=0))

    def moments(self, removed: int) -> tuple[Fraction, Fraction]:
        """Mean and variance of the expectation with so many cards removed, every subset of them equally likely."""
        import numpy as np

        taken = Products(len(self.counts), removed).multisets(removed).astype(np.int64)
        taken = taken[(taken <= np.array(self.counts)).all(axis=1)]
        found = self.part.blocks.at(np.array(self.counts) - taken)
        net, offered = worth(self.wager, {value: found[row] for value, row in self.lines.items()})
        subsets = [prod(map(comb, self.counts, row)) for row in taken.tolist()]
        whole, unit = sum(subsets), int(offered[0])
        first = Fraction(sum(ways * int(value) for ways, value in zip(subsets, net, strict=True)), whole * unit)
        second = Fraction(
            sum(ways * int(value) ** 2 for ways, value in zip(subsets, net, strict=True)), whole * unit**2
        )
        return first, second - first**2


def spread(compiled: Compiled, measure: int, shoe: Shoe) -> Spread:
    """The variance of a wager's expectation by order, for every number of cards left.

    Raises ``InputError`` where the theory does not hold (a condition, an offer: the expectation is no average over
    hands) and where too many shoes would have to be evaluated.
    """
    wager = compiled.measures[measure].wager
    assert wager is not None
    place, digit = compiled.places[measure]
    part = compiled.parts[place]
    removals = _Removals(wager, part, part.digit(digit), class_counts(shoe, part.classes))
    if compiled.given is not None or wager.offered is not None:
        raise InputError(f"{wager.name} is bet on some rounds only: its expectation is no average over all hands")
    cards, longest = removals.cards, len(compiled.game.slots)
    if shoe.size < max(2 * cards, cards + longest):
        raise InputError(
            f"the shoe holds {shoe.size} cards: {max(2 * cards, cards + longest)} are needed for variances by order"
        )
    if (shoes := comb(len(removals.counts) + cards - 1, cards)) * part.multisets > MOST_TERMS:
        raise InputError(
            f"the variance by order would need {shoes:,} shoes, too many here ({wager.name} looks at {cards} cards)"
        )
    mean = removals.moments(0)[0]
    parts: list[Fraction] = []
    for removed in range(1, cards + 1):
        average, variance = removals.moments(removed)
        assert average == mean, "a shuffled shoe is worth the same, however many cards are out of sight"
        left = shoe.size - removed
        known = sum((part * _factor(shoe.size, left, k) for k, part in enumerate(parts, 1)), Fraction(0))
        parts.append((variance - known) / _factor(shoe.size, left, removed))
    return Spread(shoe.size, longest, tuple(parts))
