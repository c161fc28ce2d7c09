"""The report of ``exact wagers``: what a game's wagers pay when, and where their odds come from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from exact import __version__
from exact.output.report import Column, Report, Table
from exact.rulefile.game import Game, Wager

COLUMNS = (
    Column("wager"),
    Column("when"),
    Column("odds", "exact", "pays to 1", shown="fraction"),
    Column("offered"),
    Column("priced"),
    Column("title"),
    Column("source"),
)


def wager_list(game: Game) -> Report:
    """Every wager of a game, one row for each line that pays; a source is named in full in the table of sources.

    >>> from exact.games import load
    >>> wager_list(load("baccarat")).document["wagers"][0]["pays"][0]
    {'when': "outcome = 'player'", 'odds': Fraction(1, 1)}
    """
    rows = [row for wager in game.wagers for row in _rows(wager)]
    used = list(_sources(game))
    columns = tuple(column for column in COLUMNS if any(row[column.name] not in (None, "") for row in rows))
    tables = (
        Table("wagers", rows, columns, "Wagers: the first line that holds decides, otherwise the stake is lost"),
        Table("sources", used, (Column("source"), Column("meaning")), "Sources"),
    )
    provenance = {"game": game.name, "version": __version__, "options": game.chosen_texts()}
    document = {
        "wagers": [_document(wager) for wager in game.wagers],
        "sources": {u["source"]: u["meaning"] for u in used},
    }
    number = sum(wager.extra for wager in game.wagers)
    heading = [f"{game.title}: {len(game.wagers)} wagers"]
    heading += [f"{number} of them are priced only when asked for: --wager NAME, or --wagers all"] if number else []
    return Report(provenance, tuple(table for table in tables if table.rows), document, tuple(heading))


def _rows(wager: Wager) -> Iterable[Mapping[str, Any]]:
    for line in wager.pays:
        yield {
            "wager": wager.name, "when": line.when_text, "odds": line.odds, "offered": wager.offered_text,
            "priced": _priced(wager), "title": wager.title, "source": wager.source,
        }  # fmt: skip


def _priced(wager: Wager) -> str:
    return ("when asked" if wager.extra else "always") + (", odds assumed" if wager.assumed else "")


def _document(wager: Wager) -> dict[str, Any]:
    return {
        "wager": wager.name, "title": wager.title, "pays": [{"when": p.when_text, "odds": p.odds} for p in wager.pays],
        "offered": wager.offered_text or None, "extra": wager.extra, "assumed": wager.assumed, "source": wager.source,
    }  # fmt: skip


def _sources(game: Game) -> Iterable[dict[str, str]]:
    """The sources that the wagers name, in the order of the file."""
    named = {word.strip(",;:") for wager in game.wagers for word in wager.source.split()}
    return ({"source": name, "meaning": meaning} for name, meaning in game.sources.items() if name in named)
