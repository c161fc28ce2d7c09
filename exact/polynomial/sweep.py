"""Many shoes worked out to a file: exact numerators over a shared denominator, in parts that survive a stop."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from math import lcm, perm
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exact import __version__
from exact.errors import InputError
from exact.polynomial.compiled import Compiled
from exact.polynomial.shoes import PART, Source

if TYPE_CHECKING:
    import numpy as np
    import polars as pl

    Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Sweep:
    """A sweep of shoes to a file; parts that are finished lie in a folder beside it until the file is whole."""

    compiled: Compiled
    source: Source
    output: Path

    @property
    def folder(self) -> Path:
        """Where finished parts wait."""
        return self.output.with_name(f"{self.output.name}.parts")

    @property
    def mark(self) -> dict[str, Any]:
        """Everything that decides what stands in the file."""
        compiled = self.compiled
        asked = [repr((m.digit.node, m.wager and [line.odds for line in m.wager.pays])) for m in compiled.measures]
        return {
            "game": compiled.game.name, "version": __version__, "options": compiled.game.chosen_texts(),
            "wagers": [m.wager.name for m in compiled.measures if m.wager], "given": compiled.given,
            "shoes": dict(self.source.mark), "rows": self.source.rows, "part": PART, "asked": asked,
        }  # fmt: skip

    @property
    def finished(self) -> int:
        """The shoes of the parts that a run before this one has finished."""
        return self.source.rows - sum(min(PART, self.source.rows - n * PART) for n in self._missing())

    def run(self, tell: Callable[[int], None] | None = None, jobs: int | None = None) -> int:
        """Work out every part that is not there yet, then join them; the number of shoes.

        Raises ``InputError`` where the folder holds parts of another sweep, and for a file that cannot be written.
        """
        try:
            self._open()
            self._work(self._missing(), tell, jobs or os.cpu_count() or 1)
            self._join()
        except OSError as error:
            raise InputError(f"cannot write {self.output}: {error.strerror or error}") from None
        return self.source.rows

    def _open(self) -> None:
        self.folder.mkdir(exist_ok=True)
        said, mark = self.folder / "sweep.json", json.dumps(self.mark, indent=1)
        if not said.exists():
            _write(said, lambda part: part.write_text(mark, encoding="utf-8"))
        elif said.read_text(encoding="utf-8") != mark:
            raise InputError(f"{self.folder} holds parts of another sweep: remove it, or write to another file")

    def _path(self, number: int) -> Path:
        return self.folder / f"part-{number:06}.parquet"

    def _missing(self) -> list[int]:
        return [n for n in range(-(-self.source.rows // PART)) if not self._path(n).exists()]

    def _work(self, missing: list[int], tell: Callable[[int], None] | None, jobs: int) -> None:
        """Missing parts, a few at a time: numpy works outside Python's lock, so that threads are enough."""
        if not missing:
            return
        numbered = enumerate(self.source.parts(missing[0]), missing[0])
        wanted = ((number, frame) for number, frame in numbered if number in set(missing))
        with ThreadPoolExecutor(jobs) as pool:
            running: set[Future[int]] = set()
            for number, frame in wanted:
                running.add(pool.submit(self._part, number, frame))
                if len(running) > jobs:
                    finished, running = wait(running, return_when=FIRST_COMPLETED)
                    _tell(finished, tell)
            _tell(wait(running).done, tell)

    def _part(self, number: int, shoes: pl.DataFrame) -> int:
        frame = worked(self.compiled, self.source, shoes, number * PART + 1)
        _write(self._path(number), frame.write_parquet)
        return frame.height

    def _join(self) -> None:
        import polars as pl

        every = pl.scan_parquet([self._path(n) for n in range(-(-self.source.rows // PART))])
        shown = {key: value for key, value in self.mark.items() if key not in ("part", "asked")}
        if self.output.suffix.lower() == ".csv":
            _write(self.output, every.sink_csv)
        else:
            said = {"exact": json.dumps(shown, ensure_ascii=False)}
            _write(self.output, lambda part: every.sink_parquet(part, metadata=said))
        shutil.rmtree(self.folder)


def worked(compiled: Compiled, source: Source, shoes: pl.DataFrame, first: int = 1) -> pl.DataFrame:
    """The shoes with their exact figures; ``first`` is the number of the first row, for messages.

    ``rounds`` are the ways of all rounds considered, ``ways_NAME`` those of an outcome. A wager's expectation is
    ``net_NAME`` over ``denominator`` (over ``denominator_NAME`` where it is offered in some rounds only),
    ``edge_NAME`` minus that as a float.
    """
    import numpy as np

    counts = shoes.select(source.counting.labels).to_numpy().astype(np.int64)
    many = compiled.at_many(counts, source.counting)
    rounds = many.rounds()
    if compiled.given is None and bool((rounds != many.total).any()):
        raise ArithmeticError(f"ways lost or wrapped in rows {first} to {first + len(counts) - 1}: please report this")
    units = [lcm(*(line.odds.denominator for line in m.wager.pays)) for m in compiled.measures if m.wager]
    unit = lcm(1, *units)
    text = _needs_text(compiled, source.largest, unit)
    columns: dict[str, pl.Series] = {"rounds": _series(rounds, text)}
    for place, measure in enumerate(compiled.measures):
        if measure.wager is None:
            found = many.ways(place)
            columns |= {f"ways_{o}": _series(found.get(o, rounds * 0), text) for o in compiled.game.outcomes}
    if units:
        columns["denominator"] = _series(_wide(rounds, text) * unit, text)
    for place, measure in enumerate(compiled.measures):
        if measure.wager is not None:
            net, offered = many.expectation(place)
            scale = unit // lcm(*(line.odds.denominator for line in measure.wager.pays))
            columns |= _wager_columns(measure.wager.name, _wide(net, text) * scale, _wide(offered, text) * scale, text)
            if measure.wager.offered is None:
                del columns[f"denominator_{measure.wager.name}"]
    return shoes.with_columns(**columns)


def _needs_text(compiled: Compiled, largest: int, unit: int) -> bool:
    """Whether some number of the file could be beyond 64 bits; known before anything is worked out."""
    odds = max((abs(line.odds) for m in compiled.measures if m.wager for line in m.wager.pays), default=1)
    return perm(largest, len(compiled.game.slots)) * unit * max(1, odds) >= 2**63


def _wager_columns(name: str, net: Array, offered: Array, text: bool) -> Mapping[str, pl.Series]:
    import numpy as np
    import polars as pl

    over = offered.astype(np.float64)
    edge = np.divide(-net.astype(np.float64), over, out=np.full(len(over), np.nan), where=over != 0)
    return {
        f"net_{name}": _series(net, text),
        f"denominator_{name}": _series(offered, text),
        f"edge_{name}": pl.Series(edge).fill_nan(None),
    }


def _wide(numbers: Array, text: bool) -> Array:
    return numbers.astype(object) if text else numbers


def _series(numbers: Array, text: bool) -> pl.Series:
    import polars as pl

    return pl.Series(list(map(str, numbers.tolist()))) if text else pl.Series(numbers.astype("int64"))


def _write(path: Path, write: Callable[[Path], object]) -> None:
    """Whole or not at all."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        write(part)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _tell(finished: set[Future[int]], tell: Callable[[int], None] | None) -> None:
    for one in finished:
        rows = one.result()
        if tell:
            tell(rows)
