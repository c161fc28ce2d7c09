"""Rounds dealt from shuffled shoes by the rules of a game, many shoes at once: which cards each round used.

This is the one place that draws random numbers for cards; what is worked out from the shoes so found is exact.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from exact.errors import InputError
from exact.rounds import dtype
from exact.rulefile.evaluate import to_polars
from exact.rulefile.expression import Node, names
from exact.rulefile.game import Game, Step
from exact.shoe import Card, Shoe

if TYPE_CHECKING:
    import numpy as np
    import polars as pl

    Array = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True)
class Round:
    """The next round of every shoe still in play: ``shoes`` their numbers, ``before`` how many cards had been dealt,
    ``used`` the cards (places in ``Table.cards``) now dealt by slot, -1 where a slot got none.
    """

    shoes: Array
    before: Array
    used: dict[str, Array]


@dataclass(frozen=True)
class Table:
    """Shuffled shoes of a game: ``order`` holds the places of their cards in ``cards`` (shoes x cards of a shoe)."""

    game: Game
    cards: tuple[Card, ...]
    order: Array

    @classmethod
    def shuffled(cls, game: Game, shoe: Shoe, shoes: int, seed: tuple[int, ...]) -> Table:
        """So many copies of a shoe, each in a random order; ``InputError`` for an infinite shoe."""
        import numpy as np

        if shoe.infinite:
            raise InputError("an infinite shoe is never dealt out: give a number of decks")
        any_suit = {rank: (rank, suit) for rank, suit in reversed(game.deck.cards)}
        held = {
            (rank, suit) if suit else any_suit[rank]: count for (rank, suit), count in shoe.counts().items() if count
        }
        whole = np.repeat(np.arange(len(held)), list(held.values()))
        random = np.random.default_rng(list(seed))
        return cls(game, tuple(held), random.permuted(np.tile(whole, (shoes, 1)), axis=1))

    def rounds(self, cut: int) -> Iterator[Round]:
        """Rounds one after another, none begun with ``cut`` or fewer cards left, or too few to complete it."""
        import numpy as np

        shoes, size = self.order.shape
        position = np.zeros(shoes, dtype=np.int64)
        least = max(cut + 1, len(self.game.slots))
        while len(playing := np.flatnonzero(size - position >= least)):
            before = position[playing]
            used, after = self._round(playing, before)
            position[playing] = after
            yield Round(playing, before, used)

    def _round(self, playing: Array, position: Array) -> tuple[dict[str, Array], Array]:
        import numpy as np
        import polars as pl

        frame = pl.DataFrame({"shoe": playing})
        used: dict[str, Array] = {}
        for step, lets in _deciding(self.game):
            draws = np.ones(len(playing), dtype=bool) if step.when is None else self._holds(frame, step.when)
            for slot in step.slots:
                card = np.where(draws, self.order[playing, np.minimum(position, self.order.shape[1] - 1)], -1)
                position, used[slot] = position + draws, card
                frame = frame.with_columns(self._seen(slot, card))
            for name, node in lets:
                kind = dtype(self.game.facts[name])
                frame = frame.with_columns(to_polars(node, pl.col).cast(kind).alias(name))
        return used, position

    def _holds(self, frame: pl.DataFrame, when: Node) -> Array:
        import polars as pl

        held = frame.select(to_polars(when, pl.col).alias("when")).to_series()
        if held.null_count():
            raise InputError(f"{self.game.file}: a condition to draw is NULL in a dealt round")
        return held.to_numpy()

    def _seen(self, slot: str, card: Array) -> list[pl.Series]:
        """The columns that a card in a slot shows; NULL where there is none."""
        import polars as pl

        place = pl.Series(card).replace(-1, None)
        columns = []
        for name, source in self.game.slot_columns.items():
            if source.slot == slot:
                values = [self.game.attributes[source.attribute][one] for one in self.cards]
                column = pl.Series(values, dtype=dtype(self.game.facts[name]))
                columns.append(column.gather(place).alias(name))
        return columns


def _deciding(game: Game) -> list[tuple[Step, tuple[tuple[str, Node], ...]]]:
    """The steps of a game, each with only those columns that later conditions to draw are made from."""
    needed: set[str] = set()
    steps: list[tuple[Step, tuple[tuple[str, Node], ...]]] = []
    for step in reversed(game.steps):
        lets: list[tuple[str, Node]] = []
        for name, node in reversed(step.lets):
            if name in needed:
                lets.insert(0, (name, node))
                needed |= names(node)
        needed |= names(step.when) if step.when else set()
        steps.insert(0, (step, tuple(lets)))
    return steps
