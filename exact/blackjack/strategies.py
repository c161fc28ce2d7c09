"""The chart people know as a report: hard, soft and pairs, where composition decides otherwise, and what tips cost."""

from __future__ import annotations

from typing import Any

from exact.blackjack.answers import Described, certificate_document, certificate_line
from exact.blackjack.cards import RANKS
from exact.blackjack.chart import KEYS, UPS, Chart
from exact.blackjack.deviations import Deviation, deviations
from exact.blackjack.solve import Solution
from exact.blackjack.tips import costs
from exact.blackjack.total import Certificate
from exact.output.report import Column, Report, Table

CHART_COLUMNS = (Column("hand"), *(Column(RANKS[up], title=RANKS[up]) for up in UPS))
DEVIATION_COLUMNS = (
    Column("cards"),
    Column("up", title="up card"),
    Column("after_split"),
    Column("best"),
    Column("chart"),
    Column("worth", "exact", "worth in the hand", "value"),
    Column("adds", "exact", "adds to a round", "value"),
)
TIP_COLUMNS = (
    Column("tip"),
    Column("advice"),
    Column("cost", "exact", "costs a round", "value"),
    Column("expectation", "exact", "best play with it", "value"),
    Column("source"),
)
CONDITIONAL_CHART = "of the whole game given no dealer blackjack, exceptions and advice over all rounds"
LEGEND = "H hit, S stand, D double, R surrender (or else: h hit, s stand), P split, F fold"


def chart_tables(chart: Chart) -> tuple[Table, ...]:
    """The chart as tables hard, soft and pairs, a row for each hand; rows without an entry are left out."""
    tables = []
    for name, kind in (("hard", "hard"), ("soft", "soft"), ("pairs", "pair")):
        rows = []
        for row in (row for row_kind, row in KEYS if row_kind == kind):
            codes = {RANKS[up]: chart.code(kind, row, up) for up in UPS}
            if any(codes.values()):
                rows.append({"hand": f"{RANKS[row]},{RANKS[row]}" if kind == "pair" else str(row), **codes})
        if rows:
            tables.append(Table(name, rows, CHART_COLUMNS, name.capitalize()))
    return tuple(tables)


def strategy_report(
    described: Described, best: Solution, chart: Chart, certificate: Certificate | None, exceptions: int | None
) -> Report:
    """The report of ``exact strategy``: the chart, its value, the exceptions and what the page's tips cost.

    ``described`` holds the game played by the chart, ``best`` the best play of class cdp1. ``exceptions`` limits how
    many are listed, the most costly first; None lists all.
    """
    value, by_cards = (
        one.conditional if described.conditional else one.expectation for one in (described.solution, best)
    )
    found = deviations(chart, best)
    listed = found if exceptions is None else found[:exceptions]
    tips = [
        {
            "tip": tip.name,
            "advice": tip.advice,
            "cost": cost,
            "expectation": best.expectation - cost,
            "source": tip.source,
        }
        for tip, cost in costs(best)
    ]
    tables = (
        *chart_tables(chart),
        Table("exceptions", _rows(listed), DEVIATION_COLUMNS, "Where the cards decide otherwise than their total"),
        Table("tips", tips, TIP_COLUMNS, "What advice costs, in initial bets"),
    )
    document = {
        "expectation": value, "edge": -value, "value": float(value),
        "best": {"strategy": best.strategy, "expectation": by_cards, "value": float(by_cards)},
        **certificate_document(certificate),
        "chart": {table.name: list(table) for table in chart_tables(chart)},
        "exceptions": _rows(listed), "exceptions_in_all": len(found), "tips": tips,
    }  # fmt: skip
    lines = (
        *described.heading(CONDITIONAL_CHART),
        *certificate_line(certificate),
        f"expectation {float(value):.10f}; by the cards (class cdp1) {float(by_cards):.10f}",
        f"exceptions: {len(found)}, the {len(listed)} most costly are listed" if len(listed) < len(found) else "",
        LEGEND,
    )
    provenance = described.provenance(CONDITIONAL_CHART)
    return Report(provenance, tuple(t for t in tables if t.rows), document, tuple(filter(None, lines)))


def _rows(found: list[Deviation]) -> list[dict[str, Any]]:
    return [
        {
            "cards": one.hand, "up": one.up, "after_split": one.after_split, "best": one.best.name.lower(),
            "chart": one.chart.name.lower(), "worth": one.worth, "adds": one.adds,
        }
        for one in found
    ]  # fmt: skip
