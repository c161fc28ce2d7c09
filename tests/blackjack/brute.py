"""Brute force: every order of a tiny shoe, the round played card by card as it is dealt, both hands of a split too.

What the player may know decides how orders are grouped: at each decision he sees his own cards and the up card, and
after a split the other pair card, never the other hand. An unsplit hand takes the action with the greatest sum over the
orders that look alike so far; for split hands every policy (an action for each hand he can hold) is tried on both hands
of every order. Nothing is weighted, no card is exchanged for another, no expectation of one hand is doubled.
"""

from fractions import Fraction
from itertools import groupby

from exact.blackjack.rules import Rules

HALF = Fraction(1, 2)


def distinct_orders(counts):
    """Every distinct order of the cards (values 1 to 10); all are equally likely."""
    if not any(counts):
        yield ()
        return
    for index, count in enumerate(counts):
        if count:
            rest = (*counts[:index], count - 1, *counts[index + 1 :])
            for order in distinct_orders(rest):
                yield (index + 1, *order)


def total_of(cards):
    hard = sum(cards)
    return (hard + 10, True) if 1 in cards and hard <= 11 else (hard, False)


class Round:
    """One order of the shoe being dealt."""

    def __init__(self, rules: Rules, order):
        self.rules = rules
        self.hand, self.up = order[:2], order[2]
        peeks = rules.hole_card == "peek" and len(order) > 3
        self.hole = order[3:4] if peeks else ()
        self.rest = order[3 + peeks :]

    @property
    def peeked(self):
        return bool(self.hole) and total_of((self.up, *self.hole))[0] == 21

    def dealer(self, used):
        """The dealer's cards after the player used so many of the rest."""
        cards, rest = (self.up, *self.hole), list(self.rest[used:])
        while rest:
            total, soft = total_of(cards)
            if len(cards) > 1 and (total > 17 or (total == 17 and not (soft and self.rules.soft17 == "hit"))):
                break
            cards += (rest.pop(0),)
        return cards

    def settle(self, hands, used):
        """The net result of finished hands [(cards, doubled)] once the dealer has played."""
        rules, dealer = self.rules, self.dealer(used)
        total = total_of(dealer)[0]
        split, blackjack = len(hands) == 2, len(dealer) == 2 and total == 21
        if blackjack and rules.hole_card != "none":
            saved = [self.special(cards) for cards, _ in hands]
            if None not in saved and not split:
                return saved[0]
            if split and any(worth is not None for worth in saved):
                # the one original bet is either of the two: each hand stands for half of it
                return sum((worth * (1 + doubled) if worth else 0) if worth is not None else -HALF
                           for worth, (_, doubled) in zip(saved, hands, strict=True))  # fmt: skip
            return Fraction(-1)
        return sum(self.one(cards, doubled, split, total, blackjack) for cards, doubled in hands)

    def special(self, cards):
        """What a hand that is not over 21 gets against a dealer blackjack by the two rules that spare it, or None."""
        rules, total = self.rules, total_of(cards)[0]
        if total > 21:
            return None
        if rules.charlie and len(cards) >= rules.charlie and rules.charlie_beats_blackjack:
            return 1
        return 0 if total == 21 and not rules.blackjack_beats_21 else None

    def one(self, cards, doubled, split, dealer, blackjack):
        rules, total, stake = self.rules, total_of(cards)[0], 1 + doubled
        if total > 21:
            return -stake
        if blackjack:
            if (worth := self.special(cards)) is not None:
                return worth * stake
            name = {1: "ace", 10: "ten"}[self.up]
            first = 1 if not split or getattr(rules, f"{name}_up_takes_split") else HALF
            return -first - (doubled and getattr(rules, f"{name}_up_takes_double"))
        if dealer > 21 or total > dealer or (rules.charlie and len(cards) >= rules.charlie):
            return stake
        return 0 if total == dealer else -stake


def options(rules, cards, left, split_of):
    """The actions of a hand that is not over 21, by the words of the rules."""
    if not left or (rules.charlie and len(cards) >= rules.charlie):
        return ["stand"]
    if split_of == 1 and rules.split_aces == "one-card":
        return ["stand"]
    found, (total, soft) = ["stand", "hit"], total_of(cards)
    fits = rules.double[0] <= total <= rules.double[1] and (rules.double_soft or not soft)
    if len(cards) == 2 and fits and (rules.das or not split_of):
        found.append("double")
    return found


class UndecidedError(Exception):
    """A policy meets a hand that it says nothing of."""


class Brute:
    def __init__(self, counts, rules):
        self.rules = rules
        self.orders = list(distinct_orders(tuple(counts)))

    def expectation(self):
        rounds = [Round(self.rules, order) for order in self.orders]
        known = sorted(rounds, key=lambda r: (r.hand, r.up))
        groups = [list(group) for _, group in groupby(known, key=lambda r: (r.hand, r.up))]
        return Fraction(sum(self.first(group) for group in groups)) / len(rounds)

    def first(self, rounds):
        """The sum over orders that begin alike, with the best first decision."""
        rules, hand = self.rules, rounds[0].hand
        if sorted(hand) == [1, 10]:
            return sum(
                0 if total_of(r.dealer(0))[0] == 21 and len(r.dealer(0)) == 2 else rules.blackjack_pays for r in rounds
            )
        lost = [r for r in rounds if r.peeked]
        live = [r for r in rounds if not r.peeked]
        before = -len(lost)
        may_split = hand[0] == hand[1] and hand[0] - 1 in rules.split_pairs
        found = []
        if may_split and rules.split_or_fold:
            found.append(-rules.fold * len(rounds))
        else:
            found.append(before + self.play(live, hand, 0))
            if rules.surrender == "early":
                found.append(-HALF * len(rounds))
            if rules.surrender == "late":
                found.append(sum(-1 if self.blackjack(r) else -HALF for r in rounds))
        if may_split and rounds[0].rest + rounds[0].hole:
            found.append(before + self.split(live))
        return max(found)

    def blackjack(self, r):
        cards = r.dealer(0)
        return len(cards) == 2 and total_of(cards)[0] == 21

    def play(self, rounds, cards, used):
        """The greatest sum over these orders for an unsplit hand of these cards."""
        if not rounds:
            return 0
        if total_of(cards)[0] > 21:
            return sum(r.settle([(cards, 0)], used) for r in rounds)
        sums = []
        for action in options(self.rules, cards, len(rounds[0].rest) - used, 0):
            if action == "stand":
                sums.append(sum(r.settle([(cards, 0)], used) for r in rounds))
            elif action == "double":
                sums.append(sum(r.settle([((*cards, r.rest[used]), 1)], used + 1) for r in rounds))
            else:
                by_card = sorted(rounds, key=lambda r: r.rest[used])
                sums.append(
                    sum(
                        self.play(list(group), (*cards, card), used + 1)
                        for card, group in groupby(by_card, key=lambda r: r.rest[used])
                    )
                )
        return max(sums)

    def split(self, rounds):
        """The greatest sum over all policies for the two hands of a split."""
        best, unfinished = None, [{}]
        while unfinished:
            policy = unfinished.pop()
            try:
                result = sum(self.both(r, policy) for r in rounds)
            except UndecidedError as met:
                cards, choices = met.args
                unfinished += [{**policy, cards: choice} for choice in choices]
            else:
                best = result if best is None else max(best, result)
        return best

    def both(self, r, policy):
        """One order: the first hand is played to its end, then the second, then the dealer."""
        used, hands = 0, []
        for _ in range(2):
            cards, doubled = (r.hand[0],), 0
            while True:
                if len(cards) == 1:
                    action = "hit"
                elif total_of(cards)[0] > 21:
                    break
                else:
                    choices = options(self.rules, cards, len(r.rest) - used, r.hand[0])
                    key = tuple(sorted(cards))
                    if len(choices) > 1 and key not in policy:
                        raise UndecidedError(key, choices)
                    action = policy[key] if len(choices) > 1 else choices[0]
                if action == "stand":
                    break
                cards, used, doubled = (*cards, r.rest[used]), used + 1, doubled or int(action == "double")
                if action == "double":
                    break
            hands.append((cards, doubled))
        return r.settle(hands, used)
