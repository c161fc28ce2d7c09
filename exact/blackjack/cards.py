"""Blackjack's ten ranks, the shoe as counts of them, and hands as people write them ("8,8 v 10")."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from exact.errors import InputError
from exact.shoe import FRENCH, Shoe

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10")
ACE, TEN = 0, 9
TEN_VALUE = ("10", "J", "Q", "K")
Counts = tuple[int, ...]  # how many of each of the ten ranks


@dataclass(frozen=True, slots=True)
class RankShoe:
    """What blackjack sees of a shoe: the counts of its ten ranks, and whether cards are drawn with replacement."""

    counts: Counts
    infinite: bool = False

    @classmethod
    def of(cls, shoe: Shoe) -> RankShoe:
        """The ten counts of a shoe of French cards; J, Q and K count as 10.

        >>> RankShoe.of(Shoe.decks(6)).counts[TEN]
        96
        """
        by_rank = shoe.counts_by("rank")
        unknown = sorted(set(by_rank) - set(FRENCH.ranks))
        if unknown:
            raise InputError(
                f"blackjack is played with ranks {' '.join(FRENCH.ranks)}; the shoe has {' '.join(unknown)}"
            )
        counts = tuple(by_rank.get(rank, 0) for rank in RANKS[:TEN])
        return cls((*counts, sum(by_rank.get(rank, 0) for rank in TEN_VALUE)), shoe.infinite)

    @property
    def size(self) -> int:
        """The number of cards; of an infinite shoe, of the deck whose proportions it keeps."""
        return sum(self.counts)


@dataclass(frozen=True, slots=True)
class Query:
    """A player's hand and the dealer's up card, as indices of ``RANKS``."""

    hand: tuple[int, ...]
    up: int

    def __str__(self) -> str:
        return f"{hand_text(self.hand)} v {RANKS[self.up]}"


@lru_cache(maxsize=1024)
def rank_index(text: str) -> int:
    """The index of a card's rank among the ten; suits are read and forgotten.

    >>> rank_index("A"), rank_index("QS"), rank_index("T")
    (0, 9, 9)

    Raises ``InputError`` if the text is no card.
    """
    rank, _ = FRENCH.parse(text)
    return TEN if rank in TEN_VALUE else RANKS.index(rank)


def parse_query(text: str) -> Query:
    """A hand as people write it: cards with commas, "v", the up card.

    >>> parse_query("8,8 v 10")
    Query(hand=(7, 7), up=9)

    Raises ``InputError`` when it is not so written or holds no hand of at least two cards.
    """
    left, mark, right = text.partition(" v ")
    if not mark or not right.strip() or "," in right:
        raise InputError(f"a hand is written as cards, 'v' and the dealer's up card: '8,8 v 10', not {text!r}")
    hand = tuple(rank_index(card) for card in left.split(","))
    if len(hand) < 2:
        raise InputError(f"a hand has at least two cards, as in '8,8 v 10'; {text!r} has one")
    return Query(hand, rank_index(right))


def hand_text(hand: tuple[int, ...]) -> str:
    """A hand of rank indices as text.

    >>> hand_text((0, 6))
    'A,7'
    """
    return ",".join(RANKS[card] for card in hand)


def cards_of(counts: Counts) -> tuple[int, ...]:
    """The cards of a composition, lowest first.

    >>> cards_of((1, 0, 0, 0, 0, 0, 2, 0, 0, 0))
    (0, 6, 6)
    """
    return tuple(rank for rank, count in enumerate(counts) for _ in range(count))


def best_total(hard: int, has_ace: bool) -> tuple[int, bool]:
    """The best total of a hand and whether it is soft, from its total with every ace as 1.

    >>> best_total(8, True), best_total(13, True)
    ((18, True), (13, False))
    """
    return (hard + 10, True) if has_ace and hard <= 11 else (hard, False)
