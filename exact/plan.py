"""What must be dealt and worked out to answer a question: the steps, the slots, and how finely cards are told apart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from exact.errors import InputError
from exact.rulefile.expression import Node, Value, names
from exact.rulefile.game import Game, Step
from exact.shoe import Shoe

Dealt = tuple[str, str, str | None]  # slot, rank, suit (None: any)


@dataclass(frozen=True, slots=True)
class CardClass:
    """Cards that the asked columns cannot tell apart: their attributes, how many there are, which known cards they
    match.
    """

    attributes: Mapping[str, Value]
    count: int
    matches: frozenset[Dealt]

    def holds(self, finer: CardClass) -> bool:
        """Whether the cards of another class, told apart at least as finely, are among these."""
        return finer.matches == self.matches and self.attributes.items() <= finer.attributes.items()


@dataclass(frozen=True, slots=True)
class Split:
    """A place in the rules where rounds part: those that draw, and those that do not."""

    step: Step


@dataclass(frozen=True, slots=True)
class Deal:
    """A place where one card is dealt."""

    slot: str


@dataclass(frozen=True, slots=True)
class Work:
    """A place where columns are worked out; ``live`` are those still read afterwards."""

    step: Step
    live: frozenset[str]


@dataclass(frozen=True, slots=True)
class Plan:
    """What must be dealt and worked out to know some columns of a round."""

    steps: tuple[Step, ...]
    wanted: frozenset[str]
    looked_at: Mapping[str, frozenset[str]]  # for each slot that is dealt, the attributes of its card that are read
    live: tuple[frozenset[str], ...]  # for each step, the columns that something after it reads

    @property
    def slots(self) -> tuple[str, ...]:
        """The slots that are dealt, in order."""
        return tuple(self.looked_at)

    @property
    def attributes(self) -> frozenset[str]:
        """Everything that is read of any card."""
        return frozenset().union(*self.looked_at.values())


def plan(game: Game, wanted: Iterable[str], dealt: Sequence[Dealt] = ()) -> Plan:
    """The steps of a game that decide the wanted columns, found backwards from them.

    >>> from exact.games import load
    >>> plan(load("baccarat"), ["p1_rank", "p2_rank"]).slots
    ('p1', 'p2')
    """
    needed, fixed = set(wanted), {slot for slot, _, _ in dealt}
    wanted = frozenset(needed)
    steps, live = list[Step](), list[frozenset[str]]()
    for step in reversed(game.steps):
        after = frozenset(needed)
        asked = {game.slot_columns[name].slot for name in needed if name in game.slot_columns} | fixed
        slots = tuple(slot for slot in step.slots if slot in asked)
        lets = list[tuple[str, Node]]()
        for name, node in reversed(step.lets):
            if name in needed:
                lets.insert(0, (name, node))
                needed |= names(node)
        when = step.when if slots else None
        needed |= names(when) if when else frozenset()
        if slots or lets:
            steps.insert(0, replace(step, slots=slots, when=when, lets=tuple(lets)))
            live.insert(0, after)
    read: dict[str, set[str]] = {slot: set() for step in steps for slot in step.slots}
    for name in needed & game.slot_columns.keys():
        read[game.slot_columns[name].slot].add(game.slot_columns[name].attribute)
    return Plan(tuple(steps), wanted, {slot: frozenset(of_card) for slot, of_card in read.items()}, tuple(live))


def card_classes(
    game: Game, shoe: Shoe, attributes: Iterable[str], dealt: Sequence[Dealt] = ()
) -> tuple[CardClass, ...]:
    """The cards of a shoe in the coarsest classes that differ in the asked attributes or in matching a known card.

    Raises ``InputError`` where an attribute or a known card needs suits and the shoe knows none.
    """
    attributes = sorted(attributes)
    if not shoe.has_suits:
        for attribute in attributes:
            if not game.by_rank(attribute):
                raise InputError(
                    f"this shoe knows ranks only, no suits, and {attribute} is asked for: "
                    "give the shoe by card (AS=8), and what is removed with its suit (8H)"
                )
        for slot, rank, suit in dealt:
            if suit:
                raise InputError(f"this shoe knows ranks only, no suits: say {slot}={rank}, not {slot}={rank}{suit}")
    found: dict[tuple[tuple[Value, ...], frozenset[Dealt]], int] = {}
    any_suit = {rank: (rank, suit) for rank, suit in reversed(game.deck.cards)}
    for (rank, suit), count in shoe.counts().items():
        card = (rank, suit) if suit else any_suit[rank]
        matches = frozenset(known for known in dealt if known[1] == rank and known[2] in (None, suit))
        key = tuple(game.attributes[attribute][card] for attribute in attributes), matches
        found[key] = found.get(key, 0) + count
    return tuple(
        CardClass(dict(zip(attributes, values, strict=True)), count, matches)
        for (values, matches), count in found.items()
        if count
    )


def places(plan: Plan) -> tuple[Split | Deal | Work, ...]:
    """The steps one by one: rounds part, a card is dealt, columns are worked out."""
    found: list[Split | Deal | Work] = []
    for step, live in zip(plan.steps, plan.live, strict=True):
        if step.when is not None:
            found.append(Split(step))
        # cards of one step lie there in any order with the same ways, so that the finest can come first
        finest_first = sorted(step.slots, key=lambda slot: -len(plan.looked_at[slot]))
        found += [Deal(slot) for slot in finest_first]
        found.append(Work(step, live))
    return tuple(found)


def levels(plan: Plan, places: Sequence[Split | Deal | Work], weighted: bool) -> dict[str, frozenset[str]]:
    """The attributes that tell cards apart in each slot, in the order of dealing: what is read of the slot and of any
    slot after it.
    """
    slots = [place.slot for place in places if isinstance(place, Deal)]
    levels, level = dict[str, frozenset[str]](), frozenset[str]()
    for slot in reversed(slots):
        level = level | plan.looked_at[slot] if weighted else plan.attributes
        levels[slot] = level
    return {slot: levels[slot] for slot in slots}
