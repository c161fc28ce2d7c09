"""Cards, decks and a finite shoe of them; what is left after removals."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from math import perm

from exact.errors import InputError

Card = tuple[str, str]  # rank, suit
SUIT_SIGNS = {"♠": "S", "♥": "H", "♦": "D", "♣": "C"}


@dataclass(frozen=True, slots=True)
class Deck:
    """The cards of one deck, in order, each once or more; ranks and suits are short texts such as "10" and "S"."""

    cards: tuple[Card, ...]

    @property
    def ranks(self) -> tuple[str, ...]:
        """Every rank once, in order."""
        return tuple(dict.fromkeys(rank for rank, _ in self.cards))

    @property
    def suits(self) -> tuple[str, ...]:
        """Every suit once, in order."""
        return tuple(dict.fromkeys(suit for _, suit in self.cards))

    def parse(self, text: str) -> tuple[str, str | None]:
        """A card as people write it: "8H" (rank and suit) or "8" (any suit). T stands for 10, suit signs for letters.

        >>> FRENCH.parse("10h"), FRENCH.parse("T♥"), FRENCH.parse("K")
        (('10', 'H'), ('10', 'H'), ('K', None))

        Raises ``InputError`` naming what is not a card of the deck.
        """
        word = text.strip().upper()
        for sign, letter in SUIT_SIGNS.items():
            word = word.replace(sign, letter)
        for suit in ("", *sorted(self.suits, key=len, reverse=True)):
            if word.endswith(suit.upper()) and (rank := self._rank(word[: len(word) - len(suit)])):
                if suit and (rank, suit) not in self.cards:
                    raise InputError(f"there is no card {text.strip()!r}: rank {rank} has no suit {suit}")
                return rank, suit or None
        raise InputError(
            f"{text.strip()!r} is not a card; ranks are {' '.join(self.ranks)}, suits {' '.join(self.suits)} "
            f"(write {self.cards[0][0]} or {''.join(self.cards[0])})"
        )

    def _rank(self, word: str) -> str | None:
        word = "10" if word == "T" and "T" not in self.ranks else word
        return next((rank for rank in self.ranks if rank.upper() == word), None)


FRENCH = Deck(tuple(product(("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"), "SHDC")))


@dataclass(frozen=True, slots=True)
class Shoe:
    """A shoe: how many of each card it holds. Immutable.

    ``cards`` counts each card of the deck. Where suits are not known (a shoe given by rank), it counts ranks instead,
    with the empty suit. ``taken`` counts cards removed by rank only, whose suits nobody saw: a shoe that has any knows
    no suits. An ``infinite`` shoe draws with replacement, in the proportions of its counts.
    """

    deck: Deck
    cards: Mapping[Card, int]
    taken: Mapping[str, int] = field(default_factory=dict)
    infinite: bool = False

    @classmethod
    def decks(cls, number: int | str, deck: Deck = FRENCH) -> Shoe:
        """A fresh shoe of whole decks, or an endless one with ``"infinite"``.

        >>> Shoe.decks(8).size
        416
        """
        if str(number).strip().lower() == "infinite":
            return replace(cls.decks(1, deck), infinite=True)
        if not re.fullmatch(r"\d{1,15}", str(number).strip()) or int(number) < 1:
            raise InputError(f"the number of decks must be a whole number from 1, or 'infinite', not {str(number)!r}")
        cards: dict[Card, int] = {}
        for card in deck.cards:
            cards[card] = cards.get(card, 0) + int(number)
        return cls(deck, cards)

    @classmethod
    def of(cls, counts: Mapping[str, int], deck: Deck = FRENCH) -> Shoe:
        """A shoe by rank (``{"A": 30, "2": 32}``) or by card (``{"AS": 8}``), never both; what is not named is not in
        it.

        >>> Shoe.of({"A": 3, "K": 5}).counts_by("rank")["K"]
        5
        """
        cards: dict[Card, int] = {}
        for text, count in counts.items():
            rank, suit = deck.parse(text)
            if isinstance(count, bool) or not isinstance(count, int) or count < 0:
                raise InputError(f"the count of {text} must be a whole number from 0, not {count!r}")
            if (rank, suit or "") in cards:
                raise InputError(f"the card {text} is counted twice")
            cards[rank, suit or ""] = count
        if len({suit == "" for _, suit in cards}) > 1:
            raise InputError("a shoe is given by rank (A=32) or by card (AS=8), not by both")
        if not any(cards.values()):
            raise InputError("the shoe is empty")
        return cls(deck, cards)

    def remove(self, cards: str | Sequence[str]) -> Shoe:
        """What is left after taking out cards ("8H,8,K"); an order does not matter. A card without suit is one whose
        suit nobody saw: the shoe that is left knows no suits.

        >>> Shoe.decks(1).remove("8H,8").counts_by("rank")["8"]
        2

        Raises ``InputError`` when a card is not there.
        """
        texts = cards.split(",") if isinstance(cards, str) else cards
        left, taken = dict(self.cards), dict(self.taken)
        for text in (text for text in texts if text.strip()):
            rank, suit = self.deck.parse(text)
            if self.infinite:
                raise InputError("an infinite shoe never changes: nothing can be removed from it")
            if suit is None and self.has_suits_counted:
                taken[rank] = taken.get(rank, 0) + 1
                continue
            if suit is not None and not self.has_suits_counted:
                raise InputError(
                    f"cannot remove {text.strip()}: this shoe is given by rank and knows no suits; remove {rank}"
                )
            left[rank, suit or ""] = left.get((rank, suit or ""), 0) - 1
        shoe = replace(self, cards=left, taken=taken)
        before, after = self.counts_by("rank"), shoe.counts_by("rank")
        held = {"".join(card): (self.cards.get(card, 0), count) for card, count in left.items()}
        held |= {rank: (before[rank], after[rank]) for rank in before}
        for card, (had, has) in held.items():
            if has < 0:
                raise InputError(f"cannot remove {card}: the shoe holds {had}, {had - has} are to be removed")
        return shoe

    @property
    def has_suits_counted(self) -> bool:
        """Whether it was given by card, so that a card can be removed by its suit."""
        return any(suit for _, suit in self.cards)

    @property
    def has_suits(self) -> bool:
        """Whether the suits of the cards left are known."""
        return self.has_suits_counted and not self.taken

    @property
    def size(self) -> int:
        """The number of cards left; of an infinite shoe, of the deck whose proportions it keeps."""
        return sum(self.cards.values()) - sum(self.taken.values())

    def counts_by(self, attribute: str) -> dict[str, int]:
        """Cards left by "rank", by "suit" or by "card" ("8H").

        Raises ``InputError`` where that needs suits and the shoe knows none.
        """
        if attribute == "rank":
            counts = dict.fromkeys(self.deck.ranks, 0)
            for (rank, _), count in self.cards.items():
                counts[rank] += count
            return {rank: count - self.taken.get(rank, 0) for rank, count in counts.items()}
        counts = dict.fromkeys(self.deck.suits if attribute == "suit" else map("".join, self.deck.cards), 0)
        for (rank, suit), count in self.counts().items():
            if not suit:
                raise InputError(
                    f"the shoe is given by rank: it knows no suits, so it cannot be counted by {attribute}"
                )
            counts[suit if attribute == "suit" else rank + suit] += count
        return counts

    def counts(self) -> dict[Card, int]:
        """Cards left, by card where suits are known, else by rank with the empty suit."""
        if self.has_suits or not self.taken:
            return dict(self.cards)
        return {(rank, ""): count for rank, count in self.counts_by("rank").items()}

    def orders(self, cards: int) -> int:
        """The number of ordered deals of so many cards: the total over which every probability of a round is counted.

        >>> Shoe.decks(8).orders(6)
        4998398275503360
        """
        return self.size**cards if self.infinite else perm(self.size, cards)

    def describe(self) -> str:
        """The shoe in one line, for people."""
        whole = Shoe.decks(1, self.deck)
        decks = {divmod(count, whole.cards[card]) for card, count in self.cards.items() if card in whole.cards}
        if self.infinite:
            return "infinite decks (cards drawn with replacement)"
        number, odd = decks.pop() if len(decks) == 1 else (0, 1)
        if not self.taken and not odd and self.cards.keys() == whole.cards.keys():
            return f"{number} deck{'s' * (number > 1)}, {self.size} cards"
        return f"{self.size} cards: " + " ".join(
            f"{rank}={count}" for rank, count in self.counts_by("rank").items() if count
        )
