"""The whole game: every first hand and up card with its ways, each played by one strategy, to one exact expectation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import perm

import numpy as np

from exact.blackjack.cards import RankShoe
from exact.blackjack.hands import BoolArray, ObjectArray, arrangements, left_after
from exact.blackjack.player import Action, Choices, Play, best, natural_rows, play, scale_of
from exact.blackjack.rules import Rules
from exact.blackjack.table import Table, tables
from exact.errors import InputError, nearest


@dataclass(frozen=True)
class Solution:
    """A game solved for a shoe, rules and a class of strategy.

    ``whole`` is the play of the unsplit hand, ``split`` that of one hand of each pair that may split. Values are net
    results per unit of the initial bet, positive for the player, over all rounds: dealer blackjacks count as the
    outcomes they are, also where the dealer peeks.
    """

    shoe: RankShoe
    rules: Rules
    strategy: str
    whole: Play
    split: Mapping[int, Play]

    @cached_property
    def deals(self) -> ObjectArray:
        """The ordered deals of two player cards and the up card that start each cell (hands x up cards)."""
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
    def blackjack(self) -> Fraction:
        """The probability of a dealer blackjack."""
        return Fraction(int((self.deals * self.whole.table.blackjack).sum()), self.total)

    @property
    def conditional(self) -> Fraction:
        """The net result of a round in which the dealer has no blackjack; for a dealer who peeks.

        Raises ``InputError`` without a peek: there the player acts before anyone knows, and no round is set aside.
        """
        if self.rules.hole_card != "peek":
            raise InputError(f"values given no dealer blackjack need hole_card=peek; it is {self.rules.hole_card}")
        lost = np.full(self.whole.choice.shape, self.whole.scale, dtype=object)
        lost[natural_rows(self.whole.table)] = 0
        if self.rules.surrender == "early":  # given up before the peek
            lost[self.whole.choice == Action.SURRENDER] = self.whole.scale // 2
        lost[self.whole.choice == Action.FOLD] = int(self.rules.fold * self.whole.scale)
        met = int((self.deals * self.whole.table.blackjack * lost).sum())
        return (self.expectation + Fraction(met, self.total * self.whole.scale)) / (1 - self.blackjack)

    @property
    def may_run_out(self) -> bool:
        """Whether a round might need more cards than the shoe has: then nobody draws from an empty shoe."""
        return not self.shoe.infinite and self.whole.table.horizon == self.shoe.size

    @cached_property
    def ties(self) -> int:
        """How many first hands and up cards have several equally good best actions: the first ``Action`` is taken."""
        dealt = self.deals > 0
        counted = np.zeros(dealt.shape, dtype=np.int64)
        for action, worth in self.whole.worth.items():
            counted += dealt & self.whole.allowed[action] & (worth == self.whole.value)
        return int((counted > 1).sum())

    def first_action(self, action: Action) -> Fraction:
        """The probability that a round's first decision is this action; a blackjack decides nothing."""
        cells = (self.whole.choice == action) & ~natural_rows(self.whole.table)[:, None]
        return Fraction(int((self.deals * self.whole.table.orders * cells).sum()), self.total)


Policy = Callable[[Table], Choices]  # the action of every cell of a table
SplitPolicy = Callable[[Play, Play], Choices]  # unsplit play, best play of a split hand -> the split hand's actions
Forbidden = Callable[[Table], Mapping[Action, BoolArray]]  # the cells where an action may not be taken


def solve(shoe: RankShoe, rules: Rules, strategy: str = "cdp1") -> Solution:
    """The best play of a class.

    ``cdp1`` decides by the hand's own cards, the up card and, after a split, the other pair card; ``cdz-`` replays
    after a split the actions that are best for the unsplit hand.

    >>> from exact.shoe import Shoe
    >>> solve(RankShoe.of(Shoe.decks(1)), Rules.of(options={"das": "false"})).expectation
    Fraction(-51232898172369577, 6358710501602058600)

    Raises ``InputError`` for an unknown class, or a shoe without the three cards that a round deals first.
    """
    if strategy not in CLASSES:
        raise InputError(f"unknown class of strategy {strategy!r}; {nearest(strategy, CLASSES)}")
    return play_game(shoe, rules, strategy, split_policy=CLASSES[strategy])


def play_game(
    shoe: RankShoe,
    rules: Rules,
    strategy: str,
    policy: Policy | None = None,
    split_policy: SplitPolicy | None = None,
    forbidden: Forbidden | None = None,
) -> Solution:
    """A game played by a policy, or as well as possible without what is forbidden.

    ``split_policy`` decides split hands from the unsplit play.
    """
    if shoe.size < 3 and not shoe.infinite:
        raise InputError(f"a round of blackjack deals three cards first; the shoe has {shoe.size}")

    def played(table: Table, extra: Mapping[Action, ObjectArray] | None = None) -> Play:
        return play(table, rules, extra, policy(table) if policy else None, forbidden(table) if forbidden else None)

    pairs = [pair for pair in rules.split_pairs if shoe.counts[pair] >= (1 if shoe.infinite else 2)]
    found = tables(shoe, rules.soft17 == "hit", [None, *pairs])
    split = {pair: played(found[pair]) for pair in pairs}
    if split_policy:
        unsplit = play(found[None], rules)
        split = {pair: play(one.table, rules, policy=split_policy(unsplit, one)) for pair, one in split.items()}
    return Solution(shoe, rules, strategy, played(found[None], first_choices(found[None], rules, split)), split)


def replay(unsplit: Play, one: Play) -> Choices:
    """The unsplit hand's actions for a split hand: the best by the unsplit values among what a split hand may do."""
    every = unsplit.table.hands.cards
    rows = np.flatnonzero(every[:, one.table.other] > 0)  # the rows of `holding`, in its order
    return best({action: (unsplit.worth[action][rows], one.allowed[action]) for action in one.worth})[0]


CLASSES: dict[str, SplitPolicy | None] = {"cdp1": None, "cdz-": replay}


def first_choices(whole: Table, rules: Rules, split: Mapping[int, Play]) -> dict[Action, ObjectArray]:
    """The worth of a split, a surrender and a fold of the first two cards."""
    worth: ObjectArray = np.zeros(whole.blackjack.shape, dtype=object)
    for pair, one in split.items():
        worth[whole.hands.row(_only(pair, 2))] = 2 * one.value[one.table.hands.row(_only(pair, 1))]
    scale, orders = scale_of(rules), np.broadcast_to(whole.orders, worth.shape)
    half = scale // 2 * orders
    surrendered = -half if rules.surrender == "early" else -half - scale // 2 * whole.blackjack
    return {Action.SPLIT: worth, Action.SURRENDER: surrendered, Action.FOLD: -int(rules.fold * scale) * orders}


def _only(rank: int, cards: int) -> tuple[int, ...]:
    return tuple(cards * (rank == other) for other in range(10))


def first_deals(whole: Table) -> ObjectArray:
    """The ordered deals of each two-card hand and up card from a shoe."""
    ways: ObjectArray = np.zeros(whole.blackjack.shape, dtype=object)
    ups = left_after(whole.shoe, whole.hands.cards).astype(object)
    two = whole.hands.levels[2] if len(whole.hands.levels) > 2 else slice(0, 0)
    for row in range(two.start, two.stop):
        cards = whole.hands.cards[row].tolist()
        hand = 1 if 2 in cards else 2  # a pair comes in one order, two ranks in two
        for count, held in zip(whole.shoe.counts, cards, strict=True):
            hand *= count**held if whole.shoe.infinite else perm(count, held)
        ways[row] = hand * ups[row]
    return ways
