"""The counting polynomial written out: in powers of the counts of each class of cards, or multiset by multiset."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from exact.errors import InputError
from exact.output.report import Column, Table
from exact.polynomial import Polynomial
from exact.polynomial.blocks import filled
from exact.polynomial.compiled import Compiled
from exact.polynomial.counting import Counting, countings
from exact.polynomial.products import Products
from exact.rulefile.expression import Value

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

Powers = dict[tuple[int, ...], int]  # exponent of each count: coefficient
MOST_TERMS = 2_000_000


def in_powers(polynomial: Polynomial, row: int) -> Powers:
    """One row of coefficients as a polynomial in the counts: exponents (one for each class) to coefficients.

    It is homogeneous in the longest round where every card is looked at; evaluated at the counts of a shoe it gives
    its ways of the cards looked at, and the ways of cards dealt unseen have to be multiplied on.
    """
    cards = int(polynomial.drawn.sum(axis=1).max(initial=0))
    products = Products(len(polynomial.classes), cards)
    multisets, table = filled(products, polynomial.drawn, polynomial.coefficients[row : row + 1])
    if len(multisets) > MOST_TERMS:
        raise InputError(f"the polynomial in the counts would have over {MOST_TERMS:,} terms; ask for --in multisets")
    powers: Powers = {
        tuple(multiset): int(n) for multiset, n in zip(multisets.tolist(), table[0].tolist(), strict=True) if n
    }
    stirling = _falling_in_powers(cards)
    for kind in range(len(polynomial.classes)):
        spread: Powers = {}
        for exponents, coefficient in powers.items():
            for power, factor in stirling[exponents[kind]]:
                key = (*exponents[:kind], power, *exponents[kind + 1 :])
                spread[key] = spread.get(key, 0) + coefficient * factor
        powers = spread
    return {exponents: powers[exponents] for exponents in sorted(powers, reverse=True) if powers[exponents]}


def _falling_in_powers(most: int) -> list[list[tuple[int, int]]]:
    """Each falling factorial n (n - 1) ... as powers of n with coefficients (Stirling numbers, first kind)."""
    rows = [{0: 1}]
    for drawn in range(most):
        row: dict[int, int] = {}
        for power, factor in rows[-1].items():
            row[power + 1] = row.get(power + 1, 0) + factor
            row[power] = row.get(power, 0) - drawn * factor
        rows.append(row)
    return [[(power, factor) for power, factor in row.items() if factor] for row in rows]


def counts_table(compiled: Compiled, measure: int, only: Sequence[str] = ()) -> Table:
    """The terms of a measure's polynomials in the counts: exponents for each class, then the coefficients; of all
    outcomes, or ``only`` some.
    """
    polynomial = compiled.parts[compiled.places[measure][0]]
    answers = _answers(compiled, measure, only)
    rows: dict[tuple[int, ...], dict[str, Any]] = {}
    for answer, row in answers.items():
        for exponents, coefficient in in_powers(polynomial, row).items():
            rows.setdefault(exponents, {})[answer] = coefficient
    unseen = polynomial.longest - int(polynomial.drawn.sum(axis=1).max(initial=0))
    title = "Ways: sum of coefficient x product of counts to these powers" + (
        f", times the orders of {unseen} cards dealt unseen" if unseen else ""
    )
    return _table("counts", title, class_labels(compiled, polynomial), [*answers], rows)


def multisets_table(compiled: Compiled, measure: int, only: Sequence[str] = ()) -> Table:
    """The compiled coefficients: how many cards of each class, and in how many orders they give each value; of all
    outcomes, or ``only`` some.
    """
    polynomial = compiled.parts[compiled.places[measure][0]]
    answers = _answers(compiled, measure, only)
    numbers = polynomial.coefficients[list(answers.values())].T.tolist()
    rows = {
        tuple(multiset): dict(zip(answers, cells, strict=True))
        for multiset, cells in zip(polynomial.drawn.tolist(), numbers, strict=True)
        if any(cells)
    }
    title = "Card multisets: in how many orders their cards give each answer"
    return _table("multisets", title, class_labels(compiled, polynomial), [*answers], rows)


def _answers(compiled: Compiled, measure: int, only: Sequence[str]) -> dict[str, int]:
    """The rows of coefficients of a measure by name; of outcomes ``only`` some, if any are named."""
    part, digit = compiled.places[measure]
    rows = {answer_name(compiled, measure, value): row for value, row in compiled.parts[part].digit(digit).items()}
    chosen = only if compiled.measures[measure].wager is None else ()
    return {name: row for name, row in rows.items() if not chosen or name in chosen}


def _table(
    name: str, title: str, labels: Sequence[str], answers: Sequence[str],
    rows: Mapping[tuple[int, ...], Mapping[str, Any]],
) -> Table:  # fmt: skip
    columns = [*(Column(label, "integer") for label in labels), *(Column(answer, "count") for answer in answers)]
    lines = [
        dict(zip(labels, exponents, strict=True)) | dict.fromkeys(answers, 0) | dict(cells)
        for exponents, cells in rows.items()
    ]
    return Table(name, lines, tuple(columns), title)


def class_labels(compiled: Compiled, polynomial: Polynomial) -> list[str]:
    """A name for the count of each class of a polynomial, such as "n_8": by value, rank or card, whichever tells it."""
    fitting: list[Counting] = [c for c in countings(compiled.game) if len(c.labels) == len(polynomial.classes)]
    for candidate in fitting:
        name = {frozenset(cards): label for label, cards in zip(candidate.labels, candidate.cards, strict=True)}
        if all(frozenset(cards) in name for cards in polynomial.classes):
            return [f"n_{name[frozenset(cards)]}" for cards in polynomial.classes]
    return ["n_" + "/".join(f"{rank}{suit}" for rank, suit in cards) for cards in polynomial.classes]


def answer_name(compiled: Compiled, measure: int, value: Value) -> str:
    """What a value of a measure stands for: an outcome, or what a wager nets."""
    wager = compiled.measures[measure].wager
    if wager is None:
        return str(value)
    if value is None:
        return f"{wager.name} not offered"
    assert isinstance(value, int)
    nets = [line.odds for line in wager.pays] + [Fraction(-1)]
    return f"{wager.name} {value + 1}: {'+' if nets[value] > 0 else ''}{nets[value]}"
