"""The player's side of a table: what each action is worth for every hand and up card, in integers, and which one is taken."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from fractions import Fraction
from math import lcm

import numpy as np
from numpy.typing import NDArray

from exact.blackjack.cards import ACE, TEN
from exact.blackjack.dealer import HOLE_OF_BLACKJACK
from exact.blackjack.hands import ObjectArray
from exact.blackjack.rules import Rules
from exact.blackjack.table import Table

BoolArray = NDArray[np.bool_]
Choices = NDArray[np.int8]


class Action(IntEnum):
    """What a player can do; of equally good actions the first in this order is taken."""

    STAND = 0
    HIT = 1
    DOUBLE = 2
    SPLIT = 3
    SURRENDER = 4
    FOLD = 5


@dataclass(frozen=True, slots=True, eq=False)
class Play:
    """How one table is played under some rules. Arrays have the shape hands x up cards; values are net results of the round in
    units of 1/``scale`` of the initial bet, times the table's orders.

    ``worth`` and ``allowed`` hold each action that the rules know here; ``choice`` the action taken, ``value`` what it is worth.
    """

    table: Table
    scale: int
    worth: dict[Action, ObjectArray]
    allowed: dict[Action, BoolArray]
    choice: Choices
    value: ObjectArray


def scale_of(rules: Rules) -> int:
    """The common denominator of every payment of a table, in parts of the initial bet."""
    return lcm(2, rules.blackjack_pays.denominator, rules.fold.denominator)


def natural_rows(table: Table) -> BoolArray:
    """Which rows are an ace and a ten as two cards."""
    return (table.hands.size == 2) & (table.hands.cards[:, ACE] == 1) & (table.hands.cards[:, TEN] == 1)


def standing(table: Table, rules: Rules, *, doubled: bool = False) -> ObjectArray:
    """What every hand nets when it draws no more: a win or loss by the totals, a charlie, and the dealer's blackjacks."""
    split, scale, stake = table.other is not None, scale_of(rules), scale_of(rules) * (1 + doubled)
    taken = _by_up(rules, scale, "blackjack_takes", doubled=doubled, split=split)
    loses = np.broadcast_to(taken, table.blackjack.shape)
    if not rules.blackjack_beats_21:
        loses = np.where((table.hands.total == 21)[:, None], 0, loses)
    rest = table.orders - table.blackjack
    value = stake * (rest - table.against) - loses * table.blackjack
    if rules.charlie is not None:
        rows = table.hands.size >= rules.charlie
        against_blackjack = np.full_like(loses, stake) if rules.charlie_beats_blackjack else -loses
        value[rows] = stake * rest[rows] + against_blackjack[rows] * table.blackjack[rows]
    return value


def busting(table: Table, rules: Rules, *, doubled: bool = False) -> ObjectArray:
    """What the cards that bust each hand add to its value when it draws one card."""
    split, scale, stake = table.other is not None, scale_of(rules), scale_of(rules) * (1 + doubled)
    busts = (table.hands.next < 0)[:, None, :]
    cards = (table.left * busts).sum(axis=2)
    value = -stake * cards * table.orders_after(1)
    spared = stake - _by_up(rules, scale, "bust_takes", doubled=doubled, split=split)
    if not any(spared.flat):
        return value
    rest = table.orders_after(2)[:, 0]
    for up, hole in HOLE_OF_BLACKJACK.items():
        for card in range(10):
            holes = np.maximum(table.left[:, up, hole] - (card == hole and not table.shoe.infinite), 0)
            value[:, up] += spared[0, up] * table.left[:, up, card] * busts[:, 0, card] * holes * rest
    return value


def _by_up(rules: Rules, scale: int, question: str, *, doubled: bool, split: bool) -> ObjectArray:
    amounts = [getattr(rules, question)(up, doubled=doubled, split=split) * scale for up in range(10)]
    return np.array([[int(amount) for amount in amounts]], dtype=object)


def draw(table: Table, rows: range, after: ObjectArray, bust: ObjectArray) -> ObjectArray:
    """What one more card is worth for a range of hands, where ``after`` values the hands it can make."""
    part = slice(rows.start, rows.stop)
    worth = bust[part].copy()
    for card in range(10):
        there = np.flatnonzero(table.hands.next[part, card] >= 0)
        if len(there):
            worth[there] += table.left[part][there, :, card] * after[table.hands.next[part, card][there]]
    return worth


def play(
    table: Table,
    rules: Rules,
    extra: dict[Action, tuple[ObjectArray, BoolArray]] | None = None,
    policy: Choices | None = None,
) -> Play:
    """Every action's worth on a table, from the longest hands back to the shortest, and the action taken.

    ``extra`` gives actions whose worth is known beforehand (a split, a surrender, a fold), each with the cells where the rules allow
    it. ``policy`` is the action to take in each cell; without it, the best one is taken by exact comparison.
    """
    hands, shape = table.hands, table.blackjack.shape
    stand, bust = standing(table, rules), busting(table, rules)
    worth = {Action.STAND: stand, Action.HIT: bust.copy(), Action.DOUBLE: _doubling(table, rules)}
    allowed = allowed_on(table, rules)
    for action, (values, cells) in (extra or {}).items():
        worth[action], allowed[action] = values, cells
    if extra and rules.split_or_fold:
        _force_split_or_fold(table, rules, allowed)
    if table.other is None:
        natural = natural_rows(table)
        stand[natural] = int(rules.blackjack_pays * scale_of(rules)) * (table.orders - table.blackjack)[natural]
    choice, value = np.zeros(shape, dtype=np.int8), stand.copy()
    for rows in reversed(hands.levels):
        part = slice(rows.start, rows.stop)
        worth[Action.HIT][part] = draw(table, rows, value, bust)
        here = {action: (values[part], allowed[action][part]) for action, values in worth.items()}
        choice[part], value[part] = _best(here) if policy is None else _follow(here, policy[part])
    return Play(table, scale_of(rules), worth, allowed, choice, value)


def allowed_on(table: Table, rules: Rules) -> dict[Action, BoolArray]:
    """Where the rules allow a stand, a hit and a double: a single card of a split pair must draw, a blackjack stands."""
    hands, shape = table.hands, table.blackjack.shape
    draws = (table.unseen > 0) & ~(hands.size >= (rules.charlie or 99))
    doubles = draws & (hands.size == 2)
    doubles &= np.array(
        [rules.may_double(int(total), bool(soft)) for total, soft in zip(hands.total, hands.soft, strict=True)]
    )
    if table.other is None:
        draws, doubles = draws & ~natural_rows(table), doubles & ~natural_rows(table)
    else:
        one_card = table.other == ACE and rules.split_aces == "one-card"
        draws = draws & (hands.size == 1) if one_card else draws
        doubles = doubles & (rules.das and not one_card)
    cells = {Action.STAND: (hands.size > 1) | ~draws, Action.HIT: draws, Action.DOUBLE: doubles}
    return {action: np.broadcast_to(rows[:, None], shape).copy() for action, rows in cells.items()}


def _force_split_or_fold(table: Table, rules: Rules, allowed: dict[Action, BoolArray]) -> None:
    """Takes every other action from the pairs that may split."""
    for pair in rules.split_pairs:
        row = table.hands.row.get(tuple(2 * (rank == pair) for rank in range(10)))
        if row is not None:
            for action in set(allowed) - {Action.SPLIT, Action.FOLD}:
                allowed[action][row] = False


def _doubling(table: Table, rules: Rules) -> ObjectArray:
    rows = table.hands.levels[2] if len(table.hands.levels) > 2 else range(0)
    worth = np.zeros(table.blackjack.shape, dtype=object)
    doubled = standing(table, rules, doubled=True)
    worth[rows.start : rows.stop] = draw(table, rows, doubled, busting(table, rules, doubled=True))
    return worth


Cells = dict[Action, tuple[ObjectArray, BoolArray]]


def _best(here: Cells) -> tuple[Choices, ObjectArray]:
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


def _follow(here: Cells, policy: Choices) -> tuple[Choices, ObjectArray]:
    value = here[Action.STAND][0].copy()
    for action, (worth, _) in here.items():
        cells = policy == action
        value[cells] = worth[cells]
    return policy, value


def net(value: int, play: Play, row: int) -> Fraction:
    """A value of a row as a net result in initial bets."""
    return Fraction(value, play.scale * play.table.orders[row, 0])
