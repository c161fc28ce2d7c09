"""A game and its wagers as counting polynomials: exact figures of any shoe, of many at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import lcm, perm
from typing import TYPE_CHECKING, Any

from exact.errors import InputError
from exact.plan import plan
from exact.polynomial import Polynomial
from exact.polynomial.counting import MOST_CARDS, Counting, coarsest, counting
from exact.polynomial.store import kept
from exact.result import Figures, Measure, figures_of, measures_of
from exact.rulefile.conditions import read_condition
from exact.rulefile.expression import Node, Value, names
from exact.rulefile.game import Game, Wager
from exact.shoe import Shoe
from exact.tally import Key

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Compiled:
    """A game's measures (outcome, wagers) as polynomials: ``places`` says for each its part and its digit there."""

    game: Game
    measures: tuple[Measure, ...]
    parts: tuple[Polynomial, ...]
    places: tuple[tuple[int, int], ...]
    given: str | None = None

    @cached_property
    def counting(self) -> Counting:
        """The fewest columns by which shoes must be counted for all measures."""
        return coarsest(self.game, [part.classes for part in self.parts])

    @cached_property
    def by_rank_or_card(self) -> Counting:
        """By rank where ranks tell everything that is asked, else by card."""
        by_rank = counting(self.game, "rank")
        try:
            for part in self.parts:
                by_rank.into(part.classes)
        except InputError:
            return counting(self.game, "card")
        return by_rank

    def figures(self, shoe: Shoe) -> Figures:
        """Exact figures of one shoe: the same as ``compute`` gives.

        >>> from exact.games import load
        >>> compiled(load("baccarat")).figures(Shoe.decks(8)).wager("tie").edge
        Fraction(103841353768, 723147898655)

        Raises ``InputError`` for an infinite or too small shoe, and where no round satisfies the condition.
        """
        found = [part.ways(shoe) for part in self.parts]
        sums: dict[int, tuple[Measure, Counter[Key]]] = {}
        for index, (measure, (part, digit)) in enumerate(zip(self.measures, self.places, strict=True)):
            counts = {(value,): ways for (place, value), ways in found[part].items() if place == digit}
            sums[index] = measure, Counter(counts)
        whole = sum(sums[0][1].values())
        if not whole:
            raise InputError(f"no round of this shoe satisfies the condition: {self.given}")
        return figures_of(self.game, sums, {}, None, whole)

    def at_many(self, counts: Array, counted: Counting | None = None) -> Many:
        """Exact ways and expectations of many shoes, given as counts (shoes x labels of ``counting``, by default the
        fewest).

        >>> import numpy as np
        >>> from exact.games import load
        >>> game = load("baccarat")
        >>> compiled(game).at_many(np.array([[32] * 13, [24] * 13])).outcome("tie").tolist()
        [475627426473216, 83552962932288]

        Raises ``InputError`` naming the row of a count that is negative or over ``MOST_CARDS``, or of a shoe too small
        for a round.
        """
        import numpy as np

        counted = counted or self.counting
        check_counts(self.game, counts, counted)
        counts = counts if counts.dtype == object else counts.astype(np.int64)
        found = [part.blocks.at(counts @ counted.into(part.classes)) for part in self.parts]
        return Many(self, counts.sum(axis=1), tuple(found))


@dataclass(frozen=True)
class Many:
    """Ways and expectations of many shoes: ``sizes`` are their cards, ``found`` each part's ways (columns x shoes)."""

    compiled: Compiled
    sizes: Array
    found: tuple[Array, ...]

    @cached_property
    def total(self) -> Array:
        """The ordered deals of each shoe: what ways without a condition are counted over."""
        import numpy as np

        longest = len(self.compiled.game.slots)
        largest = int(self.sizes.max(initial=0))
        total = self.sizes.astype(np.int64 if perm(largest, longest) < 2**63 else object)
        return _product([total - further for further in range(longest)], total)

    def ways(self, measure: int) -> dict[Value, Array]:
        """For each value of a measure (by its place) its ways in every shoe."""
        part, digit = self.compiled.places[measure]
        polynomial = self.compiled.parts[part]
        return {value: self.found[part][row] for value, row in polynomial.digit(digit).items()}

    def outcome(self, name: str) -> Array:
        """The ways of an outcome in every shoe."""
        return self.ways(0)[name]

    def rounds(self, measure: int = 0) -> Array:
        """The ways of all rounds considered: ``total``, or those that satisfy the condition."""
        return _sum(list(self.ways(measure).values()), self.total)

    def expectation(self, measure: int) -> tuple[Array, Array]:
        """A wager's expectation in every shoe, as ``worth`` gives it."""
        wager = self.compiled.measures[measure].wager
        assert wager is not None
        return worth(wager, self.ways(measure))


def worth(wager: Wager, ways: Mapping[Value, Array]) -> tuple[Array, Array]:
    """A wager's expectation from the ways of each of its lines: numerators and denominators, not reduced.

    Both are 0 where the wager is never offered. They are 64-bit integers where these hold every number, else Python's.
    """
    unit = lcm(*(line.odds.denominator for line in wager.pays))
    nets = [int(line.odds * unit) for line in wager.pays] + [-unit]
    lines = [(net, ways[place]) for place, net in enumerate(nets) if place in ways]
    offered = _sum([number for _, number in lines], next(iter(ways.values())))
    largest = int(offered.max(initial=0)) * max(map(abs, nets))
    kind: Any = "int64" if largest < 2**63 else object
    won = _sum([net * number.astype(kind) for net, number in lines], offered.astype(kind))
    return won, offered.astype(kind) * unit


def compiled(game: Game, wagers: Sequence[Wager] | None = None, given: str | None = None) -> Compiled:
    """The polynomials of a game's outcomes and wagers (by default the usual ones), compiled now or read back.

    ``given`` is a condition over columns of the rounds; figures are then over the rounds that satisfy it.
    """
    usual = [wager for wager in game.wagers if not wager.extra]
    wagers = usual if wagers is None else wagers
    condition = read_condition(game, given, "--given") if given is not None else None
    measures = measures_of(game, wagers)
    parts, places = list[Polynomial](), dict[int, tuple[int, int]]()
    for run in _runs(game, measures, usual, condition):
        asked = [(place, digit) for digit, measure in enumerate(run) for place in _places(measures, measure)]
        if asked:
            part = kept(game, [measure.digit for measure in run], condition)
            places |= {place: (len(parts), new) for new, (place, _) in enumerate(asked)}
            parts.append(part.only([digit for _, digit in asked]))
    return Compiled(game, tuple(measures), tuple(parts), tuple(places[place] for place in range(len(measures))), given)


def _runs(
    game: Game, measures: Sequence[Measure], usual: Sequence[Wager], condition: Node | None
) -> list[list[Measure]]:
    """Measures that tell cards apart alike, compiled together: the usual ones always all, since these are kept."""
    shared = names(condition) if condition else frozenset[str]()
    runs: dict[tuple[bool, frozenset[str]], list[Measure]] = {}
    others = [measure for measure in measures if measure.wager is not None and measure.wager not in usual]
    for own, found in ((False, measures_of(game, usual) if game.outcomes or usual else []), (True, others)):
        for measure in found:
            runs.setdefault((own, plan(game, shared | names(measure.digit.node)).attributes), []).append(measure)
    return list(runs.values())


def _places(measures: Sequence[Measure], measure: Measure) -> list[int]:
    return [place for place, one in enumerate(measures) if one.wager == measure.wager]


def check_counts(game: Game, counts: Array, counted: Counting, first: int = 1) -> None:
    """Refuse counts that are no shoes, naming the first such row (``first`` is the number of the first one)."""
    import numpy as np

    if counts.ndim != 2 or counts.shape[1] != len(counted.labels):
        raise InputError(
            f"shoes are rows of {len(counted.labels)} counts, by {counted.name}: {', '.join(counted.labels)}; "
            f"the array has the shape {counts.shape}"
        )
    if counts.dtype != object and not np.issubdtype(counts.dtype, np.integer):
        raise InputError(f"counts are whole numbers; the array holds {counts.dtype}")
    for wrong, why in ((counts < 0, "negative"), (counts > MOST_CARDS, f"over {MOST_CARDS:,}, the most counted")):
        for row, column in np.argwhere(wrong)[:1].tolist():
            raise InputError(f"row {first + row}: the count of {counted.labels[column]} is {why}")
    small = np.flatnonzero(counts.sum(axis=1) < len(game.slots))
    if len(small):
        row = int(small[0])
        raise InputError(
            f"row {first + row}: the shoe holds {counts[row].sum()} cards, too few for a round to be completed: "
            f"{game.name} may need {len(game.slots)}"
        )


def _sum(terms: Sequence[Array], zero: Array) -> Array:
    total = zero * 0
    for term in terms:
        total = total + term
    return total


def _product(factors: Sequence[Array], one: Array) -> Array:
    product = one * 0 + 1
    for factor in factors:
        product = product * factor
    return product
