"""A game in the public format of Stake Engine's math-sdk: index.json, and per mode a lookup table and its books.

A mode is one wager. Its lookup table has a row (id, weight, payout) a line of the wager, all unsigned 64-bit integers
with the weights' sum among them; the payout is in hundredths of the base bet with the stake included, in steps of ten
(0.1). Where a stake of one base bet pays other amounts, the mode costs the least whole number of them that does not: 2
for a Banker win at 19 to 20. The books hold the same payouts by id, as JSON lines in a Zstandard frame.

Source: engine.io/docs/math/math-file-format, and utils/rgs_verification.py of github.com/StakeEngine/math-sdk, whose
checks are made here first.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from pathlib import Path

from exact.errors import InputError
from exact.output import refuse_unwritable, replacing
from exact.result import Result
from exact.wager import WagerFigures

LARGEST = 2**64 - 1
BASE = 100  # a payout of one base bet
STEP = 10


@dataclass(frozen=True, slots=True)
class Mode:
    """One wager: what a round costs in base bets, and (id, weight, payout) of every line, weights in lowest terms."""

    name: str
    cost: int
    rows: tuple[tuple[int, int, int], ...]

    @property
    def events(self) -> str:
        """The file of its books."""
        return f"books_{self.name}.jsonl.zst"

    @property
    def weights(self) -> str:
        """The file of its lookup table."""
        return f"lookUpTable_{self.name}_0.csv"


def write_stake_engine(result: Result, folder: Path) -> list[Path]:
    """Writes index.json, a lookup table and books for every wager of a result; nothing where one cannot be held.

    Raises ``InputError`` for weights or payouts beyond 64 bits, or a folder that cannot be made.
    """
    refuse_unwritable(folder)
    modes = [mode_of(wager) for wager in result.all.wagers]
    files: dict[str, bytes] = {}
    for mode in modes:
        files[mode.weights] = "".join(f"{number},{weight},{payout}\n" for number, weight, payout in mode.rows).encode()
        books = "".join(_book(number, payout) for number, _, payout in mode.rows)
        files[mode.events] = zstandard(books.encode())
    index = [{"name": m.name, "cost": float(m.cost), "events": m.events, "weights": m.weights} for m in modes]
    files["index.json"] = (json.dumps({"modes": index}, indent=4) + "\n").encode()
    folder.mkdir(parents=True, exist_ok=True)
    return [_write(folder / name, data) for name, data in files.items()]


def mode_of(wager: WagerFigures) -> Mode:
    """The mode of a wager.

    >>> from exact.wager import LineFigures
    >>> red = LineFigures("red", Fraction(19, 20), 18, 37)
    >>> mode_of(WagerFigures("red", "", (red,), 37, 37))
    Mode(name='red', cost=2, rows=((1, 18, 390), (2, 19, 0)))

    Raises ``InputError`` where 64 bits do not hold its weights or payouts, or its name is none for a file.
    """
    if not re.fullmatch(r"[\w-]+", wager.name):
        raise InputError(f"wager {wager.name!r}: files are named after it: letters, digits, - and _ only")
    pays = [(line.ways, 1 + line.odds) for line in wager.lines if line.ways]
    pays += [(wager.lost, Fraction(0))] if wager.lost else []
    common = gcd(*(ways for ways, _ in pays))
    cost = lcm(*((pay * BASE / STEP).denominator for _, pay in pays))
    rows = tuple((number, ways // common, int(pay * cost * BASE)) for number, (ways, pay) in enumerate(pays, 1))
    for what, number in (("weights that sum to", sum(row[1] for row in rows)), *(("a payout of", r[2]) for r in rows)):
        if not 0 <= number <= LARGEST:
            raise InputError(f"wager {wager.name}: {what} {number}: the format holds 0 to 2^64 - 1")
    return Mode(wager.name, cost, rows)


def _book(number: int, payout: int) -> str:
    event = {"index": 0, "type": "finalWin", "amount": payout}
    return json.dumps({"id": number, "events": [event], "payoutMultiplier": payout}) + "\n"


def zstandard(data: bytes) -> bytes:
    """A Zstandard frame (RFC 8878) of raw blocks: books of a few lines need no compression, only its format."""
    most = min(max(len(data), 1), 2**17)  # no block may be larger than the window, here the content, or 128 KB
    blocks = [data[start : start + most] for start in range(0, max(len(data), 1), most)]
    frame = b"\x28\xb5\x2f\xfd" + b"\xe0" + len(data).to_bytes(8, "little")  # one segment, content size of 8 bytes
    for place, block in enumerate(blocks, 1):
        frame += (len(block) << 3 | (place == len(blocks))).to_bytes(3, "little") + block
    return frame


def _write(path: Path, data: bytes) -> Path:
    with replacing(path) as part:
        part.write_bytes(data)
    return path
