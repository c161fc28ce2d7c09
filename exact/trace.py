"""One round played by a rule file, with the reason of every step: which condition held, which cell said so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from exact.errors import InputError
from exact.rulefile.evaluate import evaluate, lookup_key
from exact.rulefile.expression import Binary, Case, Lookup, Name, Node, Value, children, names
from exact.rulefile.game import Game, PayLine, Step, Wager, show
from exact.rulefile.printed import keys_of

Row = dict[str, Value]  # a column that needs a suit nobody gave is not in it
LOST = Fraction(-1)


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a printed table that was read: its row and column as printed, and the word that stands there."""

    table: str
    title: str
    row: str
    column: str
    word: str
    source: str

    def text(self) -> str:
        """The cell in words."""
        place = f"row {self.row}" + (f", column {self.column}" if self.column else "")
        return f"{self.title!r}, {place}: {self.word}"


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a condition came out as it did: the columns and cells read, in order, as far as they decided."""

    columns: tuple[tuple[str, Value], ...]
    cells: tuple[Cell, ...]

    def text(self) -> str:
        """The reason in words."""
        return "; ".join(
            [*(f"{name} = {said(value)}" for name, value in self.columns), *(cell.text() for cell in self.cells)]
        )


@dataclass(frozen=True, slots=True)
class Played:
    """What one step did: cards dealt and columns worked out. ``held`` is None for a step without condition."""

    step: Step
    cards: tuple[tuple[str, str], ...]
    held: bool | None
    reason: Reason
    worked_out: tuple[tuple[str, Value], ...]

    @property
    def sources(self) -> str:
        """The sources of the step and of the cells that decided it."""
        return "; ".join(
            dict.fromkeys(s for s in (self.step.source, *(cell.source for cell in self.reason.cells)) if s)
        )


@dataclass(frozen=True, slots=True)
class Settlement:
    """What a wager came to; ``missing`` are columns that need a suit which nobody gave."""

    wager: Wager
    offered: bool
    line: PayLine | None
    missing: tuple[str, ...] = ()

    @property
    def net(self) -> Fraction | None:
        """What a unit staked wins or loses; None where the wager was not offered or a suit is missing."""
        if self.missing or not self.offered:
            return None
        return self.line.odds if self.line else LOST


@dataclass(frozen=True, slots=True)
class Trace:
    """A round as the rules play it. ``wants`` is the slot that found no card, ``unused`` the cards left at the end."""

    game: Game
    cards: tuple[str, ...]
    played: tuple[Played, ...]
    row: Mapping[str, Value]
    settled: tuple[Settlement, ...]
    wants: str | None = None
    unused: tuple[str, ...] = ()

    @property
    def outcome(self) -> Value:
        """The outcome of the round; None where the game has no such column."""
        return self.row.get("outcome")

    def complete(self) -> Trace:
        """The same trace; ``InputError``, with the reason, for a round that has too few or too many cards."""
        last = self.played[-1]
        if self.wants:
            why = f" ({last.reason.text()})" if last.held else ""
            raise InputError(
                f"too few cards: step {last.step.name!r} deals {self.wants}{why}; {len(self.cards)} given, "
                f"card {len(self.cards) + 1} is needed"
            )
        if self.unused:
            stood = [f"{p.step.name!r} does not deal ({p.reason.text()})" for p in self.played if p.held is False]
            why = f": step {'; step '.join(stood)}" if stood else ""
            raise InputError(
                f"too many cards: the round ends after {len(self.cards) - len(self.unused)} of {len(self.cards)}, "
                f"no step draws {' '.join(self.unused)}{why}"
            )
        return self


def play(game: Game, cards: Sequence[str], wagers: Sequence[Wager] | None = None) -> Trace:
    """Play one round: cards in dealing order, the next card goes to the next slot that draws. Suits may be left out.

    ``wagers`` default to the usual ones of the game. A round with too few or too many cards is told as far as it
    goes: see ``Trace.complete``.

    >>> from exact.games import load
    >>> round_ = play(load("baccarat"), "A A 4 A 3 5".split())
    >>> round_.outcome, round_.played[3].reason.cells[0].text()
    ('player', "'Banker, the Player drew', row 0-2, column 3: D")

    Raises ``InputError`` for what is not a card, and for a condition that is NULL or needs a suit not given.
    """
    dealt = [game.deck.parse(text) for text in cards]
    texts = [rank + (suit or "") for rank, suit in dealt]
    row, played, at = Row(), list[Played](), 0
    for step in game.steps:
        held, reason = _decide(game, step, row)
        slots = step.slots if held is not False else ()
        here = list(zip(slots, texts[at : at + len(slots)], strict=False))
        for slot in step.slots:
            _lay(game, slot, dealt[at] if slot in slots and at < len(dealt) else None, row)
            at += slot in slots
        wants = slots[len(here)] if len(here) < len(slots) else None
        played.append(Played(step, tuple(here), held, reason, () if wants else tuple(_work(step, row))))
        if wants:
            return Trace(game, tuple(texts), tuple(played), row, (), wants)
    asked = [wager for wager in game.wagers if not wager.extra] if wagers is None else wagers
    settled = tuple(settle(game, wager, row) for wager in asked)
    return Trace(game, tuple(texts), tuple(played), row, settled, None, tuple(texts[at:]))


def _decide(game: Game, step: Step, row: Row) -> tuple[bool | None, Reason]:
    if step.when is None:
        return None, Reason((), ())
    if missing := _missing(step.when, row):
        raise InputError(
            f"step {step.name!r} looks at {', '.join(missing)}: give the suits of the cards too, such as 8H"
        )
    held, why = evaluate(step.when, row), reason(game, step.when, row)
    if held is None:
        raise InputError(f"{game.file}: step {step.name!r}.when: {step.when_text!r} is NULL for {why.text()}")
    return held is True, why


def _lay(game: Game, slot: str, card: tuple[str, str | None] | None, row: Row) -> None:
    """The columns of a slot that got a card, or none."""
    for column, source in game.slot_columns.items():
        if source.slot != slot:
            continue
        values = game.attributes[source.attribute]
        if card is None:
            row[column] = None
        elif card[1] is not None:
            row[column] = values[card[0], card[1]]
        elif game.by_rank(source.attribute):
            row[column] = next(value for (rank, _), value in values.items() if rank == card[0])


def _work(step: Step, row: Row) -> Iterator[tuple[str, Value]]:
    for name, node in step.lets:
        if not _missing(node, row):
            row[name] = evaluate(node, row)
            yield name, row[name]


def _missing(node: Node, row: Row) -> tuple[str, ...]:
    return tuple(sorted(names(node) - row.keys()))


def settle(game: Game, wager: Wager, row: Mapping[str, Value]) -> Settlement:
    """Which line of a wager decides a round: the first that holds.

    Raises ``InputError`` for a condition that is NULL.
    """
    if missing := tuple(sorted(wager.columns() - row.keys())):
        return Settlement(wager, True, None, missing)
    if wager.offered is not None and not _truth(game, wager, wager.offered, wager.offered_text, row):
        return Settlement(wager, False, None)
    lines = (line for line in wager.pays if _truth(game, wager, line.when, line.when_text, row))
    return Settlement(wager, True, next(lines, None))


def _truth(game: Game, wager: Wager, node: Node, text: str, row: Mapping[str, Value]) -> bool:
    held = evaluate(node, row)
    if held is None:
        raise InputError(f"{game.file}: wager {wager.name!r}: {text!r} is NULL for {reason(game, node, row).text()}")
    return held is True


def reason(game: Game, node: Node, row: Mapping[str, Value]) -> Reason:
    """What an expression read on one round, in order, as far as it decided."""
    columns, cells = dict[str, Value](), dict[Cell, None]()
    for part in _read(node, row):
        if isinstance(part, Lookup):
            cells[_cell(game, part, row)] = None
        else:
            columns[part.name] = row[part.name]
    return Reason(tuple(columns.items()), tuple(cells))


def _read(node: Node, row: Mapping[str, Value]) -> Iterator[Name | Lookup]:
    """Columns and table cells that are looked at, with AND, OR and CASE stopping where they are decided."""
    match node:
        case Name():
            yield node
        case Binary("AND" | "OR" as op, left, right):
            yield from _read(left, row)
            if evaluate(left, row) is not (op == "OR"):
                yield from _read(right, row)
        case Case(branches, default):
            for condition, value in branches:
                yield from _read(condition, row)
                if evaluate(condition, row) is True:
                    yield from _read(value, row)
                    return
            yield from _read(default, row)
        case _:
            for part in children(node):
                yield from _read(part, row)
            if isinstance(node, Lookup):
                yield node


def _cell(game: Game, node: Lookup, row: Mapping[str, Value]) -> Cell:
    table = next(table for table in game.tables if table.name == node.table)
    key, head = lookup_key(node.row, node.column, row)
    at, across = _place(table.row_labels, key), 0 if table.column is None else _place(table.column_labels, head)
    if at is None or across is None:
        return Cell(
            table.name, table.title, said(key), "" if table.column is None else said(head), "no such cell", table.source
        )
    row_label, column_label = table.row_labels[at], table.column_labels[across]
    return Cell(table.name, table.title, row_label, column_label, table.words[at][across], table.source)


def _place(labels: Sequence[str], key: Value) -> int | None:
    return next((place for place, label in enumerate(labels) if key in keys_of(label)), None)


def said(value: Value) -> str:
    """A value of a round for people; NULL is a card that was not drawn."""
    return "none" if value is None else show(value)
