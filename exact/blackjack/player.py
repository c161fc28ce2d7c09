"""The player's side of a table: what each action is worth for every hand and up card, and which one is taken."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from fractions import Fraction
from math import lcm
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from exact.blackjack.cards import ACE, TEN
from exact.blackjack.dealer import HOLE_OF_BLACKJACK
from exact.blackjack.hands import BoolArray, ObjectArray, left_after
from exact.blackjack.rules import Rules
from exact.blackjack.table import Table

Choices = NDArray[np.int8]
EVERY = slice(None)  # all rows of a table


class Action(IntEnum):
    """What a player can do; of equally good actions the first in this order is taken."""

    STAND = 0
    HIT = 1
    DOUBLE = 2
    SPLIT = 3
    SURRENDER = 4
    FOLD = 5


Offer = tuple[ObjectArray, BoolArray]  # what an action is worth, and where the rules allow it


@dataclass(frozen=True, slots=True, eq=False)
class Play:
    """How one table is played under some rules. Arrays have the shape hands x up cards.

    Values are net results of the round in units of 1/``scale`` of the initial bet, times the table's orders. ``worth``
    holds each action known here, ``allowed`` where the rules allow it, ``choice`` the action taken, ``value`` its
    worth.
    """

    table: Table
    scale: int
    worth: Mapping[Action, ObjectArray]
    allowed: Mapping[Action, BoolArray]
    choice: Choices
    value: ObjectArray

    def net(self, amount: int, row: int) -> Fraction:
        """A value of a row as a net result in initial bets."""
        return Fraction(int(amount), self.scale * int(self.table.orders[row, 0]))


def scale_of(rules: Rules) -> int:
    """The common denominator of every payment of a table, in parts of the initial bet."""
    return lcm(2, rules.blackjack_pays.denominator, rules.fold.denominator)


def natural_rows(table: Table) -> BoolArray:
    """Which rows are a blackjack: an ace and a ten-value card as the first two cards, not after a split."""
    cards = table.hands.cards
    found: BoolArray = (table.hands.size == 2) & (cards[:, ACE] == 1) & (cards[:, TEN] == 1)
    return found & (table.other is None)


def standing(table: Table, rules: Rules, *, doubled: bool = False, rows: slice = EVERY) -> ObjectArray:
    """What hands net when they draw no more: by the totals, as a charlie, and against the dealer's blackjacks."""
    scale = scale_of(rules)
    stake = scale * (1 + doubled)
    blackjack, sizes = table.blackjack[rows], table.hands.size[rows]
    taken = _by_up(table, rules, "blackjack_takes", doubled)
    loses: ObjectArray = np.broadcast_to(taken, blackjack.shape)
    if not rules.blackjack_beats_21:
        loses = np.where((table.hands.total[rows] == 21)[:, None], 0, loses)
    rest = table.orders[rows] - blackjack
    value: ObjectArray = stake * (rest - table.against[rows]) - loses * blackjack
    if rules.charlie is not None:
        won = sizes >= rules.charlie
        meets_blackjack = np.full_like(loses, stake) if rules.charlie_beats_blackjack else -loses
        value[won] = stake * rest[won] + meets_blackjack[won] * blackjack[won]
    natural = natural_rows(table)[rows]
    value[natural] = int(rules.blackjack_pays * scale) * rest[natural]
    return value


def busting(table: Table, rules: Rules, *, doubled: bool = False, rows: slice = EVERY) -> ObjectArray:
    """What the cards that bust hands add to their value when they draw one card."""
    stake = scale_of(rules) * (1 + doubled)
    left, busts = table.left[rows], (table.hands.next[rows] < 0)[:, None, :]
    cards = (left * busts).sum(axis=2).astype(object)
    value: ObjectArray = -stake * cards * table.orders_after(1)[rows]
    spared = stake - _by_up(table, rules, "bust_takes", doubled)[0]
    rest = table.orders_after(2)[rows, 0]
    for up, hole in HOLE_OF_BLACKJACK.items():
        if spared[up]:
            holes = left[:, up, [hole]] - (0 if table.shoe.infinite else np.arange(10) == hole)
            both = (left[:, up] * busts[:, 0] * np.maximum(holes, 0)).sum(axis=1)
            value[:, up] += spared[up] * both.astype(object) * rest
    return value


def _by_up(
    table: Table, rules: Rules, question: Literal["blackjack_takes", "bust_takes"], doubled: bool
) -> ObjectArray:
    """A loss by up card, in scaled integers, as a row."""
    ask = getattr(rules, question)
    amounts = [ask(up, doubled=doubled, split=table.other is not None) * scale_of(rules) for up in range(10)]
    return np.array([[int(amount) for amount in amounts]], dtype=object)


def draw(table: Table, rows: slice, after: ObjectArray, bust: ObjectArray) -> ObjectArray:
    """What one more card is worth for a range of hands.

    ``after`` values every hand it can make, ``bust`` holds what the cards add that bust these ones.
    """
    worth: ObjectArray = bust.copy()
    left, following = table.left[rows], table.hands.next[rows]
    for card in range(10):
        there = np.flatnonzero(following[:, card] >= 0)
        if len(there):
            worth[there] += left[there, :, card].astype(object) * after[following[there, card]]
    return worth


def play(
    table: Table,
    rules: Rules,
    extra: Mapping[Action, ObjectArray] | None = None,
    policy: Choices | None = None,
    forbidden: Mapping[Action, BoolArray] | None = None,
) -> Play:
    """Every action's worth on a table, from the longest hands back to the shortest, and the action taken.

    ``extra`` gives the worth of actions that is known beforehand (a split, a surrender, a fold). ``policy`` is the
    action to take in each cell; without it, the best one is taken by exact comparison, of those not ``forbidden``.
    """
    hands = table.hands
    stand, bust = standing(table, rules), busting(table, rules)
    worth = {Action.STAND: stand, Action.HIT: bust.copy(), Action.DOUBLE: _doubling(table, rules), **(extra or {})}
    allowed = allowed_on(table, rules)
    for action, cells in (forbidden or {}).items():
        allowed[action] &= ~cells
    choice, value = np.zeros(stand.shape, dtype=np.int8), stand.copy()
    for rows in reversed(hands.levels):
        worth[Action.HIT][rows] = draw(table, rows, value, bust[rows])
        here = {action: (values[rows], allowed[action][rows]) for action, values in worth.items()}
        choice[rows], value[rows] = best(here) if policy is None else _follow(here, policy[rows])
    return Play(table, scale_of(rules), worth, allowed, choice, value)


def allowed_on(table: Table, rules: Rules) -> dict[Action, BoolArray]:
    """Where the rules allow each action: a blackjack stands, a single card after a split must draw."""
    hands = table.hands
    draws = (table.unseen > 0) & ~natural_rows(table)
    if rules.charlie is not None:
        draws &= hands.size < rules.charlie
    totals = zip(hands.total.tolist(), hands.soft.tolist(), strict=True)
    doubles = draws & (hands.size == 2) & np.array([rules.may_double(*total) for total in totals], dtype=np.bool_)
    never = np.zeros(len(hands), dtype=np.bool_)
    if table.other is not None:
        one_card = table.other == ACE and rules.split_aces == "one-card"
        draws &= (hands.size == 1) | (not one_card)
        doubles &= rules.das and not one_card
        rows = [(hands.size > 1) | ~draws, draws, doubles, never, never, never]
    else:
        splits = pair_rows(table, rules.split_pairs) & (table.unseen > 0)
        folds = pair_rows(table, rules.split_pairs) & rules.split_or_fold
        free = ~(splits | folds) | (not rules.split_or_fold)
        surrenders = free & (hands.size == 2) & ~natural_rows(table) & (rules.surrender != "none")
        rows = [free, draws & free, doubles & free, splits, surrenders, folds]
    shape = table.blackjack.shape
    return {action: np.broadcast_to(cells[:, None], shape).copy() for action, cells in zip(Action, rows, strict=True)}


def decisions(table: Table, allowed: Mapping[Action, BoolArray]) -> BoolArray:
    """Where the shoe can deal a hand of two cards or more beside an up card, and the player has a choice."""
    ups = left_after(table.shoe, table.hands.cards + (np.arange(10) == table.other))
    found: BoolArray = (ups > 0) & (table.hands.size > 1)[:, None]
    if table.other is not None and not table.shoe.infinite:
        found &= (table.hands.cards[:, table.other] < table.shoe.counts[table.other])[:, None]
    found &= np.sum(list(allowed.values()), axis=0) > 1
    return found


def pair_rows(table: Table, pairs: Iterable[int]) -> BoolArray:
    """Which rows are pairs of one of these ranks."""
    found: BoolArray = (table.hands.cards[:, list(pairs)] == 2).any(axis=1) & (table.hands.size == 2)
    return found


def _doubling(table: Table, rules: Rules) -> ObjectArray:
    worth: ObjectArray = np.zeros(table.blackjack.shape, dtype=object)
    levels = (*table.hands.levels, slice(0, 0), slice(0, 0), slice(0, 0))
    two, three = levels[2], levels[3]
    after = np.zeros_like(worth)
    after[three] = standing(table, rules, doubled=True, rows=three)
    worth[two] = draw(table, two, after, busting(table, rules, doubled=True, rows=two))
    return worth


def best(here: Mapping[Action, Offer]) -> tuple[Choices, ObjectArray]:
    """The best allowed action of every cell; the first in the order of ``Action`` where several are equal."""
    first, *others = sorted(here)
    value, known = here[first][0].copy(), here[first][1].copy()
    choice = np.full(value.shape, first, dtype=np.int8)
    for action in others:
        worth, cells = here[action]
        better = cells & (~known | (worth > value))
        choice[better], value[better] = action, worth[better]
        known |= cells
    return choice, value


def _follow(here: Mapping[Action, Offer], policy: Choices) -> tuple[Choices, ObjectArray]:
    value = here[Action.STAND][0].copy()
    for action, (worth, _) in here.items():
        cells = policy == action
        value[cells] = worth[cells]
    return policy, value
