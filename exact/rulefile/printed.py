"""The tables of a rule file as they are printed: rows, columns and cells by word, ranges expanded, gaps and doubles
refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from exact.errors import nearest
from exact.rulefile.expression import Value
from exact.rulefile.game import PrintedTable

_RANGE = re.compile(r"(-?\d+)(?:-|\.\.)(-?\d+)")
Fault = Callable[[str, str], None]  # (key, reason)


def keys_of(label: str) -> tuple[Value, ...]:
    """The keys a printed label stands for: "0-7, 9" is eight numbers, "none" is NULL, other words are texts.

    >>> keys_of("0-2, 9, none")
    (0, 1, 2, 9, None)
    """
    keys: list[Value] = []
    for part in label.replace(",", " ").split():
        if match := _RANGE.fullmatch(part):
            keys.extend(range(int(match[1]), int(match[2]) + 1))
        else:
            keys.append(None if part == "none" else int(part) if re.fullmatch(r"-?\d+", part) else part)
    return tuple(keys)


def _is_backward(part: str) -> bool:
    """Whether a range stands for no number at all."""
    match = _RANGE.fullmatch(part)
    return match is not None and int(match[1]) > int(match[2])


def read_table(name: str, raw: Mapping[str, Any], fault: Fault) -> PrintedTable | None:
    """One ``[table.NAME]`` of a rule file; every fault is reported by key."""
    cells_raw = raw.get("cells")
    if not isinstance(raw.get("row"), str) or not isinstance(cells_raw, Mapping):
        fault("row", "a table needs row (what its rows are read with) and cells.LABEL = words")
        return None
    column_labels = tuple(str(raw.get("columns", "")).split()) or ("",)
    if ("column" in raw) != ("columns" in raw):
        fault("columns", "column (what is read) and columns (the printed heads) go together")
        return None
    for label in (*column_labels, *cells_raw):
        if backward := next((part for part in label.replace(",", " ").split() if _is_backward(part)), None):
            fault(f"cells.{label}" if label in cells_raw else "columns", f"the range {backward!r} goes downwards")
    column_keys = [keys_of(label) if "column" in raw else (None,) for label in column_labels]
    meanings = _meanings(raw.get("words"), fault)
    words, cells = [], {}
    seen: dict[tuple[Value, Value], str] = {}
    for label, line in cells_raw.items():
        found = str(line).split()
        words.append(tuple(found))
        if len(found) != len(column_labels):
            problem = "misses cells" if len(found) < len(column_labels) else "has too many cells"
            fault(f"cells.{label}", f"the row {problem}: {len(column_labels)} expected, {len(found)} given")
            continue
        for word, keys in zip(found, column_keys, strict=True):
            if meanings and word not in meanings:
                fault(f"cells.{label}", f"the word {word!r} is not among words; {nearest(word, meanings)}")
                continue
            for key in ((row, column) for row in keys_of(label) for column in keys):
                if key in cells:
                    fault(
                        f"cells.{label}", f"the cell {_cell(key)} is given twice, in rows {seen[key]!r} and {label!r}"
                    )
                cells[key], seen[key] = meanings.get(word), label
    _find_gaps(cells, fault)
    return PrintedTable(
        name, str(raw.get("title", name)), raw["row"], raw.get("column"), tuple(cells_raw), column_labels, tuple(words),
        cells, str(raw.get("source", "")), tuple(str(raw.get("arguments", "")).split()),
    )  # fmt: skip


def _meanings(raw: object, fault: Fault) -> dict[str, Value]:
    if not isinstance(raw, Mapping) or not all(isinstance(v, bool | int | str) for v in raw.values()):
        fault("words", "words = { WORD = true, ... } must say what each word in a cell means")
        return {}
    return dict(raw)


def _cell(key: tuple[Value, Value]) -> str:
    return f"{key[0]}" if key[1] is None else f"({key[0]}, {key[1]})"


def _find_gaps(cells: Mapping[tuple[Value, Value], Value], fault: Fault) -> None:
    """A table of numbers may end anywhere (naturals have no row) but may not have a hole."""
    for axis, what in ((0, "row"), (1, "column")):
        numbers = {key[axis] for key in cells if isinstance(key[axis], int)}
        missing = [n for n in range(min(numbers), max(numbers)) if n not in numbers] if numbers else []  # type: ignore[type-var, arg-type]
        if missing:
            fault("cells", f"the table misses the {what} {', '.join(map(str, missing))}")
