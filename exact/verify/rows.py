"""Rows that fail, kept whole with what is wrong with them: written part by part, named only when they are complete."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from exact.errors import InputError
from exact.verify.replay import FAULTS, Replay
from exact.verify.source import LINE, Block

if TYPE_CHECKING:
    import polars as pl


class RowWriter:
    """Collects the faulty rows of all blocks in a csv or Parquet file; without a path it does nothing."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        if path is None:
            return
        if path.suffix.lower() not in (".csv", ".parquet"):
            raise InputError(f"rows that fail are written as .csv or .parquet, not {path.name!r}")
        if not path.parent.is_dir():
            raise InputError(f"cannot write {path}: there is no folder {path.parent}")
        self.parts = tempfile.TemporaryDirectory(prefix="exact-rows-")
        self.number = 0

    def __enter__(self) -> RowWriter:
        return self

    def write(self, block: Block, replay: Replay, faulty: pl.DataFrame) -> None:
        """The block's faulty rows, every column as the log has it."""
        if self.path is not None:
            self.add(block, faulty.select(LINE, *_faults(replay)))

    def add(self, block: Block, marked: pl.DataFrame) -> None:
        """Rows by ``LINE``, with the words of their faults in columns "shape" and "rule"."""
        import polars as pl

        if self.path is None:
            return
        names = [n for n in block.frame.collect_schema().names() if n != LINE]
        whole = marked.lazy().join(block.frame, on=LINE, how="inner", maintain_order="left")
        bad = pl.DataFrame(
            {
                LINE: [line for line, _, _ in block.unreadable],
                "shape": [f"unreadable row: {why}" for _, why, _ in block.unreadable],
                "rule": [""] * len(block.unreadable),
                "unreadable": [text for _, _, text in block.unreadable],
            },
            schema={LINE: pl.UInt32, "shape": pl.String, "rule": pl.String, "unreadable": pl.String},
        )
        frame = pl.concat(
            [whole.collect(), bad.with_columns(pl.col(LINE).cast(whole.collect_schema()[LINE]))], how="diagonal"
        ).sort(LINE)
        ordered = frame.select(
            pl.lit(block.file).alias("file"), pl.col(LINE).alias("line"), "shape", "rule", "unreadable", *names
        )
        ordered.write_parquet(Path(self.parts.name) / f"{self.number:08d}.parquet")
        self.number += 1

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.path is None:
            return
        try:
            if kind is None and self.number:
                self._name()
        finally:
            self.parts.cleanup()

    def _name(self) -> None:
        import polars as pl

        assert self.path is not None
        part = self.path.with_name(f".{self.path.name}.{os.getpid()}.part")
        rows = pl.scan_parquet(Path(self.parts.name) / "*.parquet")
        try:
            if self.path.suffix.lower() == ".csv":
                rows.sink_csv(part)
            else:
                rows.sink_parquet(part)
            part.replace(self.path)
        except OSError as error:
            raise InputError(f"cannot write {self.path}: {error.strerror}") from error
        finally:
            part.unlink(missing_ok=True)


def _faults(replay: Replay) -> list[pl.Expr]:
    """The faults of a row in words, those of its shape and those of the rules."""
    import polars as pl

    found = []
    for group in ("shape", "rule"):
        words = [
            pl.when(pl.col(FAULTS) & (1 << place) != 0).then(pl.lit(f"{check.fault} ({check.about})"))
            for place, check in enumerate(replay.checks)
            if check.group == group
        ]
        found.append(pl.concat_str(words, separator="; ", ignore_nulls=True).alias(group))
    return found
