"""Two answers to the same kind of question side by side: each probability and expectation, and B - A, exact."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from exact import __version__
from exact.errors import InputError
from exact.output.report import Column, Report, Row, Table, cell

DETAILS = ("pays",)  # tables whose lines are summed up in another table
LEADING = ("expectation", "probability")  # the figure of a table that is compared
Key = tuple[object, ...]


def compare(a: Report, b: Report) -> Report:
    """Each table that both reports have, row by row: the leading figure in A, in B, and the difference B - A.

    A row that only one of them has (an outcome or a wager the other game lacks) has no difference.

    Raises ``InputError`` where the two have no table in common.
    """
    others = {table.name: table for table in b.tables}
    pairs = [(table, others[table.name]) for table in a.tables if table.name in others and table.name not in DETAILS]
    tables = [table for pair in pairs if (table := _compared(*pair))]
    if not tables:
        raise InputError("these two have no outcomes or wagers in common to compare")
    document = {table.name: [_document(row) for row in table] for table in tables}
    provenance = {"version": __version__, "a": _side(a), "b": _side(b)}
    differing = ", ".join(_differing(a.provenance, b.provenance)) or "nothing"
    heading = (*(f"{name}: {line}" for name, side in (("A", a), ("B", b)) for line in side.heading[:2]),
               f"A and B differ in: {differing}")  # fmt: skip
    return Report(provenance, tuple(tables), document, heading)


def _side(report: Report) -> dict[str, object]:
    return {key: value for key, value in report.provenance.items() if key != "version"}


def _compared(a: Table, b: Table) -> Table | None:
    leading = next((name for name in LEADING if _has(a, name) and _has(b, name)), None)
    keys = [column for column in a.columns if column.kind in ("text", "boolean", "integer")]
    if leading is None or not all(_has(b, column.name) for column in keys):
        return None
    left, right = (_by_key(table, keys, leading) for table in (a, b))
    rows = []
    for key in [*left, *(key for key in right if key not in left)]:
        one, other = left.get(key), right.get(key)
        difference = None if one is None or other is None else other - one
        named = dict(zip((column.name for column in keys), key, strict=True))
        rows.append({**named, "figure": leading, "a": one, "b": other, "difference": difference})
    figures = (Column("a", "exact", "A", "value"), Column("b", "exact", "B", "value"))
    columns = (*keys, Column("figure"), *figures, Column("difference", "exact", "B - A", "both"))
    return Table(a.name, rows, columns, a.title)


def _has(table: Table, name: str) -> bool:
    return any(column.name == name for column in table.columns)


def _by_key(table: Table, keys: list[Column], leading: str) -> dict[Key, Fraction]:
    found: dict[Key, Fraction] = {}
    for row in table:
        value = row.get(leading)
        if isinstance(value, Fraction | int):
            found[tuple(row.get(column.name) for column in keys)] = Fraction(value)
    return found


def _document(row: Row) -> dict[str, Any]:
    """A row for programs; ``value`` is the difference as a number, rounded once."""
    difference = row["difference"]
    return {**row, "value": float(difference) if isinstance(difference, Fraction) else None}


def _differing(a: Mapping[str, object], b: Mapping[str, object]) -> list[str]:
    """What the two questions do not share, in words; of mappings that both name alike (options), the entries."""
    found: list[str] = []
    for key in (key for key in dict.fromkeys([*a, *b]) if a.get(key) != b.get(key)):
        one, other = a.get(key), b.get(key)
        if isinstance(one, Mapping) and isinstance(other, Mapping) and one.keys() == other.keys():
            entries = [name for name in one if one[name] != other[name]]
            simple = not any(isinstance(one[name], Mapping) for name in entries)
            found += [f"{name} ({cell(one[name])}, {cell(other[name])})" for name in entries] if simple else [key]
        else:
            found.append(key)
    return found
