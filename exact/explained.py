"""One played round as a report: what each step did and why, the columns of the round, and what every wager came to."""

from __future__ import annotations

from typing import Any

from exact.answer import origin
from exact.output.report import Column, Report, Table
from exact.trace import Played, Settlement, Trace, said

STEPS = (Column("step"), Column("what_happens", title="what happens"), Column("because"), Column("source"))
SETTLED = (Column("wager"), Column("net", "exact", shown="fraction"), Column("decided_by", title="decided by"))


def explained(trace: Trace) -> Report:
    """The report of ``exact deal``."""
    game = trace.game
    provenance = origin(game) | {"cards": " ".join(trace.cards)}
    settled = [_settled(one) for one in trace.settled]
    tables = [
        Table("steps", [_step(played) for played in trace.played], STEPS, "Steps"),
        Table("wagers", settled, SETTLED, "Wagers, per unit staked"),
    ]
    outcome = [] if trace.outcome is None else [f"outcome: {said(trace.outcome)}"]
    document = {
        "outcome": trace.outcome, "columns": trace.row, "steps": [_document(played) for played in trace.played],
        "wagers": [{**row, "value": None if row["net"] is None else float(row["net"])} for row in settled],
    }  # fmt: skip
    heading = (f"{game.title}: {' '.join(trace.cards)}", *outcome)
    return Report(provenance, tuple(table for table in tables if table.rows), document, heading)


def _step(played: Played) -> dict[str, Any]:
    cards = [f"{slot} = {card}" for slot, card in played.cards]
    if played.held is False:
        happens = f"no card for {' '.join(played.step.slots)}"
    else:
        happens = ", ".join([*cards, *(f"{name} = {said(value)}" for name, value in played.worked_out)])
    because = played.reason.text()
    return {"step": played.step.name, "what_happens": happens, "because": because, "source": played.sources}


def _settled(one: Settlement) -> dict[str, Any]:
    if one.missing:
        decided = f"not settled: it looks at {', '.join(one.missing)}, give the suits too"
    elif not one.offered:
        decided = f"not offered: {one.wager.offered_text} does not hold"
    else:
        decided = one.line.when_text if one.line else "no line holds: the stake is lost"
    return {"wager": one.wager.name, "net": one.net, "decided_by": decided}


def _document(played: Played) -> dict[str, Any]:
    cells = [
        {"table": c.table, "title": c.title, "row": c.row, "column": c.column, "word": c.word, "source": c.source}
        for c in played.reason.cells
    ]
    return {
        "step": played.step.name, "cards": dict(played.cards), "when": played.step.when_text or None,
        "held": played.held, "read": dict(played.reason.columns), "cells": cells, "columns": dict(played.worked_out),
        "source": played.step.source,
    }  # fmt: skip
