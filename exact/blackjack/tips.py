"""Advice as people give it, read as what it forbids, and what following it costs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from exact.blackjack.cards import ACE, RankShoe, rank_index
from exact.blackjack.hands import BoolArray
from exact.blackjack.player import Action, pair_rows
from exact.blackjack.rules import Rules
from exact.blackjack.solve import Solution, play_game
from exact.blackjack.table import Table


@dataclass(frozen=True, slots=True)
class Tip:
    """One piece of advice and the actions that it forbids, cell by cell; all else stays the player's best choice."""

    name: str
    advice: str
    source: str
    forbids: Callable[[Table], Mapping[Action, BoolArray]]


def _cells(rows: BoolArray, ups: str = "A,2,3,4,5,6,7,8,9,10") -> BoolArray:
    columns = np.isin(np.arange(10), [rank_index(up) for up in ups.split(",")])
    found: BoolArray = rows[:, None] & columns[None, :]
    return found


def _no_hit_that_can_bust(table: Table) -> Mapping[Action, BoolArray]:
    busts: BoolArray = (table.hands.cards @ np.arange(1, 11)) > 11
    return {Action.HIT: _cells(busts, "4,5,6")}


def _no_hit_without_an_eleven(table: Table) -> Mapping[Action, BoolArray]:
    hard: BoolArray = ~table.hands.soft & (table.hands.size > 1)
    return {Action.HIT: _cells(hard, "4,5,6")}


def _hard_17_stands(table: Table) -> Mapping[Action, BoolArray]:
    rows: BoolArray = ~table.hands.soft & (table.hands.total >= 17)
    return dict.fromkeys((Action.HIT, Action.DOUBLE, Action.SURRENDER), _cells(rows))


def _splits(*pairs: int) -> Callable[[Table], Mapping[Action, BoolArray]]:
    def forbids(table: Table) -> Mapping[Action, BoolArray]:
        if table.other is not None or not len(pairs):
            return {}
        rows = _cells(pair_rows(table, pairs))
        return dict.fromkeys(set(Action) - {Action.SPLIT}, rows)

    return forbids


def _never_splits(*pairs: int) -> Callable[[Table], Mapping[Action, BoolArray]]:
    def forbids(table: Table) -> Mapping[Action, BoolArray]:
        return {} if table.other is not None else {Action.SPLIT: _cells(pair_rows(table, pairs))}

    return forbids


PAGE = "002_34ca06e8a3ac76e1.txt"
TIPS = (
    Tip(
        "4-5-6",
        "against 4, 5, 6 do not hit, unless the hand cannot bust with one more card (the page's own meaning of soft)",
        f"{PAGE} L40",
        _no_hit_that_can_bust,
    ),
    Tip(
        "4-5-6, soft as usual",
        "against 4, 5, 6 do not hit, unless an ace counts 11 (the usual meaning of soft)",
        f"{PAGE} L40",
        _no_hit_without_an_eleven,
    ),
    Tip("hard 17", "stand on a hard 17 or more", f"{PAGE} L44", _hard_17_stands),
    Tip("split A, 8", "always split aces and eights", f"{PAGE} L24", _splits(ACE, rank_index("8"))),
    Tip("no split 10, 4, 5", "never split tens, fours and fives", f"{PAGE} L24", _never_splits(9, 3, 4)),
)


def follow(shoe: RankShoe, rules: Rules, tip: Tip) -> Solution:
    """The best play (class cdp1) that follows a tip."""
    return play_game(shoe, rules, f"cdp1 with the tip {tip.name!r}", forbidden=tip.forbids)


def costs(best: Solution) -> list[tuple[Tip, Fraction]]:
    """Each tip with what it costs a round, in initial bets, against the best play without it."""
    return [(tip, best.expectation - follow(best.shoe, best.rules, tip).expectation) for tip in TIPS]
