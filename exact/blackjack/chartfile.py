"""A strategy chart from a file: CSV as ``exact strategy`` writes it, or TOML; every cell as printed."""

from __future__ import annotations

import csv
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from exact.blackjack.cards import RANKS, rank_index
from exact.blackjack.chart import CODE_NAMES, HARD_TOTALS, OTHER_SPELLINGS, SOFT_TOTALS, UPS, Chart
from exact.errors import InputError, nearest

TABLES = {"hard": "hard", "soft": "soft", "pairs": "pair"}
HEADS = tuple(RANKS[up] for up in UPS)
Cells = dict[tuple[str, int, int], str]


def read_chart(path: Path) -> Chart:
    """The chart of a file.

    CSV: the columns ``table`` (hard, soft or pairs), ``hand`` ("16", "17+", "13-15"; a pair as "8,8") and one for each
    up card, 2 to 10 and A. TOML: the tables ``hard``, ``soft`` and ``pairs`` with a row for each hand, such as
    ``16 = "S S S S S H H H H H"``.

    Raises ``InputError`` naming file, row and column for what cannot be read.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if path.suffix.lower() not in (".csv", ".toml"):
        raise InputError(f"{path}: a strategy is a .csv or .toml file")
    rows = _csv_rows(text, path.name) if path.suffix.lower() == ".csv" else _toml_rows(text, path.name)
    cells: Cells = {}
    for table, hand, codes, where in rows:
        for row in _hands(TABLES[table], hand, where):
            for up, code in codes.items():
                if code.strip():
                    key = (TABLES[table], row, up)
                    if key in cells:
                        raise InputError(f"{where}: a second entry for {hand} against {RANKS[up]}")
                    cells[key] = _code(code, f"{where}, against {RANKS[up]}")
    return Chart.of(cells)


Rows = Iterator[tuple[str, str, Mapping[int, str], str]]


def _csv_rows(text: str, name: str) -> Rows:
    reader = csv.DictReader(text.splitlines())
    missing = [head for head in ("table", "hand", *HEADS) if head not in (reader.fieldnames or ())]
    if missing:
        raise InputError(
            f"{name}: a strategy has the columns table,hand,{','.join(HEADS)}; missing: {', '.join(missing)}"
        )
    for number, row in enumerate(reader, 2):
        if row["table"] in TABLES:
            codes = {rank_index(head): row[head] or "" for head in HEADS}
            yield row["table"], row["hand"] or "", codes, f"{name}, line {number} ({row['table']} {row['hand']})"


def _toml_rows(text: str, name: str) -> Rows:
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{name}: not a TOML file: {error}") from None
    for table, rows in document.items():
        if table not in TABLES:
            raise InputError(f"{name}: unknown table {table!r}; {nearest(table, TABLES)}")
        for hand, codes in _mapping(rows, f"{name}, {table}").items():
            where = f"{name}, {table} {hand}"
            words = str(codes).split()
            if len(words) != len(HEADS):
                raise InputError(f"{where}: {len(words)} codes; there is one for each up card: {' '.join(HEADS)}")
            yield table, hand, dict(zip(UPS, words, strict=True)), where


def _mapping(value: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise InputError(f'{where}: write a row for each hand, such as 16 = "S S S S S H H H H H"')
    return value


def _hands(kind: str, text: str, where: str) -> Iterator[int]:
    """The totals, or the pair's rank, that a row's name means."""
    if kind == "pair":
        ranks = {rank_index(card) for card in text.split(",")}
        if len(ranks) != 1 or text.count(",") > 1:
            raise InputError(f"{where}: {text!r} is no pair; write 8,8")
        yield ranks.pop()
        return
    totals = HARD_TOTALS if kind == "hard" else SOFT_TOTALS
    match = re.fullmatch(r"(\d+)(?:(\+)|-(\d+))?", text.strip())
    first, last = (int(match[1]), int(match[3] or (totals[-1] if match[2] else match[1]))) if match else (1, 0)
    if not totals[0] <= first <= last <= totals[-1]:
        raise InputError(f"{where}: {text!r} is no {kind} total; write {totals[0]} to {totals[-1]}, 17+ or 13-15")
    yield from range(first, last + 1)


def _code(text: str, where: str) -> str:
    word = text.strip()
    known = {code.upper(): code for code in CODE_NAMES} | OTHER_SPELLINGS
    if word.upper() not in known:
        raise InputError(f"{where}: unknown code {word!r}; {nearest(word, CODE_NAMES)}")
    return known[word.upper()]
