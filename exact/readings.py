"""Readings of unclear rules: every one changed alone, and what it does to each probability, edge and gain.

A studio sees which sentence of its page must be made clear, a player how much the silence of a page is worth.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from exact.answer import provenance
from exact.errors import InputError
from exact.offers import offers
from exact.output.report import Column, Report, Table
from exact.result import compute
from exact.rulefile.game import Game, Option, show
from exact.shoe import Shoe

Load = Callable[[Mapping[str, str]], Game]
Figures = Mapping[tuple[str, str], Fraction | None]  # ("probability", "tie"), ("edge", "banker"), ("gain", "player")


@dataclass(frozen=True, slots=True)
class Reading:
    """One option read another way, and every figure of the game then; without an option: the rules as they are."""

    option: Option | None
    value: str
    figures: Figures

    @property
    def name(self) -> str:
        """``gap_eleven=stand``, or ``default``."""
        return f"{self.option.name}={self.value}" if self.option else self.value

    def changes(self, base: Reading) -> dict[tuple[str, str], Fraction | None]:
        """The difference from the rules as they stand, figure by figure; None where a wager is offered in one only."""
        return {key: _minus(value, base.figures.get(key)) for key, value in self.figures.items()}


def _minus(value: Fraction | None, base: Fraction | None) -> Fraction | None:
    return None if value is None or base is None else value - base


def readings(
    load: Load, chosen: Mapping[str, str], shoe: Shoe, progress: Callable[[int], None] | None = None
) -> tuple[Reading, ...]:
    """The game as it stands first, then each option marked as a reading with each of its other values, alone.

    >>> from exact.games import load
    >>> tiny = Shoe.of({"5": 4, "6": 4, "K": 4})
    >>> [reading.name for reading in readings(lambda o: load("insurance-baccarat", o), {}, tiny)][:2]
    ['default', 'insurance_tie=lose']

    Raises ``InputError`` where no option of the game is marked as a reading.
    """
    game = load(chosen)
    found = [Reading(None, "default", _figures(game, shoe, progress))]
    for option, value in _others(game):
        changed = load({**chosen, option.name: value})
        found.append(Reading(option, value, _figures(changed, shoe, progress)))
    if len(found) == 1:
        raise InputError(f"{game.name} has no option that is marked as a reading")
    return tuple(found)


def _others(game: Game) -> Iterator[tuple[Option, str]]:
    """Every value of a reading that is not the one chosen."""
    for option in game.options:
        values = (False, True) if option.kind == "truth" else option.values
        if option.reading:
            yield from ((option, show(value)) for value in values if value != game.chosen[option.name])


def _figures(game: Game, shoe: Shoe, progress: Callable[[int], None] | None) -> Figures:
    result = compute(game, shoe, progress=progress).all
    found: dict[tuple[str, str], Fraction | None] = {("probability", o.name): o.probability for o in result.outcomes}
    found |= {("edge", wager.name): wager.edge for wager in result.wagers}
    found |= dict.fromkeys(("edge", name) for name in result.never)
    if any(wager.offer for wager in game.wagers):
        bettors = offers(game, shoe, progress=progress).bettors
        found |= {("gain", bettor.on): bettor.gain for bettor in bettors}
    return found


def sheet(game: Game, shoe: Shoe, found: Sequence[Reading]) -> Report:
    """The report of ``exact readings``: every figure of every reading with its difference, and what options mean."""
    base = found[0]
    rows = [row for reading in found for row in _rows(reading, base)]
    options = {reading.option.name: reading.option for reading in found if reading.option}
    sentences = [_sentence(game, option, found) for option in options.values()]
    tables = (
        Table("readings", rows, _COLUMNS, "Each reading changed alone"),
        Table("options", sentences, _SENTENCES, "What is unclear"),
    )
    document = {"readings": [_document(reading, base) for reading in found], "options": sentences}
    heading = [f"{game.title}, {shoe.describe()}"]
    assumed = [f"{o.name} = {show(game.chosen[o.name])}" for o in game.options if o.assumed]
    heading += [f"assumed, since no source gives them: {', '.join(assumed)}"] if assumed else []
    return Report(provenance(game, shoe), tables, document, tuple(heading))


_COLUMNS = (
    Column("reading"),
    Column("figure"),
    Column("of"),
    Column("exact", "exact"),
    Column("difference", "exact", shown="value"),
)
_SENTENCES = (
    Column("option"),
    Column("default"),
    Column("largest_change", "exact", "largest change of a probability or edge", shown="value"),
    Column("meaning"),
    Column("source"),
)


def _rows(reading: Reading, base: Reading) -> Iterator[dict[str, Any]]:
    changes = reading.changes(base)
    for (figure, of), value in reading.figures.items():
        difference = None if reading is base else changes[figure, of]
        yield {"reading": reading.name, "figure": figure, "of": of, "exact": value, "difference": difference}


def _sentence(game: Game, option: Option, found: Sequence[Reading]) -> dict[str, Any]:
    changes = [
        abs(change)
        for reading in found
        if reading.option is option
        for (figure, _), change in reading.changes(found[0]).items()
        if change is not None and figure != "gain"
    ]
    return {
        "option": option.name, "default": show(game.chosen[option.name]), "meaning": option.meaning,
        "source": option.source, "largest_change": max(changes, default=None),
    }  # fmt: skip


def _document(reading: Reading, base: Reading) -> dict[str, Any]:
    """One reading for programs: outcomes, wagers and bettors, each figure exact, as a number, with its difference."""
    option = {"option": reading.option.name, "choice": reading.value} if reading.option else {}
    lists: dict[str, list[dict[str, Any]]] = {}
    for row in _rows(reading, base):
        figure, value = row["figure"], row["exact"]
        kind = _KINDS[figure]
        lists.setdefault(f"{kind}s", []).append(
            {
                kind: row["of"], figure: value, "value": None if value is None else float(value),
                "difference": row["difference"],
            }
        )  # fmt: skip
    return {"reading": reading.name, **option, **lists}


_KINDS = {"probability": "outcome", "edge": "wager", "gain": "bettor"}
