"""The published set of tables of a game: outcomes, wagers, their pay lines, the game's breakdowns and the cells of its
drawing tables, for several numbers of decks; written as CSV and Parquet with a file of checksums.
"""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

from exact import __version__
from exact.output import flat_row, refuse_unwritable, replacing
from exact.output.report import Column, Kind, Row, Table, flat_columns, plain
from exact.output.report import cell as text
from exact.published.measured import wager_figures
from exact.result import Result, compute
from exact.rulefile.evaluate import evaluate, fold
from exact.rulefile.expression import FALSE, TRUE, Lookup, Node, Value, children, names, rebuild
from exact.rulefile.game import Breakdown, Game
from exact.rulefile.mutate import Cell, cells
from exact.shoe import Shoe
from exact.tally import Digit, Key, tally
from exact.wager import WagerFigures

Tell = Callable[[int], None]
DECKS = Column("decks", "integer")
SHARE = (Column("ways", "count"), Column("probability", "exact"))
OUTCOMES = (DECKS, Column("outcome"), *SHARE)
WAGERS = (
    DECKS,
    Column("wager"),
    Column("expectation", "exact"),
    Column("edge_resolved", "exact"),
    Column("variance", "exact"),
    Column("standard_deviation", "number"),
    Column("hit_frequency", "exact"),
)
PAYS = (DECKS, Column("wager"), Column("when"), Column("odds", "exact"), *SHARE)
CELLS = (DECKS, Column("rule"), Column("row"), Column("column"), Column("draws", "boolean"), *SHARE)


def tables(game: Game, decks: Sequence[int], tell: Tell | None = None) -> tuple[Table, ...]:
    """The whole set, one row a number of decks and a thing that happens.

    ``cells``: the rounds that a cell of a drawing table decides: with the other answer a step would draw where it does
    not, or the other way.
    """
    shoes = {number: Shoe.decks(number, game.deck) for number in decks}
    outcomes = [
        row for number, shoe in shoes.items() for row in _outcomes(number, compute(game, shoe, [], progress=tell))
    ]
    priced = {number: wager_figures(game, shoe, tell) for number, shoe in shoes.items()}
    set_ = [
        Table("outcomes", outcomes, OUTCOMES),
        Table("wagers", [row for number, wagers in priced.items() for row in _wagers(number, wagers)], WAGERS),
        Table("pays", [row for number, wagers in priced.items() for row in _pays(number, wagers)], PAYS),
        *(_breakdown_table(game, breakdown, shoes) for breakdown in game.breakdowns),
        Table("cells", list(_cells(game, shoes)), CELLS, "Rounds that each cell of the drawing tables decides"),
    ]
    return tuple(table for table in set_ if table.rows)


def _outcomes(decks: int, result: Result) -> Iterable[Row]:
    for outcome in result.all.outcomes:
        yield {"decks": decks, "outcome": outcome.name, "ways": outcome.ways, "probability": outcome.probability}


def _wagers(decks: int, wagers: Iterable[WagerFigures]) -> Iterable[Row]:
    for wager in wagers:
        figures = {column.name: getattr(wager, column.name) for column in WAGERS[2:]}
        yield {"decks": decks, "wager": wager.name, **figures}


def _pays(decks: int, wagers: Iterable[WagerFigures]) -> Iterable[Row]:
    for wager in wagers:
        for line in wager.lines:
            share = {"ways": line.ways, "probability": line.probability}
            yield {"decks": decks, "wager": wager.name, "when": line.when, "odds": line.odds, **share}


def _breakdown_table(game: Game, breakdown: Breakdown, shoes: Mapping[int, Shoe]) -> Table:
    kinds: dict[str, Kind] = {"integer": "integer", "truth": "boolean", "text": "text"}
    columns = (Column(name, kinds[game.facts[name].kind]) for name in breakdown.columns)
    rows = [
        {"decks": number, **group.key, "ways": group.ways, "probability": group.probability}
        for number, shoe in shoes.items()
        for group in compute(game, shoe, [], by=breakdown.columns).by
    ]
    return Table(breakdown.name, rows, (DECKS, *columns, *SHARE), breakdown.title)


@dataclass(frozen=True, slots=True)
class _Reading:
    """A place where a step asks a drawing table: what the table is read with, and whether the step draws with either
    answer.
    """

    lookup: Lookup
    drawn: Node
    stood: Node

    def cell(self, row: Mapping[str, Value]) -> Cell | None:
        """The cell that decides a round with these columns; None where the step does not depend on the table."""
        if evaluate(self.drawn, row) == evaluate(self.stood, row):
            return None
        column = None if self.lookup.column is None else evaluate(self.lookup.column, row)
        return Cell(self.lookup.table, evaluate(self.lookup.row, row), column)


def _readings(game: Game) -> list[_Reading]:
    yes_or_no = {cell.table for cell in cells(game)}
    return [
        _Reading(lookup, fold(_answered(step.when, lookup, TRUE)), fold(_answered(step.when, lookup, FALSE)))
        for step in game.steps
        if step.when
        for lookup in dict.fromkeys(_lookups(step.when))
        if lookup.table in yes_or_no
    ]


def _lookups(node: Node) -> Iterable[Lookup]:
    if isinstance(node, Lookup):
        yield node
    for part in children(node):
        yield from _lookups(part)


def _answered(node: Node, lookup: Lookup, answer: Node) -> Node:
    return answer if node == lookup else rebuild(node, lambda part: _answered(part, lookup, answer))


def _cells(game: Game, shoes: Mapping[int, Shoe]) -> Iterable[Row]:
    """For each cell of the tables that steps ask, the ways of the rounds that it decides."""
    readings = _readings(game)
    read = sorted({name for r in readings for node in (r.lookup, r.drawn, r.stood) for name in names(node)})
    decided: dict[Key, set[Cell | None]] = {}
    asked = {reading.lookup.table for reading in readings}
    for number, shoe in shoes.items():
        ways: Counter[Cell | None] = Counter()
        for key, n in tally(game, shoe, [Digit.of_column(game, name) for name in read]).items():
            if key not in decided:
                row = dict(zip(read, key, strict=True))
                decided[key] = {reading.cell(row) for reading in readings}
            for cell in decided[key]:
                ways[cell] += n
        for table in (table for table in game.tables if table.name in asked):
            for place, draws in table.cells.items():
                cell = Cell(table.name, *place)
                share = {"ways": ways[cell], "probability": Fraction(ways[cell], shoe.orders(len(game.slots)))}
                yield {"decks": number, "rule": table.name, **_place(cell), "draws": draws, **share}


def _place(cell: Cell) -> dict[str, str | None]:
    return {"row": str(cell.row), "column": None if cell.column is None else str(cell.column)}


def save(game: Game, decks: Sequence[int], folder: Path, tell: Tell | None = None) -> list[Path]:
    """Writes the set into a folder: each table as CSV and Parquet, and the SHA-256 of every text file in ``CHECKSUMS``.

    CSV has the same bytes every time, Parquet the same content. Raises ``InputError`` where a file cannot be written.
    """
    refuse_unwritable(folder)
    origin = {"game": game.name, "version": __version__, "options": game.chosen_texts(), "decks": list(decks)}
    made = tables(game, decks, tell)
    written = {f"{table.name}.csv": csv_text(table).encode() for table in made}
    written["provenance.json"] = (json.dumps(plain(origin), indent=2) + "\n").encode()
    sums = "".join(f"{sha256(data).hexdigest()}  {name}\n" for name, data in written.items())
    written |= {f"{table.name}.parquet": _parquet(table, origin) for table in made} | {"CHECKSUMS": sums.encode()}
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in written.items():
        with replacing(folder / name) as part:
            part.write_bytes(data)
    return [folder / name for name in written]


def csv_text(table: Table) -> str:
    """A table as it stands in its file: an exact value as "n/d" and the nearest float beside it."""
    out = StringIO()
    header = [name for column in table.columns for name, _ in flat_columns(column)]
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([[text(value) for value in flat_row(table, row).values()] for row in table])
    return out.getvalue()


def _parquet(table: Table, origin: Mapping[str, Any]) -> bytes:
    import polars as pl

    types = {"text": pl.String, "boolean": pl.Boolean, "integer": pl.Int64, "number": pl.Float64}
    schema = {name: types[kind] for column in table.columns for name, kind in flat_columns(column)}
    out = BytesIO()
    frame = pl.DataFrame([flat_row(table, row) for row in table], schema=schema)
    frame.write_parquet(out, metadata={"exact": json.dumps(plain(origin), ensure_ascii=False)})
    return out.getvalue()
