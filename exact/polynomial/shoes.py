"""Where the many shoes of a sweep come from: a file, every way to remove some cards, or random depletion with a seed.

A source hands out its shoes in parts of a fixed number of rows, the same in every run, so that a sweep can continue
where it was interrupted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations_with_replacement, islice
from math import comb, prod
from typing import TYPE_CHECKING, Any, Protocol

from exact.errors import InputError
from exact.polynomial.compiled import Compiled
from exact.polynomial.counting import Counting
from exact.shoe import Shoe

if TYPE_CHECKING:
    import polars as pl

PART = 100_000  # rows; a part takes a second or two


class Source(Protocol):
    """Shoes in parts: data frames with a column for each label of ``counting``, and any others to be carried along."""

    @property
    def counting(self) -> Counting:
        """How the shoes are counted."""

    @property
    def mark(self) -> Mapping[str, Any]:
        """What these shoes are, so that an interrupted sweep is only continued with the same ones."""

    @property
    def rows(self) -> int:
        """How many shoes there are."""

    @property
    def largest(self) -> int:
        """The most cards that a shoe holds."""

    def parts(self, first: int) -> Iterator[pl.DataFrame]:
        """The parts from number ``first`` on."""


@dataclass(frozen=True, slots=True)
class RemoveAll:
    """Every shoe that lacks ``removed`` cards of a first one, with the number of ``subsets`` of cards that leave it."""

    counting: Counting
    counts: tuple[int, ...]
    removed: int

    @classmethod
    def of(cls, compiled: Compiled, shoe: Shoe, removed: int) -> RemoveAll:
        """Counted by the fewest columns; ``InputError`` where too few cards would be left for a round."""
        refuse_infinite(shoe)
        least = len(compiled.game.slots)
        if shoe.size - removed < least:
            raise InputError(
                f"{shoe.size} cards less {removed} are too few for a round: {compiled.game.name} may need {least}"
            )
        return cls(compiled.counting, compiled.counting.counts(shoe), removed)

    @property
    def mark(self) -> Mapping[str, Any]:
        """The first shoe and the number removed."""
        return {"remove_all": self.removed, "from": list(self.counts)}

    @property
    def rows(self) -> int:
        """The number of different shoes."""
        ways = [1] + [0] * self.removed
        for count in self.counts:
            ways = [sum(ways[n - k] for k in range(min(count, n) + 1)) for n in range(self.removed + 1)]
        return ways[self.removed]

    @property
    def largest(self) -> int:
        """The cards left."""
        return sum(self.counts) - self.removed

    def parts(self, first: int) -> Iterator[pl.DataFrame]:
        """In the order of the labels."""
        import polars as pl

        every = combinations_with_replacement(range(len(self.counts)), self.removed)
        removals = ([cards.count(kind) for kind in range(len(self.counts))] for cards in every)
        possible = (row for row in removals if all(k <= n for k, n in zip(row, self.counts, strict=True)))
        chosen = islice(possible, first * PART, None)
        many = comb(sum(self.counts), self.removed) >= 2**63
        while rows := list(islice(chosen, PART)):
            subsets = [prod(map(comb, self.counts, row)) for row in rows]
            data = {
                label: [self.counts[kind] - row[kind] for row in rows]
                for kind, label in enumerate(self.counting.labels)
            }
            yield pl.DataFrame(data).with_columns(
                pl.Series("subsets", list(map(str, subsets)) if many else subsets, pl.String if many else pl.Int64)
            )


@dataclass(frozen=True, slots=True)
class Depleted:
    """Random shoes: of a first one ``left`` cards are left, or a number uniformly random between a round's and all of
    them.

    Every subset of so many cards is equally likely: this is a uniform depth, not the start of a round in play.
    """

    counting: Counting
    counts: tuple[int, ...]
    rows: int
    seed: int
    least: int
    left: int | None = None

    @classmethod
    def of(cls, compiled: Compiled, shoe: Shoe, rows: int, seed: int, left: int | None = None) -> Depleted:
        """Counted by the fewest columns; ``InputError`` for an impossible number of cards left."""
        refuse_infinite(shoe)
        least = len(compiled.game.slots)
        if left is not None and not least <= left <= shoe.size:
            raise InputError(f"{left} cards left: a round needs {least}, and the shoe holds {shoe.size}")
        return cls(compiled.counting, compiled.counting.counts(shoe), rows, seed, least, left)

    @property
    def mark(self) -> Mapping[str, Any]:
        """The first shoe, the number of rows, the seed."""
        return {"random": self.rows, "seed": self.seed, "left": self.left, "from": list(self.counts)}

    @property
    def largest(self) -> int:
        """The cards of the first shoe."""
        return sum(self.counts)

    def parts(self, first: int) -> Iterator[pl.DataFrame]:
        """Each part has random numbers of its own, so that it is the same whichever part a run begins with."""
        import numpy as np
        import polars as pl

        for number in range(first, -(-self.rows // PART)):
            random = np.random.default_rng([self.seed, number])
            rows = min(PART, self.rows - number * PART)
            sizes = np.full(rows, self.left) if self.left else random.integers(self.least, self.largest + 1, rows)
            counts = np.empty((rows, len(self.counts)), dtype=np.int64)
            for size in np.unique(sizes):
                chosen = np.flatnonzero(sizes == size)
                counts[chosen] = random.multivariate_hypergeometric(self.counts, size, len(chosen))
            yield pl.DataFrame(dict(zip(self.counting.labels, counts.T, strict=True)))


def refuse_infinite(shoe: Shoe) -> None:
    """An endless shoe has no cards to lose."""
    if shoe.infinite:
        raise InputError("an infinite shoe never changes: give a number of decks")
