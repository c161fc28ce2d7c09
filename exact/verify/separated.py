"""Separated text (csv, tsv) block by block: rows of the wrong length, NUL bytes and endless lines are found, never
guessed around.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from typing import IO, TYPE_CHECKING

from exact.errors import InputError

if TYPE_CHECKING:
    import polars as pl

LONGEST_LINE = 4 * 2**20  # bytes; a round takes a few hundred at most
_SEPARATORS = b",;\t|"


class Separated:
    """One file of separated text. Every cell stays text; the first line names the columns, or they are numbered."""

    def __init__(self, file: str, stream: IO[bytes], size: int) -> None:
        self.file, self.stream, self.size = file, stream, size
        first = self._line()
        self.encoding = "utf-16" if first[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8"
        if self.encoding == "utf-16":
            raise InputError(f"{file}: is UTF-16 text; write it as UTF-8")
        first = first.removeprefix(b"\xef\xbb\xbf")
        if not first.strip():
            raise InputError(f"{file}: is empty, or its first line is")
        if b"\0" in first:
            raise InputError(f"{file}: its first line holds NUL bytes: this is no text in UTF-8")
        counts = {bytes([mark]): first.count(bytes([mark])) for mark in _SEPARATORS}
        self.separator = max(counts, key=lambda mark: counts[mark]).decode()
        try:
            cells = next(csv.reader([first.decode("utf-8", "replace").rstrip("\r\n")], delimiter=self.separator))
        except csv.Error as error:
            raise InputError(
                f"{file}: its first line cannot be read (do all lines end with a line feed?): {error}"
            ) from error
        headless = all(re.fullmatch(r"\s*(-?\d+(\.0)?|10|[AJQKT2-9][SHDC]?|)\s*", cell) for cell in cells)
        self.names = (
            [str(place) for place in range(1, len(cells) + 1)] if headless else [cell.strip() for cell in cells]
        )
        if len(set(self.names)) < len(self.names):
            raise InputError(f"{file}: two columns have the same name in the first line: {', '.join(self.names)}")
        self.rest, self.start = (first, 1) if headless else (b"", 2)

    def _line(self) -> bytes:
        line = self.stream.readline(LONGEST_LINE)
        if len(line) >= LONGEST_LINE:
            raise InputError(f"{self.file}: a line is longer than {LONGEST_LINE // 2**20} MB: this is no log")
        return line

    def blocks(self) -> Iterator[tuple[int, pl.DataFrame, list[tuple[int, str, str]]]]:
        """First line number, rows as text, and the rows that could not be read."""
        while True:
            data = self.rest + self.stream.read(self.size)
            self.rest = b""
            if not data:
                return
            if not data.endswith(b"\n"):
                data += self._line()
            while data.count(b'"') % 2 and (more := self._line()):  # a line that ends inside quotes
                data += more
                if len(data) > self.size + 4 * LONGEST_LINE:
                    raise InputError(f"{self.file}: a quoted cell from line {self.start} on never ends")
            frame, bad = self._read(data)
            yield self.start, frame, bad
            self.start += data.count(b"\n")

    def _read(self, data: bytes) -> tuple[pl.DataFrame, list[tuple[int, str, str]]]:
        """All rows at once where each has its cells, line by line where one has not."""
        import polars as pl

        wide = len(self.names)
        data = data.replace(b"\r\n", b"\n")
        lines = data.count(b"\n") + (not data.endswith(b"\n"))
        self._refuse_long(data)
        plain = b'"' not in data and b"\0" not in data and b"\n\n" not in data and not data.startswith(b"\n")
        if plain and data.count(self.separator.encode()) == lines * (wide - 1):
            try:
                frame = pl.read_csv(
                    data, has_header=False, separator=self.separator, infer_schema=False, quote_char=None,
                    encoding="utf8-lossy",
                    new_columns=self.names, schema={name: pl.String() for name in self.names},
                )  # fmt: skip
                if frame.height == lines:
                    return frame, []
            except pl.exceptions.PolarsError:
                pass
        return self._row_by_row(data)

    def _refuse_long(self, data: bytes) -> None:
        place = 0
        while place + LONGEST_LINE < len(data):
            end = data.rfind(b"\n", place, place + LONGEST_LINE)
            if end < 0:
                raise InputError(f"{self.file}: a line is longer than {LONGEST_LINE // 2**20} MB: this is no log")
            place = end + 1

    def _row_by_row(self, data: bytes) -> tuple[pl.DataFrame, list[tuple[int, str, str]]]:
        import polars as pl

        from exact.verify.source import LINE

        rows, places, bad = list[list[str]](), list[int](), list[tuple[int, str, str]]()
        text = data.decode("utf-8", "replace")
        reader = csv.reader(text.split("\n"), delimiter=self.separator)
        csv.field_size_limit(LONGEST_LINE)
        line = 0
        while True:
            place = self.start + line
            try:
                row = next(reader)
            except StopIteration:
                break
            except csv.Error as error:
                bad.append((place, str(error).partition(" - ")[0], ""))
                line = reader.line_num
                continue
            line = reader.line_num
            if not row:
                continue
            if len(row) != len(self.names):
                bad.append(
                    (place, f"{len(row)} cells where {len(self.names)} are named", self.separator.join(row)[:80])
                )
                continue
            if any("\0" in cell for cell in row):
                bad.append((place, "a NUL byte", self.separator.join(row).replace("\0", "\\0")[:80]))
                continue
            rows.append(row)
            places.append(place)
        frame = pl.DataFrame(rows, schema={name: pl.String() for name in self.names}, orient="row")
        return frame.with_columns(pl.Series(LINE, places, dtype=pl.UInt32)), bad
