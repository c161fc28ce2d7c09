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

from exact.errors import InputError, nearest
from exact.expression import Node, Value
from exact.game import Game, Offer, Wager
from exact.meaning import study
from exact.rounds import Dealt, check_shoe, plan
from exact.shoe import Shoe
from exact.tally import Digit, Key, tally

INFORMATION = ("totals", "cards")


@dataclass(frozen=True, slots=True)
class State:
    """An offer in one state: ``ways`` of ``total`` in which it is made, and how the wager and the round end then.

    ``seen`` is what the bettor sees; ``lines`` the ways in which each pay line decides, the last those that lose.
    """

    wager: Wager
    seen: Mapping[str, Value]
    total: int
    lines: tuple[int, ...] = ()
    outcomes: Mapping[str, int] = field(default_factory=dict)

    @property
    def offer(self) -> Offer:
        """How the wager is offered."""
        assert self.wager.offer is not None
        return self.wager.offer

    @property
    def ways(self) -> int:
        """Ways in which the offer is made in this state."""
        return sum(self.lines)

    @property
    def live(self) -> bool:
        """Whether the offer can be made at all: False for a cell of the table that no round reaches."""
        return self.ways > 0

    @property
    def probability(self) -> Fraction:
        """The probability of a round in which the offer is made in this state."""
        return Fraction(self.ways, self.total)

    @property
    def net(self) -> Fraction:
        """The sum of net results over all its ways, per unit staked."""
        odds = [*(line.odds for line in self.wager.pays), Fraction(-1)]
        return sum((o * ways for o, ways in zip(odds, self.lines, strict=False)), Fraction(0))

    @property
    def expectation(self) -> Fraction | None:
        """Mean net result of a unit staked in this state; None where it is never offered."""
        return self.net / self.ways if self.ways else None

    @property
    def favourable(self) -> bool:
        """Whether taking it is better than leaving it."""
        return self.net > 0

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
    taken: frozenset[tuple[str, Key]]
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


Path = tuple[tuple[int, Key, int], ...]  # the offers that one round makes: wager, what is seen, which line decides


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
    digits: dict[Node, Digit] = {node: digit for found in nodes for node, digit in found.values()}
    places = {node: place for place, node in enumerate(digits)}
    lines = [Digit.of_conditions(game, [p.when for p in w.pays], f"wager {w.name!r}", w.offered) for w in wagers]
    outcome = [Digit.of_column(game, "outcome")] if game.outcomes else []
    counted = tally(game, shoe, [*digits.values(), *lines, *outcome], given, dealt, progress)
    keys = [[places[node] for node, _ in found.values()] for found in nodes]
    paths: Counter[Path] = Counter()
    ends: dict[tuple[int, Key], Counter[tuple[Value, Value]]] = defaultdict(Counter)
    for key, ways in counted.items():
        path = []
        for number, found in enumerate(keys):
            line = key[len(digits) + number]
            if line is not None:
                seen = tuple(key[place] for place in found)
                ends[number, seen][line, key[-1] if outcome else None] += ways
                path.append((number, seen, int(str(line))))
        paths[tuple(path)] += ways
    total = sum(counted.values())
    if not cards:
        for number, wager in enumerate(wagers):
            for cell in _cells(wager):
                ends.setdefault((number, cell), Counter())
    states = [
        _state(wagers[number], dict(zip(nodes[number], seen, strict=True)), total, ends[number, seen])
        for number, seen in sorted(ends, key=lambda item: (item[0], [str(v).rjust(4) for v in item[1]]))
    ]
    return paths, tuple(states)


def _seen(game: Game, wager: Wager, cards: bool) -> dict[str, tuple[Node, Digit]]:
    """What a bettor sees when the wager is offered, by name."""
    assert wager.offer is not None
    if not cards:
        return {
            item.name: (item.node, Digit.of_value(item.node, study(item.node, game.facts, []), item.name))
            for item in wager.offer.shown
        }
    read = plan(game, [*wager.columns(), "outcome"] if game.outcomes else wager.columns()).attributes
    columns = [n for n, s in game.slot_columns.items() if s.slot in wager.offer.sees and s.attribute in read]
    digits = [Digit.of_column(game, name) for name in columns]
    return {name: (digit.node, digit) for name, digit in zip(columns, digits, strict=True)}


def _cells(wager: Wager) -> Iterable[Key]:
    """Every state of the printed table in which a wager is sold."""
    assert wager.offer is not None
    return product(*(item.values for item in wager.offer.shown))


def _state(wager: Wager, seen: Mapping[str, Value], total: int, ends: Counter[tuple[Value, Value]]) -> State:
    lines, outcomes = [0] * (len(wager.pays) + 1), Counter[str]()
    for (line, outcome), ways in ends.items():
        lines[int(str(line))] += ways
        outcomes[str(outcome)] += ways
    return State(wager, seen, total, tuple(lines), outcomes)


def _bettors(game: Game, wagers: Sequence[Wager], states: Sequence[State], paths: Counter[Path]) -> Iterable[Bettor]:
    for on in dict.fromkeys(wager.offer.on for wager in wagers if wager.offer):
        free = [state for state in states if state.offer.on == on and not state.offer.once]
        taken = {_name(state): state.gain for state in free if state.favourable}
        gain = sum(taken.values(), Fraction(0))
        single = [state for state in states if state.offer.on == on and state.offer.once]
        if single:
            once = _Once(game, wagers, single, paths)
            gain += once.gain
            taken |= dict.fromkeys(once.taken, Fraction(0))
        yield Bettor(on, frozenset(taken), gain)


def _name(state: State) -> tuple[str, Key]:
    return state.wager.name, tuple(state.seen.values())


class _Once:
    """The best choice of one offer a round: an offer is taken if it is favourable and worth more than later ones are
    to a bettor who leaves it, decided from the last moment backwards.
    """

    def __init__(self, game: Game, wagers: Sequence[Wager], states: Sequence[State], paths: Counter[Path]) -> None:
        self.wagers, self.paths = wagers, paths
        self.taken: set[tuple[str, Key]] = set()
        steps = [step.name for step in game.steps]
        self.moment = {
            w.name: (steps.index(w.offer.after), len(w.offer.sees)) for w in wagers if w.offer and w.offer.once
        }
        self.rank = {_name(state): state.gain / state.probability for state in states if state.live}
        for moment in sorted({self.moment[state.wager.name] for state in states}, reverse=True):
            now = [state for state in states if self.moment[state.wager.name] == moment and state.favourable]
            later = self._waiting({_name(state) for state in now}, moment)
            self.taken |= {_name(state) for state in now if state.gain * state.total > later[_name(state)]}
        self.gain = sum((self._won(path, (-1, 0)) * ways for path, ways in paths.items()), Fraction(0)) / paths.total()

    def _waiting(self, names: set[tuple[str, Key]], moment: tuple[int, int]) -> Counter[tuple[str, Key]]:
        """What the offers after a moment bring, summed over all ways of each state of that moment."""
        worth: Counter[tuple[str, Key]] = Counter()
        for path, ways in self.paths.items():
            reached = [name for number, seen, _ in path if (name := (self.wagers[number].name, seen)) in names]
            if reached and (won := self._won(path, moment)):
                for name in reached:
                    worth[name] += won * ways  # type: ignore[assignment]
        return worth

    def _won(self, path: Path, after: tuple[int, int]) -> Fraction:
        """What the first offer taken after a moment pays on one path, of several at once the best."""
        best: tuple[tuple[int, int], Fraction, Fraction] | None = None
        for number, seen, line in path:
            wager = self.wagers[number]
            name = wager.name, seen
            if name in self.taken and self.moment[wager.name] > after:
                assert wager.offer is not None
                odds = wager.pays[line].odds if line < len(wager.pays) else Fraction(-1)
                found = self.moment[wager.name], -self.rank[name], wager.offer.most * odds
                best = found if best is None else min(best, found)
        return best[2] if best else Fraction(0)
