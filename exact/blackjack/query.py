"""One hand against one up card: what each action is worth, in the middle of a hand too."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from exact.blackjack.bets import insurance_value
from exact.blackjack.cards import ACE, RANKS, TEN, Query, RankShoe, best_total, hand_text
from exact.blackjack.dealer import dealer_distribution
from exact.blackjack.player import Action, Play
from exact.blackjack.rules import Rules
from exact.blackjack.solve import Solution
from exact.errors import InputError


@dataclass(frozen=True, slots=True)
class HandAnswer:
    """The actions that the rules allow a hand, with their exact worth in initial bets, and the dealer's distribution.

    For one hand of a split (``split`` holds the pair's rank) the worth is that hand's alone. ``conditional``: every
    number is given no dealer blackjack. ``insurance`` is the worth of a unit insured, where the dealer shows an ace.
    """

    query: Query
    split: int | None
    total: int
    soft: bool
    worth: dict[Action, Fraction]
    best: Action
    dealer: dict[str, Fraction]
    insurance: Fraction | None
    conditional: bool


def answer(solution: Solution, query: Query, split: int | None = None, conditional: bool = False) -> HandAnswer:
    """What a hand is worth in a solved game, with the dealer's distribution.

    Raises ``InputError`` as ``worth_of`` does.
    """
    worth, best = worth_of(solution, query, split, conditional)
    removed = tuple(query.hand.count(rank) + (rank == split) for rank in range(10))
    dealer = dealer_distribution(solution.shoe, removed, query.up, solution.rules.soft17 == "hit")
    if conditional:
        share = 1 - dealer.pop("blackjack")
        dealer = {end: probability / share for end, probability in dealer.items()}
    total, soft = best_total(sum(rank + 1 for rank in query.hand), ACE in query.hand)
    insured = _insured(solution, removed, query.up)
    return HandAnswer(query, split, total, soft, worth, best, dealer, insured, conditional)


def worth_of(
    solution: Solution, query: Query, split: int | None = None, conditional: bool = False
) -> tuple[dict[Action, Fraction], Action]:
    """The worth of each action that the rules allow a hand, in initial bets, and the one that is taken.

    Raises ``InputError`` for a hand that is over 21, that the shoe cannot deal, or that is no hand of such a split, and
    for ``conditional`` without a peek.
    """
    _refuse_impossible(solution.shoe, query, split)
    hard = sum(rank + 1 for rank in query.hand)
    if hard > 21:
        raise InputError(f"{hand_text(query.hand)} is {hard}: over 21, nothing is left to decide")
    if conditional and solution.rules.hole_card != "peek":
        raise InputError(f"values given no dealer blackjack need hole_card=peek; it is {solution.rules.hole_card}")
    if solution.rules.charlie is not None and len(query.hand) > solution.rules.charlie:
        raise InputError(f"a hand of {solution.rules.charlie} cards has won: nobody holds {len(query.hand)}")
    play = _play_of(solution, query, split)
    row = play.table.hands.row(tuple(query.hand.count(rank) for rank in range(10)))
    assert row is not None, "the shoe can deal it and it is not over 21"
    given = _Given(solution.rules, play, row, query.up, conditional)
    worth = {action: given.net(action) for action in play.worth if play.allowed[action][row, query.up]}
    return worth, Action(int(play.choice[row, query.up]))


@dataclass(frozen=True, slots=True)
class _Given:
    """Nets of one cell, over all rounds or over those without a dealer blackjack."""

    rules: Rules
    play: Play
    row: int
    up: int
    conditional: bool

    def net(self, action: Action) -> Fraction:
        amount, table = int(self.play.worth[action][self.row, self.up]), self.play.table
        if not self.conditional:
            return self.play.net(amount, self.row)
        blackjack = int(table.blackjack[self.row, self.up])
        if not blackjack:
            return self.play.net(amount, self.row)
        lost = int(self._lost_to_blackjack(action) * self.play.scale) * blackjack
        return Fraction(amount + lost, self.play.scale * (int(table.orders[self.row, 0]) - blackjack))

    def _lost_to_blackjack(self, action: Action) -> Fraction:
        """What the dealer's blackjack takes after a peek, whatever the action would have been."""
        if action is Action.FOLD:
            return self.rules.fold
        if action is Action.SURRENDER and self.rules.surrender == "early":
            return Fraction(1, 2)
        cards = self.play.table.hands.cards[self.row]
        if self.play.table.other is None and cards.sum() == 2 and cards[ACE] and cards[TEN]:
            return Fraction(0)
        return Fraction(1) if self.play.table.other is None else Fraction(1, 2)


def _play_of(solution: Solution, query: Query, split: int | None) -> Play:
    if split is None:
        return solution.whole
    if split not in solution.split:
        raise InputError(f"a pair of {RANKS[split]} cannot be split under these rules or from this shoe")
    if split not in query.hand:
        raise InputError(f"{hand_text(query.hand)} is no hand of a split pair of {RANKS[split]}: it holds none")
    return solution.split[split]


def _refuse_impossible(shoe: RankShoe, query: Query, split: int | None) -> None:
    if shoe.infinite:
        return
    for rank in range(10):
        wanted = query.hand.count(rank) + (query.up == rank) + (split == rank)
        if wanted > shoe.counts[rank]:
            raise InputError(f"{query} needs {wanted} cards of {RANKS[rank]}; the shoe has {shoe.counts[rank]}")


def _insured(solution: Solution, removed: tuple[int, ...], up: int) -> Fraction | None:
    shoe = solution.shoe
    out = 0 if shoe.infinite else sum(removed) + 1
    if up != ACE or not solution.rules.insurance or shoe.size <= out:
        return None
    return insurance_value(shoe.counts[TEN] - (0 if shoe.infinite else removed[TEN]), shoe.size - out)
