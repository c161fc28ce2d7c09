"""Printed tables: labels, ranges, words, and every fault by its key. (Whole wrong files: test_errors.)"""

from __future__ import annotations

from typing import Any

import pytest

from exact.rulefile.expression import Value
from exact.rulefile.printed import keys_of, read_table

TABLE = {
    "row": "score", "column": "card", "columns": "0-1 none", "words": {"D": True, "S": False},
    "cells": {"0-2": "D S", "3": "S D"},
}  # fmt: skip


def read(**change: object) -> tuple[Any, list[tuple[str, str]]]:
    """The table with some keys changed, and its faults."""
    faults: list[tuple[str, str]] = []
    raw = {key: value for key, value in {**TABLE, **change}.items() if value is not None}
    return read_table("draws", raw, lambda key, reason: faults.append((key, reason))), faults


@pytest.mark.parametrize(
    ("label", "keys"),
    [
        ("5", (5,)),
        ("0-3", (0, 1, 2, 3)),
        ("0..3", (0, 1, 2, 3)),
        ("-2..1", (-2, -1, 0, 1)),
        ("-2-1", (-2, -1, 0, 1)),
        ("-5", (-5,)),
        ("0-1, 8", (0, 1, 8)),
        ("none", (None,)),
        ("A K", ("A", "K")),
        ("10-J", ("10-J",)),
    ],
)
def test_labels(label: str, keys: tuple[Value, ...]) -> None:
    assert keys_of(label) == keys


def test_a_table_is_expanded_to_cells_and_kept_as_printed() -> None:
    table, faults = read(title="Draws", source="page 7")
    assert faults == []
    assert table.cells == {
        **{(row, column): True for row in (0, 1, 2) for column in (0, 1)},
        **{(row, None): False for row in (0, 1, 2)},
        (3, 0): False, (3, 1): False, (3, None): True,
    }  # fmt: skip
    assert (table.row_labels, table.column_labels) == (("0-2", "3"), ("0-1", "none"))
    assert table.words == (("D", "S"), ("S", "D"))
    assert (table.title, table.source) == ("Draws", "page 7")


def test_a_table_of_one_column() -> None:
    table, faults = read(column=None, columns=None, cells={"0-1": "D", "2": "S"})
    assert faults == []
    assert table.cells == {(0, None): True, (1, None): True, (2, None): False}


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"row": None}, ("row", "a table needs row (what its rows are read with) and cells.LABEL = words")),
        ({"cells": None}, ("row", "a table needs row (what its rows are read with) and cells.LABEL = words")),
        ({"column": None}, ("columns", "column (what is read) and columns (the printed heads) go together")),
        ({"columns": None}, ("columns", "column (what is read) and columns (the printed heads) go together")),
        ({"words": None}, ("words", "words = { WORD = true, ... } must say what each word in a cell means")),
        ({"words": {"D": 1.5}}, ("words", "words = { WORD = true, ... } must say what each word in a cell means")),
        ({"cells": {"0": "D"}}, ("cells.0", "the row misses cells: 2 expected, 1 given")),
        ({"cells": {"0": "D S D"}}, ("cells.0", "the row has too many cells: 2 expected, 3 given")),
        ({"cells": {"0": "D X"}}, ("cells.0", "the word 'X' is not among words; known: D, S")),
        (
            {"cells": {"0-1": "D S", "1": "D D"}},
            ("cells.1", "the cell (1, 0) is given twice, in rows '0-1' and '1'"),
        ),
        ({"columns": "0 0"}, ("cells.0-2", "the cell (0, 0) is given twice, in rows '0-2' and '0-2'")),
        ({"cells": {"0": "D D", "3": "S S"}}, ("cells", "the table misses the row 1, 2")),
        ({"columns": "0 2"}, ("cells", "the table misses the column 1")),
        ({"cells": {"5-3": "D D", "6": "S S"}}, ("cells.5-3", "the range '5-3' goes downwards")),
        ({"columns": "3-0 4"}, ("columns", "the range '3-0' goes downwards")),
    ],
)
def test_faults(change: dict[str, object], fault: tuple[str, str]) -> None:
    assert fault in read(**change)[1]
