"""How often every hand is reached under a solution, in the same ordered deals as its values."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import numpy as np

from exact.blackjack.hands import ObjectArray
from exact.blackjack.player import Action, Play, decisions, pair_rows
from exact.blackjack.solve import Solution

Reach = Mapping[int | None, ObjectArray]


def reach(solution: Solution) -> Reach:
    """The ordered deals that lead to each cell, by table: None is the unsplit hand, a rank one hand of its split pair.

    A number times the table's orders counts deals of the horizon's length. A split leads to two hands of its table: the
    reach is that of one of them.
    """
    whole = _onward(solution.whole, solution.deals)
    found: dict[int | None, ObjectArray] = {None: whole}
    for pair, one in solution.split.items():
        start = np.zeros_like(whole[: len(one.table.hands)])
        row = int(np.flatnonzero(pair_rows(solution.whole.table, [pair]))[0])
        splits = solution.whole.choice[row] == Action.SPLIT
        start[one.table.hands.levels[1]] = np.where(splits, whole[row], 0)
        found[pair] = _onward(one, start)
    return found


def _onward(play: Play, start: ObjectArray) -> ObjectArray:
    """The starting deals carried on through every hit."""
    ways, hands = start.copy(), play.table.hands
    for rows in hands.levels:
        hits = np.where(play.choice[rows] == Action.HIT, ways[rows], 0)
        for card in range(10):
            following = hands.next[rows, card]
            there = np.flatnonzero(following >= 0)
            # Two hands of a level never become the same hand by the same card, so no row is added to twice at once.
            ways[following[there]] += hits[there] * play.table.left[rows][there, :, card].astype(object)
    return ways


def action_counts(solution: Solution) -> dict[Action, Fraction]:
    """How often each action is taken in a round on average; the hands of a split count both.

    A blackjack decides nothing, and the card that a split hand must take is no decision.
    """
    found = dict.fromkeys(Action, 0)
    for pair, ways in reach(solution).items():
        play = solution.whole if pair is None else solution.split[pair]
        decides = decisions(play.table, play.allowed)
        weighted = ways * play.table.orders * decides * (1 if pair is None else 2)
        for action in Action:
            found[action] += int(weighted[play.choice == action].sum())
    return {action: Fraction(count, solution.total) for action, count in found.items()}
