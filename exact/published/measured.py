"""Many quantities of one rule file at once: the rounds are enumerated a few times, not once for each.

Quantities that read a few columns share one table of those columns' values; those that read many (the suits of four
cards) are counted as they stand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod

from exact.errors import InputError, nearest
from exact.games import load
from exact.plan import plan
from exact.published.figures import Figure, Quantity
from exact.rounds import check_shoe
from exact.rulefile.conditions import read_condition
from exact.rulefile.evaluate import to_polars
from exact.rulefile.expression import TRUE, Value, names
from exact.rulefile.game import Game, Wager
from exact.rulefile.meaning import Fact
from exact.rulefile.wagers import read_wagers
from exact.shoe import Shoe
from exact.shoefile import ShoeRequest
from exact.solvers import Asked
from exact.tally import Digit, Key, tally
from exact.wager import WagerFigures, figures, parse_inline

Pair = tuple[Value, Value]  # what the digit and the condition of a quantity stand for

MOST_KEYS = 1_000_000  # values that the columns of one shared table could take together; far fewer occur

OF_WAGERS: dict[str, Callable[[WagerFigures], Fraction | None]] = {
    "expectation": lambda wager: wager.expectation,
    "edge": lambda wager: wager.edge,
    "edge_resolved": lambda wager: wager.edge_resolved,
    "variance": lambda wager: wager.variance,
    "hit_frequency": lambda wager: wager.hit_frequency,
    "return_to_player": lambda wager: wager.return_to_player,
    "offered": lambda wager: wager.offered,
    "odds": lambda wager: wager.lines[0].odds,  # what the first line pays
}
OF_CONDITIONS = ("probability", "ways")
ROOTS = {"standard_deviation": "variance"}
MEASURES = (*OF_CONDITIONS, *OF_WAGERS, *ROOTS)


@dataclass(frozen=True, slots=True)
class Need:
    """What must be counted for one quantity: which of its conditions decides a round, among the rounds given."""

    measure: str
    digit: Digit
    given: Digit
    wager: Wager | None
    columns: frozenset[str]  # of a round, that decide it

    def figure(self, counts: Counter[Pair]) -> Figure:
        """The quantity from the ways of each value of its digit and its condition; ``InputError`` where it has none."""
        ways = self._given(counts)
        if self.wager is None:
            return Figure(Fraction(ways[0], ways.total() if self.measure == "probability" else 1))
        priced = self.priced(counts)
        value = OF_WAGERS[ROOTS.get(self.measure, self.measure)](priced) if priced else None
        if value is None:
            raise InputError(f"the wager {self.wager.name!r} is never offered or never resolved in these rounds")
        return Figure(value, self.measure in ROOTS)

    def priced(self, counts: Counter[Pair]) -> WagerFigures | None:
        """All figures of the wager; None where it is never offered."""
        assert self.wager is not None
        ways = self._given(counts)
        lines = [ways[place] for place in range(len(self.wager.pays))]
        return figures(self.wager, lines, ways.total() - ways[None], ways.total())

    def _given(self, counts: Counter[Pair]) -> Counter[Value]:
        ways: Counter[Value] = Counter()
        for (place, outside), number in counts.items():
            ways[place] += 0 if outside else number
        if not ways.total():
            raise InputError("no round of this shoe satisfies the condition given")
        return ways


def read_need(game: Game, quantity: Quantity, given: str | None) -> Need:
    """One quantity in the words of a game.

    The subject of ``probability`` and ``ways`` is a condition; of the others a wager, by name or written out as
    ``CONDITION pays ODDS; CONDITION pays ODDS``. Raises ``InputError`` for an unknown measure, wager or column.
    """
    holds = Digit.of_conditions(game, [read_condition(game, given, "given") if given else TRUE], "given")
    wager = None
    if quantity.measure in OF_CONDITIONS:
        digit = Digit.of_conditions(game, [read_condition(game, quantity.subject, "quantity")], "quantity")
    elif quantity.measure in MEASURES:
        wager = _wager(game, quantity.subject)
        digit = Digit.of_conditions(game, [line.when for line in wager.pays], f"wager {wager.name!r}", wager.offered)
    else:
        raise InputError(f"unknown measure {quantity.measure!r}; {nearest(quantity.measure, MEASURES)}")
    return Need(quantity.measure, digit, holds, wager, names(digit.node) | names(holds.node))


def _wager(game: Game, subject: str) -> Wager:
    if " pays " not in subject:
        return game.wager(subject)
    (wager,) = read_wagers(game, [parse_inline(f"asked: {subject}")], "quantity")
    return wager


def measure(asked: Sequence[Asked], tell: Callable[[int], None] | None = None) -> list[Figure]:
    """The exact figure of each quantity asked of a rule file; those of one game, options and shoe are counted together.

    Raises ``InputError`` naming every place that cannot be worked out.
    """
    groups: dict[tuple[str, tuple[tuple[str, str], ...], ShoeRequest], list[int]] = {}
    for place, one in enumerate(asked):
        key = one.question.game, tuple(sorted(one.question.options.items())), one.question.shoe
        groups.setdefault(key, []).append(place)
    readers: dict[tuple[str, tuple[tuple[str, str], ...]], _Reader] = {}
    found: dict[int, Figure] = {}
    faults: list[str] = []
    for (name, options, request), places in groups.items():
        try:
            if (name, options) not in readers:
                readers[name, options] = _Reader(load(name, dict(options)))
            found |= _group(readers[name, options], request, {place: asked[place] for place in places}, tell)
        except InputError as error:
            lines = str(error).splitlines()
            faults += (
                lines
                if isinstance(error, _PlacedError)
                else [f"{asked[p].where}: {line}" for p in places for line in lines]
            )
    if faults:
        raise InputError("\n".join(faults))
    return [found[place] for place in range(len(asked))]


class _Reader:
    """Reads the quantities of one game, each once: the same ones are asked of many shoes."""

    def __init__(self, game: Game) -> None:
        self.game, self._known = game, dict[tuple[Quantity, str | None], Need]()

    def need(self, quantity: Quantity, given: str | None) -> Need:
        if (quantity, given) not in self._known:
            self._known[quantity, given] = read_need(self.game, quantity, given)
        return self._known[quantity, given]


class _PlacedError(InputError):
    """Faults that say where they are."""


def _group(
    reader: _Reader, request: ShoeRequest, asked: Mapping[int, Asked], tell: Callable[[int], None] | None
) -> dict[int, Figure]:
    """The figures of one game from one shoe."""
    game = reader.game
    shoe = request.shoe(game.deck)
    needs: dict[int, Need] = {}
    found: dict[int, Figure] = {}
    faults: list[str] = []
    for place, one in asked.items():
        try:
            needs[place] = reader.need(one.quantity, one.question.given)
        except InputError as error:
            faults += [f"{one.where}: {line}" for line in str(error).splitlines()]
    if not faults:
        for place, counts in zip(needs, count(game, shoe, list(needs.values()), tell), strict=True):
            try:
                found[place] = needs[place].figure(counts)
            except InputError as error:
                faults.append(f"{asked[place].where}: {error}")
    if faults:
        raise _PlacedError("\n".join(faults))
    return found


def wager_figures(game: Game, shoe: Shoe, tell: Callable[[int], None] | None = None) -> list[WagerFigures]:
    """The figures of every wager of a game that is offered, those priced only when asked too.

    >>> [wager.name for wager in wager_figures(load("baccarat"), Shoe.decks(8))][:3]
    ['player', 'banker', 'tie']
    """
    needs = [read_need(game, Quantity("edge", wager.name), None) for wager in game.wagers]
    priced = [need.priced(counts) for need, counts in zip(needs, count(game, shoe, needs, tell), strict=True)]
    return [wager for wager in priced if wager]


def count(
    game: Game, shoe: Shoe, needs: Sequence[Need], tell: Callable[[int], None] | None = None
) -> list[Counter[Pair]]:
    """For each need the ways of every value of its digit and of its condition (0 where the condition holds).

    Raises ``InputError`` for a shoe too small for a round, suits asked of a shoe that knows none, and a condition that
    is NULL.
    """
    check_shoe(game, shoe)
    found: dict[int, Counter[Pair]] = {}
    narrow = [place for place, need in enumerate(needs) if need.columns and _keys(game, need.columns) <= MOST_KEYS]
    for columns, places in _shared(game, needs, narrow):
        read = sorted(columns)
        table = tally(game, shoe, [Digit.of_column(game, name) for name in read], progress=tell)
        found |= _from_table(game, read, table, {place: needs[place] for place in places})
    wide = [place for place in range(len(needs)) if place not in found]
    for places in _alike(game, needs, wide):
        digits = list(dict.fromkeys(digit for place in places for digit in (needs[place].digit, needs[place].given)))
        sums = tally(game, shoe, digits, progress=tell)
        for place in places:
            value, given = digits.index(needs[place].digit), digits.index(needs[place].given)
            found[place] = Counter()
            for key, ways in sums.items():
                found[place][key[value], key[given]] += ways
    return [found[place] for place in range(len(needs))]


def _shared(game: Game, needs: Sequence[Need], places: Sequence[int]) -> list[tuple[set[str], list[int]]]:
    """Which needs share a table of which columns; apart by what their columns tell apart of a card, since ranks are not
    dealt where values will do.
    """
    tables: list[tuple[frozenset[str], set[str], list[int]]] = []
    told_apart = {columns: plan(game, columns).attributes for columns in {needs[place].columns for place in places}}
    for place in sorted(places, key=lambda place: -len(needs[place].columns)):
        columns = needs[place].columns
        attributes = told_apart[columns]
        fitting = (t for t in tables if t[0] == attributes and _keys(game, t[1] | columns) <= MOST_KEYS)
        table = next(fitting, None) or (attributes, set[str](), list[int]())
        if not table[2]:
            tables.append(table)
        table[1].update(columns)
        table[2].append(place)
    return [(columns, places) for _, columns, places in tables]


def _alike(game: Game, needs: Sequence[Need], places: Sequence[int]) -> list[list[int]]:
    """Needs that are counted in one enumeration by themselves: they tell the same apart of a card."""
    groups: dict[frozenset[str], list[int]] = {}
    for place in places:
        groups.setdefault(plan(game, needs[place].columns).attributes, []).append(place)
    return list(groups.values())


def _keys(game: Game, columns: Iterable[str]) -> int:
    return prod(_values(game.facts[name]) for name in columns)


def _values(fact: Fact) -> int:
    values = {"truth": 2, "integer": fact.high - fact.low + 1}.get(fact.kind, len(fact.words))
    return values + fact.nullable


def _from_table(
    game: Game, columns: Sequence[str], table: Counter[Key], needs: Mapping[int, Need]
) -> dict[int, Counter[Pair]]:
    """The ways of every need from the ways of each combination of some columns."""
    narrower: dict[frozenset[str], dict[int, Need]] = {}
    for place, need in needs.items():
        narrower.setdefault(need.columns, {})[place] = need
    found: dict[int, Counter[Pair]] = {}
    for read, some in narrower.items():
        kept = [place for place, name in enumerate(columns) if name in read]
        ways: Counter[Key] = Counter()
        for key, number in table.items():
            ways[tuple(key[place] for place in kept)] += number
        digits = list(dict.fromkeys(digit for need in some.values() for digit in (need.digit, need.given)))
        values = _values_of(game, [columns[place] for place in kept], list(ways), digits)
        for place, need in some.items():
            found[place] = Counter()
            for value, given, number in zip(values[need.digit], values[need.given], ways.values(), strict=True):
                found[place][value, given] += number
    return found


def _values_of(
    game: Game, columns: Sequence[str], keys: Sequence[Key], digits: Sequence[Digit]
) -> dict[Digit, list[Value]]:
    """What each digit stands for in the rounds whose columns have these values; NULL is refused."""
    import polars as pl

    types = {"integer": pl.Int64(), "truth": pl.Boolean(), "text": pl.String()}
    schema = {name: types[game.facts[name].kind] for name in columns}
    frame = pl.DataFrame(keys, schema=schema, orient="row")
    for digit in digits:
        lost = frame.filter(to_polars(digit.unsure, pl.col)) if digit.unsure is not None else frame.clear()
        if not lost.is_empty():
            where = ", ".join(f"{name} = {value}" for name, value in lost.row(0, named=True).items())
            raise InputError(f"{digit.said}: a condition is NULL where {where}; say what then, with IS NULL")
    places = frame.with_columns(
        to_polars(digit.node, pl.col, pl.Int64()).alias(f"digit {place}") for place, digit in enumerate(digits)
    )
    return {digit: [digit.values[value] for value in places[f"digit {place}"]] for place, digit in enumerate(digits)}
