"""Closed forms against the enumeration, and their limits, slopes and crossings by second methods."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from exact.errors import InputError
from exact.games import load
from exact.polynomial.compiled import Compiled, compiled
from exact.polynomial.expanded import counts_table, in_powers, multisets_table
from exact.polynomial.formula import ClosedForm, closed_forms, interpolated
from exact.polynomial.formulas import course, formula_report, written
from exact.result import Figures, compute
from exact.shoe import Shoe
from exact.shoefile import ShoeRequest
from exact.solvers import Question

BANKER = [9063399424, -2587207680, 273677824, -12871680, 234752, 0, 0]


def figure(form: ClosedForm, figures: Figures) -> Fraction:
    return figures.outcome(form.name).probability if form.quantity == "probability" else figures.wager(form.name).edge


def test_ways_of_the_banker(baccarat: Compiled) -> None:
    assert dict(closed_forms(baccarat).ways)["banker"].all_coeffs() == BANKER


@pytest.mark.parametrize("decks", [*range(1, 13), 100])
def test_equals_the_enumeration(decks: int, baccarat: Compiled) -> None:
    figures = compute(baccarat.game, Shoe.decks(decks)).all
    for form in closed_forms(baccarat).forms:
        assert form.at(decks) == figure(form, figures)


def test_limit_is_drawing_with_replacement(baccarat: Compiled) -> None:
    figures = compute(baccarat.game, Shoe.decks("infinite")).all
    for form in closed_forms(baccarat).forms:
        assert form.limit == figure(form, figures)


def test_first_correction(baccarat: Compiled) -> None:
    """d (figure - limit) tends to it; the next term, in 1/d, cancels between d and 2 d; the rest is below 50 / d^2."""
    far = 10**6
    for form in closed_forms(baccarat).forms:
        near, farther = (d * (form.at(d) - form.limit) for d in (far, 2 * far))
        assert abs(2 * farther - near - form.correction) < Fraction(50, far**2)


def test_with_cards_removed(baccarat: Compiled) -> None:
    closed = closed_forms(baccarat, "8,8,K")
    assert closed.least == 1
    for decks in (1, 8):
        figures = compute(baccarat.game, Shoe.decks(decks).remove("8,8,K")).all
        for form in closed.forms:
            assert form.at(decks) == figure(form, figures)


def test_under_a_condition() -> None:
    game, condition = load("baccarat"), "player_two = 6"
    form = closed_forms(compiled(game, [], condition)).forms[0]
    assert form.at(6) == compute(game, Shoe.decks(6), [], condition).all.outcome("player").probability


def test_more_removed_than_one_deck_has(baccarat: Compiled) -> None:
    assert closed_forms(baccarat, ",".join(["8"] * 9)).least == 3


def test_multicolour() -> None:
    """The counts of 8 decks are those of the rule page's reading."""
    ways = {name: int(poly.eval(8)) for name, poly in closed_forms(compiled(load("multicolour-baccarat"))).ways}
    assert ways == {"player": 3134042815499520, "banker": 3151814220423936, "tie": 726249252270144}


def test_rise_and_fall_against_the_figures(baccarat: Compiled) -> None:
    for form in closed_forms(baccarat).forms:
        (start, direction), *later = form.turns
        assert (start, later) == (1, [])
        assert all((after > before) == (direction > 0) for before, after in pairwise(map(form.at, range(1, 60))))


def test_a_figure_that_turns() -> None:
    import sympy

    d = sympy.Symbol("d")
    form = ClosedForm("x", "edge", sympy.Poly(d**2 - 6 * d + 10, d), sympy.Poly(d**2, d), 1)
    assert form.turns == ((1, -1), (pytest.approx(Fraction(10, 3), abs=1e-11), 1))  # the root is enclosed within 10^-12
    assert course(form) == "falls, then rises from 3.3333 decks"


def test_crossing(baccarat: Compiled) -> None:
    (banker,) = (f for f in closed_forms(baccarat).forms if (f.name, f.quantity) == ("banker", "edge"))
    (decks,) = banker.crossings(Fraction(106, 10000))
    assert banker.at(12) < Fraction(106, 10000) < banker.at(13)
    assert 12 < decks < 13
    assert abs(Fraction(banker.numerator.eval(decks) / banker.denominator.eval(decks)) - Fraction(106, 10000)) < 10**-12
    assert banker.crossings(Fraction(1, 2)) == ()


def test_the_edge_for_seven_decks(baccarat: Compiled) -> None:
    (tie,) = (f for f in closed_forms(baccarat).forms if (f.name, f.quantity) == ("tie", "edge"))
    assert tie.at(7) == compute(baccarat.game, Shoe.decks(7)).all.wager("tie").edge


def test_interpolation_finds_the_polynomial() -> None:
    assert interpolated([d**3 - 2 * d for d in range(4, 9)], 4).all_coeffs() == [1, 0, -2, 0]


def evaluated(powers: dict[tuple[int, ...], int], counts: list[int]) -> int:
    total = 0
    for exponents, coefficient in powers.items():
        for count, exponent in zip(counts, exponents, strict=True):
            coefficient *= count**exponent
        total += coefficient
    return total


def test_in_the_counts(main_bets: Compiled) -> None:
    polynomial = main_bets.parts[0]
    (row,) = (row for value, row in polynomial.digit(0).items() if value == "tie")
    powers = in_powers(polynomial, row)
    for counts in np.random.default_rng(2).integers(0, 50, (5, 10)).tolist():
        assert evaluated(powers, counts) == int(main_bets.parts[0].blocks.at(np.array([counts]))[row, 0])
    table = counts_table(main_bets, 0)
    assert len(table.rows) >= len(powers)
    assert [column.name for column in table.columns][:2] == ["n_1", "n_2"]


def test_by_multiset(baccarat: Compiled) -> None:
    table = multisets_table(baccarat, 0)
    assert len(table.rows) == 6958
    nines = [row for row in table if row["n_9"] == 4 and sum(row[f"n_{n}"] for n in range(10)) == 4]  # type: ignore[misc]
    assert [(row["player"], row["banker"], row["tie"]) for row in nines] == [(0, 0, 1)], "two naturals of eight"


@pytest.mark.parametrize("shape", ["counts", "multisets"])
def test_only_what_is_asked_for_is_written_out(shape: str) -> None:
    report = formula_report(Question("baccarat", wagers=("player",)), ["tie"], shape)
    tie, player = report.tables
    assert [column.name for column in tie.columns[10:]] == ["tie"]
    assert [column.name for column in player.columns[10:]] == ["player 1: +1", "player 2: 0", "player 3: -1"]
    assert all(row["tie"] for row in tie)  # type: ignore[misc]
    assert 0 < len(tie.rows) < len(player.rows)


@pytest.mark.parametrize(
    ("question", "more", "message"),
    [
        (Question("baccarat"), {"outcomes": ["bank"]}, "no outcome 'bank'"),
        (Question("baccarat"), {"shape": "counts", "cross": Fraction(1, 100)}, "--cross asks for a number of decks"),
        (Question("baccarat", ShoeRequest(remove="9H")), {"shape": "counts"}, "--remove asks for shoes"),
        (Question("baccarat", ShoeRequest(remove="9H,9H")), {}, None),
        (Question("baccarat", ShoeRequest(remove="Z")), {}, "'Z' is not a card"),
        (Question("baccarat", given="player_two = 10"), {}, "no round satisfies"),
    ],
)
def test_reports_and_refusals(question: Question, more: dict[str, object], message: str | None) -> None:
    if message is None:
        assert formula_report(question, **more).provenance["least_decks"] == 2  # type: ignore[arg-type]
        return
    with pytest.raises(InputError, match=message):
        formula_report(question, **more)  # type: ignore[arg-type]


def test_formulas_as_people_and_latex_write_them() -> None:
    import sympy

    d = sympy.Symbol("d")
    for expression, text, latex in (
        (-(d**10) + d, "-d^10 + d", "-d^{10} + d"),
        (3 * d**2 - 1, "3 d^2 - 1", "3 d^{2} - 1"),
        (sympy.Integer(0), "0", "0"),
    ):
        formula = written(sympy.Poly(expression, d))
        assert (formula, formula.latex) == (text, latex)
