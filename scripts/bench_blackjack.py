"""What blackjack costs, for bench.py: the page's game with eight decks, further options, memory, and the slow twin."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

SETUP = """
import sys
from time import perf_counter
from exact.blackjack.cards import RankShoe
from exact.blackjack.rules import Rules
from exact.blackjack.solve import solve
from exact.shoe import Shoe
def timed(shoe, rules):
    start = perf_counter()
    value = solve(shoe, rules).expectation
    return perf_counter() - start, value
eight = RankShoe.of(Shoe.decks(8))
"""
GAME = f"{SETUP}print(timed(eight, Rules.of())[0])"
FURTHER = f"{SETUP}timed(eight, Rules.of()); print(timed(eight, Rules.of(options={{'das': 'false'}}))[0])"
PEAK = "import resource\nprint(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)"
MEMORY = f"{SETUP}timed(eight, Rules.of())\n{PEAK}"

# A plain memoised recursion over Fractions, the tests' slow twin, on a shoe of 13 cards; both must agree.
TWIN = f"""{SETUP}
sys.path.insert(0, "tests/blackjack")
from recursion import Twin
counts, rules = (1, 1, 1, 1, 1, 1, 1, 1, 1, 4), Rules.of()
timed(RankShoe((1,) * 10), rules)
took, value = timed(RankShoe(counts), rules)
start = perf_counter()
assert Twin(counts, rules).expectation() == value
print(took / (perf_counter() - start))
"""


def measured(program: str) -> float:
    """The number that a program prints, in a process of its own."""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
    return float(done.stdout)
