"""What every cell of a drawing table decides: how often it is asked, every wager's exact value if it draws and if it
stands.

Cells of one table are asked in different rounds, so that an edge is a base plus one exact term a cell: any other table
is a sum.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from exact.result import Figures, compute
from exact.rulefile.expression import Binary, Case, IsNull, Literal, Lookup, Name, Node, Unary
from exact.rulefile.game import Game, PrintedTable, Step, Wager
from exact.rulefile.mutate import Cell, with_cells
from exact.shoe import Shoe
from exact.verify.columns import sides
from exact.verify.mutants import text


@dataclass(frozen=True, slots=True)
class CellValues:
    """One cell: the probability that a round asks it, and the expectation of every wager over those rounds, per unit
    bet.

    ``side`` is the hand that draws by the cell; ``draws`` is the rule's choice.
    """

    cell: Cell
    side: str
    draws: bool
    reached: Fraction
    drawn: Mapping[str, Fraction]
    stood: Mapping[str, Fraction]

    def cost(self, wager: str) -> Fraction:
        """What the rule's choice costs a wager, per unit bet in the rounds that ask the cell; negative: what it
        gains.
        """
        chosen, other = (self.drawn, self.stood) if self.draws else (self.stood, self.drawn)
        return other[wager] - chosen[wager]

    def cost_of_all(self, wager: str) -> Fraction:
        """The same spread over all rounds: what turning the cell round adds to the wager's expectation."""
        return self.cost(wager) * self.reached


def cell_values(game: Game, shoe: Shoe, wagers: Sequence[Wager]) -> Iterator[CellValues]:
    """The values of every cell of every drawing table that one step reads by plain columns.

    Two enumerations a table: one in which every cell draws, one in which every cell stands.
    """
    for table in game.tables:
        place = _where(game, table)
        if place is None:
            continue
        step, asked = place
        drawn, stood = (_figures(game, table, shoe, wagers, asked, answer) for answer in (True, False))
        side = next(side for side, slots in sides(game).items() if step.slots[0] in slots)
        for key, value in table.cells.items():
            if isinstance(value, bool) and key in drawn and key in stood:
                one, other = drawn[key], stood[key]
                yield CellValues(
                    Cell(table.name, *key), side, value, one.probability,
                    {w.name: w.expectation for w in one.wagers}, {w.name: w.expectation for w in other.wagers},
                )  # fmt: skip


def _figures(
    game: Game, table: PrintedTable, shoe: Shoe, wagers: Sequence[Wager], asked: str, answer: bool
) -> dict[tuple[object, object], Figures]:
    """The figures of every cell's rounds when all cells of the table give one answer."""
    every = {key: answer for key, value in table.cells.items() if isinstance(value, bool)}
    same = next((v for v in table.cells.values() if v is answer), None)
    if same is None:
        return {}
    changed = with_cells(game, table.name, every)
    by = [table.row] + ([table.column] if table.column else [])
    by_name = {wager.name: wager for wager in changed.wagers}
    result = compute(changed, shoe, [by_name.get(w.name, w) for w in wagers], given=asked, by=by)
    whole = compute(changed, shoe, ()).total
    return {
        (f.key[by[0]], f.key[by[1]] if len(by) > 1 else None): Figures(
            f.key, f.ways, whole, f.outcomes, f.wagers, f.never
        )
        for f in result.by
    }


def _where(game: Game, table: PrintedTable) -> tuple[Step, str] | None:
    """The one step that reads a table, and the condition under which it does; None where it is not read just so."""
    found = [
        (step, guard, lookup)
        for step in game.steps
        if step.when
        for guard, lookup in _lookups(step.when)
        if lookup.table == table.name
    ]
    if len(found) != 1:
        return None
    step, guard, lookup = found[0]
    if not isinstance(lookup.row, Name) or not (lookup.column is None or isinstance(lookup.column, Name)):
        return None
    keys = [Unary("NOT", IsNull(lookup.row))] + ([Unary("NOT", IsNull(lookup.column))] if lookup.column else [])
    return step, " AND ".join(f"({text(part)})" for part in (*guard, *keys))


def _lookups(node: Node, guard: tuple[Node, ...] = ()) -> Iterator[tuple[tuple[Node, ...], Lookup]]:
    """Every table that a condition reads, with what must hold for it to be read and to decide."""
    match node:
        case Lookup():
            yield guard, node
        case Binary("AND", left, right):
            yield from _lookups(left, (*guard, *([right] if not _reads(right) else [])))
            yield from _lookups(right, (*guard, *([left] if not _reads(left) else [])))
        case Case(branches, default):
            before: tuple[Node, ...] = ()
            for condition, value in branches:
                yield from _lookups(value, (*guard, *before, condition))
                before = (*before, Unary("NOT", condition))
            if not isinstance(default, Literal):
                yield from _lookups(default, (*guard, *before))


def _reads(node: Node) -> bool:
    return any(True for _ in _lookups(node))
