"""A result as a report: the tables and the JSON document of ``exact compute``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from exact import __version__
from exact.output import Column, Count, Report, Table
from exact.result import Figures, Result
from exact.rulefile.game import Game, show
from exact.shoe import Shoe
from exact.wager import WagerFigures

OUTCOME_COLUMNS = (Column("outcome"), Column("ways", "count"), Column("probability", "exact"))
WAGER_COLUMNS = (
    Column("wager"),
    Column("expectation", "exact", shown="fraction"),
    Column("edge", "exact", shown="value"),
    Column("edge_resolved", "exact", "edge if resolved", shown="value"),
    Column("standard_deviation", "number", "std dev"),
    Column("variance", "exact", shown="value"),
    Column("hit_frequency", "exact", "hits", shown="value"),
    Column("return_to_player", "exact", "return", shown="value"),
    Column("offered", "count"),
)
PAY_COLUMNS = (
    Column("wager"),
    Column("when"),
    Column("odds", "exact", shown="fraction"),
    Column("ways", "count"),
    Column("probability", "exact", shown="value"),
    Column("contribution", "exact", "adds to expectation", shown="value"),
)


def origin(game: Game) -> dict[str, Any]:
    """Which rules a figure belongs to, which of their options no source gives, and which program found it."""
    assumed = [option.name for option in game.options if option.assumed]
    marks: dict[str, Any] = {"assumed": assumed} if assumed else {}
    return {"game": game.name, "version": __version__, "options": game.chosen_texts(), **marks}


def provenance(game: Game, shoe: Shoe) -> dict[str, Any]:
    """Which game, options and shoe a figure belongs to, and which program found it."""
    return {**origin(game), "shoe": shoe_document(shoe)}


def shoe_document(shoe: Shoe) -> dict[str, Any]:
    """A shoe by rank, so that it can be given again."""
    return {"cards": shoe.size, "counts": shoe.counts_by("rank")} | ({"infinite": True} if shoe.infinite else {})


def report(result: Result) -> Report:
    """The report of one result: outcomes, wagers, their pay lines, and the breakdown where one was asked."""
    game = result.game
    asked = {"given": result.given} | ({"dealt": list(result.dealt)} if result.dealt else {})
    asked |= {"odds_assumed": wagers} if (wagers := _assumed_wagers(result)) else {}
    figures = result.all
    tables = [
        Table(
            "outcomes", [_outcome_row(o.name, o.ways, o.total) for o in figures.outcomes], OUTCOME_COLUMNS, "Outcomes"
        ),
        Table(
            "wagers", [_wager_row(w) for w in figures.wagers], _wager_columns(figures.wagers), "Wagers, per unit staked"
        ),
        Table("pays", [row for w in figures.wagers for row in _pay_rows(w)], PAY_COLUMNS, "What each line pays"),
    ]
    if result.by:
        tables.append(_by_table(result))
    document: dict[str, Any] = {"total": Count(result.total), **_document(figures)}
    if result.by:
        document["by"] = [_group_document(group) for group in result.by]
    return Report(
        provenance(game, result.shoe) | asked, tuple(t for t in tables if t.rows), document, _heading(result)
    )  # fmt: skip


def _heading(result: Result) -> tuple[str, ...]:
    lines = [f"{result.game.title}, {result.shoe.describe()}"]
    conditions = [*([result.given] if result.given else []), *result.dealt]
    lines.append(f"total: {result.total:,} ways" + (f" in which {' and '.join(conditions)}" if conditions else ""))
    assumed = [f"{o.name} = {show(result.game.chosen[o.name])}" for o in result.game.options if o.assumed]
    lines += [f"assumed, since no source gives them: {', '.join(assumed)}"] if assumed else []
    wagers = _assumed_wagers(result)
    lines += [f"odds assumed, since no source gives them: {', '.join(wagers)}"] if wagers else []
    never = result.all.never
    return (*lines, *([f"never offered here: {', '.join(never)}"] if never else []))


def _assumed_wagers(result: Result) -> list[str]:
    """The wagers whose odds no source gives, of a game that does not already say it of the options they pay."""
    options = any(option.assumed for option in result.game.options)
    return [] if options else [wager.name for wager in result.all.wagers if wager.assumed]


def _outcome_row(name: str, ways: int, total: int) -> dict[str, Any]:
    return {"outcome": name, "ways": ways, "probability": Fraction(ways, total)}


def _wager_columns(wagers: Iterable[WagerFigures]) -> tuple[Column, ...]:
    offered = any(w.total != w.rounds for w in wagers)
    return tuple(column for column in WAGER_COLUMNS if column.name != "offered" or offered)


def _wager_row(wager: WagerFigures) -> dict[str, Any]:
    figures = {column.name: getattr(wager, column.name) for column in WAGER_COLUMNS[1:-1]}
    return {"wager": wager.name, **figures, "offered": wager.total}


def _pay_rows(wager: WagerFigures) -> list[dict[str, Any]]:
    rows = [
        {"wager": wager.name, "when": line.when, "odds": line.odds, "ways": line.ways, "probability": line.probability,
         "contribution": line.contribution}
        for line in wager.lines
    ]  # fmt: skip
    lost = Fraction(wager.lost, wager.total)
    return [
        *rows,
        rows[0]
        | {"when": "otherwise", "odds": Fraction(-1), "ways": wager.lost, "probability": lost, "contribution": -lost},
    ]


def _document(figures: Figures) -> dict[str, Any]:
    outcomes = [
        {"outcome": o.name, "ways": Count(o.ways), "probability": o.probability, "value": float(o.probability)}
        for o in figures.outcomes
    ]
    never = {"never_offered": list(figures.never)} if figures.never else {}
    return {"outcomes": outcomes, "wagers": [_wager_document(w) for w in figures.wagers], **never}


def _wager_document(wager: WagerFigures) -> dict[str, Any]:
    """One wager; ``value`` is the expectation as a number, rounded once."""
    row = _wager_row(wager)
    offered = {"offered": Count(row.pop("offered"))} if wager.total != wager.rounds else row.pop("offered") and {}
    pays = [line | {"ways": Count(line["ways"])} for line in _pay_rows(wager)]
    for line in pays:
        line.pop("wager")
    lost = pays.pop()
    return (
        row
        | {"value": float(wager.expectation), **offered, "pays": pays}
        | {"lost": {k: lost[k] for k in ("ways", "probability")}}
    )


def _group_document(group: Figures) -> dict[str, Any]:
    share = {"ways": Count(group.ways), "probability": group.probability, "value": float(group.probability)}
    return dict(group.key) | share | _document(group)


def _by_table(result: Result) -> Table:
    """One row a group: its probability, each outcome's, and each wager's edge within it."""
    names = list(result.by[0].key)
    kinds = {
        name: {"integer": "integer", "truth": "boolean"}.get(result.game.facts[name].kind, "text") for name in names
    }
    columns = [
        *(Column(name, kinds[name]) for name in names),  # type: ignore[arg-type]
        Column("ways", "count"),
        Column("probability", "exact", shown="value"),
        *(Column(f"probability_{o.name}", "exact", f"P({o.name})", "value") for o in result.all.outcomes),
        *(Column(f"edge_{w.name}", "exact", f"edge {w.name}", "value") for w in result.all.wagers),
    ]
    return Table("by", [_by_row(group) for group in result.by], tuple(columns), f"By {', '.join(names)}")


def _by_row(group: Figures) -> Mapping[str, Any]:
    row: dict[str, Any] = dict(group.key) | {"ways": group.ways, "probability": group.probability}
    row |= {f"probability_{o.name}": o.probability for o in group.outcomes}
    return row | {f"edge_{w.name}": w.edge for w in group.wagers}
