"""A wager's exact figures from the ways in which each of its pay lines decides a round."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from exact.errors import InputError
from exact.rulefile.game import Wager


@dataclass(frozen=True, slots=True)
class LineFigures:
    """One paying line: when it pays what, in how many ways, and what it adds to the expectation."""

    when: str
    odds: Fraction
    ways: int
    total: int

    @property
    def probability(self) -> Fraction:
        """The probability that this line decides, given the offer."""
        return Fraction(self.ways, self.total)

    @property
    def contribution(self) -> Fraction:
        """Its part of the expectation: odds x probability, in units of the bet."""
        return self.odds * self.probability


@dataclass(frozen=True, slots=True)
class WagerFigures:
    """A wager over ``total`` ways in which it is offered. Everything is per unit staked.

    >>> even = WagerFigures("red", "", (LineFigures("red", Fraction(1), 18, 37),), 37, 37)
    >>> even.edge, even.variance, even.hit_frequency
    (Fraction(1, 37), Fraction(1368, 1369), Fraction(18, 37))
    """

    name: str
    title: str
    lines: tuple[LineFigures, ...]
    total: int  # ways in which the wager is offered
    rounds: int  # ways of all rounds considered
    assumed: bool = False

    @property
    def lost(self) -> int:
        """Ways in which no line holds and the stake is lost."""
        return self.total - sum(line.ways for line in self.lines)

    def _mean(self, power: int, least: Fraction | None = None) -> Fraction:
        """The mean of a power of the net result."""
        nets = [(line.odds, line.ways) for line in self.lines] + [(Fraction(-1), self.lost)]
        return sum((net**power * ways for net, ways in nets if least is None or net > least), Fraction(0)) / self.total

    @property
    def offered(self) -> Fraction:
        """The probability that the wager is offered."""
        return Fraction(self.total, self.rounds)

    @property
    def expectation(self) -> Fraction:
        """Mean net result; negative where the house wins."""
        return self._mean(1)

    @property
    def edge(self) -> Fraction:
        """The house's share of the bet: minus the expectation."""
        return -self.expectation

    @property
    def resolved(self) -> Fraction:
        """The probability that the bet is not pushed (net not 0)."""
        return 1 - Fraction(sum(line.ways for line in self.lines if line.odds == 0), self.total)

    @property
    def edge_resolved(self) -> Fraction | None:
        """The edge per resolved bet; None where every bet is pushed."""
        return self.edge / self.resolved if self.resolved else None

    @property
    def variance(self) -> Fraction:
        """Variance of the net result, in squared units of the bet."""
        return self._mean(2) - self.expectation**2

    @property
    def standard_deviation(self) -> float:
        """The square root of the variance, rounded."""
        return math.sqrt(self.variance)

    @property
    def hit_frequency(self) -> Fraction:
        """The probability of a net above 0."""
        return self._mean(0, Fraction(0))

    @property
    def return_to_player(self) -> Fraction:
        """What comes back of a unit staked, on average: 1 + expectation."""
        return 1 + self.expectation


def figures(wager: Wager, ways: Sequence[int], offered: int, rounds: int) -> WagerFigures | None:
    """The figures of a wager from the ways of each line; None where it is never offered."""
    if not offered:
        return None
    lines = (LineFigures(line.when_text, line.odds, n, offered) for line, n in zip(wager.pays, ways, strict=True))
    return WagerFigures(wager.name, wager.title, tuple(lines), offered, rounds, wager.assumed)


def parse_inline(text: str) -> dict[str, Any]:
    """A wager as it is written on a command line: ``NAME: CONDITION pays ODDS; CONDITION pays ODDS``.

    >>> parse_inline("six: banker_total = 6 pays 12; outcome = 'tie' pays 0")["pays"][1]
    {'when': "outcome = 'tie'", 'odds': '0'}
    """
    name, colon, rest = text.partition(":")
    parts = [part for part in _outside_quotes(rest) if part.strip()]
    lines = [re.fullmatch(r"\s*(.+?)\s+pays\s+(\S.*?)\s*", part, re.DOTALL | re.IGNORECASE) for part in parts]
    if not colon or not name.strip() or not parts or not all(lines):
        raise InputError(
            f"cannot read the wager {text!r}: write NAME: CONDITION pays ODDS; CONDITION pays ODDS (the first that "
            "holds decides, otherwise the stake is lost)"
        )
    return {"name": name.strip(), "pays": [{"when": line[1], "odds": line[2]} for line in lines if line]}


def _outside_quotes(text: str) -> list[str]:
    """The text cut at every semicolon that is not inside quotes."""
    return re.findall(r"((?:'[^']*'|[^;'])+)", text)
