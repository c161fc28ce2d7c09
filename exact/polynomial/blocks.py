"""Coefficients over card multisets, evaluated for many shoes at once by matrix products that cannot wrap or round.

Every multiset is filled up to one number of cards (a card more, whichever it is, changes no way), then cut in two
halves of the classes: ``ways = sum over left halves A of A x (sum over right halves B of coefficient x B)``, or the
other way round where there are fewer B; the inner sum is a matrix product over a block of shoes.

All terms are non-negative and their sum is at most the number of ordered deals of the shoe, so that no partial sum
exceeds that number either. (Where a half is impossible its factor is 0, whatever it multiplies.) Below 2^53
floating-point sums of whole numbers are therefore exact in any order; below 2^63 so are 64-bit integers; beyond,
Python's integers take over.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import perm
from typing import TYPE_CHECKING, Any

from exact.polynomial.products import Products

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

DOUBLE, INT64 = 2**53, 2**63
ROOM = 2**19  # products of a block of shoes: 4 MB, which mostly stay in the processor's cache


@dataclass(frozen=True)
class Blocks:
    """A table of coefficients ready for blocks of shoes.

    ``matrices[d]`` joins left products of d cards with right products of the others: answers x fewer x more, the half
    with more products last, since the matrix product goes over it. A round deals ``longest`` cards; those beyond the
    multisets' are dealt unseen. Answers with equal coefficients (an outcome,
    and the line of a wager that it decides) are worked out once: ``asked`` says which one each is.
    """

    longest: int
    asked: Array
    answers: int
    left: Products
    right: Products
    matrices: tuple[Array, ...]
    doubles: tuple[Array, ...]

    @classmethod
    def of(cls, drawn: Array, coefficients: Array, longest: int) -> Blocks:
        """From multisets (rows x classes) and coefficients (answers x rows)."""
        import numpy as np

        cards, classes = int(drawn.sum(axis=1).max(initial=0)), drawn.shape[1]
        rows = [row.tobytes() for row in coefficients]
        first = {row: rows.index(row) for row in rows}
        different, places = coefficients[list(first.values())], {row: place for place, row in enumerate(first)}
        multisets, table = filled(Products(classes, cards), drawn, different)
        middle = classes // 2
        left, right = Products(middle, cards), Products(classes - middle, cards)
        held = multisets[:, :middle].sum(axis=1)
        lefts, rights = left.place(multisets[:, :middle]), right.place(multisets[:, middle:])
        matrices = []
        for cards_left in range(cards + 1):
            some = np.flatnonzero(held == cards_left)
            matrix = np.zeros((len(table), left.size(cards_left), right.size(cards - cards_left)), dtype=np.int64)
            matrix[:, lefts[some], rights[some]] = table[:, some]
            matrices.append(matrix if matrix.shape[1] <= matrix.shape[2] else matrix.transpose(0, 2, 1).copy())
        doubles = tuple(matrix.astype(np.float64) for matrix in matrices)
        asked = np.array([places[row] for row in rows])
        return cls(longest, asked, len(table), left, right, tuple(matrices), doubles)

    def at(self, counts: Array) -> Array:
        """Ways of every answer (answers x shoes) for counts by class (shoes x classes): int64, or Python integers
        beyond.

        The shoes must hold whole numbers of at least 0, together at least ``longest`` cards each.
        """
        import numpy as np

        largest = int(counts.sum(axis=1).max(initial=0))
        kind: Any = np.int64 if perm(largest, self.longest) < INT64 else object
        exact: Any = np.float64 if perm(largest, self.right.cards) < DOUBLE else kind
        products = sum(half.size(n) for half in (self.left, self.right) for n in range(half.cards + 1))
        together = min(len(counts), max(8, ROOM // products // 8 * 8))
        work = _Work(self, together, exact)
        ways = np.empty((self.answers, len(counts)), dtype=kind)
        for start in range(0, len(counts), together):
            part = np.ascontiguousarray(counts[start : start + together].T)
            if part.shape[1] < together:
                work = _Work(self, part.shape[1], exact)
            ways[:, start : start + together] = self._unseen(work.ways(part.astype(exact)).astype(kind), part)
        return ways[self.asked]

    def _unseen(self, ways: Array, counts: Array) -> Array:
        """The ways times those of the cards that a round deals beyond the ones looked at."""
        sizes = counts.sum(axis=0).astype(ways.dtype)
        for further in range(self.right.cards, self.longest):
            ways *= sizes - further
        return ways


class _Work:
    """The memory that one block of shoes needs, and what is done in it."""

    def __init__(self, blocks: Blocks, shoes: int, kind: Any) -> None:
        import numpy as np

        self.blocks = blocks
        self.left, self.right = blocks.left.room(shoes, kind), blocks.right.room(shoes, kind)
        self.matrices = blocks.doubles if kind is np.float64 else tuple(m.astype(kind) for m in blocks.matrices)
        self.inner = [np.empty((*matrix.shape[:2], shoes), dtype=kind) for matrix in self.matrices]

    def ways(self, counts: Array) -> Array:
        """Ways of the cards looked at (answers x shoes), as whole numbers."""
        import numpy as np

        middle = self.blocks.left.classes
        self.blocks.left.fill(self.left, counts[:middle])
        self.blocks.right.fill(self.right, counts[middle:])
        ways = np.zeros((self.blocks.answers, counts.shape[1]), dtype=counts.dtype)
        for matrix, inner, *halves in zip(self.matrices, self.inner, self.left, reversed(self.right), strict=True):
            fewer, more = sorted(halves, key=len)
            np.matmul(matrix.reshape(-1, len(more)), more, out=inner.reshape(-1, counts.shape[1]))
            ways += np.einsum("ams,ms->as", inner, fewer)
        return ways.astype(np.int64) if ways.dtype == np.float64 else ways


def filled(products: Products, drawn: Array, coefficients: Array) -> tuple[Array, Array]:
    """All multisets of the most cards, each with the coefficients of those that it was filled up from.

    A product times what is left of the shoe is the sum, over the classes, of the product with one card more.
    """
    import numpy as np

    table = np.zeros((len(coefficients), 1), dtype=np.int64)
    sizes = drawn.sum(axis=1)
    for cards in range(products.cards + 1):
        if cards:
            smaller, table = table, np.zeros((len(coefficients), products.size(cards)), dtype=np.int64)
            rows = products.multisets(cards - 1)
            for kind in range(products.classes):
                table[:, products.place(rows + (np.arange(products.classes) == kind).astype(np.uint8))] += smaller
        own = np.flatnonzero(sizes == cards)
        table[:, products.place(drawn[own])] += coefficients[:, own]
    return products.multisets(products.cards), table
