"""A grid of questions: every combination of some shoes and option values, each wager's exact expectation in a row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from exact import __version__
from exact.errors import InputError
from exact.output.report import Column, Report, Row, Table
from exact.shoefile import ShoeRequest
from exact.solvers import Question, Tell, solver

Values = Mapping[str, Sequence[str]]


def cells(decks: Sequence[str], options: Values) -> Iterator[tuple[str | None, dict[str, str]]]:
    """The combinations, shoe by shoe, so that what a shoe needs is worked out once.

    >>> list(cells(["1", "2"], {"das": ["true", "false"]}))[1]
    ('1', {'das': 'false'})
    """
    shoes: Sequence[str | None] = decks or [None]
    for number in shoes:
        for values in product(*options.values()):
            yield number, dict(zip(options, values, strict=True))


def grid(
    game: str, decks: Sequence[str], options: Values, wagers: Sequence[str] = (), tell: Tell | None = None
) -> Report:
    """The report of ``exact grid``: one row for every combination and wager.

    Raises ``InputError`` for what the game refuses, saying in which combination.
    """
    varied = [name for name, values in options.items() if len(values) > 1]
    rows: list[Row] = []
    reports: list[Report] = []
    marks: dict[str, object] = {}
    for number, chosen in cells(decks, options):
        question = Question(game, ShoeRequest(decks=number), chosen, tuple(wagers))
        try:
            found = solver(game).compute(question)
        except InputError as error:
            where = ", ".join(f"{name}={value}" for name, value in {"decks": number, **chosen}.items() if value)
            raise InputError(f"{where}: {error}" if where else str(error)) from None
        reports.append(found)
        marks |= {name: found.provenance[name] for name in ("assumed", "odds_assumed") if name in found.provenance}
        place = {"decks": number or "", **{name: chosen[name] for name in varied}}
        rows += [{**place, **row} for row in _wager_rows(found)]
        if tell:
            tell(1)
    names = [*(["decks"] if decks else []), *varied]
    columns = (
        *(Column(name) for name in names),
        Column("wager"),
        Column("expectation", "exact"),
        Column("edge", "exact", shown="value"),
    )
    kept = [{column.name: row.get(column.name) for column in columns} for row in rows]
    fixed = {name: values[0] for name, values in options.items() if len(values) == 1}
    shared = {name: value for name, value in _shared(reports).items() if name not in (*names, "options")}
    provenance = {"game": game, "version": __version__, "options": fixed, **shared, **marks}
    document = {"grid": [row | {"value": float(row["expectation"])} for row in kept]}  # type: ignore[arg-type]
    return Report(
        provenance, (Table("grid", kept, columns, "Expectation per unit staked"),), document, _heading(game, reports)
    )


def _shared(reports: Sequence[Report]) -> dict[str, object]:
    """What every cell belongs to: of blackjack the strategy and over which rounds, where they are not varied."""
    first, *others = (report.provenance for report in reports)
    return {name: value for name, value in first.items() if all(other.get(name) == value for other in others)}


def _heading(game: str, reports: Sequence[Report]) -> tuple[str, ...]:
    """The lines that all cells share, after the game's title where their own first lines differ."""
    first, *others = (report.heading for report in reports)
    lines = tuple(line for line in first if all(line in other for other in others))
    return lines if lines[:1] == first[:1] else (solver(game).about(game).title, *lines)


def _wager_rows(report: Report) -> Iterator[Row]:
    for table in report.tables:
        if table.name == "wagers":
            yield from table
