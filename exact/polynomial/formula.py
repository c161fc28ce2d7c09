"""Closed forms: a game's probabilities and edges as rational functions of the number of decks.

A fresh shoe of d decks holds d times each card of one deck, so that its ways are a polynomial in d of the degree of
the longest round. It is found exactly from its values at as many decks as it has coefficients.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import gcd, lcm
from typing import TYPE_CHECKING, Any

from exact.errors import InputError
from exact.polynomial.compiled import Compiled
from exact.shoe import Shoe

if TYPE_CHECKING:
    import sympy

NEARNESS = Fraction(1, 10**12)  # how closely a root is enclosed before it is rounded for people


@dataclass(frozen=True)
class ClosedForm:
    """A figure as a function of the number of decks, ``numerator / denominator`` in lowest terms, from ``least``
    decks on.

    ``quantity`` is "probability" (of an outcome) or "edge" (of a wager: the house's share of the bet, positive for
    the house).
    """

    name: str
    quantity: str
    numerator: sympy.Poly
    denominator: sympy.Poly
    least: int

    def at(self, decks: int) -> Fraction:
        """The exact figure for a number of decks."""
        return Fraction(int(self.numerator.eval(decks)), int(self.denominator.eval(decks)))

    @property
    def degree(self) -> int:
        """The degree of the denominator."""
        return int(self.denominator.degree())

    @property
    def limit(self) -> Fraction:
        """The figure of infinitely many decks (cards drawn with replacement)."""
        return self._coefficients(0)[0] / self._coefficients(0)[1]

    @property
    def correction(self) -> Fraction:
        """The first correction: with d decks the figure is ``limit + correction / d``, up to terms in 1/d^2."""
        (top, bottom), (top_next, bottom_next) = self._coefficients(0), self._coefficients(1)
        return (top_next * bottom - top * bottom_next) / bottom**2

    def _coefficients(self, below: int) -> tuple[Fraction, Fraction]:
        """Coefficients of numerator and denominator so far below the highest power of the denominator."""
        power = self.degree - below
        top, bottom = (int(p.nth(power)) if power >= 0 else 0 for p in (self.numerator, self.denominator))
        return Fraction(top), Fraction(bottom)

    @cached_property
    def turns(self) -> tuple[tuple[Fraction, int], ...]:
        """Where the figure begins to rise (1) or fall (-1) with more decks: the first entry is from ``least`` decks on.

        Empty for a constant figure.
        """
        slope = self.numerator.diff() * self.denominator - self.numerator * self.denominator.diff()
        if slope.is_zero:
            return ()
        roots = [Fraction(self.least), *roots_from(slope, self.least)]
        found: list[tuple[Fraction, int]] = []
        for start, end in zip(roots, [*roots[1:], roots[-1] + 2], strict=True):
            middle = (start + end) / 2
            direction = 1 if slope.eval(rational(middle)) > 0 else -1
            if not found or found[-1][1] != direction:
                found.append((start, direction))
        return tuple(found)

    def crossings(self, value: Fraction) -> tuple[Fraction, ...]:
        """Numbers of decks above ``least``, whole or not, within 10^-12, at which the figure is ``value``."""
        difference = self.numerator * value.denominator - self.denominator * value.numerator
        return () if difference.is_zero else roots_from(difference, self.least)


@dataclass(frozen=True)
class ClosedForms:
    """All closed forms of a question: ``ways`` of each outcome of ``total``, and the reduced figures."""

    total: sympy.Poly
    ways: tuple[tuple[str, sympy.Poly], ...]
    forms: tuple[ClosedForm, ...]
    least: int


def closed_forms(compiled: Compiled, remove: str | None = None) -> ClosedForms:
    """The closed forms of a game's outcomes and wagers in the number of decks, with cards removed from each shoe if
    asked.

    >>> from exact.polynomial.compiled import compiled
    >>> from exact.games import load
    >>> closed_forms(compiled(load("baccarat"))).ways[1][1].all_coeffs()
    [9063399424, -2587207680, 273677824, -12871680, 234752, 0, 0]

    Raises ``InputError`` for removals that no number of decks allows, and for a condition that no round satisfies.
    """
    import numpy as np

    longest = len(compiled.game.slots)
    shoes, least = _shoes(compiled, remove, longest + 1)
    many = compiled.at_many(np.array([compiled.counting.counts(shoe) for shoe in shoes], dtype=object))
    total = interpolated(many.rounds().tolist(), least)
    if total.is_zero:
        raise InputError(f"no round satisfies the condition: {compiled.given}")
    ways, forms = list[tuple[str, Any]](), list[ClosedForm]()
    for place, measure in enumerate(compiled.measures):
        if measure.wager is None:
            found = many.ways(place)
            nothing = [0] * len(shoes)
            for name in compiled.game.outcomes:
                ways.append((name, interpolated(found[name].tolist() if name in found else nothing, least)))
                forms.append(_reduced(name, "probability", ways[-1][1], total, least))
        else:
            net, offered = (interpolated(part.tolist(), least) for part in many.expectation(place))
            if not offered.is_zero:
                forms.append(_reduced(measure.wager.name, "edge", -net, offered, least))
    return ClosedForms(total, tuple(ways), tuple(forms), least)


def _shoes(compiled: Compiled, remove: str | None, number: int) -> tuple[list[Shoe], int]:
    """Shoes of consecutive numbers of decks, from the fewest decks that can lose the cards and complete a round."""
    longest, deck = len(compiled.game.slots), compiled.game.deck
    cards = len(remove.split(",")) if remove else 0
    for least in range(1, cards + longest + 2):
        try:
            shoes = [Shoe.decks(least + more, deck) for more in range(number)]
            shoes = [shoe.remove(remove) for shoe in shoes] if remove else shoes
        except InputError:
            if least > cards:
                raise
            continue
        if shoes[0].size >= longest:
            return shoes, least
    raise InputError(f"{compiled.game.name} needs more cards than {cards + longest + 1} decks hold")


def interpolated(values: Sequence[int], start: int) -> sympy.Poly:
    """The polynomial of lowest degree that takes these values at ``start``, ``start + 1``, ... (Newton's differences).

    >>> interpolated([1, 4, 9], 1).as_expr()
    d**2
    """
    import sympy

    differences, poly, basis = list(values), [Fraction(0)] * len(values), [Fraction(1)]  # coefficients from d^0 on
    for order in range(len(values)):
        for power, coefficient in enumerate(basis):
            poly[power] += differences[0] * coefficient
        times_d, times_1 = [Fraction(0), *basis], [*basis, Fraction(0)]
        basis = [(a - (start + order) * b) / (order + 1) for a, b in zip(times_d, times_1, strict=True)]
        differences = [after - before for before, after in pairwise(differences)]
    return sympy.Poly([rational(coefficient) for coefficient in reversed(poly)], sympy.Symbol("d"), domain="QQ")


def roots_from(poly: sympy.Poly, least: int) -> tuple[Fraction, ...]:
    """Real roots above ``least``, each within ``NEARNESS`` and counted once, in ascending order."""
    import sympy

    shifted = poly.compose(sympy.Poly(poly.gen + least, poly.gen, domain=poly.domain)).coeffs()
    if len({coefficient > 0 for coefficient in shifted}) == 1:  # no change of sign, so no root (Descartes)
        return ()
    intervals = poly.intervals(inf=least, eps=rational(NEARNESS))
    middles = ((Fraction(int(a.p), int(a.q)) + Fraction(int(b.p), int(b.q))) / 2 for (a, b), _ in intervals)
    return tuple(middle for middle in middles if middle > least)


def rational(value: Fraction) -> sympy.Rational:
    """A fraction as sympy knows it."""
    import sympy

    return sympy.Rational(value.numerator, value.denominator)


def _reduced(name: str, quantity: str, numerator: sympy.Poly, denominator: sympy.Poly, least: int) -> ClosedForm:
    top, bottom = numerator.cancel(denominator, include=True)
    return ClosedForm(name, quantity, *_whole(top, bottom), least)


def _whole(top: sympy.Poly, bottom: sympy.Poly) -> tuple[sympy.Poly, sympy.Poly]:
    """Both with whole coefficients without a common factor, the first of the denominator positive."""
    coefficients = [Fraction(int(c.p), int(c.q)) for c in (*top.all_coeffs(), *bottom.all_coeffs())]
    unit = lcm(*(c.denominator for c in coefficients))
    common = gcd(*(int(c * unit) for c in coefficients))
    sign = -1 if bottom.LC() < 0 else 1
    scale = rational(Fraction(sign * unit, common))
    return (top * scale).set_domain("ZZ"), (bottom * scale).set_domain("ZZ")
