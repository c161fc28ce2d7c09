"""Exact outcome and wager figures of one question, with everything that produced them: game, options, shoe,
conditions, version.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from exact import __version__
from exact.errors import InputError, nearest
from exact.plan import Dealt, plan
from exact.rounds import check_shoe
from exact.rulefile.conditions import read_condition
from exact.rulefile.expression import Node, Value, names
from exact.rulefile.game import Game, Wager
from exact.shoe import Shoe
from exact.tally import Digit, Key, tally
from exact.wager import WagerFigures, figures


@dataclass(frozen=True, slots=True)
class OutcomeFigures:
    """An outcome: its ways of a total, so that the probability is exact."""

    name: str
    ways: int
    total: int

    @property
    def probability(self) -> Fraction:
        """Ways over the total."""
        return Fraction(self.ways, self.total)


@dataclass(frozen=True, slots=True)
class Figures:
    """Outcomes and wagers over the rounds that share the values ``key`` of the asked columns; ``ways`` of ``whole``."""

    key: Mapping[str, Value]
    ways: int
    whole: int
    outcomes: tuple[OutcomeFigures, ...]
    wagers: tuple[WagerFigures, ...]
    never: tuple[str, ...] = ()  # wagers that are never offered in these rounds

    @property
    def probability(self) -> Fraction:
        """The share of these rounds among all that satisfy the condition."""
        return Fraction(self.ways, self.whole)

    def wager(self, name: str) -> WagerFigures:
        """The figures of a wager by name; ``InputError`` where it is not among them."""
        for figures_ in self.wagers:
            if figures_.name == name:
                return figures_
        raise InputError(f"no wager {name!r} here; {nearest(name, (w.name for w in self.wagers))}")

    def outcome(self, name: str) -> OutcomeFigures:
        """An outcome by name; ``InputError`` where it is not among them."""
        for outcome in self.outcomes:
            if outcome.name == name:
                return outcome
        raise InputError(f"no outcome {name!r} here; {nearest(name, (o.name for o in self.outcomes))}")


@dataclass(frozen=True, slots=True)
class Result:
    """The answer to one question. ``all`` are the figures over every round that satisfies the condition."""

    game: Game
    shoe: Shoe
    given: str | None
    dealt: tuple[str, ...]
    all: Figures
    by: tuple[Figures, ...] = ()
    version: str = field(default=__version__)

    @property
    def total(self) -> int:
        """Ways that satisfy the condition: every probability is over them."""
        return self.all.ways


@dataclass(frozen=True, slots=True)
class Measure:
    """Something to be counted: the outcome, or which line of a wager decides."""

    digit: Digit
    wager: Wager | None


Sums = Mapping[int, tuple[Measure, Counter[Key]]]


def compute(
    game: Game,
    shoe: Shoe,
    wagers: Sequence[Wager] | None = None,
    given: str | None = None,
    dealt: Sequence[str] = (),
    by: Sequence[str] = (),
    progress: Callable[[int], None] | None = None,
) -> Result:
    """Exact probabilities of every outcome and wager of a game from a shoe.

    ``wagers`` default to the game's usual ones; ``given`` is a condition over columns of the rounds, ``dealt`` known
    cards such as ``"p1=8H"``, ``by`` columns to break the figures down by.

    >>> from exact.games import load
    >>> compute(load("baccarat"), Shoe.decks(8)).all.outcome("tie").ways
    475627426473216

    Raises ``InputError`` for a shoe too small for a round, an unknown column, or a condition that no round satisfies.
    """
    check_shoe(game, shoe)
    wagers = [wager for wager in game.wagers if not wager.extra] if wagers is None else wagers
    condition = read_condition(game, given, "--given") if given is not None else None
    cards = tuple(parse_dealt(game, text) for text in dealt)
    columns = [Digit.of_column(game, _known(game, name)) for name in by]
    sums = _count(game, shoe, measures_of(game, wagers), columns, condition, cards, progress)
    whole = sum(next(iter(sums.values()))[1].values())
    if not whole:
        raise InputError(
            f"no round of this shoe satisfies the condition: {' and '.join([*([given] if given else []), *dealt])}"
        )
    groups = sorted(_split(sums, len(by)).items(), key=lambda group: _order(group[0])) if by else ()
    parts = (figures_of(game, part, dict(zip(by, key, strict=True)), key, whole) for key, part in groups)
    return Result(game, shoe, given, tuple(dealt), figures_of(game, sums, {}, None, whole), tuple(parts))


def _known(game: Game, name: str) -> str:
    if name not in game.facts:
        raise InputError(f"{game.name} has no column {name!r}; {nearest(name, game.facts)}")
    return name


def parse_dealt(game: Game, text: str) -> Dealt:
    """A known card such as "P1=8H": the slot, the rank, and the suit if one is given."""
    slot, _, card = text.partition("=")
    slot = next((s for s in game.slots if s.lower() == slot.strip().lower()), slot.strip())
    if slot not in game.slots or not card.strip():
        raise InputError(
            f"cannot read the known card {text!r}: write SLOT=CARD such as {game.slots[0]}=8; "
            f"slots: {', '.join(game.slots)}"
        )
    rank, suit = game.deck.parse(card)
    return slot, rank, suit


def measures_of(game: Game, wagers: Sequence[Wager]) -> list[Measure]:
    """What must be counted to know the outcomes and these wagers; ``InputError`` where there is nothing."""
    measures = [Measure(Digit.of_outcome(game), None)] if game.outcomes else []
    for wager in wagers:
        digit = Digit.of_conditions(game, [line.when for line in wager.pays], f"wager {wager.name!r}", wager.offered)
        measures.append(Measure(digit, wager))
    if not measures:
        raise InputError(f"{game.name} has neither a column 'outcome' nor wagers: there is nothing to compute")
    return measures


def _count(
    game: Game, shoe: Shoe, measures: Sequence[Measure], columns: Sequence[Digit], condition: Node | None,
    dealt: Sequence[Dealt], progress: Callable[[int], None] | None,
) -> dict[int, tuple[Measure, Counter[Key]]]:  # fmt: skip
    """Ways of each measure's values (last in the key) by the asked columns (first): one enumeration for all measures
    that tell cards apart alike, so that a pair of ranks does not make the main bets dearer.
    """
    shared = frozenset().union(*(names(digit.node) for digit in columns), names(condition) if condition else ())
    runs: dict[frozenset[tuple[str, frozenset[str]]], list[int]] = {}
    for place, measure in enumerate(measures):
        looked_at = plan(game, shared | names(measure.digit.node), dealt).looked_at
        runs.setdefault(frozenset(looked_at.items()), []).append(place)
    sums: dict[int, tuple[Measure, Counter[Key]]] = {}
    for places in runs.values():
        digits = [*columns, *(measures[place].digit for place in places)]
        counted = tally(game, shoe, digits, condition, dealt, progress)
        for at, place in enumerate(places, len(columns)):
            counts: Counter[Key] = Counter()
            for key, ways in counted.items():
                counts[(*key[: len(columns)], key[at])] += ways
            sums[place] = measures[place], counts
    return dict(sorted(sums.items()))


def _split(sums: Sums, columns: int) -> dict[Key, dict[int, tuple[Measure, Counter[Key]]]]:
    """The counted measures of each group of rounds: those that share the first values of the key."""
    groups: dict[Key, dict[int, tuple[Measure, Counter[Key]]]] = {}
    for place, (_, counts) in sums.items():
        for key, ways in counts.items():
            if key[:columns] not in groups:
                groups[key[:columns]] = {other: (measure, Counter()) for other, (measure, _) in sums.items()}
            groups[key[:columns]][place][1][key] += ways
    return groups


def figures_of(
    game: Game,
    sums: Sums,
    named: Mapping[str, Value],
    key: Key | None,
    whole: int,
) -> Figures:
    """Figures from counted measures, over the rounds whose first values are ``key`` (None: all rounds)."""
    outcomes: tuple[OutcomeFigures, ...] = ()
    wagers, never, rounds = list[WagerFigures](), list[str](), 0
    for measure, counts in sums.values():
        ways: Counter[Value] = Counter()
        for found, number in counts.items():
            if key is None or found[:-1] == key:
                ways[found[-1]] += number
        rounds = sum(ways.values())
        if measure.wager is None:
            outcomes = tuple(OutcomeFigures(name, ways[name], rounds) for name in game.outcomes)
        else:
            lines = [ways[place] for place in range(len(measure.wager.pays))]
            found_ = figures(measure.wager, lines, rounds - ways[None], rounds)
            wagers.append(found_) if found_ else never.append(measure.wager.name)
    return Figures(named, rounds, whole, outcomes, tuple(wagers), tuple(never))


def _order(key: Key) -> tuple[tuple[bool, str | int], ...]:
    return tuple((value is None, value if isinstance(value, int | str) else str(value)) for value in key)
