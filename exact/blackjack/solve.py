"""The whole game: every first hand and up card with its ways, each played by one strategy, summed to one exact expectation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import comb

import numpy as np

from exact.blackjack.cards import RANKS, TEN, RankShoe
from exact.blackjack.hands import ObjectArray, arrangements
from exact.blackjack.player import Action, BoolArray, Choices, Play, natural_rows, play, scale_of
from exact.blackjack.rules import Rules
from exact.blackjack.table import Table, table
from exact.errors import InputError

Policy = Callable[[Table, Rules], Choices | None]  # the action of every cell of a table; None takes the best one
SplitPolicy = Callable[
    [Play, Play], Choices
]  # the unsplit play and the best play of a split hand -> the split hand's actions


@dataclass(frozen=True)
class Solution:
    """A game solved for a shoe, rules and a class of strategy.

    ``whole`` is the play of the unsplit hand, ``split`` that of one hand of each pair that may split. Values are net results per
    unit of the initial bet, positive for the player, over all rounds: dealer blackjacks count as the outcomes they are.
    """

    shoe: RankShoe
    rules: Rules
    strategy: str
    whole: Play
    split: Mapping[int, Play]

    @cached_property
    def deals(self) -> ObjectArray:
        """The ordered deals of two player cards and the up card that start each cell (hands x up cards); naturals included."""
        return first_deals(self.whole.table)

    @cached_property
    def total(self) -> int:
        """The ordered deals of the horizon's length: what every count is a part of."""
        return arrangements(self.shoe, self.shoe.size, self.whole.table.horizon)

    @cached_property
    def by_up(self) -> tuple[Fraction, ...]:
        """What each up card contributes to the expectation (already weighted with its probability)."""
        sums = (self.deals * self.whole.value).sum(axis=0)
        return tuple(Fraction(int(amount), self.total * self.whole.scale) for amount in sums)

    @property
    def expectation(self) -> Fraction:
        """The net result of a round, in initial bets, negative where the house wins."""
        return sum(self.by_up, Fraction(0))

    @property
    def edge(self) -> Fraction:
        """The house edge: the part of the initial bet that the house keeps."""
        return -self.expectation

    @cached_property
    def ties(self) -> int:
        """How many first hands and up cards that can be dealt have two or more equally good best actions (the first in the
        order of ``Action`` is taken)."""
        dealt = self.deals > 0
        best = [
            dealt & self.whole.allowed[action] & (worth == self.whole.value)
            for action, worth in self.whole.worth.items()
        ]
        return int((sum(cells.astype(int) for cells in best) > 1).sum())

    def first_action(self, action: Action) -> Fraction:
        """The probability that this is the first action of a round; a natural has none."""
        cells = (self.whole.choice == action) & ~natural_rows(self.whole.table)[:, None]
        ways = (self.deals * self.whole.table.orders * cells).sum()
        return Fraction(int(ways), self.total)


def solve(shoe: RankShoe, rules: Rules, strategy: str = "cdp1") -> Solution:
    """The best play of a class: ``cdp1`` (by the hand's own cards, the up card and, after a split, the other pair card) or ``cdz-``
    (after a split the unsplit hand's actions are replayed).

    >>> from exact.shoe import Shoe
    >>> solve(RankShoe.of(Shoe.decks(1)), Rules.of(options={"das": "false"})).expectation
    Fraction(-51232898172369577, 6358710501602058600)

    Raises ``InputError`` when the shoe has fewer than the three cards that a round deals first, or the class is unknown.
    """
    if strategy not in SPLIT_POLICIES:
        raise InputError(f"unknown class of strategy {strategy!r}; known: {', '.join(SPLIT_POLICIES)}")
    return play_game(shoe, rules, strategy, lambda table, rules: None, SPLIT_POLICIES[strategy])


def play_game(
    shoe: RankShoe, rules: Rules, strategy: str, policy: Policy, split_policy: SplitPolicy | None
) -> Solution:
    """A game played by a policy; ``split_policy``, where given, decides split hands from the unsplit play."""
    if shoe.size < 3 and not shoe.infinite:
        raise InputError(f"a round of blackjack deals three cards first; the shoe has {shoe.size}")
    hits = rules.soft17 == "hit"
    whole = table(shoe, hits)
    pairs = [pair for pair in rules.split_pairs if _can_be_dealt(shoe, pair)]
    split = {
        pair: play(table(shoe, hits, pair), rules, policy=policy(table(shoe, hits, pair), rules)) for pair in pairs
    }
    if split_policy is not None:
        unsplit = play(whole, rules)
        split = {pair: play(best.table, rules, policy=split_policy(unsplit, best)) for pair, best in split.items()}
    return Solution(
        shoe, rules, strategy, play(whole, rules, _extras(whole, rules, split), policy(whole, rules)), split
    )


def _can_be_dealt(shoe: RankShoe, pair: int) -> bool:
    return shoe.counts[pair] >= (1 if shoe.infinite else 2)


def _replay(unsplit: Play, best: Play) -> Choices:
    """The unsplit hand's actions for a split hand: the best by the unsplit values among what a split hand may do."""
    rows = [unsplit.table.hands.row[tuple(hand)] for hand in best.table.hands.cards.tolist()]
    choice = np.zeros(best.choice.shape, dtype=np.int8)
    value = np.where(best.allowed[Action.STAND], unsplit.worth[Action.STAND][rows], None)
    for action in (Action.HIT, Action.DOUBLE):
        worth = unsplit.worth[action][rows]
        for cell in zip(*np.nonzero(best.allowed[action]), strict=True):
            if value[cell] is None or worth[cell] > value[cell]:
                value[cell], choice[cell] = worth[cell], action
    return choice


SPLIT_POLICIES: dict[str, SplitPolicy | None] = {"cdp1": None, "cdz-": _replay}


def _extras(whole: Table, rules: Rules, split: Mapping[int, Play]) -> dict[Action, tuple[ObjectArray, BoolArray]]:
    """The worth of a split, a surrender and a fold on the first two cards, and where they are allowed."""
    shape, scale = whole.blackjack.shape, scale_of(rules)
    two_cards = (whole.hands.size == 2) & ~natural_rows(whole)
    nowhere = np.zeros(shape, dtype=np.bool_)
    worth = np.zeros(shape, dtype=object)
    splits, folds = nowhere.copy(), nowhere.copy()
    for pair, one in split.items():
        row = whole.hands.row[tuple(2 * (rank == pair) for rank in range(10))]
        start = one.table.hands.row[tuple(int(rank == pair) for rank in range(10))]
        worth[row], splits[row] = 2 * one.value[start], whole.unseen[row] > 0
        folds[row] = rules.split_or_fold
    surrenders = np.broadcast_to((two_cards & (rules.surrender != "none"))[:, None], shape).copy()
    saved = -(scale // 2) * whole.orders
    given_up = (
        np.broadcast_to(saved, shape).copy() if rules.surrender == "early" else saved - (scale // 2) * whole.blackjack
    )
    folded = -int(rules.fold * scale) * np.broadcast_to(whole.orders, shape)
    return {
        Action.SPLIT: (worth, splits),
        Action.SURRENDER: (given_up, surrenders),
        Action.FOLD: (folded, folds),
    }


def first_deals(whole: Table) -> ObjectArray:
    """The ordered deals of each two-card hand and up card from a shoe."""
    ways = np.zeros(whole.blackjack.shape, dtype=object)
    two = whole.hands.levels[2] if len(whole.hands.levels) > 2 else range(0)
    for row in two:
        cards = whole.hands.cards[row].tolist()
        counts = whole.shoe.counts
        one_way = 1
        for rank, held in enumerate(cards):
            if held:
                one_way *= (
                    counts[rank] ** held if whole.shoe.infinite else comb(counts[rank], held) * (2 if held == 2 else 1)
                )
        orders = 1 if 2 in cards else 2
        for up in range(10):
            ups = counts[up] if whole.shoe.infinite else max(counts[up] - cards[up], 0)
            ways[row, up] = orders * one_way * ups
    return ways


def rank_contributions(solution: Solution) -> dict[str, Fraction]:
    """The contribution of each up card by its rank."""
    return dict(zip(RANKS, solution.by_up, strict=True))
