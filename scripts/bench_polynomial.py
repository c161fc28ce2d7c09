"""What the counting polynomial costs, for bench.py: one shoe, a sweep of many on one and two cores, and its memory.

Times are the least of many short runs: whatever else the machine does can only add to them.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

MAIN = """
import os
os.environ["OPENBLAS_NUM_THREADS"] = "1"
from statistics import median
from time import perf_counter
import numpy as np
from exact.polynomial.compiled import compiled
from exact.games import load
from exact.result import compute
from exact.shoe import Shoe
from exact.polynomial.shoes import Depleted
game, shoe = load("baccarat"), Shoe.decks(8)
wagers = [game.wager(name) for name in ("player", "banker", "tie")]
found, outcomes = compiled(game, wagers), compiled(game, [])
def shoes(rows):
    frame = next(Depleted.of(outcomes, shoe, rows, 1).parts(0))
    return frame.to_numpy().astype(np.int64) @ outcomes.counting.into(outcomes.parts[0].classes)
def sweep(counts):
    start = perf_counter()
    ways = outcomes.parts[0].blocks.at(counts)
    spent = perf_counter() - start
    sizes = counts.sum(axis=1)
    assert (ways.sum(axis=0) == sizes*(sizes-1)*(sizes-2)*(sizes-3)*(sizes-4)*(sizes-5)).all()
    return spent / len(counts)
"""
ONE_SHOE = """
def figures():
    start = perf_counter()
    assert found.figures(shoe).outcome("tie").ways == 475627426473216
    return perf_counter() - start
figures()
print(1000 * min(figures() for _ in range(500)))
"""
SWEEP = """
counts = shoes(20_000)
sweep(counts[:1000])
print(1e6 * min(sweep(counts) for _ in range(25)))
"""
BOTH = """
from concurrent.futures import ThreadPoolExecutor
counts = shoes(100_000)
sweep(counts[:1000])
def both():
    start = perf_counter()
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(sweep, np.array_split(counts, 8)))
    return (perf_counter() - start) / len(counts)
print(1e6 * min(both() for _ in range(10)))
"""
LINEAR = """
counts = shoes(100_000)
sweep(counts[:1000])
print(median(sweep(counts) / sweep(counts[:10_000]) for _ in range(5)))
"""
ENUMERATION = """
def enumerate_once():
    start = perf_counter()
    compute(game, shoe, wagers)
    return perf_counter() - start
enumerate_once()
"""
ENUMERATED = f"""{ENUMERATION}
print(1000 * min(enumerate_once() for _ in range(25)))
"""
SHARE = f"""{ENUMERATION}
counts = shoes(20_000)
sweep(counts)
print(median(sweep(counts) / enumerate_once() for _ in range(9)))
"""
FILE = """
import tempfile
from pathlib import Path
from exact.polynomial.sweep import Sweep
with tempfile.TemporaryDirectory() as folder:
    Sweep(found, Depleted.of(found, shoe, 1_000_000, 1), Path(folder) / "out.parquet").run()
print(int(Path('/proc/self/status').read_text().split('VmHWM:')[1].split()[0]) / 1024)
"""


def measured(code: str) -> float:
    """The number that a program prints after the common beginning."""
    command = [sys.executable, "-c", MAIN + code]
    return float(subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout)
