"""Logs as they lie on disk, in blocks of bounded size: csv, tsv, JSON lines, JSON, Parquet, plain or in gzip or zip,
one or many files.
"""

from __future__ import annotations

import gzip
import io
import json
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from exact.errors import InputError
from exact.verify.separated import LONGEST_LINE, Separated

if TYPE_CHECKING:
    import polars as pl

SUFFIXES = (".csv", ".tsv", ".txt", ".jsonl", ".ndjson", ".json", ".parquet")
PACKED = (".gz", ".zip")
INFLATED = 300  # a log packs at most about 30 to 1; more than this is a bomb
SMALL = 64 * 2**20  # below this size nothing is a bomb
ROWS = 10_000_000  # of Parquet at a time; the streaming engine holds a small part of them

LINE = "line of the log"
Unreadable = tuple[int, str, str]  # line, what is wrong with it, its beginning


@dataclass(frozen=True, slots=True)
class Block:
    """Some consecutive rounds of a log: a lazy frame with the column ``LINE``, and the rows that could not be read at
    all.
    """

    file: str
    frame: pl.LazyFrame
    rows: int
    unreadable: tuple[Unreadable, ...] = ()


def find_files(paths: Sequence[str]) -> tuple[Path, ...]:
    """The log files that paths, folders and globs stand for, in order of name.

    Raises ``InputError`` where there are none, or where one is of no known kind.
    """
    found: list[Path] = []
    for text in paths:
        path = Path(text)
        if path.is_dir():
            found += [p for p in sorted(path.iterdir()) if _kind(p) is not None and not p.name.startswith(".")]
        elif path.is_file():
            found.append(path)
        else:
            base = Path(path.anchor) if path.is_absolute() else Path()
            found += sorted(base.glob(str(path.relative_to(base)))) if any(mark in text for mark in "*?[") else []
    if not found:
        raise InputError(
            f"there is no log {', '.join(map(repr, paths))} (give files, folders or globs of {' '.join(SUFFIXES)})"
        )
    for path in found:
        if _kind(path) is None:
            raise InputError(
                f"{path}: no known kind of log; known: {', '.join(SUFFIXES)}, each also in {' or '.join(PACKED)}"
            )
    return tuple(dict.fromkeys(found))


def blocks(path: Path, size: int) -> Iterator[Block]:
    """The rounds of one file, in blocks of about ``size`` bytes of text.

    Raises ``InputError`` for a file that cannot be read as what its name says.
    """
    import polars as pl

    try:
        match _kind(path):
            case ".parquet":
                yield from _parquet(path)
            case ".json":
                yield _json(path)
            case ".jsonl" | ".ndjson":
                yield from _json_lines(path, size)
            case _:
                with _opened(path) as stream:
                    for start, frame, unreadable in Separated(path.name, stream, size).blocks():
                        yield _block(path, frame, start, unreadable)
    except (OSError, EOFError, zlib.error, zipfile.BadZipFile) as error:
        raise InputError(f"{path}: cannot be read to its end: {error}") from error
    except pl.exceptions.PolarsError as error:
        raise InputError(f"{path}: cannot be read: {str(error).splitlines()[0]}") from error


def _block(path: Path, frame: pl.DataFrame, start: int, unreadable: Sequence[Unreadable]) -> Block:
    lazy = frame.lazy() if LINE in frame.columns else frame.lazy().with_row_index(LINE, start)
    return Block(path.name, lazy, frame.height, tuple(unreadable))


def _kind(path: Path) -> str | None:
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if suffixes and suffixes[-1] in PACKED:
        suffixes.pop()
    return suffixes[-1] if suffixes and suffixes[-1] in SUFFIXES else None


def _opened(path: Path) -> IO[bytes]:
    """The bytes of a file, unpacked as they are read; ``InputError`` for a bomb."""
    packed = path.stat().st_size
    match path.suffix.lower():
        case ".gz":
            return io.BufferedReader(_Guarded(gzip.open(path), path, packed))
        case ".zip":
            archive = zipfile.ZipFile(path)
            inside = [name for name in archive.namelist() if not name.endswith("/")]
            if len(inside) != 1:
                raise InputError(f"{path}: holds {len(inside)} files; a zip with one log is read")
            return io.BufferedReader(_Guarded(archive.open(inside[0]), path, packed))
    return path.open("rb")


class _Guarded(io.RawIOBase):
    """A packed stream that stops when it unpacks to more than any log would."""

    def __init__(self, stream: IO[bytes] | gzip.GzipFile, path: Path, packed: int) -> None:
        self.stream, self.path, self.limit, self.seen = stream, path, max(SMALL, packed * INFLATED), 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self.stream.read(len(buffer))
        self.seen += len(data)
        if self.seen > self.limit:
            raise InputError(f"{self.path}: unpacks to more than {INFLATED} times its size, as no log does: not read")
        buffer[: len(data)] = data
        return len(data)


def _parquet(path: Path) -> Iterator[Block]:
    import polars as pl

    if path.suffix.lower() in PACKED:
        raise InputError(f"{path}: Parquet is packed inside; give it as .parquet")
    lazy = pl.scan_parquet(path, glob=False)
    rows = int(lazy.select(pl.len()).collect().item())
    for start in range(0, rows, ROWS):
        part = lazy.slice(start, ROWS).with_row_index(LINE, start + 1)
        yield Block(path.name, flat(part), min(ROWS, rows - start))


def _json(path: Path) -> Block:
    import polars as pl

    with _opened(path) as stream:
        data = stream.read(SMALL + 1)
    if len(data) > SMALL:
        raise InputError(f"{path}: JSON of more than {SMALL // 2**20} MB is not read at once: write it as JSON lines")
    try:
        document = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: not JSON: {error}") from error
    if isinstance(document, dict):
        lists = [
            value for value in document.values() if isinstance(value, list) and value and isinstance(value[0], dict)
        ]
        if len(lists) != 1:
            raise InputError(f"{path}: expected a list of rounds, or an object with one list of rounds")
        document = lists[0]
    if not isinstance(document, list):
        raise InputError(f"{path}: expected a list of rounds")
    good = [(place, row) for place, row in enumerate(document, 1) if isinstance(row, dict)]
    bad = [
        (place, "not an object", str(row)[:80]) for place, row in enumerate(document, 1) if not isinstance(row, dict)
    ]
    frame = _records([row for _, row in good]).with_columns(
        pl.Series(LINE, [place for place, _ in good], dtype=pl.UInt32)
    )
    return _block(path, frame, 1, bad)


def _json_lines(path: Path, size: int) -> Iterator[Block]:
    start = 1
    with _opened(path) as stream:
        while data := stream.read(size):
            data += stream.readline(LONGEST_LINE) if not data.endswith(b"\n") else b""
            if len(data) > size + LONGEST_LINE - 1:
                raise InputError(
                    f"{path}: line {start + data.count(10)} is longer than {LONGEST_LINE // 2**20} MB: this is no log"
                )
            yield _parse_lines(path, data, start)
            start += data.count(b"\n")


def _parse_lines(path: Path, data: bytes, start: int) -> Block:
    """Fast where every line is an object of one shape, line by line where some are not."""
    import polars as pl

    if b"\0" not in data and b"\n\n" not in data:
        try:
            frame = flat(pl.read_ndjson(data, infer_schema_length=None).lazy()).collect()
            if frame.height == data.rstrip(b"\n").count(b"\n") + 1:
                return _block(path, frame, start, ())
        except pl.exceptions.PolarsError:
            pass
    rows, places, bad = list[dict[str, Any]](), list[int](), list[Unreadable]()
    for place, line in enumerate(data.decode("utf-8", "replace").split("\n"), start):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            bad.append((place, f"not JSON: {error}", line[:80]))
            continue
        if isinstance(row, dict):
            rows.append(row)
            places.append(place)
        else:
            bad.append((place, "not an object", line[:80]))
    frame = _records(rows).with_columns(pl.Series(LINE, places, dtype=pl.UInt32))
    return _block(path, frame, start, bad)


def _records(rows: Sequence[dict[str, Any]]) -> pl.DataFrame:
    """Objects as columns of text: a list of cards as one text, an object inside by its dotted name."""
    import polars as pl

    flattened = [dict(_flatten("", row)) for row in rows]
    names = list(dict.fromkeys(name for row in flattened for name in row))
    return pl.DataFrame({name: pl.Series([row.get(name) for row in flattened], dtype=pl.String) for name in names})


def _flatten(before: str, value: dict[str, Any]) -> Iterator[tuple[str, str | None]]:
    for key, item in value.items():
        name = f"{before}{key}"
        if isinstance(item, dict):
            yield from _flatten(f"{name}.", item)
        elif isinstance(item, list):
            yield name, " ".join(_element(part) for part in item)
        else:
            yield name, None if item is None else str(item)


def _element(part: Any) -> str:
    return "".join(str(piece) for piece in part.values()) if isinstance(part, dict) else str(part)


def flat(frame: pl.LazyFrame) -> pl.LazyFrame:
    """Objects inside as columns with dotted names, lists of cards as texts with spaces."""
    import polars as pl

    schema = frame.collect_schema()
    while any(isinstance(dtype, pl.Struct) for dtype in schema.values()):
        parts: list[pl.Expr] = []
        for name, dtype in schema.items():
            inside = [f.name for f in dtype.fields] if isinstance(dtype, pl.Struct) else None
            parts += [pl.col(name).struct.field(f).alias(f"{name}.{f}") for f in inside] if inside else [pl.col(name)]
        frame = frame.select(parts)
        schema = frame.collect_schema()
    return frame.with_columns(
        _joined(pl.col(name), dtype) for name, dtype in schema.items() if isinstance(dtype, pl.List | pl.Array)
    )


def _joined(column: pl.Expr, dtype: pl.DataType) -> pl.Expr:
    import polars as pl

    inner = getattr(dtype, "inner", pl.String())
    element = pl.element()
    if isinstance(inner, pl.Struct):
        element = pl.concat_str([pl.element().struct.field(f.name).cast(pl.String) for f in inner.fields])
    return column.list.eval(element.cast(pl.String)).list.join(" ")
