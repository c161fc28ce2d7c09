"""Speed and memory against fixed limits, each measured in this run; ratios compare two things run in turn.

A measurement is a function that returns one figure; ``MEASUREMENTS`` says what it is and how large it may be. To add
one, write the function and its line. What is measured in process runs in a process of its own, so that nothing is warm
but what it warms.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from time import perf_counter

sys.path.insert(0, str(Path(__file__).parent))

import bench_blackjack as blackjack
import bench_polynomial as polynomial

PYTHON = sys.executable
EXACT = [PYTHON, "-c", "import sys; from exact.cli import main; sys.argv[0] = 'exact'; main()"]
ROOT = Path(__file__).resolve().parents[1]
RUNS = 9

WALK = """
from time import perf_counter
from exact.games import load
from exact.rounds import Walk
from exact.shoe import Shoe
game = load({game!r})
shoe = Shoe.decks(8, game.deck)
def walk():
    start = perf_counter()
    wanted = ["outcome", *(f"{{slot}}_{attribute}" for slot in game.slots if {attribute!r})]
    rows = sum(branch.frame.height for branch in Walk(game, shoe, wanted).branches())
    assert rows == {rows}
    return perf_counter() - start
"""
RANKS = WALK.format(game="baccarat", attribute="rank", rows=1_659_001)
COLOURS = WALK.format(game="multicolour-baccarat", attribute="", rows=19_719_358)
PEAK = (
    "\nprint(int(open('/proc/self/status').read().split('VmHWM:')[1].split()[0]) / 1024)"  # ru_maxrss counts the parent
)


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


def colour_sequences() -> float:
    return printed(f"{COLOURS}\nfrom statistics import median\nwalk()\nprint(median(walk() for _ in range(3)))")


def colour_memory() -> float:
    return printed(f"{COLOURS}\nwalk(){PEAK}")


def formula() -> float:
    return typical([*EXACT, "formula", "baccarat"])


def one_shoe() -> float:
    return polynomial.measured(polynomial.ONE_SHOE)


def enumerated() -> float:
    return polynomial.measured(polynomial.ENUMERATED)


def sweep_one_core() -> float:
    return polynomial.measured(polynomial.SWEEP)


def sweep_two_cores() -> float:
    return polynomial.measured(polynomial.BOTH)


def sweep_scaling() -> float:
    return polynomial.measured(polynomial.LINEAR)


def sweep_share() -> float:
    return polynomial.measured(polynomial.SHARE)


def sweep_memory() -> float:
    return polynomial.measured(polynomial.FILE)


def blackjack_game() -> float:
    return median(blackjack.measured(blackjack.GAME) for _ in range(3))


def blackjack_further() -> float:
    return median(blackjack.measured(blackjack.FURTHER) for _ in range(3))


def blackjack_memory() -> float:
    return blackjack.measured(blackjack.MEMORY)


def blackjack_command() -> float:
    return typical([*EXACT, "compute", "blackjack", "--decks", "8"])


def blackjack_twin() -> float:
    return blackjack.measured(blackjack.TWIN)


MEASUREMENTS = (
    Measurement("main", "exact compute --decks 8, as a multiple of importing polars", "x", 2.0, main_job),
    Measurement("ranks", "1,659,001 rank sequences of punto banco, in process", "s", 0.25, rank_sequences),
    Measurement("memory", "peak memory of the same", "MB", 500, rank_memory),
    Measurement("colours", "19,719,358 sequences of multi-colour baccarat, in process", "s", 1.5, colour_sequences),
    Measurement("colour-memory", "peak memory of the same", "MB", 500, colour_memory),
    Measurement("help", "exact --help", "s", 0.15, help_text),
    Measurement("formula", "exact formula baccarat, whole process", "s", 1.0, formula),
    Measurement("shoe", "one shoe on the polynomial, main wagers with their figures, warm", "ms", 0.5, one_shoe),
    Measurement("enumerated", "the same by enumeration, warm", "ms", 250, enumerated),
    Measurement("sweep", "a shoe in a sweep: exact Player, Banker, Tie ways, one core", "us", 10, sweep_one_core),
    Measurement("sweep2", "the same on two cores", "us", 5.6, sweep_two_cores),
    Measurement("linear", "its time a shoe among 100,000, as a multiple of that among 10,000", "x", 1.5, sweep_scaling),
    Measurement("gain", "its time a shoe, as a part of one enumeration's", "x", 0.001, sweep_share),
    Measurement("sweepmem", "peak memory of exact sweep --random 1000000", "MB", 700, sweep_memory),
    Measurement("blackjack", "the page's blackjack with 8 decks, exact, in process and cold", "s", 2.0, blackjack_game),
    Measurement("bjoptions", "the same with other options, the dealer's work at hand", "s", 1.0, blackjack_further),
    Measurement("bjmemory", "peak memory of the same", "MB", 600, blackjack_memory),
    Measurement("bjprocess", "exact compute blackjack --decks 8, whole process", "s", 2.5, blackjack_command),
    Measurement("bjtwin", "its time on 13 cards, as a part of a plain Fraction recursion's", "x", 0.1, blackjack_twin),
)


def keep(figures: Mapping[str, float], past: Path) -> None:
    """Adds a run to the JSON of past ones."""
    runs = json.loads(past.read_text(encoding="utf-8")) if past.exists() else []
    machine = {"python": platform.python_version(), "machine": platform.machine(), "processors": os.cpu_count()}
    load = round(os.getloadavg()[0], 1)  # what else the machine was doing
    runs.append({"time": datetime.now(UTC).isoformat(timespec="seconds"), **machine, "load": load, "figures": figures})
    past.parent.mkdir(exist_ok=True)
    part = past.with_suffix(".part")
    part.write_text(json.dumps(runs, indent=1) + "\n", encoding="utf-8")
    part.replace(past)


def main(names: Sequence[str], past: Path | None = None) -> int:
    """Measure what is named (everything without names); 1 where a limit is exceeded, 2 for an unknown name.

    The run is added to ``past``, where that is given.
    """
    known = {measurement.name: measurement for measurement in MEASUREMENTS}
    if unknown := [name for name in names if name not in known]:
        print(f"bench: no measurement {unknown[0]!r}; known: {', '.join(known)}", file=sys.stderr)
        return 2
    exceeded, figures = False, dict[str, float]()
    for name in names or known:
        chosen = known[name]
        found = figures[name] = chosen.measure()
        exceeded |= found > chosen.limit
        mark = "EXCEEDED" if found > chosen.limit else "ok"
        print(
            f"{name:<12} {found:>8.3g} {chosen.unit:<3} limit {chosen.limit:g} {chosen.unit:<3} {mark:<9} {chosen.what}"
        )
    if past:
        keep({name: float(f"{found:.4g}") for name, found in figures.items()}, past)
    return int(exceeded)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], ROOT / "data/bench/runs.json"))
