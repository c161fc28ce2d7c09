"""Where the composition of a hand decides otherwise than its total: the hands, and what each is worth."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from exact.blackjack.cards import RANKS, cards_of, hand_text
from exact.blackjack.chart import Chart, actions
from exact.blackjack.player import Action, decisions
from exact.blackjack.reach import reach
from exact.blackjack.solve import Solution


@dataclass(frozen=True, slots=True)
class Deviation:
    """A hand whose best action is not the chart's.

    ``worth`` is what the best action is worth more in the hand, ``adds`` what that adds to a round (how often it comes
    up times ``worth``, for a split over both hands), in initial bets. ``after_split`` is the pair's rank, or empty.
    """

    hand: str
    up: str
    after_split: str
    best: Action
    chart: Action
    worth: Fraction
    adds: Fraction


def deviations(chart: Chart, best: Solution) -> list[Deviation]:
    """The hands that the best play meets and plays otherwise than the chart, the most costly first.

    The chart's action is valued with the best play after it.
    """
    found = []
    for pair, ways in reach(best).items():
        play = best.whole if pair is None else best.split[pair]
        meant = actions(chart, play.table, best.rules)
        for row, up in np.argwhere(decisions(play.table, play.allowed) & (meant != play.choice) & (ways > 0)):
            action = Action(int(meant[row, up]))
            worth = play.net(play.value[row, up] - play.worth[action][row, up], int(row))
            if worth:
                met = Fraction(int(ways[row, up] * play.table.orders[row, 0]) * (1 if pair is None else 2), best.total)
                hand = hand_text(cards_of(tuple(play.table.hands.cards[row].tolist())))
                after = "" if pair is None else f"{RANKS[pair]},{RANKS[pair]}"
                chosen = Action(int(play.choice[row, up]))
                found.append(Deviation(hand, RANKS[up], after, chosen, action, worth, met * worth))
    return sorted(found, key=lambda found: (-found.adds, found.hand, found.up))
