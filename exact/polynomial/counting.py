"""How shoes are counted in columns: by rank, by card, or by an attribute that the rules give to cards (value)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from exact.errors import InputError
from exact.rulefile.game import Game
from exact.shoe import Card, Shoe

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]


MOST_CARDS = 10**15  # in one count: sums over all counts then fit 64 bits


@dataclass(frozen=True, slots=True)
class Counting:
    """Columns that count the cards of a shoe: each ``label`` counts some ``cards`` of the deck, each card is in one."""

    name: str
    labels: tuple[str, ...]
    cards: tuple[tuple[Card, ...], ...]

    def counts(self, shoe: Shoe) -> tuple[int, ...]:
        """How many cards of each label a shoe holds.

        >>> from exact.games import load
        >>> counting(load("baccarat"), "value").counts(Shoe.decks(8))
        (128, 32, 32, 32, 32, 32, 32, 32, 32, 32)

        Raises ``InputError`` where that needs suits and the shoe knows none.
        """
        return class_counts(shoe, self.cards)

    def into(self, classes: Sequence[Sequence[Card]]) -> Array:
        """The matrix (labels x classes) that turns counts by these labels into counts by coarser classes.

        Raises ``InputError`` naming two cards that the labels mix and the classes tell apart.
        """
        import numpy as np

        place = {card: kind for kind, cards in enumerate(classes) for card in cards}
        matrix = np.zeros((len(self.labels), len(classes)), dtype=np.int64)
        for row, cards in enumerate(self.cards):
            for card in cards:
                if place[card] != place[cards[0]]:
                    raise InputError(
                        f"shoes counted by {self.name} do not tell {''.join(cards[0])} from {''.join(card)}, which "
                        "matters for what is asked: count them by rank, or by card where suits matter"
                    )
            matrix[row, place[cards[0]]] = 1
        return matrix


def countings(game: Game) -> tuple[Counting, ...]:
    """Every way to count the shoes of a game, the usual first: by rank, by each attribute, by card."""
    names = dict.fromkeys(["rank", *game.attributes, "card"])
    return tuple(counting(game, name) for name in names)


def counting(game: Game, name: str) -> Counting:
    """One way to count shoes: "rank", "card" or an attribute of the game."""
    cards: dict[str, list[Card]] = {}
    for rank, suit in dict.fromkeys(game.deck.cards):
        value = {"rank": rank, "card": rank + suit}.get(name) or game.attributes[name][rank, suit]
        cards.setdefault(str(value), []).append((rank, suit))
    labels = list(cards)
    if all(label.lstrip("-").isdigit() for label in labels):
        labels.sort(key=int)
    return Counting(name, tuple(labels), tuple(tuple(cards[label]) for label in labels))


def coarsest(game: Game, parts: Sequence[Sequence[Sequence[Card]]]) -> Counting:
    """The fewest columns that several partitions of the cards need: an attribute, the rank or the card."""
    found: list[Counting] = []
    for candidate in countings(game):
        try:
            for classes in parts:
                candidate.into(classes)
        except InputError:
            continue
        found.append(candidate)
    return min(found, key=lambda candidate: len(candidate.labels))


def class_counts(shoe: Shoe, classes: Sequence[Sequence[Card]]) -> tuple[int, ...]:
    """How many cards of each class a shoe holds; ``InputError`` where that needs suits and the shoe knows none."""
    held = shoe.counts()
    if any(suit for _, suit in held):
        return tuple(sum(held.get(card, 0) for card in cards) for cards in classes)
    ranks = [frozenset(rank for rank, _ in cards) for cards in classes]
    if sum(map(len, ranks)) > len(frozenset().union(*ranks)):
        raise InputError("this shoe knows ranks only, no suits, and suits are asked for: give the shoe by card (AS=8)")
    return tuple(sum(held.get((rank, ""), 0) for rank in kind) for kind in ranks)
