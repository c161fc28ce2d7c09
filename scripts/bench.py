"""Speed and memory against fixed limits, each measured in this run; ratios compare two things run in turn.

A measurement is a function that returns one figure; ``MEASUREMENTS`` says what it is and how large it may be. To add
one, write the function and its line. What is measured in process runs in a process of its own, so that nothing is warm
but what it warms.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter

PYTHON = sys.executable
EXACT = [PYTHON, "-c", "import sys; from exact.cli import main; sys.argv[0] = 'exact'; main()"]
ROOT = Path(__file__).resolve().parents[1]
RUNS = 9

RANKS = """
from time import perf_counter
from exact.games import load
from exact.rounds import Walk
from exact.shoe import Shoe
game, shoe = load("baccarat"), Shoe.decks(8)
def walk():
    start = perf_counter()
    rows = sum(branch.frame.height for branch in Walk(game, shoe, ["outcome", "p1_rank"]).branches())
    assert rows == 1_659_001
    return perf_counter() - start
"""
PEAK = "\nimport resource\nprint(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)"


@dataclass(frozen=True, slots=True)
class Measurement:
    """One line of the output: what is measured, in which unit, and the most it may be."""

    name: str
    what: str
    unit: str
    limit: float
    measure: Callable[[], float]


def seconds(command: Sequence[str]) -> float:
    """How long a command takes as a whole process."""
    start = perf_counter()
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return perf_counter() - start


def typical(command: Sequence[str]) -> float:
    """The median time of a command, after one run that nobody counts."""
    seconds(command)
    return median(seconds(command) for _ in range(RUNS))


def ratio(command: Sequence[str], base: Sequence[str]) -> float:
    """The median of the ratios of two commands run in turn, so that a busy machine slows both."""
    seconds(command), seconds(base)
    return median(seconds(command) / seconds(base) for _ in range(RUNS))


def printed(code: str) -> float:
    """The number that a program prints."""
    done = subprocess.run([PYTHON, "-c", code], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
    return float(done.stdout)


def main_job() -> float:
    return ratio([*EXACT, "compute", "--decks", "8"], [PYTHON, "-c", "import polars"])


def help_text() -> float:
    return typical([*EXACT, "--help"])


def rank_sequences() -> float:
    return printed(f"{RANKS}\nfrom statistics import median\nwalk()\nprint(median(walk() for _ in range({RUNS})))")


def rank_memory() -> float:
    return printed(f"{RANKS}\nwalk(){PEAK}")


MEASUREMENTS = (
    Measurement("main", "exact compute --decks 8, as a multiple of importing polars", "x", 2.0, main_job),
    Measurement("ranks", "1,659,001 rank sequences of punto banco, in process", "s", 0.25, rank_sequences),
    Measurement("memory", "peak memory of the same", "MB", 500, rank_memory),
    Measurement("help", "exact --help", "s", 0.15, help_text),
)


def main(names: Sequence[str]) -> int:
    """Measure what is named (everything without names); 1 where a limit is exceeded, 2 for an unknown name."""
    known = {measurement.name: measurement for measurement in MEASUREMENTS}
    if unknown := [name for name in names if name not in known]:
        print(f"bench: no measurement {unknown[0]!r}; known: {', '.join(known)}", file=sys.stderr)
        return 2
    exceeded = False
    for name in names or known:
        chosen = known[name]
        found = chosen.measure()
        exceeded |= found > chosen.limit
        mark = "EXCEEDED" if found > chosen.limit else "ok"
        print(
            f"{name:<12} {found:>8.3g} {chosen.unit:<3} limit {chosen.limit:g} {chosen.unit:<3} {mark:<9} {chosen.what}"
        )
    return int(exceeded)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
