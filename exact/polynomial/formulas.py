"""The report of ``exact formula``: closed forms in the number of decks, or the polynomial in the counts."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from exact.answer import origin
from exact.errors import InputError, nearest
from exact.forced import chosen_wagers, rule_game
from exact.output.report import Column, Formula, Report, Table, decimal_text
from exact.polynomial.compiled import Compiled, compiled
from exact.polynomial.expanded import counts_table, multisets_table
from exact.polynomial.formula import ClosedForm, closed_forms
from exact.solvers import Question

if TYPE_CHECKING:
    import sympy

FORM_COLUMNS = (
    Column("name"),
    Column("quantity"),
    Column("numerator"),
    Column("denominator"),
    Column("limit", "exact", "infinitely many decks"),
    Column("correction", "exact", "then + this / d", "value"),
    Column("course", title="with more decks"),
)
WAYS_COLUMNS = (Column("outcome"), Column("ways", title="ways with d decks"))
CROSS_COLUMNS = (
    Column("name"),
    Column("quantity"),
    Column("value", "exact"),
    Column("decks", "number"),
    Column("between"),
)
SHAPES = ("decks", "counts", "multisets")


def formula_report(
    question: Question, outcomes: Sequence[str] = (), shape: str = "decks", cross: Fraction | None = None
) -> Report:
    """Closed forms of the asked outcomes and wagers; without any asked, of all outcomes and the usual wagers.

    Raises ``InputError`` for unknown names, and for a crossing asked of the polynomial in the counts.
    """
    game = rule_game(question.game, question.options)
    for name in outcomes:
        if name not in game.outcomes:
            raise InputError(f"{game.name} has no outcome {name!r}; {nearest(name, game.outcomes)}")
    wagers = chosen_wagers(game, question.wagers, question.wager_files)
    found = compiled(game, [] if outcomes and wagers is None else wagers, question.given)
    provenance = origin(game) | {"given": question.given}
    if shape != "decks":
        if cross is not None:
            raise InputError(f"--cross asks for a number of decks: it needs --in decks, not --in {shape}")
        if question.shoe.remove:
            raise InputError(f"--remove asks for shoes: it needs --in decks; --in {shape} holds for every shoe")
        return _expanded(found, provenance, shape, outcomes, asked_wager=wagers is not None)
    wanted = [*outcomes, *(() if wagers is None else (wager.name for wager in wagers))]
    return _in_decks(found, provenance | {"remove": question.shoe.remove}, wanted, cross)


def _in_decks(found: Compiled, provenance: dict[str, Any], wanted: Sequence[str], cross: Fraction | None) -> Report:
    closed = closed_forms(found, provenance["remove"])
    forms = [form for form in closed.forms if not wanted or form.name in wanted]
    ways = [(name, poly) for name, poly in closed.ways if not wanted or name in wanted]
    way_rows = [{"outcome": name, "ways": written(poly)} for name, poly in [*ways, ("total", closed.total)]]
    tables = [
        Table("ways", way_rows, WAYS_COLUMNS, "Ways"),
        Table(
            "formulas", [_row(form) for form in forms], FORM_COLUMNS, "Figures with d decks: numerator / denominator"
        ),
    ]
    if cross is not None:
        rows = [_crossing(form, cross, decks) for form in forms for decks in form.crossings(cross)]
        tables.append(Table("crossings", rows, CROSS_COLUMNS, f"Where a figure is {cross}"))
    heading = [f"{found.game.title}, d decks, d from {closed.least}"]
    if cross is not None and not rows:
        heading.append(f"none of these figures is {cross} for any number of decks from {closed.least}")
    return Report(provenance | {"least_decks": closed.least}, tuple(tables), heading=tuple(heading))


def _expanded(
    found: Compiled, provenance: dict[str, Any], shape: str, outcomes: Sequence[str], asked_wager: bool
) -> Report:
    asked_outcome = bool(outcomes) or not asked_wager
    measures = [place for place, m in enumerate(found.measures) if (asked_wager if m.wager else asked_outcome)]
    table = counts_table if shape == "counts" else multisets_table
    tables = [table(found, place, outcomes) for place in measures or [0]]
    named = [
        Table(f"{t.name}_{place}" if place else t.name, t.rows, t.columns, t.title) for place, t in enumerate(tables)
    ]
    return Report(provenance, tuple(named), heading=(found.game.title,))


def _row(form: ClosedForm) -> dict[str, Any]:
    return {
        "name": form.name, "quantity": form.quantity, "numerator": written(form.numerator),
        "denominator": written(form.denominator), "limit": form.limit, "correction": form.correction,
        "course": course(form),
    }  # fmt: skip


def course(form: ClosedForm) -> str:
    """How a figure moves with the number of decks, in words.

    >>> import sympy
    >>> d = sympy.Symbol("d")
    >>> course(ClosedForm("x", "edge", sympy.Poly(4 * d + 11, d), sympy.Poly(52 * d - 1, d), 1))
    'falls'
    """
    words = {1: "rises", -1: "falls"}
    if not form.turns:
        return "constant"
    first, *others = form.turns
    later = (f"{words[direction]} from {decimal_text(start, 4)} decks" for start, direction in others)
    return ", then ".join([words[first[1]], *later])


def _crossing(form: ClosedForm, value: Fraction, decks: Fraction) -> dict[str, Any]:
    whole = decks.numerator // decks.denominator
    return {
        "name": form.name, "quantity": form.quantity, "value": value, "decks": float(decks),
        "between": ", ".join(f"{decimal_text(form.at(n), 10)} with {n}" for n in (whole, whole + 1)),
    }  # fmt: skip


def written(poly: sympy.Poly) -> Formula:
    """A polynomial as people write it, and as LaTeX sets it."""
    text = latex = ""
    for (power,), coefficient in poly.terms():
        sign = (" - " if coefficient < 0 else " + ") if text else "-" if coefficient < 0 else ""
        size = [str(abs(coefficient))] if abs(coefficient) != 1 or not power else []
        plain, tex = ([], []) if not power else (["d"], ["d"]) if power == 1 else ([f"d^{power}"], [f"d^{{{power}}}"])
        text += sign + " ".join([*size, *plain])
        latex += sign + " ".join([*size, *tex])
    return Formula.of(text, latex)
