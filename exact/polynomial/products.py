"""All multisets of a few cards, in an order in which the falling products of a shoe are made by whole runs.

The falling product of a multiset is in how many ways a shoe fills given places with those cards: for each class the
count, times one less, and so on. A multiset of d cards is one of d - 1 cards and one more of its last class. Ordered
by last class and how often it occurs, the multisets that gain the same card in the same way are neighbours, and so
are those they are made from: one multiplication of a run by a row, over a whole block of shoes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import comb
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

FEW = 16  # shoes


@dataclass(frozen=True, slots=True)
class Run:
    """Neighbouring multisets that gain a card of class ``kind`` of which ``gone`` are in them already."""

    source: slice
    kind: int
    gone: int
    target: slice


@dataclass(frozen=True)
class Products:
    """The multisets of up to ``cards`` cards of ``classes`` classes.

    >>> Products(10, 6).size(6)
    5005
    """

    classes: int
    cards: int

    def size(self, cards: int) -> int:
        """How many multisets have so many cards."""
        return _before(self.classes, cards)

    @cached_property
    def runs(self) -> tuple[tuple[Run, ...], ...]:
        """For each number of cards from 1 the runs that make all its multisets."""
        levels = []
        for cards in range(1, self.cards + 1):
            level = []
            for kind in range(self.classes):
                for times in range(1, cards + 1):
                    size, start = _before(kind, cards - times), self._start(cards, kind, times)
                    source = 0 if times == 1 else self._start(cards - 1, kind, times - 1)
                    if size:
                        level.append(Run(slice(source, source + size), kind, times - 1, slice(start, start + size)))
            levels.append(tuple(level))
        return tuple(levels)

    def _start(self, cards: int, kind: int, times: int) -> int:
        """Where the multisets of so many cards begin whose last class is ``kind``, held so many times."""
        return _before(kind, cards) + sum(_before(kind, cards - fewer) for fewer in range(1, times))

    def place(self, multisets: Array) -> Array:
        """The place of each multiset (rows x classes) among those of as many cards."""
        import numpy as np

        cards, place = multisets.sum(axis=1, dtype=np.int64), np.zeros(len(multisets), dtype=np.int64)
        for kind in reversed(range(self.classes)):
            times = multisets[:, kind]
            place += self._starts[cards, kind, times]
            cards -= times
        return place

    @cached_property
    def _starts(self) -> Array:
        """``_start`` by number of cards, last class and how often it is held; 0 where it is not."""
        import numpy as np

        starts = np.zeros((self.cards + 1, self.classes, self.cards + 1), dtype=np.int64)
        for cards in range(1, self.cards + 1):
            for kind in range(self.classes):
                starts[cards, kind, 1 : cards + 1] = [self._start(cards, kind, n) for n in range(1, cards + 1)]
        return starts

    def multisets(self, cards: int) -> Array:
        """All multisets of so many cards, in order (rows x classes)."""
        import numpy as np

        rows = np.zeros((1, self.classes), dtype=np.uint8)
        for level in self.runs[:cards]:
            larger = [rows[run.source] + (np.arange(self.classes) == run.kind) for run in level]
            rows = np.concatenate([*larger, np.zeros((0, self.classes))]).astype(np.uint8)
        return rows

    def room(self, shoes: int, kind: Any) -> list[Array]:
        """Memory for the products of so many shoes: for each number of cards an array (multisets x shoes)."""
        import numpy as np

        larger = (np.empty((self.size(cards), shoes), dtype=kind) for cards in range(1, self.cards + 1))
        return [np.ones((1, shoes), dtype=kind), *larger]  # without a card the product is 1

    def fill(self, room: list[Array], counts: Array) -> None:
        """The falling products for counts (classes x shoes) of at least 0, written into ``room``."""
        import numpy as np

        if counts.shape[1] <= FEW:
            self._fill_few(room, counts)
            return
        left = [counts - gone for gone in range(self.cards)]
        for smaller, larger, level in zip(room[:-1], room[1:], self.runs, strict=True):
            for run in level:
                np.multiply(smaller[run.source], left[run.gone][run.kind], out=larger[run.target])

    def _fill_few(self, room: list[Array], counts: Array) -> None:
        """The same for so few shoes that calling numpy for every run would take most of the time: class by class."""
        import numpy as np

        falling = np.ones((self.classes, self.cards + 1, counts.shape[1]), dtype=counts.dtype)
        for drawn in range(self.cards):
            np.multiply(falling[:, drawn], counts - drawn, out=falling[:, drawn + 1])
        every = np.ones((sum(map(len, room)), counts.shape[1]), dtype=counts.dtype)
        for kind, times in enumerate(self._columns):
            every *= falling[kind][times]
        start = 0
        for level in room:
            level[:] = every[start : start + len(level)]
            start += len(level)

    @cached_property
    def _columns(self) -> tuple[Array, ...]:
        """For each class how often every multiset of any number of cards holds it."""
        import numpy as np

        every = np.concatenate([self.multisets(cards) for cards in range(self.cards + 1)])
        return tuple(np.ascontiguousarray(column, dtype=np.intp) for column in every.T)


def _before(kind: int, cards: int) -> int:
    """How many multisets of so many cards use only the first ``kind`` classes."""
    return comb(kind + cards - 1, cards) if cards else 1
