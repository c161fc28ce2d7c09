"""The counting polynomial: a game compiled to whole coefficients over card multisets, for any shoe at once.

Rounds that use the same cards have the same number of ways, whatever their order, so that ``ways(answer) = sum over
multisets of coefficient x product of falling factorials of the counts``. The enumeration is walked once; afterwards a
shoe is only numbers to be put in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import perm
from typing import TYPE_CHECKING, Any

from exact.errors import InputError
from exact.polynomial.blocks import Blocks
from exact.polynomial.counting import class_counts
from exact.polynomial.products import Products
from exact.rounds import Walk
from exact.rulefile.expression import TRUE, Node, Value, names
from exact.rulefile.game import Game
from exact.shoe import Card, Shoe
from exact.tally import Digit, sequences

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Polynomial:
    """Coefficients of some digits over the card multisets of a game.

    ``classes`` are the cards told apart, ``drawn`` how many of each class a multiset holds (multisets x classes),
    ``coefficients`` in how many orders its cards give each value of each digit (columns x multisets; ``columns``
    names the digit's place and the value). A round deals at most ``longest`` cards; ways count ordered deals of so
    many.
    """

    classes: tuple[tuple[Card, ...], ...]
    longest: int
    columns: tuple[tuple[int, Value], ...]
    drawn: Array
    coefficients: Array

    @property
    def multisets(self) -> int:
        """How many card multisets have a coefficient."""
        return len(self.drawn)

    @cached_property
    def blocks(self) -> Blocks:
        """The same coefficients arranged for whole blocks of shoes."""
        return Blocks.of(self.drawn, self.coefficients, self.longest)

    def counts(self, shoe: Shoe) -> tuple[int, ...]:
        """How many cards of each class a shoe holds.

        Raises ``InputError`` for an endless shoe (its limit is in the closed forms), one that is too small for a
        round, and one without suits where suits are asked for.
        """
        if shoe.infinite:
            raise InputError(
                "the polynomial counts the cards of a finite shoe; for infinitely many decks ask exact formula"
            )
        if shoe.size < self.longest:
            raise InputError(
                f"the shoe holds {shoe.size} cards, too few for a round to be completed: it may need {self.longest}"
            )
        return class_counts(shoe, self.classes)

    def ways(self, shoe: Shoe) -> dict[tuple[int, Value], int]:
        """The ways of every value of every digit.

        >>> from exact.games import load
        >>> game = load("baccarat")
        >>> compiled = compile_digits(game, [Digit.of_column(game, "outcome")])
        >>> compiled.multisets, compiled.ways(Shoe.decks(8))[0, "tie"]
        (6958, 475627426473216)
        """
        import numpy as np

        counts = np.array([self.counts(shoe)], dtype=object)
        found = self.blocks.at(counts)[:, 0]
        return {column: int(number) for column, number in zip(self.columns, found.tolist(), strict=True)}

    def only(self, digits: Sequence[int]) -> Polynomial:
        """The polynomial of some of its digits, in the order given."""
        rows = [(new, row) for new, old in enumerate(digits) for row in self.digit(old).values()]
        columns = tuple((new, self.columns[row][1]) for new, row in rows)
        return replace(self, columns=columns, coefficients=self.coefficients[[row for _, row in rows]])

    def digit(self, place: int) -> Mapping[Value, int]:
        """For each value of a digit, which row of the coefficients counts it."""
        return {value: row for row, (digit, value) in enumerate(self.columns) if digit == place}


def compile_digits(game: Game, digits: Sequence[Digit], given: Node | None = None) -> Polynomial:
    """The polynomial of some digits over the rounds that satisfy a condition; the enumeration is walked once.

    Raises ``InputError`` where the rules lose or double rounds, or where too many sequences would have to be told
    apart.
    """
    import numpy as np

    wanted = frozenset().union(*(names(digit.node) for digit in digits), names(given) if given else ())
    holds = Digit.of_conditions(game, [given or TRUE], "the condition given")
    deck = Shoe.decks(1, game.deck)
    walk = Walk(game, deck, wanted, weighted=False)
    columns = [(place, value) for place, digit in enumerate(digits) for value in digit.values]
    products = Products(len(walk.classes), len(walk.plan.slots))
    tables: dict[int, Array] = {}  # by number of cards; the last row counts every sequence
    for found in sequences(walk, [*digits, holds]):
        size = products.size(found.cards)
        table = tables.setdefault(found.cards, np.zeros((len(columns) + 1, size), dtype=np.int64))
        multiset = products.place(found.drawn)
        for place, key in enumerate(found.keys):
            chosen = found.key == place
            rows = [columns.index(column) for column in enumerate(key[:-1])] if key[-1] == 0 else []
            for row in [*rows, len(columns)]:
                table[row, multiset[chosen]] += found.number[chosen]
    full = np.concatenate([tables[cards] for cards in sorted(tables)], axis=1)
    drawn = np.concatenate([products.multisets(cards) for cards in sorted(tables)])
    met = full[-1] > 0
    full, drawn = full[:, met], drawn[met]
    _check(game, walk, drawn, full[-1])
    used = np.flatnonzero(full[:-1].any(axis=1))
    if not len(used):
        raise InputError(f"{game.name}: no round satisfies the condition, whatever the shoe")
    classes = _classes(game, walk, walk.plan.attributes)
    return Polynomial(classes, len(game.slots), tuple(columns[row] for row in used), drawn, full[used])


def _classes(game: Game, walk: Walk, attributes: frozenset[str]) -> tuple[tuple[Card, ...], ...]:
    """The cards of every class of an enumeration."""
    ordered = sorted(attributes)
    cards: dict[tuple[Value, ...], list[Card]] = {}
    for card in dict.fromkeys(game.deck.cards):
        cards.setdefault(tuple(game.attributes[name][card] for name in ordered), []).append(card)
    return tuple(tuple(cards[tuple(kind.attributes[name] for name in ordered)]) for kind in walk.classes)


def _check(game: Game, walk: Walk, drawn: Array, every: Array) -> None:
    """The ways of all rounds must add up to the ordered deals of a shoe: here ten decks, with cards in every class."""
    import numpy as np

    shoe = Shoe.decks(10, game.deck)
    counts = np.array([[10 * kind.count for kind in walk.classes]], dtype=object)
    total = int(Blocks.of(drawn, every[None, :], len(game.slots)).at(counts)[0, 0])
    if total != perm(shoe.size, len(game.slots)):
        raise InputError(
            f"{game.file}: the ways of all rounds of ten decks add up to {total}, not to the "
            f"{perm(shoe.size, len(game.slots))} ordered deals: a condition of the rules loses or doubles rounds"
        )
