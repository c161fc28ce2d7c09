"""Figures as they are asked for and as they are printed: what is measured, and whether an exact value rounds to a text.

There is no tolerance. A printed figure agrees if no number of its precision lies nearer to the exact value; the
precision is read from the text, unless its row says that zeros at its end were dropped.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from math import isqrt

from exact.errors import InputError


@dataclass(frozen=True, slots=True)
class Quantity:
    """What is measured of what: ``edge(banker)``, ``probability(outcome = 'tie')``.

    ``change`` asks for the difference that the cards removed make.

    >>> Quantity.parse("change of edge(banker)")
    Quantity(measure='edge', subject='banker', change=True)
    """

    measure: str
    subject: str
    change: bool = False

    @classmethod
    def parse(cls, text: str) -> Quantity:
        """Reads ``MEASURE(SUBJECT)`` or ``change of MEASURE(SUBJECT)``; ``InputError`` for anything else."""
        found = re.fullmatch(r"\s*(change\s+of\s+)?([a-z_]+)\s*\((.*)\)\s*", text, re.DOTALL)
        if not found or not found[3].strip():
            raise InputError(
                f"cannot read the quantity {text!r}: write MEASURE(SUBJECT) such as edge(banker) or "
                "probability(outcome = 'tie')"
            )
        return cls(found[2], found[3].strip(), bool(found[1]))


@dataclass(frozen=True, slots=True)
class Figure:
    """An exact value, or with ``root`` the square root of ``value``: a standard deviation is seldom a fraction."""

    value: Fraction
    root: bool = False

    def scaled(self, unit: Fraction) -> Figure:
        """The same figure counted in units of ``unit`` (above 0)."""
        return Figure(self.value / (unit**2 if self.root else unit), self.root)

    def rounded(self, digits: int) -> Decimal:
        """The nearest number of so many decimal places.

        >>> str(Figure(Fraction(2, 3)).rounded(4)), str(Figure(Fraction(2), root=True).rounded(6))
        ('0.6667', '1.414214')
        """
        scale = Fraction(10) ** digits
        if self.root:  # the whole part of twice the root says on which side of a half it lies
            square = 4 * self.value * scale**2
            whole = (isqrt(square.numerator // square.denominator) + 1) // 2
        else:
            whole = round(self.value * scale)
        return Decimal(whole).scaleb(-digits)

    def nearest_to(self, number: Fraction, digits: int) -> bool:
        """Whether no number of so many decimal places lies nearer to the figure than ``number`` does."""
        half = Fraction(1, 2) / Fraction(10) ** digits
        if self.root:
            return max(number - half, Fraction(0)) ** 2 <= self.value <= (number + half) ** 2
        return abs(self.value - number) <= half

    def __float__(self) -> float:
        return float(self.value) ** 0.5 if self.root else float(self.value)


@dataclass(frozen=True, slots=True)
class Printed:
    """A printed figure: its number, its decimal places, and the unit it is counted in.

    ``digits`` is None for a fraction, which is exact as it stands.

    >>> Printed.parse("1.06%"), Printed.parse("6,548,674,432").number
    (Printed(number=Fraction(53, 50), digits=2, unit=Fraction(1, 100)), Fraction(6548674432, 1))
    """

    number: Fraction
    digits: int | None
    unit: Fraction

    @classmethod
    def parse(cls, text: str, unit: str = "", digits: str = "") -> Printed:
        """Reads a number with thousands separators or a percent sign, a fraction ``n/d``, or odds.

        Odds are written ``3 to 1`` or ``3:1``, or with the stake first ``1:3``.


        ``unit``: what 1 stands for, such as 1/1000 (default 1; a percent sign divides it by 100). ``digits``:
        decimal places that were computed, where zeros at the end were dropped; fewer than 0 for a figure in thousands.
        """
        bare = text.strip().replace(",", "").replace("−", "-")
        percent = bare.endswith("%")
        scale = _positive(unit) / (100 if percent else 1)
        if re.fullmatch(r"[+-]?\d+/0*[1-9]\d*", bare):
            return cls(Fraction(bare), None, scale)
        if odds := re.fullmatch(r"(\d+(?:\.\d+)?)\s*(?:to|:)\s*(\d+(?:\.\d+)?)", bare):
            return cls(_odds(Fraction(odds[1]), Fraction(odds[2]), text), None, scale)
        try:
            number = Decimal(bare.rstrip("% "))
        except InvalidOperation:
            number = Decimal("nan")
        if not number.is_finite():
            raise InputError(
                f"cannot read the printed figure {text!r}: expected a number such as 0.458597, 1.06% or 6,548,674,432, "
                "or a fraction n/d"
            )
        places = _places(number, digits, text)
        return cls(Fraction(number), places, scale)

    def is_of(self, figure: Figure) -> bool:
        """Whether the exact figure rounds to this."""
        counted = figure.scaled(self.unit)
        if self.digits is not None:
            return counted.nearest_to(self.number, self.digits)
        return counted.value == (self.number**2 if counted.root else self.number) and (
            not counted.root or self.number >= 0
        )

    def like_this(self, figure: Figure) -> str:
        """The exact figure in the unit and at the precision of this one."""
        counted = figure.scaled(self.unit)
        if self.digits is None and not counted.root:
            return f"{counted.value.numerator}/{counted.value.denominator}"
        return f"{counted.rounded(12 if self.digits is None else self.digits):f}"


def _places(number: Decimal, digits: str, text: str) -> int:
    exponent = number.as_tuple().exponent
    assert isinstance(exponent, int)
    if not digits.strip():
        return -exponent
    if not re.fullmatch(r"\s*-?\d+\s*", digits):
        raise InputError(f"digits must be a whole number of decimal places, not {digits!r}")
    if (Fraction(number) * Fraction(10) ** int(digits)).denominator != 1:
        raise InputError(f"{text!r} has more than {int(digits)} decimal places")
    return int(digits)


def _odds(first: Fraction, second: Fraction, text: str) -> Fraction:
    """What is paid to 1; of two numbers the stake is the one that is 1."""
    if 1 not in (first, second):
        raise InputError(f"cannot read the odds {text!r}: one of the two numbers must be 1, the stake")
    return second if first == 1 else first


def _positive(unit: str) -> Fraction:
    try:
        value = Fraction(unit.strip() or "1")
    except (ValueError, ZeroDivisionError):
        value = Fraction(0)
    if value <= 0:
        raise InputError(f"the unit must be a number above 0 such as 1/1000, not {unit!r}")
    return value
