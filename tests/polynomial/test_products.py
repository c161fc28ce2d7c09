"""Falling products by runs, against counting them one by one."""

from __future__ import annotations

from itertools import combinations_with_replacement
from math import comb, perm, prod

import numpy as np
import pytest

from exact.polynomial.products import FEW, Products

SHAPES = [(1, 3), (3, 4), (5, 2), (4, 0), (10, 6)]


@pytest.mark.parametrize(("classes", "cards"), SHAPES)
def test_every_multiset_once_and_in_its_place(classes: int, cards: int) -> None:
    products = Products(classes, cards)
    for size in range(cards + 1):
        rows = products.multisets(size)
        expected = {tuple(map(c.count, range(classes))) for c in combinations_with_replacement(range(classes), size)}
        assert {tuple(row) for row in rows.tolist()} == expected
        assert len(rows) == products.size(size) == comb(classes + size - 1, size)
        assert products.place(rows).tolist() == list(range(len(rows)))


@pytest.mark.parametrize("shoes", [1, FEW, FEW + 1, 40])
@pytest.mark.parametrize("kind", [np.float64, np.int64, object])
def test_products_of_every_multiset(shoes: int, kind: type) -> None:
    counts = np.random.default_rng(5).integers(0, 9, (4, shoes))
    products = Products(4, 5)
    room = products.room(shoes, kind)
    products.fill(room, counts.astype(kind))
    for size, level in enumerate(room):
        for row, found in zip(products.multisets(size).tolist(), level.tolist(), strict=True):
            assert found == [prod(map(perm, shoe, row)) for shoe in counts.T.tolist()]
