"""The cells of the drawing tables, as a report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from exact import __version__
from exact.output.report import Column, Report, Table
from exact.rulefile.game import Game, Wager
from exact.shoe import Shoe
from exact.verify.cellvalues import CellValues, cell_values


def cells_report(game: Game, shoe: Shoe, wagers: Sequence[Wager] | None, costly: bool) -> Report:
    """One row a cell; with ``costly`` only those whose choice costs the hand that draws by it."""
    valued = list(wagers) if wagers is not None else [w for w in game.wagers if w.name in game.outcomes]
    found = list(cell_values(game, shoe, valued))
    names = [wager.name for wager in valued]
    if costly:
        found = [cell for cell in found if cell.side in names and cell.cost(cell.side) > 0]
    columns = (
        Column("of"), Column("row"), Column("column"), Column("rule"), Column("reached", "exact", shown="value"),
        *(Column(f"{name}_{what}", "exact", f"{name} if {what}", "value")
          for name in names for what in ("drawn", "stood")),
        Column("cost", "exact", "cost a unit bet then", "value"),
        Column("cost_of_all", "exact", "cost a unit bet", "value"),
    )  # fmt: skip
    rows = [_row(cell, names) for cell in found]
    heading = (
        f"{game.title}, {shoe.describe()}",
        "reached: how often a round asks the cell; the wagers' expectations are over those rounds",
        "cost: what the rule's choice loses for the bet on the hand that draws (negative: a gain),",
        "once per unit bet in the rounds that ask the cell, once spread over all rounds",
    )
    provenance = {"game": game.name, "options": game.chosen_texts(), "shoe": shoe.describe(), "version": __version__}
    return Report(provenance, (Table("cells", rows, columns, "Cells"),), None, heading)


def _row(cell: CellValues, names: Sequence[str]) -> dict[str, Any]:
    row: dict[str, Any] = {
        "of": cell.cell.table, "row": str(cell.cell.row),
        "column": "" if cell.cell.column is None else str(cell.cell.column),
        "rule": "draw" if cell.draws else "stand", "reached": cell.reached,
    }  # fmt: skip
    for name in names:
        row |= {f"{name}_drawn": cell.drawn[name], f"{name}_stood": cell.stood[name]}
    if cell.side in names:
        row |= {"cost": cell.cost(cell.side), "cost_of_all": cell.cost_of_all(cell.side)}
    return row
