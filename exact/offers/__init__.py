"""Wagers offered in the course of a round: what each is worth in every state in which it is offered, and what a bettor
gains who takes exactly the favourable ones.

A state is what the bettor sees: the totals shown, or the cards that lie open. Everything is counted in one enumeration.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import lcm

from exact.errors import InputError, nearest
from exact.plan import Dealt, plan
from exact.rounds import check_shoe
from exact.rulefile.expression import FALSE, TRUE, Binary, Case, IsNull, Literal, Node, Value
from exact.rulefile.game import Game, Offer, Wager
from exact.rulefile.meaning import study
from exact.shoe import Shoe
from exact.tally import Digit, Key, tally

INFORMATION = ("totals", "cards")
Name = tuple[str, Key]  # a state by its wager and what is seen
Path = tuple[tuple[int, Key, int], ...]  # the offers that one round makes: wager, what is seen, which line decides


@dataclass(frozen=True, slots=True)
class State:
    """An offer in one state: ``ways`` of ``total`` in which it is made, and how the wager and the round end then.

    ``seen`` is what the bettor sees; ``net`` the sum of the net results of a unit staked over all its ways.
    """

    wager: Wager
    seen: Mapping[str, Value]
    total: int
    ways: int = 0
    net: Fraction = Fraction(0)
    outcomes: Mapping[str, int] = field(default_factory=dict)

    @property
    def offer(self) -> Offer:
        """How the wager is offered."""
        return _offer(self.wager)

    @property
    def live(self) -> bool:
        """Whether the offer can be made at all: False for a cell of the table that no round reaches."""
        return self.ways > 0

    @property
    def probability(self) -> Fraction:
        """The probability of a round in which the offer is made in this state."""
        return Fraction(self.ways, self.total)

    @property
    def expectation(self) -> Fraction | None:
        """Mean net result of a unit staked in this state; None where it is never offered."""
        return self.net / self.ways if self.ways else None

    @property
    def favourable(self) -> bool:
        """Whether taking it is better than leaving it."""
        return self.net.numerator > 0

    @property
    def gain(self) -> Fraction:
        """What taking it with the largest stake adds to a round, on average, per unit of the bet that it goes with."""
        return self.offer.most * self.net / self.total

    def outcome(self, name: str) -> Fraction | None:
        """The probability of an outcome given that the offer is made in this state."""
        return Fraction(self.outcomes.get(name, 0), self.ways) if self.ways else None


@dataclass(frozen=True, slots=True)
class Bettor:
    """What a bettor gains a round who takes the offers ``taken`` with the largest stake, per unit of the bet ``on``."""

    on: str
    taken: frozenset[Name]
    gain: Fraction


@dataclass(frozen=True, slots=True)
class Offers:
    """Every state of every offer from one shoe, and the best that a bettor on each bet can make of them."""

    game: Game
    shoe: Shoe
    information: str
    states: tuple[State, ...]
    bettors: tuple[Bettor, ...]

    def taken(self, state: State) -> bool:
        """Whether the bettor takes the offer in this state."""
        return any((state.wager.name, tuple(state.seen.values())) in bettor.taken for bettor in self.bettors)


def offered_wagers(game: Game) -> tuple[Wager, ...]:
    """The wagers of a game that are offered in the course of a round; ``InputError`` where it has none."""
    found = tuple(wager for wager in game.wagers if wager.offer is not None)
    if not found:
        raise InputError(f"{game.name} offers no wager in the course of a round")
    return found


def offers(
    game: Game, shoe: Shoe, information: str = "totals", progress: Callable[[int], None] | None = None
) -> Offers:
    """Every state of every offer, and the gain of a bettor on each side.

    >>> from exact.games import load
    >>> found = offers(load("insurance-baccarat", {"insurance_stake": "main"}), Shoe.decks(8))
    >>> found.bettors[0].on, found.bettors[0].gain
    ('banker', Fraction(27656228864, 19524993263685))

    Raises ``InputError`` where the game offers nothing or the information is neither "totals" nor "cards".
    """
    if information not in INFORMATION:
        raise InputError(f"information is {information!r}; {nearest(information, INFORMATION)}")
    wagers = offered_wagers(game)
    paths, states = count(game, shoe, wagers, information == "cards", progress=progress)
    return Offers(game, shoe, information, states, tuple(_bettors(game, wagers, states, paths)))


def count(
    game: Game, shoe: Shoe, wagers: Sequence[Wager], cards: bool = False, given: Node | None = None,
    dealt: Sequence[Dealt] = (), progress: Callable[[int], None] | None = None,
) -> tuple[Counter[Path], tuple[State, ...]]:  # fmt: skip
    """The ways of every path of offers through a round, and every state: with ``cards`` by the open cards, otherwise by
    what is shown, and then cells that are never reached too.
    """
    check_shoe(game, shoe)
    nodes = [_seen(game, wager, cards) for wager in wagers]
    digits = {digit.node: digit for found in nodes for digit in found.values()}
    places = {node: place for place, node in enumerate(digits)}
    seen_at = [[places[digit.node] for digit in found.values()] for found in nodes]
    groups = _exclusive(wagers)
    decided = [_decided(game, wagers, group) for group in groups]
    outcome = [Digit.of_outcome(game)] if game.outcomes else []
    counted = tally(game, shoe, [*digits.values(), *(digit for digit, _ in decided), *outcome], given, dealt, progress)
    paths: Counter[Path] = Counter()
    ends: dict[tuple[int, Key], Counter[tuple[int, Value]]] = defaultdict(Counter)
    for key, ways in counted.items():
        path = []
        for (_, made), place in zip(decided, key[len(digits) : len(digits) + len(decided)], strict=True):
            if place is not None:
                number, line = made[place]
                seen = tuple([key[at] for at in seen_at[number]])
                ends[number, seen][line, key[-1] if outcome else None] += ways
                path.append((number, seen, line))
        paths[tuple(path)] += ways
    for number, wager in enumerate(wagers):
        for cell in [] if cards else product(*(item.values for item in _offer(wager).shown)):
            ends.setdefault((number, cell), Counter())
    total = counted.total()
    order = sorted(ends, key=lambda item: (item[0], [(value is None, value) for value in item[1]]))
    return paths, tuple(
        _state(wagers[number], dict(zip(nodes[number], seen, strict=True)), total, ends[number, seen])
        for number, seen in order
    )


def _offer(wager: Wager) -> Offer:
    assert wager.offer is not None
    return wager.offer


def _seen(game: Game, wager: Wager, cards: bool) -> dict[str, Digit]:
    """What a bettor sees when the wager is offered, by name."""
    if not cards:
        facts = [(item, study(item.node, game.facts, [])) for item in _offer(wager).shown]
        return {item.name: Digit.of_value(item.node, fact, item.name) for item, fact in facts}
    read = plan(game, [*wager.columns(), "outcome"] if game.outcomes else wager.columns()).attributes
    columns = [n for n, s in game.slot_columns.items() if s.slot in _offer(wager).sees and s.attribute in read]
    return {name: Digit.of_column(game, name) for name in columns}


def _exclusive(wagers: Sequence[Wager]) -> list[list[int]]:
    """Wagers in groups of which a round can offer one at most at a time, since the totals shown exclude each other."""
    groups: list[list[int]] = []
    for number, wager in enumerate(wagers):
        group = next((g for g in groups if all(_never_both(wagers[other], wager) for other in g)), None)
        if group is None:
            groups.append(group := [])
        group.append(number)
    return groups


def _never_both(one: Wager, other: Wager) -> bool:
    values = {item.node: set(item.values) for item in _offer(one).shown if item.values}
    return any(
        item.values and values.get(item.node, set(item.values)).isdisjoint(item.values) for item in _offer(other).shown
    )


def _decided(
    game: Game, wagers: Sequence[Wager], group: Sequence[int]
) -> tuple[Digit, Mapping[Value, tuple[int, int]]]:
    """Which wager of a group is offered and which of its lines decides, as one digit; and what each place means."""
    lines, unsure, made = list[tuple[Node, Node]](), list[tuple[Node, Node]](), dict[Value, tuple[int, int]]()
    for number in group:
        wager = wagers[number]
        digit = Digit.of_conditions(game, [line.when for line in wager.pays], f"wager {wager.name!r}")
        offered = wager.offered or TRUE
        lines.append((offered, Binary("+", digit.node, Literal(len(made)))))
        unsure += [(IsNull(offered), TRUE), (offered, digit.unsure or FALSE)]
        made |= {len(made) + line: (number, line) for line in range(len(wager.pays) + 1)}
    said = f"wager {' or '.join(repr(wagers[number].name) for number in group)}"
    return Digit(Case(tuple(lines), Literal(len(made))), (*made, None), said, Case(tuple(unsure), FALSE)), made


def _state(wager: Wager, seen: Mapping[str, Value], total: int, ends: Mapping[tuple[int, Value], int]) -> State:
    """A state from the ways of each line and outcome; odds are added up as whole numbers over one denominator."""
    nets = [*(line.odds for line in wager.pays), Fraction(-1)]
    unit = lcm(*(net.denominator for net in nets))
    units = [net.numerator * unit // net.denominator for net in nets]
    outcomes: dict[str, int] = {}
    for (_, outcome), ways in ends.items():
        outcomes[str(outcome)] = outcomes.get(str(outcome), 0) + ways
    net = Fraction(sum(units[line] * ways for (line, _), ways in ends.items()), unit)
    return State(wager, seen, total, sum(ends.values()), net, outcomes)


def _bettors(
    game: Game, wagers: Sequence[Wager], states: Sequence[State], paths: Mapping[Path, int]
) -> Iterable[Bettor]:
    for on in dict.fromkeys(_offer(wager).on for wager in wagers):
        own = [state for state in states if state.offer.on == on]
        free = [state for state in own if not state.offer.once and state.favourable]
        single = [state for state in own if state.offer.once]
        gain, taken = sum((state.gain for state in free), Fraction(0)), {_name(state) for state in free}
        if single:
            once = _Once(game, wagers, single, paths)
            gain, taken = gain + once.gain, taken | once.taken
        yield Bettor(on, frozenset(taken), gain)


def _name(state: State) -> Name:
    return state.wager.name, tuple(state.seen.values())


class _Once:
    """The best choice of one offer a round: an offer is taken if it is favourable and worth more than later ones are
    to a bettor who leaves it, decided from the last moment backwards.
    """

    def __init__(self, game: Game, wagers: Sequence[Wager], states: Sequence[State], paths: Mapping[Path, int]) -> None:
        self.wagers, self.taken = wagers, set[Name]()
        steps = [step.name for step in game.steps]
        self.moment = {w.name: (steps.index(_offer(w).after), len(_offer(w).sees)) for w in wagers}
        self.rank = {_name(state): state.gain / state.probability for state in states if state.favourable}
        favourable = [
            (path, ways) for path, ways in paths.items() if any(self._label(step) in self.rank for step in path)
        ]
        for moment in sorted(set(self.moment.values()), reverse=True):
            now = {_name(s): s.gain * s.total for s in states if s.favourable and self.moment[s.wager.name] == moment}
            waiting: dict[Name, Fraction] = defaultdict(Fraction)
            for path, ways in favourable:
                reached = [name for step in path if (name := self._label(step)) in now]
                if reached and (won := self._won(path, moment)):
                    waiting |= {name: waiting[name] + won * ways for name in reached}
            self.taken |= {name for name, worth in now.items() if worth > waiting[name]}
        won_ways = ((self._won(path, (-1, 0)), ways) for path, ways in favourable)
        total = sum(paths.values())
        self.gain = sum((won * ways for won, ways in won_ways if won), Fraction(0)) / total

    def _label(self, step: tuple[int, Key, int]) -> Name:
        return self.wagers[step[0]].name, step[1]

    def _won(self, path: Path, after: tuple[int, int]) -> Fraction:
        """What the first offer taken after a moment pays on one path, of several at once the best."""
        best: tuple[tuple[int, int], Fraction, Fraction] | None = None
        for step in path:
            wager, name = self.wagers[step[0]], self._label(step)
            if name in self.taken and self.moment[wager.name] > after:
                odds = wager.pays[step[2]].odds if step[2] < len(wager.pays) else Fraction(-1)
                found = self.moment[wager.name], -self.rank[name], _offer(wager).most * odds
                best = found if best is None else min(best, found)
        return best[2] if best else Fraction(0)
