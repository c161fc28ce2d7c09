"""Exact ways of every combination of asked columns: the enumeration summed up, on whichever arithmetic holds.

Where all ways fit in 64 bits they are summed as they stand. Where they do not, the sequences of each multiset of cards
are counted, which are small numbers, and weighed with Python integers: ``ways = sequences x product of falling
factorials``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import perm, prod
from typing import TYPE_CHECKING, Any

from exact.errors import InputError
from exact.plan import Dealt
from exact.rounds import CLASS, WAYS, Branch, Walk, fits, undealt_orders
from exact.rulefile.expression import FALSE, TRUE, Binary, Case, IsNull, Literal, Name, Node, Unary, Value, names
from exact.rulefile.game import Game
from exact.rulefile.meaning import Fact, Scope, narrow, study
from exact.shoe import Shoe

if TYPE_CHECKING:
    import numpy as np
    import polars as pl

Key = tuple[Value, ...]
NULL_CONDITION = "a condition is NULL where {} (a card that was not drawn); say what then, with IS NULL"
NULL_OUTCOME = "is NULL in some rounds (no condition of a CASE holds); say what then, with ELSE"


@dataclass(frozen=True, slots=True)
class Digit:
    """An asked column of the rounds as a small number: how it is worked out, and what each number stands for."""

    node: Node
    values: tuple[Value, ...]
    said: str  # what it is, for messages
    unsure: Node | None = None  # true where it cannot be told: a condition that decides it is NULL
    reproach: str = NULL_CONDITION  # what is said then

    @classmethod
    def of_column(cls, game: Game, name: str) -> Digit:
        """A column; NULL (no card) is a value of its own. ``InputError`` for one with more than 10,000 values."""
        return cls.of_value(Name(name), game.facts[name], name)

    @classmethod
    def of_outcome(cls, game: Game) -> Digit:
        """The outcome, which every round must have."""
        digit, unsure = cls.of_column(game, "outcome"), IsNull(Name("outcome"))
        return replace(digit, unsure=unsure, reproach=NULL_OUTCOME) if game.facts["outcome"].nullable else digit

    @classmethod
    def of_value(cls, node: Node, fact: Fact, said: str) -> Digit:
        """What is worked out from columns, and can be what ``fact`` says."""
        if fact.high - fact.low > 10_000:
            raise InputError(f"{said} takes {fact.high - fact.low + 1:,} values, too many to break results down by")
        values: tuple[Value, ...] = (False, True) if fact.kind == "truth" else fact.words
        values = tuple(range(fact.low, fact.high + 1)) if fact.kind == "integer" else values
        place = _place(node, fact)
        place = Case(((IsNull(node), Literal(len(values))),), place) if fact.nullable else place
        return cls(place, (*values, None), said)

    @classmethod
    def of_conditions(cls, game: Game, conditions: Sequence[Node], said: str, offered: Node | None = None) -> Digit:
        """Which of some conditions holds first: its place, their number where none does, None where not ``offered``."""
        branches, unsure = list[tuple[Node, Node]](), list[tuple[Node, Node]]()
        scope: Scope = game.facts
        for place, condition in enumerate(conditions):
            if study(condition, scope, []).nullable:
                unsure.append((IsNull(condition), TRUE))
            branches.append((condition, Literal(place)))
            unsure.append((condition, FALSE))
            scope = narrow(scope, condition, False)
        if offered is not None:
            branches.insert(0, (Unary("NOT", offered), Literal(len(conditions) + 1)))
            unsure[:0] = [(IsNull(offered), TRUE), (Unary("NOT", offered), FALSE)]
        values = (*range(len(conditions) + 1), None)
        doubt = Case(tuple(unsure), FALSE) if any(value == TRUE for _, value in unsure) else None
        return cls(Case(tuple(branches), Literal(len(conditions))), values, said, doubt)


def _place(node: Node, fact: Fact) -> Node:
    """A column as the place of its value among its values."""
    if fact.kind == "integer":
        return Binary("-", node, Literal(fact.low))
    if fact.kind == "truth":
        return Case(((node, Literal(1)),), Literal(0))
    tests = tuple((Binary("=", node, Literal(word)), Literal(place)) for place, word in enumerate(fact.words))
    return Case(tests[:-1], tests[-1][1]) if len(tests) > 1 else Literal(0)


def tally(
    game: Game, shoe: Shoe, digits: Sequence[Digit], given: Node | None = None, dealt: Sequence[Dealt] = (),
    progress: Callable[[int], None] | None = None,
) -> Counter[Key]:  # fmt: skip
    """Exact ways of each combination of the digits' values among the rounds that satisfy ``given`` and hold the dealt
    cards.

    The ways of all rounds are checked against the number of ordered deals of the shoe.
    """
    wanted = frozenset().union(*(names(digit.node) for digit in digits), names(given) if given else ())
    weighted = fits(game, shoe)
    walk = Walk(game, shoe, wanted, dealt, weighted)
    holds = Digit.of_conditions(game, [given or TRUE], "the condition given")
    sums = (_weighted if weighted else _by_multiset)(walk, [*digits, holds], progress)
    everything = sum(sums.values())
    if not dealt and everything != shoe.orders(len(game.slots)):
        raise InputError(
            f"{game.file}: the ways of all rounds add up to {everything}, not to the {shoe.orders(len(game.slots))} "
            "ordered deals of the shoe: a condition of the rules loses or doubles rounds"
        )
    return Counter({key[:-1]: ways for key, ways in sums.items() if key[-1] == 0 and ways})


def _weighted(walk: Walk, digits: Sequence[Digit], progress: Callable[[int], None] | None) -> Counter[Key]:
    import polars as pl

    sums: Counter[Key] = Counter()
    for branch in walk.branches():
        packing = _Packing(walk, branch, digits)
        counted = packing.frame(pl.col(WAYS)).group_by(packing.columns).agg(pl.col(WAYS).sum())
        for *packed, ways in counted.select(*packing.columns, WAYS).iter_rows():
            sums[packing.unpack(packed)] += ways
        if progress:
            progress(branch.frame.height)
    return sums


def _by_multiset(walk: Walk, digits: Sequence[Digit], progress: Callable[[int], None] | None) -> Counter[Key]:
    sums: Counter[Key] = Counter()
    longest = len(walk.game.slots)
    orders = [_orders(kind.count, longest, walk.shoe.infinite) for kind in walk.classes]
    for found in sequences(walk, digits, progress):
        rest = undealt_orders(walk.shoe, longest, found.cards)
        ways = found.number.astype(object) * rest
        for kind, drawn in zip(orders, found.drawn.T, strict=True):
            ways = ways * kind[drawn]
        for place, key in enumerate(found.keys):
            sums[key] += int(ways[found.key == place].sum())
    return sums


def _orders(count: int, longest: int, infinite: bool) -> np.ndarray[Any, Any]:
    """In how many ways 0, 1, 2 ... given places can be filled with cards of one class, as Python integers."""
    import numpy as np

    return np.array([count**n if infinite else perm(count, n) for n in range(longest + 1)], dtype=object)


@dataclass(frozen=True, slots=True)
class Sequences:
    """How many card sequences of one length hold the same cards and give the digits the same values.

    Each row: the place of its ``key`` in ``keys``, how many cards of each class it has ``drawn``, and the ``number`` of
    sequences.
    """

    cards: int
    keys: tuple[Key, ...]
    key: np.ndarray[Any, Any]
    drawn: np.ndarray[Any, Any]
    number: np.ndarray[Any, Any]


def sequences(
    walk: Walk, digits: Sequence[Digit], progress: Callable[[int], None] | None = None
) -> Iterator[Sequences]:
    """The sequences of an enumeration without weights, counted by the multiset of their cards and the digits."""
    import numpy as np

    for branch in walk.branches():
        packing = _Packing(walk, branch, digits)
        slots = [name for name in branch.frame.columns if name.startswith(CLASS)]
        multiset = _multiset_columns(slots, len(walk.classes))
        grouped = packing.frame(*multiset.values()).group_by([*packing.columns, *multiset]).len()
        numbers = grouped.select(packing.columns)
        keys = numbers.unique().with_row_index("key")
        key = numbers.join(keys, on=packing.columns, how="left", maintain_order="left")["key"].to_numpy()
        drawn = _drawn(grouped.select(multiset.keys()).to_numpy(), len(slots), len(walk.classes))
        unpacked = tuple(packing.unpack(row) for row in keys.select(packing.columns).iter_rows())
        yield Sequences(branch.cards, unpacked, key, drawn, grouped["len"].to_numpy().astype(np.int64))
        if progress:
            progress(branch.frame.height)


def _multiset_columns(slots: Sequence[str], classes: int) -> dict[str, pl.Expr]:
    """Which cards a row holds, without their order: each number counts some classes in its digits."""
    import polars as pl

    base = len(slots) + 1
    block = _classes_in_block(len(slots))
    columns = {}
    for first in range(0, classes, block):
        powers = [base ** (c - first) if first <= c < first + block else 0 for c in range(classes)]
        column = pl.lit(0, dtype=pl.Int64)
        for slot in slots:
            column = column + pl.lit(pl.Series(powers, dtype=pl.Int64)).gather(pl.col(slot))
        columns[f"cards {first}"] = column.alias(f"cards {first}")
    return columns


def _classes_in_block(slots: int) -> int:
    """How many counts from 0 to ``slots`` one 64-bit number holds."""
    return next(n for n in range(63, 0, -1) if (slots + 1) ** n < 2**62)


def _drawn(packed: np.ndarray[Any, Any], slots: int, classes: int) -> np.ndarray[Any, Any]:
    """The counts of every class that the numbers of ``_multiset_columns`` stand for."""
    import numpy as np

    drawn = np.empty((len(packed), classes), dtype=np.uint8)
    block = _classes_in_block(slots)
    for kind in range(classes):
        drawn[:, kind] = packed[:, kind // block] // (slots + 1) ** (kind % block) % (slots + 1)
    return drawn


class _Packing:
    """Several digits in as few 64-bit numbers as hold them, since one number groups fastest."""

    def __init__(self, walk: Walk, branch: Branch, digits: Sequence[Digit]) -> None:
        self.walk, self.branch, self.groups = walk, branch, list[list[Digit]]([[]])
        for digit in digits:
            if prod(len(d.values) for d in (*self.groups[-1], digit)) >= 2**62:
                self.groups.append([])
            self.groups[-1].append(digit)
        self.columns = [f"digits {place}" for place in range(len(self.groups))]

    def frame(self, *others: pl.Expr) -> pl.DataFrame:
        """The packed numbers of every round, and other columns beside them."""
        self._refuse_null()
        numbers = [self._number(group).alias(name) for group, name in zip(self.groups, self.columns, strict=True)]
        return self.branch.frame.select(*numbers, *others)

    def _number(self, group: Sequence[Digit]) -> pl.Expr:
        import polars as pl

        number = pl.lit(0, dtype=pl.Int64)
        for digit in group:
            number = number * len(digit.values) + self.walk.expression(digit.node, self.branch.absent).cast(pl.Int64)
        return number

    def _refuse_null(self) -> None:
        """A condition or outcome that is NULL sends a round nowhere: an error of whoever wrote it, never a result."""
        for digit in (digit for group in self.groups for digit in group):
            if digit.unsure is not None:
                lost = self.branch.frame.filter(self.walk.expression(digit.unsure, self.branch.absent))
                if not lost.is_empty():
                    reproach = digit.reproach.format(self.walk.example(lost))
                    raise InputError(f"{self.walk.game.file}: {digit.said}: {reproach}")

    def unpack(self, packed: Sequence[int]) -> Key:
        """The values that one row of packed numbers stands for."""
        key: list[Value] = []
        for number, group in zip(packed, self.groups, strict=True):
            values: list[Value] = []
            for digit in reversed(group):
                number, place = divmod(number, len(digit.values))
                values.insert(0, digit.values[place])
            key.extend(values)
        return tuple(key)
