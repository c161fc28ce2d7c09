"""Progress on stderr: only on a terminal, and only for what takes more than a second."""

from __future__ import annotations

import sys
from time import monotonic
from types import TracebackType


class Progress:
    """Counts what is done and says so now and then; without a terminal it says nothing.

    ``total`` is what there is to do, where it is known, ``done`` what was done before.
    """

    def __init__(self, unit: str, total: int | None = None, done: int = 0) -> None:
        self.unit, self.total, self.done, self.before = unit, total, done, done
        self.start = self.said = monotonic()
        self.shown = False

    def __enter__(self) -> Progress:
        return self

    def add(self, number: int) -> None:
        """So much more is done."""
        self.done += number
        now = monotonic()
        if sys.stderr.isatty() and now - self.start > 1 and now - self.said > 0.2:
            self.said, self.shown = now, True
            rate = (self.done - self.before) / (now - self.start)
            left = f", {(self.total - self.done) / rate:.0f} s left" if self.total and rate else ""
            of = f" of {self.total:,}" if self.total else ""
            print(
                f"\r{self.done:,}{of} {self.unit}, {rate:,.0f} a second{left} \x1b[K",
                end="",
                file=sys.stderr,
                flush=True,
            )

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
