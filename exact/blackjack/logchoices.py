"""What the choices in logged rounds cost: each action taken against the best one, exactly, by the hand's own cards.

Values are those of the class cdp1 from one shoe, each pair of hand and up card worked out once. Where the dealer peeks,
a choice is valued given that he has no blackjack, since only then is it made; giving up before the peek (early
surrender, a fold) is a choice of its own, over all rounds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from exact.blackjack.bets import insurance_value
from exact.blackjack.cards import ACE, TEN, Query
from exact.blackjack.logfile import Dealt, Hand
from exact.blackjack.player import Action
from exact.blackjack.query import worth_of
from exact.blackjack.rules import Rules
from exact.blackjack.solve import Solution

SPOKEN = {action: action.name.lower() for action in Action}
PLAY_ON, INSURE, NO_INSURANCE = "play on", "insure", "no insurance"
Worth = Mapping[Action, Fraction]


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """One decision: the hand, the up card, the rank of its split pair or None, what was done, what is best.

    ``cost`` is what the best is worth more, in initial bets: 0 for a best action. Equal choices of one log are one
    object, so that they are counted by identity.
    """

    hand: Hand
    up: int
    split: int | None
    taken: str
    best: str
    cost: Fraction


class Choices:
    """The choices of one table and shoe, each cell worked out once and kept."""

    def __init__(self, solution: Solution) -> None:
        self.solution, self.rules = solution, solution.rules
        self._worth: dict[tuple[Hand, int | None, int, bool], Worth] = {}
        self._made: dict[tuple[Hand, int | None, int, Action], Choice | None] = {}
        self._early: dict[tuple[Hand, int, Action | None], Choice | None] = {}
        self._insured: dict[tuple[Hand, Fraction], Choice] = {}

    def worth(self, hand: Hand, split: int | None, up: int, conditional: bool = False) -> Worth:
        """What each allowed action is worth, in initial bets."""
        key = (tuple(sorted(hand)), split, up, conditional)
        if key not in self._worth:
            self._worth[key] = worth_of(self.solution, Query(key[0], up), split, conditional)[0]
        return self._worth[key]

    def allowed(self, hand: Hand, split: int | None, up: int) -> frozenset[Action]:
        """The actions that the rules allow a hand."""
        return frozenset(self.worth(hand, split, up))

    def made(self, dealt: Dealt) -> Iterator[Choice]:
        """Every choice of a round that was played by the rules."""
        yield from self._insurance(dealt)
        if self.rules.hole_card == "peek":
            first = dealt.actions[0][0] if dealt.actions[0] and not dealt.split else None
            given_up = first if first in before_peek(self.rules) else None
            yield from self._before_peek(dealt.first, dealt.up, given_up)
            if given_up is not None:
                return
        if dealt.split:
            yield from self._one(dealt.first, None, dealt.up, Action.SPLIT)
        split = dealt.first[0] if dealt.split else None
        for hand, actions in zip(dealt.hands, dealt.actions, strict=True):
            for number, action in enumerate(actions):
                yield from self._one(hand[: 2 + number], split, dealt.up, action)

    def _one(self, hand: Hand, split: int | None, up: int, action: Action) -> Iterator[Choice]:
        key = (tuple(sorted(hand)), split, up, action)
        if key not in self._made:
            self._made[key] = self._value(*key)
        choice = self._made[key]
        if choice is not None:
            yield choice

    def _value(self, hand: Hand, split: int | None, up: int, action: Action) -> Choice | None:
        """One action against the best, of those that are left once the dealer has peeked; None without a choice."""
        peek = self.rules.hole_card == "peek"
        early = before_peek(self.rules) if peek else frozenset[Action]()
        try:
            worth = {one: value for one, value in self.worth(hand, split, up, peek).items() if one not in early}
        except ZeroDivisionError:  # every unseen card makes the blackjack: after the peek nobody chooses
            return None
        if len(worth) < 2:
            return None
        best = max(sorted(worth), key=worth.__getitem__)
        best = action if worth[action] == worth[best] else best
        return Choice(hand, up, split, SPOKEN[action], SPOKEN[best], worth[best] - worth[action])

    def _before_peek(self, hand: Hand, up: int, given_up: Action | None) -> Iterator[Choice]:
        key = (tuple(sorted(hand)), up, given_up)
        if key not in self._early:
            self._early[key] = self._giving_up(*key)
        choice = self._early[key]
        if choice is not None:
            yield choice

    def _giving_up(self, hand: Hand, up: int, given_up: Action | None) -> Choice | None:
        """Whether to give up before the dealer peeks, over all rounds; None where the rules do not offer it."""
        worth = self.worth(hand, None, up)
        early = before_peek(self.rules) & set(worth)
        if not early or len(early) == len(worth):
            return None
        offers = {SPOKEN[action]: worth[action] for action in sorted(early)}
        offers[PLAY_ON] = max(value for action, value in worth.items() if action not in early)
        taken = PLAY_ON if given_up is None else SPOKEN[given_up]
        best = max(offers, key=offers.__getitem__)
        best = taken if offers[taken] == offers[best] else best
        return Choice(hand, up, None, taken, best, offers[best] - offers[taken])

    def _insurance(self, dealt: Dealt) -> Iterator[Choice]:
        if dealt.insured is None or dealt.up != ACE or not self.rules.insurance:
            return
        key = (tuple(sorted(dealt.first)), dealt.insured)
        if key not in self._insured:
            self._insured[key] = self._insuring(*key)
        yield self._insured[key]

    def _insuring(self, hand: Hand, insured: Fraction) -> Choice:
        """Whether to insure half the bet, knowing one's own cards and the ace."""
        shoe = self.solution.shoe
        tens = shoe.counts[TEN] - (0 if shoe.infinite else hand.count(TEN))
        value = insurance_value(tens, shoe.size - (0 if shoe.infinite else 3))
        cost = max(value, Fraction(0)) / 2 - value * insured
        taken = INSURE if insured else NO_INSURANCE
        best = taken if not cost else INSURE if value > 0 else NO_INSURANCE
        return Choice(hand, ACE, None, taken, best, cost)


def before_peek(rules: Rules) -> frozenset[Action]:
    """The ways to give up that do not wait for the dealer's peek."""
    return frozenset({Action.FOLD, Action.SURRENDER} if rules.surrender == "early" else {Action.FOLD})


def is_natural(hand: Hand) -> bool:
    """Whether two cards are an ace and a ten-value card."""
    return len(hand) == 2 and ACE in hand and TEN in hand


def acted_after_peek(rules: Rules, dealt: Dealt) -> bool:
    """Whether an action shows that the dealer peeked and had no blackjack."""
    acted = dealt.split or bool(set(dealt.actions[0]) - before_peek(rules))
    return rules.hole_card == "peek" and acted and not is_natural(dealt.first)
