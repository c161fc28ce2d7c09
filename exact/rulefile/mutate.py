"""A game with a cell of a printed table changed: what a wrong rule would do, cell by cell."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from exact.errors import InputError, nearest
from exact.rulefile.expression import Lookup, Node, Value, rebuild
from exact.rulefile.game import Game, PayLine, PrintedTable, Step, Wager
from exact.rulefile.printed import keys_of

Key = tuple[Value, Value]
Change = Callable[[Node], Node]


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a printed table, by what it is read with; ``column`` is None in a table of one column.

    >>> str(Cell("banker_after_draw", 6, 7)), str(Cell("player_draws", 5, None))
    ('banker_after_draw[6][7]', 'player_draws[5]')
    """

    table: str
    row: Value
    column: Value

    def __str__(self) -> str:
        return f"{self.table}[{self.row}]" + (f"[{self.column}]" if self.column is not None else "")


def cells(game: Game) -> Iterator[Cell]:
    """Every cell of a game's tables that says yes or no (draw or stand), in the order of the file.

    >>> from exact.games import load
    >>> len(list(cells(load("baccarat"))))
    96
    """
    for table in game.tables:
        yield from (Cell(table.name, *key) for key, value in table.cells.items() if isinstance(value, bool))


def flip(game: Game, cell: Cell) -> Game:
    """The game with one yes-or-no cell turned round.

    >>> from exact.games import load
    >>> flip(load("baccarat"), Cell("player_draws", 5, None)).tables[0].cells[5, None]
    False

    Raises ``InputError`` for a table or cell that the game does not have, and for a cell that is not yes or no.
    """
    value = _table(game, cell.table).cells.get((cell.row, cell.column))
    if not isinstance(value, bool):
        raise InputError(f"{game.name} has no cell {cell} that says yes or no")
    return with_cells(game, cell.table, {(cell.row, cell.column): not value})


def with_cells(game: Game, table: str, change: Mapping[Key, Value]) -> Game:
    """The game with some cells of a table changed to other values of the same table, wherever the table is read.

    Columns keep what is known of them, since no value is new.

    Raises ``InputError`` for an unknown table, cell or value.
    """
    printed = _table(game, table)
    for key, value in change.items():
        if key not in printed.cells:
            raise InputError(f"{game.name} has no cell {Cell(table, *key)}")
        if value not in printed.cells.values():
            raise InputError(f"{value!r} is no value of the table {table!r}")
    changed = {**printed.cells, **change}

    def node(old: Node) -> Node:
        new = rebuild(old, node)
        return replace(new, cells=tuple(changed.items())) if isinstance(new, Lookup) and new.table == table else new

    return replace(
        game,
        steps=tuple(_step(step, node) for step in game.steps),
        tables=tuple(_reprinted(t, changed) if t.name == table else t for t in game.tables),
        wagers=tuple(_wager(wager, node) for wager in game.wagers),
        macros={name: (arguments, node(body)) for name, (arguments, body) in game.macros.items()},
    )


def _table(game: Game, name: str) -> PrintedTable:
    for table in game.tables:
        if table.name == name:
            return table
    raise InputError(f"{game.name} has no table {name!r}; {nearest(name, (table.name for table in game.tables))}")


def _reprinted(table: PrintedTable, cells: Mapping[Key, Value]) -> PrintedTable:
    """The table printed anew, a row and a column for each key, since ranges may no longer hold one word."""
    words: dict[Value, str] = {}
    for label, line in zip(table.row_labels, table.words, strict=True):
        for head, word in zip(table.column_labels, line, strict=True):
            column = None if table.column is None else keys_of(head)[0]
            words[table.cells[keys_of(label)[0], column]] = word
    rows, heads = (tuple(dict.fromkeys(key[axis] for key in cells)) for axis in (0, 1))
    return replace(
        table,
        cells=cells,
        row_labels=tuple(map(_label, rows)),
        column_labels=("",) if table.column is None else tuple(map(_label, heads)),
        words=tuple(tuple(words[cells[row, head]] for head in heads) for row in rows),
    )


def _label(key: Value) -> str:
    return "none" if key is None else str(key)


def _step(step: Step, change: Change) -> Step:
    when = None if step.when is None else change(step.when)
    return replace(step, when=when, lets=tuple((name, change(node)) for name, node in step.lets))


def _wager(wager: Wager, change: Change) -> Wager:
    pays = tuple(PayLine(change(line.when), line.when_text, line.odds) for line in wager.pays)
    offer = wager.offer
    if offer is not None:
        offer = replace(offer, shown=tuple(replace(shown, node=change(shown.node)) for shown in offer.shown))
    offered = None if wager.offered is None else change(wager.offered)
    return replace(wager, pays=pays, offered=offered, offer=offer)
