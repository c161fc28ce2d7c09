"""One logged round of blackjack held against the rules: whether it can be read, what is wrong with it, what it pays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction

from exact.blackjack.cards import RANKS, RankShoe
from exact.blackjack.logchoices import Choices
from exact.blackjack.logfile import Dealt, Fault, Hand, UnjudgedError, read_hands, read_row
from exact.blackjack.logrules import dealer_faults, due, insurance_due, payment_option, play_faults, stated_faults
from exact.blackjack.rules import Rules
from exact.blackjack.solve import solve
from exact.shoe import Shoe
from exact.solvers import LogAsked

SHOES_KEPT = 8  # solved shoes, where the log says which cards were seen before a round


class Judge:
    """What rounds are held against. ``net`` says whether the log's payments are without the stake; ``choices`` values
    the choices of the round judged last, from its shoe: a fresh one, less the cards that the log says were seen.
    """

    def __init__(self, rules: Rules, shoe: Shoe, asked: LogAsked, columns: Mapping[str, str]) -> None:
        self.rules, self.shoe, self.asked, self.columns = rules, shoe, asked, columns
        self.choices = Choices(solve(RankShoe.of(shoe), rules))
        self._by_seen: dict[Hand, Choices] = {(): self.choices}
        self.net = False
        self._counts = self._copies()
        self._fewest_cards = min(self._counts.values())
        self._fewest_ranks = min(RankShoe.of(shoe).counts)
        self.restart()

    def restart(self) -> None:
        """Forget the cards of the rounds so far."""
        self._gone: Counter[str] = Counter()
        self._shoe_id = ""

    def _copies(self) -> dict[str, int]:
        """How many cards of each rank, and of each card where suits are known, the shoe holds."""
        counts = dict(zip(RANKS, RankShoe.of(self.shoe).counts, strict=True))
        suited = {"".join(card): n for card, n in self.shoe.counts().items()} if self.shoe.has_suits else {}
        return counts | suited

    def faults(self, cells: Mapping[str, str]) -> tuple[Dealt | None, list[Fault]]:
        """The round, if it can be read and judged, and what is wrong with it."""
        try:
            dealt, seen = read_row(cells), _seen(cells.get("seen", ""))
            self._count(dealt, seen, cells.get("shoe", ""))
        except UnjudgedError as error:
            return None, [error.fault]
        self.choices = self._choices(seen)
        played = list(play_faults(dealt, self.choices))
        if any(fault.group == "shape" for fault in played):
            return None, [fault for fault in played if fault.group == "shape"]
        found = [*played, *dealer_faults(dealt, self.rules, self._has_more(dealt))]
        if not found:  # what follows a wrong draw is not judged
            found = [*stated_faults(dealt, self.rules), *self._settlement(dealt)]
        return (None if played else dealt), found

    def _choices(self, seen: Hand) -> Choices:
        if seen not in self._by_seen:
            if len(self._by_seen) == SHOES_KEPT:
                del self._by_seen[next(key for key in self._by_seen if key)]
            left = (count - seen.count(rank) for rank, count in enumerate(RankShoe.of(self.shoe).counts))
            self._by_seen[seen] = Choices(solve(RankShoe(tuple(left)), self.rules))
        return self._by_seen[seen]

    def _has_more(self, dealt: Dealt) -> bool:
        out = len(dealt.dealer) + sum(map(len, dealt.hands))
        return self.shoe.infinite or out < self.choices.solution.shoe.size

    def _count(self, dealt: Dealt, seen: Hand, shoe_id: str) -> None:
        """The cards seen before and of the round, or of all rounds of the same shoe, against what the shoe holds."""
        fewest = self._fewest_cards if dealt.suited else self._fewest_ranks
        few = len(dealt.dealer) + sum(map(len, dealt.hands)) <= fewest  # not too many, whatever they are
        if self.shoe.infinite and seen:
            raise UnjudgedError(Fault("shape", "cards seen of an endless shoe", "seen", "none", f"{len(seen)} cards"))
        if self.shoe.infinite or (few and not shoe_id and not seen):
            return
        if not shoe_id or shoe_id != self._shoe_id:
            self._shoe_id, self._gone = shoe_id, Counter()
        cards = Counter(RANKS[card] for hand in (*dealt.hands, dealt.dealer) for card in hand)
        cards.update(dealt.suited if self.shoe.has_suits else ())
        self._gone.update(cards)
        before = Counter(RANKS[card] for card in seen)
        for card in cards | before:
            if max(self._gone[card], before[card] + cards[card]) > self._counts.get(card, 0):
                where = "of one shoe" if shoe_id else "in one round"
                most = f"{self._counts.get(card, 0)} copies of {card}"
                held = f"{max(self._gone[card], before[card] + cards[card])} of {card}"
                raise UnjudgedError(Fault("shape", "more copies than the shoe holds", where, most, held))

    def _settlement(self, dealt: Dealt) -> Iterator[Fault]:
        if dealt.stake is None:
            return
        apart = "insurance_paid" in self.columns
        if {"paid", "net"} & set(self.columns):
            right = self._rounded(dealt.stake * due(dealt, self.rules, self.net, not apart))
            if (dealt.paid or 0) != right:
                option = payment_option(dealt, self.rules)
                yield Fault("rule", "wrong settlement", "the bet", _money(right), _money(dealt.paid), option)
        if apart:
            right = self._rounded(dealt.stake * insurance_due(dealt, self.net))
            if (dealt.insurance_paid or 0) != right:
                seen = _money(dealt.insurance_paid)
                yield Fault("rule", "wrong settlement", "insurance", _money(right), seen, "insurance")

    def _rounded(self, amount: Fraction) -> Fraction:
        units = amount / self.asked.unit
        match self.asked.rounding:
            case "exact":
                return amount
            case "floor":
                return units // 1 * self.asked.unit
        return (units + Fraction(1, 2)) // 1 * self.asked.unit


def _seen(text: str) -> Hand:
    """The cards that a cell says were gone before the round, in any order."""
    return tuple(sorted(read_hands("seen", text)[0][0])) if text.strip() else ()


def _money(amount: Fraction | None) -> str:
    return "nothing" if amount is None else f"{float(amount):.10g}"
