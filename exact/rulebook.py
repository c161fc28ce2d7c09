"""The rules of a game as a person reads them: steps, tables, card values, options, wagers, sources."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from exact import __version__
from exact.output.report import Column, Report, Table, fraction_text
from exact.rulefile.game import Game, Option, PrintedTable, Records, Step, Wager, show
from exact.trace import said

Rows = list[dict[str, Any]]
_LISTS = {"options": "option_list"}  # "options" are the chosen ones, as in every document


def rulebook(game: Game) -> Report:
    """The report of ``exact rules``."""
    wagers = [row for wager in game.wagers for row in _pays(wager)]
    tables = [
        _table("steps", "Steps of a round", ("step", "when", "what happens", "source"), _steps(game)),
        *(_grid(table) for table in game.tables),
        _table("definitions", "Definitions", ("name", "meaning"), _pairs(game.definitions)),
        _table("cards", "What the cards count as", ("attribute", "cards and values", "source"), _attributes(game)),
        *(_records(records) for records in game.records),
        _table(
            "options", "Options", ("option", "chosen", "default", "allowed", "mark", "meaning", "source"),
            [_option(game, option) for option in game.options],
        ),
        _table("wagers", "Wagers: the first line that holds pays, otherwise the stake is lost",
               ("wager", "when", "pays", "offered", "mark", "title", "source"), wagers),
        _table("offers", "Wagers offered in the course of a round",
               ("wager", "beside", "after", "cards open", "shown", "most", "once"), _offers(game)),
        _table("breakdowns", "What is published beside outcomes and wagers", ("name", "title", "columns"),
               [{"name": b.name, "title": b.title, "columns": " ".join(b.columns)} for b in game.breakdowns]),
        _table("sources", "Sources", ("name", "meaning"), _pairs(game.sources)),
    ]  # fmt: skip
    kept = tuple(table for table in tables if table.rows)
    heading = (game.title, *([game.summary] if game.summary else []))
    provenance = {"game": game.name, "version": __version__, "file": game.file, "options": game.chosen_texts()}
    return Report(provenance, kept, {"title": game.title, "summary": game.summary, **_document(game, kept)}, heading)


def _table(name: str, title: str, columns: tuple[str, ...], rows: Rows) -> Table:
    """A table of texts without the columns that are empty in every row."""
    used = [column for column in columns if any(row.get(_key(column)) for row in rows)]
    return Table(name, rows, tuple(Column(_key(column), title=column) for column in used), title)


def _key(column: str) -> str:
    return column.replace(" ", "_")


def _pairs(texts: Mapping[str, str]) -> Rows:
    return [{"name": name, "meaning": text} for name, text in texts.items()]


def _steps(game: Game) -> Rows:
    """One row for every thing that happens, in order."""
    return [
        {"step": step.name, "what_happens": what, "when": " ".join(step.when_text.split()), "source": step.source}
        for step in game.steps
        for what in _happens(step)
    ]


def _happens(step: Step) -> Iterator[str]:
    if step.slots:
        yield f"{'deal' if step.when is None else 'draw'} {' '.join(step.slots)}"
    for name, text in step.let_texts.items():
        yield f"{name} = {' '.join(text.split())}"


def _grid(table: PrintedTable) -> Table:
    """A printed table as it is printed: its rows by what they are read with, a column for each head."""
    corner = f"{table.row} \\ {table.column}" if table.column else table.row
    heads = table.column_labels if table.column else ("says",)
    rows = [
        {corner: label, **dict(zip(heads, words, strict=True))}
        for label, words in zip(table.row_labels, table.words, strict=True)
    ]
    name = f"{table.name}({', '.join(table.arguments)})" if table.arguments else table.name
    title = f"{table.title}: {name}{f' ({table.source})' if table.source else ''}"
    return Table(f"table {table.name}", rows, tuple(Column(head, title=head) for head in (corner, *heads)), title)


def _records(records: Records) -> Table:
    title = f"{records.title} ({records.source})" if records.source else records.title
    columns = tuple(Column(f"{records.name} {head}", title=head) for head in records.header)
    rows = [dict(zip((column.name for column in columns), row, strict=True)) for row in records.rows]
    return Table(f"records {records.name}", rows, columns, title)


def _attributes(game: Game) -> Rows:
    """What each card counts as: "10 J Q K = 0"; rank and suit themselves are left out."""
    rows: Rows = []
    for name, values in game.attributes.items():
        if name in ("rank", "suit"):
            continue
        by_rank = game.by_rank(name)
        groups: dict[str, dict[str, None]] = {}
        for (rank, suit), value in values.items():
            groups.setdefault(said(value), {})[rank if by_rank else suit] = None
        text = ", ".join(f"{' '.join(cards)} = {value}" for value, cards in groups.items())
        rows.append({"attribute": name, "cards_and_values": text, "source": game.attribute_sources.get(name, "")})
    return rows


def _option(game: Game, option: Option) -> dict[str, Any]:
    return {
        "option": option.name, "chosen": show(game.chosen[option.name]), "default": show(option.default),
        "allowed": option.allowed().removeprefix("allowed: "), "mark": _mark(option), "meaning": option.meaning,
        "source": option.source,
    }  # fmt: skip


def _mark(item: Option | Wager) -> str:
    """Whether the sources leave something open: "reading" of an unclear sentence, "assumed" where they are silent."""
    names = ("reading", "assumed") if isinstance(item, Option) else ("assumed", "extra")
    return ", ".join(name for name in names if getattr(item, name))


def _pays(wager: Wager) -> Rows:
    shared = {"wager": wager.name, "offered": wager.offered_text, "mark": _mark(wager), "title": wager.title}
    return [{**shared, "when": line.when_text, "pays": _odds(line.odds), "source": wager.source} for line in wager.pays]


def _offers(game: Game) -> Rows:
    """When each wager is offered, beside which bet, what the bettor sees then, and the most that may be staked."""
    rows: Rows = []
    for wager, offer in ((wager, wager.offer) for wager in game.wagers if wager.offer):
        shown = [f"{s.name}{' = ' if s.values else ''}{' or '.join(map(said, s.values))}" for s in offer.shown]
        rows.append({
            "wager": wager.name, "beside": offer.on, "after": offer.after, "cards_open": " ".join(offer.sees),
            "shown": ", ".join(shown), "most": _odds(offer.most), "once": "once a round" if offer.once else "",
        })  # fmt: skip
    return rows


def _odds(odds: Any) -> str:
    """Odds as they are spoken: "19/20", and "8" rather than "8/1"."""
    return fraction_text(odds).removesuffix("/1")


def _document(game: Game, tables: tuple[Table, ...]) -> dict[str, Any]:
    """For programs: every list by its name, printed tables and records with their rows."""
    lists = {_LISTS.get(t.name, t.name): list(t) for t in tables if " " not in t.name}
    printed = [
        {
            "name": table.name, "title": table.title, "row": table.row, "column": table.column,
            "source": table.source, "arguments": table.arguments,
            "columns": list(table.column_labels if table.column else ()),
            "rows": [{"row": row, "cells": words} for row, words in zip(table.row_labels, table.words, strict=True)],
        }
        for table in game.tables
    ]  # fmt: skip
    records = [
        {
            "name": record.name, "title": record.title, "source": record.source,
            "rows": [dict(zip(record.header, row, strict=True)) for row in record.rows],
        }
        for record in game.records
    ]  # fmt: skip
    return {**lists, "tables": printed, "records": records}
