"""A game in the public format of Stake Engine's math-sdk: index.json, and per bet mode a lookup table of weights and
payouts.

A mode is one wager at a cost of 1. Its lookup table has a row (id, weight, payout) for each line: the weight in whole
numbers, the payout in hundredths of the bet with the stake included, both unsigned 64-bit integers. What these cannot
hold is refused with the reason.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from math import gcd
from pathlib import Path

from exact.errors import InputError
from exact.result import Result
from exact.wager import WagerFigures

LARGEST = 2**64 - 1
HUNDREDTHS = 100


def write_stake_engine(result: Result, folder: Path) -> list[Path]:
    """Writes index.json and a lookup table for every wager of a result; nothing where one of them cannot be held.

    Raises ``InputError`` for a weight beyond 64 bits, a payout that is no whole number of hundredths, or a folder that
    is not there.
    """
    if not folder.is_dir():
        raise InputError(f"cannot write to {folder}: there is no such folder")
    tables = {wager.name: list(lookup_rows(wager)) for wager in result.all.wagers}
    modes = [
        {"name": name, "cost": 1.0, "events": f"books_{name}.jsonl", "weights": f"lookUpTable_{name}_0.csv"}
        for name in tables
    ]
    files = {"index.json": json.dumps({"modes": modes}, indent=4) + "\n"}
    for name, rows in tables.items():
        files[f"lookUpTable_{name}_0.csv"] = "".join(f"{number},{weight},{payout}\n" for number, weight, payout in rows)
        books = ({"id": number, "payoutMultiplier": payout, "events": []} for number, _, payout in rows)
        files[f"books_{name}.jsonl"] = "".join(json.dumps(book) + "\n" for book in books)
    return [_write(folder / name, text) for name, text in files.items()]


def lookup_rows(wager: WagerFigures) -> Iterator[tuple[int, int, int]]:
    """Id, weight and payout of every line of a wager, weights in lowest terms.

    >>> from exact.wager import LineFigures
    >>> list(lookup_rows(WagerFigures("red", "", (LineFigures("red", Fraction(1), 18, 37),), 37, 37)))
    [(1, 18, 200), (2, 19, 0)]
    """
    pays = [(line.ways, 1 + line.odds) for line in wager.lines if line.ways]
    pays += [(wager.lost, Fraction(0))] if wager.lost else []
    common = gcd(*(ways for ways, _ in pays))
    for number, (ways, pay) in enumerate(pays, 1):
        payout = pay * HUNDREDTHS
        if payout.denominator != 1:
            raise InputError(f"wager {wager.name}: a payout of {pay} is no whole number of hundredths of the bet")
        if ways // common > LARGEST or payout > LARGEST:
            raise InputError(
                f"wager {wager.name}: a weight of {ways // common} does not fit in 64 bits, which the format holds"
            )
        yield number, ways // common, int(payout)


def _write(path: Path, text: str) -> Path:
    part = path.with_name(f".{path.name}.part")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from error
    finally:
        part.unlink(missing_ok=True)
    return path
