"""Offers as reports: rows and cells beside the figures of a game, and the best that a bettor can make of them."""

from __future__ import annotations

from collections import Counter as Counted
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from exact.answer import provenance
from exact.offers import Offers, State, count
from exact.output.report import Column, Count, Report, Table
from exact.result import Result, parse_dealt
from exact.rulefile.conditions import read_condition
from exact.rulefile.game import Game, Wager

Row = dict[str, Any]


def with_cells(report: Report, result: Result, wagers: Sequence[Wager]) -> Report:
    """A report of a game with its offers added, by row and by cell of the printed table, where it computed some."""
    computed = {*(wager.name for wager in result.all.wagers), *result.all.never}
    offered = [wager for wager in wagers if wager.offer is not None and wager.name in computed]
    if not offered:
        return report
    game = result.game
    given = read_condition(game, result.given, "--given") if result.given else None
    _, states = count(game, result.shoe, offered, given=given, dealt=[parse_dealt(game, d) for d in result.dealt])
    rows = [_row(game, _whole(wager, states)) for wager in offered]
    cells = [_cell(game, state) for state in states]
    tables = (
        Table("offers", rows, (*_OFFER, *_figures(game)), "Offers: what happens in the rounds in which they are made"),
        Table("cells", cells, (Column("wager"), *_shown(states), *_figures(game)), "Offers by what is shown"),
    )
    document = {"offers": [_plain(row) for row in rows], "cells": [_plain(cell) for cell in cells]}
    return replace(
        report, tables=(*report.tables, *tables), document={**(report.document or {}), **document},
        heading=(*report.heading, *_dead(states)),
    )  # fmt: skip


def said(state: State) -> str:
    """A state in words.

    >>> from exact.games import load
    >>> said(State(load("insurance-baccarat").wager("BI-04"), {"player_shown": 6, "banker_shown": 7}, 1))
    'BI-04 at player_shown 6, banker_shown 7'
    """
    return f"{state.wager.name} at {', '.join(f'{name} {value}' for name, value in state.seen.items())}"


def _dead(states: Sequence[State]) -> tuple[str, ...]:
    """Lines that name the cells of the table that no round reaches, or how many they are under a narrow condition."""
    dead = [state for state in states if not state.live]
    if len(dead) > 5:
        return (f"never offered here: {len(dead)} of {len(states)} cells",)
    return tuple(f"never offered: {said(state)}" for state in dead)


def sheet(found: Offers) -> Report:
    """The report of ``exact offers``: what a bettor gains, and every state with the better decision."""
    game = found.game
    gains = [
        {"bettor": b.on, "states_taken": len(b.taken), "gain": b.gain, "value": float(b.gain)} for b in found.bettors
    ]
    states = [_decided(found, state) for state in found.states]
    told = [row for row in states if found.information == "totals" or row["decision"] == "take"]
    columns = (Column("wager"), Column("on"), Column("after"), *_shown(found.states), *_DECIDED)
    tables = (
        Table("gains", gains, _GAINS, "Gain a round, per unit of the main bet, of a bettor who takes the best offers"),
        Table("states", told, columns, "Offers by what the bettor sees, per unit staked"),
    )
    document = {
        "bettors": [{**row, "gain": b.gain} for row, b in zip(gains, found.bettors, strict=True)],
        "states": [_plain(row) for row in states],
    }
    made = provenance(game, found.shoe) | {"information": found.information}
    return Report(made, tuple(t for t in tables if t.rows), document, _heading(found, len(states) - len(told)))


def _heading(found: Offers, untold: int) -> tuple[str, ...]:
    seen = {"totals": "the totals shown", "cards": "every card that lies open"}[found.information]
    lines = [f"{found.game.title}, {found.shoe.describe()}", f"a bettor who knows {seen} when an offer is made"]
    return (*lines, *_dead(found.states), *([f"{untold:,} other states: leave the offer"] if untold else []))


_OFFER = (Column("wager"), Column("on"), Column("after"))
_GAINS = (
    Column("bettor"),
    Column("states_taken", "integer", "states taken"),
    Column("gain", "exact", "gain a round", shown="both"),
)
_DECIDED = (
    Column("live", "boolean"),
    Column("ways", "count"),
    Column("probability", "exact", shown="value"),
    Column("expectation", "exact", shown="value"),
    Column("decision"),
    Column("worth", "exact", "worth of it", shown="value"),
    Column("most", "exact", "largest stake", shown="fraction"),
    Column("gain", "exact", "gain a round", shown="value"),
)


def _figures(game: Game) -> tuple[Column, ...]:
    return (
        Column("live", "boolean"),
        Column("ways", "count"),
        Column("probability", "exact", shown="value"),
        *(Column(f"probability_{name}", "exact", f"P({name})", "value") for name in game.outcomes),
        Column("expectation", "exact", shown="value"),
        Column("edge", "exact", shown="value"),
    )


def _shown(states: Sequence[State]) -> tuple[Column, ...]:
    """A column for everything that a bettor sees in some state."""
    kinds: dict[str, set[type]] = {}
    for state in states:
        for name, value in state.seen.items():
            kinds.setdefault(name, set()).add(type(value))
    return tuple(Column(name, "integer" if found <= {int, type(None)} else "text") for name, found in kinds.items())


def _cell(game: Game, state: State) -> Row:
    """One state: how often it is met, how the round ends then, and what the offer is worth."""
    mean = state.expectation
    return {
        "wager": state.wager.name, **state.seen, "live": state.live, "ways": state.ways,
        "probability": state.probability, **{f"probability_{name}": state.outcome(name) for name in game.outcomes},
        "expectation": mean, "edge": None if mean is None else -mean,
    }  # fmt: skip


def _row(game: Game, state: State) -> Row:
    return {"wager": state.wager.name, "on": state.offer.on, "after": state.offer.after} | _cell(game, state)


def _whole(wager: Wager, states: Sequence[State]) -> State:
    """All states of a wager as one."""
    own = [state for state in states if state.wager is wager]
    outcomes: Counted[str] = Counted()
    for state in own:
        outcomes.update(state.outcomes)
    return State(wager, {}, own[0].total, sum(s.ways for s in own), sum((s.net for s in own), Fraction(0)), outcomes)


def _decided(found: Offers, state: State) -> Row:
    """One state with the better decision, what it is worth per unit staked, and what it adds to a round."""
    taken, mean = found.taken(state), state.expectation
    return {
        "wager": state.wager.name, "on": state.offer.on, "after": state.offer.after, **state.seen, "live": state.live,
        "ways": state.ways, "probability": state.probability, "expectation": mean,
        "decision": "take" if taken else "leave" if state.live else "never offered",
        "worth": mean if taken else Fraction(0), "most": state.offer.most,
        "gain": state.gain if taken else Fraction(0),
    }  # fmt: skip


def _plain(row: Mapping[str, Any]) -> Row:
    """A row for programs: ways as text, the row of the printed table by its name, and a value to read."""
    mean = row["expectation"]
    return {"row": row["wager"], **row, "ways": Count(row["ways"]), "value": None if mean is None else float(mean)}
