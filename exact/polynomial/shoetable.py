"""Many shoes from a CSV or Parquet file: one row a shoe, counts by value, rank or card, whatever else carried along."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exact.errors import InputError
from exact.polynomial.compiled import Compiled
from exact.polynomial.counting import MOST_CARDS, Counting, countings
from exact.polynomial.shoes import PART
from exact.rulefile.game import Game

if TYPE_CHECKING:
    import polars as pl

ROW = "row of the file"


@dataclass(frozen=True, slots=True)
class ShoeTable:
    """A file of shoes, read and checked whole before anything is worked out. Rows count from 1, without the header."""

    path: Path
    counting: Counting
    rows: int
    largest: int

    @classmethod
    def of(cls, path: Path, compiled: Compiled) -> ShoeTable:
        """Raises ``InputError`` for an unreadable file or unknown columns, and naming the first row that is no shoe."""
        import polars as pl

        try:
            frame = _scan(path)
            counting = counting_of(compiled.game, path.name, frame.collect_schema())
            _refuse_coarse(path, compiled, counting)
            _refuse_rows(path, frame, counting, len(compiled.game.slots))
            sizes = frame.select(pl.sum_horizontal(_whole(label) for label in counting.labels).alias("size"))
            rows, largest = sizes.select(pl.len(), pl.col("size").max().alias("largest")).collect().row(0)
        except (OSError, pl.exceptions.PolarsError) as error:
            raise InputError(f"{path}: cannot be read: {_reason(path, error)}") from None
        if not rows:
            raise InputError(f"{path}: the file holds no shoes")
        return cls(path, counting, rows, largest)

    @property
    def mark(self) -> Mapping[str, Any]:
        """The file as it stands: its name, size and time of change."""
        about = self.path.stat()
        return {"file": self.path.name, "bytes": about.st_size, "changed": about.st_mtime_ns}

    def parts(self, first: int) -> Iterator[pl.DataFrame]:
        """In the order of the file."""
        import polars as pl

        frame = _scan(self.path)
        labels = self.counting.labels
        for number in range(first, -(-self.rows // PART)):
            rows = frame.slice(number * PART, PART).collect()
            yield rows.with_columns(rows.select(_whole(label).cast(pl.Int64) for label in labels))


def counting_of(game: Game, file: str, schema: Mapping[str, Any]) -> Counting:
    """How the shoes of a table with these columns are counted.

    Raises ``InputError`` saying which columns are missing, and for a column that is a card but belongs to no such way.
    """
    ways = countings(game)
    for counting in ways:
        if set(counting.labels) <= set(schema):
            every = {label for other in ways for label in other.labels}
            if mixed := [name for name in schema if name in every - set(counting.labels)]:
                raise InputError(f"{file}: shoes counted by {counting.name}, but there is a column {mixed[0]!r} too")
            return counting
    nearest = min(ways, key=lambda one: len(set(one.labels) - set(schema)) / len(one.labels))
    missing = [label for label in nearest.labels if label not in schema]
    raise InputError(
        f"{file}: no columns that count a shoe; counted by {nearest.name}, these are missing: {', '.join(missing)} "
        f"(counts may be by {', '.join(one.name for one in ways)})"
    )


def _refuse_coarse(path: Path, compiled: Compiled, counting: Counting) -> None:
    """Refuse counts that do not tell apart what some wagers ask for, saying which wagers they do for."""
    priced, problem = list[str](), None
    for measure, (part, _) in zip(compiled.measures, compiled.places, strict=True):
        try:
            counting.into(compiled.parts[part].classes)
        except InputError as error:
            problem = problem or f"{path.name}: {measure.wager.name if measure.wager else 'outcome'}: {error}"
        else:
            priced += [measure.wager.name] if measure.wager else []
    if problem:
        enough = " ".join(f"--wager {name}" for name in priced)
        raise InputError(problem + (f"; these counts are enough for {enough}" if enough else ""))


def _scan(path: Path) -> pl.LazyFrame:
    import polars as pl

    suffix = path.suffix.lower()
    if suffix not in (".csv", ".parquet"):
        raise InputError(f"{path}: shoes are read from .csv or .parquet")
    if not path.is_file():
        raise InputError(f"{path}: there is no such file")
    return pl.scan_csv(path, infer_schema=False) if suffix == ".csv" else pl.scan_parquet(path)


def _whole(label: str) -> pl.Expr:
    """A count as a whole number; None where it is none."""
    import polars as pl

    return pl.col(label).cast(pl.Int64, strict=False)


def _refuse_rows(path: Path, frame: pl.LazyFrame, counting: Counting, least: int) -> None:
    import polars as pl

    schema = frame.collect_schema()
    for label in counting.labels:
        if not (schema[label].is_integer() or schema[label] == pl.String):
            raise InputError(f"{path.name}: column {label!r} holds {schema[label]}; counts are whole numbers")
    counts = [_whole(label) for label in counting.labels]
    outside = pl.any_horizontal(~count.is_between(0, MOST_CARDS) | count.is_null() for count in counts)
    wrong = outside | (pl.sum_horizontal(counts) < least)
    found = frame.with_row_index(ROW, 1).filter(wrong).head(1).collect()
    if found.is_empty():
        return
    row = found.row(0, named=True)
    for label in counting.labels:
        text = str(row[label]) if row[label] is not None else ""
        if not text.isascii() or not text.isdigit():
            raise InputError(
                f"{path.name}: row {row[ROW]}: the count of {label} must be a whole number from 0, not {text!r}"
            )
        if int(text) > MOST_CARDS:
            raise InputError(
                f"{path.name}: row {row[ROW]}: the count of {label} is over {MOST_CARDS:,}, the most counted"
            )
    cards = sum(int(row[label]) for label in counting.labels)
    raise InputError(f"{path.name}: row {row[ROW]}: {cards} cards are too few for a round: it may need {least}")


def _reason(path: Path, error: Exception) -> str:
    """Why a table cannot be read: for CSV, the first row with another number of fields than the header."""
    if path.suffix.lower() == ".csv" and path.is_file():
        with path.open(encoding="utf-8", errors="replace", newline="") as file:
            lines = csv.reader(file)
            header = len(next(lines, []))
            for number, line in enumerate(lines, 1):
                if len(line) != header:
                    return f"row {number} has {len(line)} fields, the header {header}"
    return str(error).splitlines()[0]
