"""The class ``total``: the best chart by total, soft or hard, pair and up card, found by single steps that all gain.

On its way a hand meets each cell at most once, since its total with aces as 1 only grows. So the whole game is linear
in each single cell, and the gain of changing one is a sum over the hands of that cell: how often each is reached, times
what the other action is worth more. One evaluation gives the exact gain of every possible change, and the end has its
certificate: no single change gains.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from exact.blackjack.cards import RankShoe
from exact.blackjack.chart import CODES, INDEX, KEYS, NO_CODE, Chart, evaluate, key_cells
from exact.blackjack.hands import IntArray, ObjectArray
from exact.blackjack.player import Action, Play, decisions, pair_rows
from exact.blackjack.reach import reach
from exact.blackjack.rules import Rules
from exact.blackjack.solve import Solution, solve

Change = tuple[int, int, int]  # index in KEYS, up card, code


@dataclass(frozen=True, slots=True)
class Certificate:
    """Why a chart is called the best by single changes: ``changes`` single cells were tried, and none gains.

    ``best_gain`` is the gain of the best of them (zero or less), ``steps`` how many changes led from the first chart.
    """

    changes: int
    best_gain: Fraction
    steps: int


@dataclass(frozen=True, slots=True)
class TotalSolution:
    """The chart, the game played by it, and its certificate."""

    chart: Chart
    solution: Solution
    certificate: Certificate


def solve_total(shoe: RankShoe, rules: Rules) -> TotalSolution:
    """The best chart by total, from the one that two-card weights give.

    >>> from exact.shoe import Shoe
    >>> found = solve_total(RankShoe.of(Shoe.decks(1)), Rules.of())
    >>> found.chart.code("hard", 16, 9), found.certificate.best_gain <= 0
    ('H', True)
    """
    chart = first_chart(solve(shoe, rules))
    steps = 0
    while True:
        solution = evaluate(chart, shoe, rules, "total")
        gains = change_gains(chart, solution)
        better = list(_best_of_each_up(gains))
        if not better:
            best = Fraction(max(gains.values(), default=0), solution.total * solution.whole.scale)
            return TotalSolution(chart, solution, Certificate(len(gains), best, steps))
        chart, steps = chart.replaced(better), steps + len(better)


def _best_of_each_up(gains: dict[Change, int]) -> Iterator[Change]:
    """The best gaining change against each up card; up cards do not touch each other."""
    for up in range(10):
        mine = {change: gain for change, gain in gains.items() if change[1] == up and gain > 0}
        if mine:
            yield max(mine, key=lambda change: (mine[change], -change[0], -change[2]))


def change_gains(chart: Chart, solution: Solution) -> dict[Change, int]:
    """What each change of one cell to another possible code adds to the game, times its total and scale."""
    gained: ObjectArray = np.zeros((len(KEYS), 10, len(CODES)), dtype=object)
    possible = np.zeros(gained.shape, dtype=np.bool_)
    columns = np.arange(10)[None, :]
    for pair, ways in reach(solution).items():
        play = solution.whole if pair is None else solution.split[pair]
        keys = key_cells(chart, play.table, solution.rules)
        decides = decisions(play.table, play.allowed)
        weights = np.where(decides, ways * (1 if pair is None else 2), 0)
        for code, wishes in enumerate(CODES.values()):
            first = decides & play.allowed[wishes[0]]
            if first.any():
                np.logical_or.at(possible[:, :, code], (keys, columns), first)
                np.add.at(gained[:, :, code], (keys, columns), weights * (_worth_by(play, wishes) - play.value))
    same = chart.cells[:, :, None] == np.arange(len(CODES))
    cells = np.argwhere(possible & ~same & (chart.cells != NO_CODE)[:, :, None])
    return {(int(key), int(up), int(code)): int(gained[key, up, code]) for key, up, code in cells}


def _worth_by(play: Play, wishes: tuple[Action, ...]) -> ObjectArray:
    """What each cell is worth when the first allowed of these wishes is taken; where none is, what is taken now."""
    worth = play.value.copy()
    for action in reversed(wishes):
        if action in play.worth:
            cells = play.allowed[action]
            worth[cells] = play.worth[action][cells]
    return worth


def first_chart(best: Solution) -> Chart:
    """For each cell the code whose actions are worth most over its two-card hands as they are dealt.

    A cell without two-card hands takes all of its hands, as often as the best play reaches them; one that only split
    hands meet (a pair of twos after a split) takes theirs.
    """
    cells = np.full((len(KEYS), 10), NO_CODE, dtype=np.int8)
    ways = reach(best)
    for pair, play in [(None, best.whole), *best.split.items()]:
        keys = key_cells(Chart(cells), play.table, best.rules)
        if pair is None:
            for row in np.flatnonzero(pair_rows(play.table, best.rules.split_pairs)):
                keys[row] = INDEX["pair", int(play.table.hands.cards[row].argmax())]
        decides = decisions(play.table, play.allowed)
        for key in np.unique(keys[decides]):
            for up in np.flatnonzero((decides & (keys == key)).any(axis=0) & (cells[key] == NO_CODE)):
                here = np.flatnonzero(decides[:, up] & (keys[:, up] == key))
                two = here[play.table.hands.size[here] == 2]
                weighed = two if len(two) else here
                cells[key, up] = _best_code(play, here, weighed, np.maximum(ways[pair][weighed, up], 1), int(up))
    return Chart(cells)


def _best_code(play: Play, here: IntArray, weighed: IntArray, weights: ObjectArray, up: int) -> int:
    found: dict[int, int] = {}
    for code, wishes in enumerate(CODES.values()):
        if play.allowed[wishes[0]][here, up].any():
            found[code] = int((_worth_by(play, wishes)[weighed, up] * weights).sum())
    return max(found, key=lambda code: (found[code], -code))
