"""The slow twin: blackjack as a memoised recursion over probabilities, written from the rules alone.

Every card that can come is tried, one at a time, with its probability as a `Fraction`; the player takes the best action
at every hand. Only the record of rules is shared with the package.
"""

from fractions import Fraction
from functools import cache

from exact.blackjack.rules import Rules

Counts = tuple[int, ...]
HALF = Fraction(1, 2)


def total_of(cards):
    """(best total, soft) of a sorted tuple of card values 1 to 10."""
    hard = sum(cards)
    return (hard + 10, True) if 1 in cards and hard <= 11 else (hard, False)


class Endless(tuple):
    """The counts of an endless shoe: a card drawn is put back."""

    def __eq__(self, other):
        return isinstance(other, Endless) and super().__eq__(other)

    def __hash__(self):
        return hash(("endless", *self))


def without(counts: Counts, card: int) -> Counts:
    if isinstance(counts, Endless):
        return counts
    return (*counts[: card - 1], counts[card - 1] - 1, *counts[card:])


def draws(counts: Counts):
    """Each card value that can come next with its probability and what is left."""
    size = sum(counts)
    for card in range(1, 11):
        if counts[card - 1]:
            yield card, Fraction(counts[card - 1], size), without(counts, card)


@cache
def dealer(counts: Counts, cards: tuple[int, ...], hits_soft_17: bool):
    """The distribution of the dealer's end: a total, "bust" or "blackjack"; he keeps his total when no card is left."""
    total, soft = total_of(cards)
    if total > 21:
        return {"bust": Fraction(1)}
    if len(cards) == 2 and total == 21:
        return {"blackjack": Fraction(1)}
    stands = total > 17 or (total == 17 and not (soft and hits_soft_17))
    if (stands and len(cards) > 1) or not sum(counts):
        return {total: Fraction(1)}
    ends = {}
    for card, probability, left in draws(counts):
        for end, part in dealer(left, tuple(sorted((*cards, card))), hits_soft_17).items():
            ends[end] = ends.get(end, 0) + probability * part
    return ends


def lost_to_blackjack(rules: Rules, up: int, doubled: bool, split: bool) -> Fraction:
    """What a live hand loses to a dealer blackjack, by the words of the options."""
    name = {1: "ace", 10: "ten"}[up]
    loss = Fraction(1)
    if split and not getattr(rules, f"{name}_up_takes_split"):
        loss = HALF  # one bet for the two hands
    if doubled and getattr(rules, f"{name}_up_takes_double"):
        loss += 1
    return loss


class Twin:
    def __init__(self, counts: Counts, rules: Rules):
        self.counts, self.rules = counts, rules
        self.after = cache(self._after)
        self.one_hand = cache(self._one_hand)

    def settle(self, hand, up, counts, doubled, split):
        """Expected net result of a hand that takes no more cards."""
        rules, (total, _) = self.rules, total_of(hand)
        stake = 1 + doubled
        charlie = rules.charlie is not None and len(hand) >= rules.charlie
        value = Fraction(0)
        for end, probability in dealer(counts, (up,), rules.soft17 == "hit").items():
            if end == "blackjack":
                if total > 21:
                    kept = rules.hole_card == "none"
                    net = -stake if kept else -lost_to_blackjack(rules, up, doubled, split)
                elif charlie and rules.charlie_beats_blackjack:
                    net = stake
                elif total == 21 and not rules.blackjack_beats_21:
                    net = 0
                else:
                    net = -lost_to_blackjack(rules, up, doubled, split)
            elif total > 21:
                net = -stake
            elif charlie or end == "bust" or total > end:
                net = stake
            else:
                net = 0 if total == end else -stake
            value += probability * net
        return value

    def hit(self, hand, up, counts, split):
        return sum(p * self.after(tuple(sorted((*hand, card))), up, left, split) for card, p, left in draws(counts))

    def double(self, hand, up, counts, split):
        return sum(
            p * self.settle(tuple(sorted((*hand, card))), up, left, True, split) for card, p, left in draws(counts)
        )

    def actions(self, hand, up, counts, split):
        """Each action of a hand (stand, hit, double) with its expected net result."""
        rules, (total, soft) = self.rules, total_of(hand)
        yield "stand", self.settle(hand, up, counts, False, split)
        one_card = split == 1 and rules.split_aces == "one-card"
        if not sum(counts) or (rules.charlie is not None and len(hand) >= rules.charlie) or one_card:
            return
        yield "hit", self.hit(hand, up, counts, split)
        least, most = rules.double
        fits = least <= total <= most and (rules.double_soft or not soft)
        if len(hand) == 2 and fits and (not split or rules.das):
            yield "double", self.double(hand, up, counts, split)

    def _after(self, hand, up, counts, split):
        if sum(hand) > 21:
            return self.settle(hand, up, counts, False, split)
        return max(value for _, value in self.actions(hand, up, counts, split))

    def _one_hand(self, pair, up, counts):
        return self.hit((pair,), up, counts, pair)

    def choices(self, hand, up, counts):
        """Each action of the first two cards with its expected net result."""
        rules = self.rules
        if sorted(hand) == [1, 10]:
            blackjack = dealer(counts, (up,), rules.soft17 == "hit").get("blackjack", 0)
            return {"stand": rules.blackjack_pays * (1 - blackjack)}
        found = dict(self.actions(hand, up, counts, 0))
        blackjack = dealer(counts, (up,), rules.soft17 == "hit").get("blackjack", 0)
        if rules.surrender != "none":
            found["surrender"] = -HALF - (HALF * blackjack if rules.surrender == "late" else 0)
        if hand[0] == hand[1] and hand[0] - 1 in rules.split_pairs:
            if rules.split_or_fold:
                found = {"fold": -rules.fold}
            if sum(counts):
                found["split"] = 2 * self.one_hand(hand[0], up, counts)
        return found

    def expectation(self):
        value = Fraction(0)
        for first, p, left in draws(self.counts):
            for second, q, rest in draws(left):
                for up, r, unseen in draws(rest):
                    hand = tuple(sorted((first, second)))
                    value += p * q * r * max(self.choices(hand, up, unseen).values())
        return value
