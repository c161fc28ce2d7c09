"""One place that turns result rows into a table for people, csv, tsv, json, jsonl, markdown, latex, html, ...

Two families. *For people* (table, markdown, latex, html): the tables of a report one after another, exact values as
"n/d" and as a decimal of ``digits`` places. *For programs*:

- json is the document of the report, led by its provenance;
- csv, tsv, jsonl and parquet are **one** long table: first the column ``table``, then the columns of all tables, then
  the provenance (in parquet: JSON in the file metadata under the key "exact"). xlsx has a sheet for each table and one
  for the provenance;
- in all of them an exact column ``x`` is the text "n/d" and ``x_value`` beside it the nearest float; counts are integer
  texts, since they outgrow every machine integer. A missing value is empty, and null where the format knows null.
"""

import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import BytesIO, StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exact.errors import InputError, nearest
from exact.output import layout
from exact.output.report import (
    Column,
    Count,
    Kind,
    Report,
    Row,
    Table,
    cell,
    flat_columns,
    flat_items,
    fraction_text,
    plain,
)

if TYPE_CHECKING:
    import polars as pl

__all__ = ["BINARY", "EXTENSIONS", "FORMATS", "Column", "Count", "Report", "Table"]
__all__ += ["chosen", "render", "replacing", "write"]

EXTENSIONS = {
    ".txt": "table",
    ".json": "json",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".csv": "csv",
    ".tsv": "tsv",
    ".md": "markdown",
    ".markdown": "markdown",
    ".tex": "latex",
    ".html": "html",
    ".htm": "html",
    ".parquet": "parquet",
    ".xlsx": "xlsx",
}
FORMATS = tuple(dict.fromkeys(EXTENSIONS.values()))
BINARY = ("parquet", "xlsx")


def write(report: Report, format: str | None = None, path: Path | None = None, digits: int = 8) -> None:
    """Writes the report to ``path`` (whole or not at all), without one to stdout.

    Raises InputError for an unknown format or extension, a file that cannot be written, a binary format on a terminal.
    """
    name = chosen(format, path)
    terminal = path is None and sys.stdout.isatty()
    if name in BINARY and terminal:
        raise InputError(f"{name} is no text for a terminal: give a file with -o, or send the output to one")
    data = (
        layout.terminal(report, digits, bold=True).encode()
        if terminal and name == "table"
        else render(report, name, digits)
    )
    if path is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    else:
        save(path, data)


def chosen(format: str | None, path: Path | None) -> str:
    """The format that is asked for by name, else by the extension of the path, else the table for people.

    Commands call it before they compute, so that bad input is refused at once.

    >>> chosen(None, Path("edges.tsv")), chosen("json", Path("edges.tsv")), chosen(None, None)
    ('tsv', 'json', 'table')

    Raises InputError for an unknown format or extension and for a folder that does not exist or cannot be written.
    """
    if format is not None and format not in FORMATS:
        raise InputError(f"unknown format {format!r}; {nearest(format, FORMATS)}")
    if path is None:
        return format or "table"
    if format is None and path.suffix.lower() not in EXTENSIONS:
        ending = f"the unknown extension {path.suffix!r}" if path.suffix else "no extension"
        raise InputError(f"{path} has {ending}; known: {', '.join(EXTENSIONS)} (or name a format with --format)")
    if path.is_dir():
        raise InputError(f"cannot write {path}: it is a folder")
    if not path.parent.is_dir():
        raise InputError(f"cannot write {path}: there is no folder {path.parent}")
    if not os.access(path.parent, os.W_OK):
        raise InputError(f"cannot write {path}: the folder {path.parent} is not writable")
    return format or EXTENSIONS[path.suffix.lower()]


def render(report: Report, format: str, digits: int = 8) -> bytes:
    """The bytes of the report in a format."""
    writers: dict[str, Callable[[], str | bytes]] = {
        "table": lambda: layout.terminal(report, digits),
        "json": lambda: _json(report),
        "jsonl": lambda: _jsonl(report),
        "csv": lambda: _separated(report, ","),
        "tsv": lambda: _separated(report, "\t"),
        "markdown": lambda: layout.markdown(report, digits),
        "latex": lambda: layout.latex(report, digits),
        "html": lambda: layout.html(report, digits),
        "parquet": lambda: _parquet(report),
        "xlsx": lambda: _xlsx(report),
    }
    data = writers[format]()
    return data.encode() if isinstance(data, str) else data


def save(path: Path, data: bytes) -> None:
    """Writes a file whole or not at all; raises InputError when it cannot be written."""
    with replacing(path) as part:
        part.write_bytes(data)


def refuse_unwritable(folder: Path) -> None:
    """``InputError`` for a folder that is none or cannot be made, before anything is worked out for it."""
    there = next(path for path in (folder.absolute(), *folder.absolute().parents) if path.exists())
    if not there.is_dir() or not os.access(there, os.W_OK):
        raise InputError(f"cannot write into {folder}: {there} is {'not writable' if there.is_dir() else 'no folder'}")


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A file to write that takes the place of ``path`` when it is whole, and is gone when it is not.

    Raises InputError where the file system refuses.
    """
    target = path.resolve()  # a link stays a link: the file it leads to is replaced
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        if target.exists() and not target.is_file():
            yield target  # a device or a pipe, which a rename would replace
            return
        try:
            yield part
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from error


def flat_row(table: Table, row: Row) -> dict[str, object]:
    flat: dict[str, object] = {}
    for column in table.columns:
        value: Any = row.get(column.name)
        if column.kind == "exact":
            flat[column.name] = None if value is None else fraction_text(value)
            flat[f"{column.name}_value"] = None if value is None else value.numerator / value.denominator
        elif column.kind == "count":
            flat[column.name] = None if value is None else str(int(value))
        else:
            flat[column.name] = plain(value)
    return flat


def _flat_schema(report: Report) -> dict[str, Kind]:
    """Columns of the one long table, in order of first appearance."""
    schema: dict[str, Kind] = {"table": "text"}
    for table in report.tables:
        for column in table.columns:
            for name, kind in flat_columns(column):
                if schema.setdefault(name, kind) != kind:
                    raise ValueError(f"column {name!r} is {schema[name]} in one table and {kind} in {table.name!r}")
    return schema


def _long_rows(report: Report) -> Iterator[dict[str, object]]:
    for table in report.tables:
        for row in table:
            yield {"table": table.name, **flat_row(table, row)}


def _provenance(report: Report, taken: Mapping[str, object]) -> dict[str, object]:
    """The provenance by column name; a name that a table uses itself is told apart by "report_"."""
    return {f"report_{key}" if key in taken else key: value for key, value in report.provenance.items()}


def _flat_provenance(report: Report, taken: Mapping[str, object]) -> dict[str, str]:
    return dict(pair for key, value in _provenance(report, taken).items() for pair in flat_items(key, value))


def _separated(report: Report, separator: str) -> str:
    import csv

    schema = _flat_schema(report)
    provenance = _flat_provenance(report, schema)
    if _has_frames(report):
        return _long_frame(report, provenance).write_csv(separator=separator)
    out = StringIO()
    writer = csv.writer(out, delimiter=separator, lineterminator="\n")
    writer.writerow([*schema, *provenance])
    for row in _long_rows(report):
        writer.writerow([*(cell(row.get(name)) for name in schema), *provenance.values()])
    return out.getvalue()


def _json(report: Report) -> str:
    document = report.document
    if document is None:
        document = {table.name: [flat_row(table, row) for row in table] for table in report.tables}
    whole = plain({**report.provenance, **document})
    return json.dumps(whole, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _jsonl(report: Report) -> str:
    schema = _flat_schema(report)
    provenance = plain(_provenance(report, schema))
    if _has_frames(report):  # an end of line never stands inside a JSON text, so that each "}\n" ends a row
        more = json.dumps(provenance, ensure_ascii=False)[1:]
        return _long_frame(report, {}).write_ndjson().replace("}\n", f",{more}\n" if provenance else "}\n")
    rows = ({**dict.fromkeys(schema), **row, **provenance} for row in _long_rows(report))
    return "".join(json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n" for row in rows)


def _has_frames(report: Report) -> bool:
    return not all(isinstance(table.rows, Sequence) for table in report.tables)


def _long_frame(report: Report, constants: Mapping[str, str]) -> "pl.DataFrame":
    """The one long table as a data frame, with columns of one value each at the end."""
    import polars as pl

    types = {"text": pl.String, "boolean": pl.Boolean, "integer": pl.Int64, "number": pl.Float64}
    parts = [pl.DataFrame(schema={name: types[kind] for name, kind in _flat_schema(report).items()})]
    for table in report.tables:
        own = {name: types[kind] for column in table.columns for name, kind in flat_columns(column)}
        if isinstance(table.rows, Sequence):
            part = pl.DataFrame([flat_row(table, row) for row in table.rows], schema=own)
        else:
            part = table.rows.select(pl.col(name).cast(kind) for name, kind in own.items())
        parts.append(part.with_columns(table=pl.lit(table.name)))
    return pl.concat(parts, how="diagonal").with_columns(
        pl.lit(text or None, pl.String).alias(name) for name, text in constants.items()
    )


def _parquet(report: Report) -> bytes:
    out = BytesIO()
    _long_frame(report, {}).write_parquet(
        out, metadata={"exact": json.dumps(plain(report.provenance), ensure_ascii=False)}
    )
    return out.getvalue()


def _xlsx(report: Report) -> bytes:
    import xlsxwriter

    out = BytesIO()
    texts = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False, "in_memory": True}
    with xlsxwriter.Workbook(out, texts) as book:
        bold = book.add_format({"bold": True})
        for table in report.tables:
            flat = [flat_row(table, row) for row in table]
            names = [name for column in table.columns for name, _ in flat_columns(column)]
            _sheet(book.add_worksheet(table.name[:31]), names, flat, bold)
        entries = [{"name": name, "value": value} for name, value in _flat_provenance(report, {}).items()]
        _sheet(book.add_worksheet("provenance"), ["name", "value"], entries, bold)
    return out.getvalue()


def _sheet(sheet: Any, names: list[str], rows: Sequence[Row], bold: Any) -> None:
    sheet.write_row(0, 0, names, bold)
    for index, row in enumerate(rows, start=1):
        if sheet.write_row(index, 0, [row.get(name) for name in names]):  # it says so and goes on
            raise InputError(
                f"row {index} of {sheet.name!r} is too large for xlsx (1048576 rows, 32767 characters a cell)"
            )
    sheet.freeze_panes(1, 0)
    sheet.autofit()
