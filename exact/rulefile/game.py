"""A game as its rule file says it: immutable, typed, ready for the engine. Nothing here knows any particular game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal as OneOf

from exact.errors import InputError, nearest
from exact.rulefile.expression import Node, Value, names
from exact.rulefile.meaning import Fact
from exact.shoe import Card, Deck

Kind = OneOf["fraction", "integer", "word", "truth"]


@dataclass(frozen=True, slots=True)
class Option:
    """A constant of the rules that a user may choose."""

    name: str
    kind: Kind
    default: Value
    meaning: str
    source: str
    values: tuple[Value, ...] = ()  # the only ones allowed, where listed
    least: Fraction | None = None
    most: Fraction | None = None
    reading: bool = False  # an unclear sentence of the source, read one way or another
    assumed: bool = False  # no source gives it

    def read(self, text: str) -> Value:
        """A value of the option from the text of a user.

        Raises ``InputError`` saying which values are allowed.
        """
        value = self._convert(text.strip())
        if value is None or (self.values and value not in self.values) or not self._within(value):
            raise InputError(f"option {self.name} cannot be {text!r}; {self.allowed()}")
        return value

    def _convert(self, text: str) -> Value:
        if self.kind == "truth":
            return {"true": True, "false": False}.get(text.lower())
        if self.kind == "word":
            return text
        try:
            number = Fraction(text)
        except (ValueError, ZeroDivisionError):
            return None
        return number if self.kind == "fraction" else int(number) if number.denominator == 1 else None

    def _within(self, value: Value) -> bool:
        if isinstance(value, str | bool | None):
            return True
        return (self.least is None or value >= self.least) and (self.most is None or value <= self.most)

    def allowed(self) -> str:
        """Which values the option takes, in words."""
        if self.kind == "truth":
            return "allowed: true, false"
        if self.values:
            return f"allowed: {', '.join(map(show, self.values))}"
        bounds = [f"at least {self.least}"] * (self.least is not None) + [f"at most {self.most}"] * (
            self.most is not None
        )
        kind = "a whole number" if self.kind == "integer" else "a fraction such as 19/20 or 0.95"
        return f"allowed: {kind}{', ' if bounds else ''}{' and '.join(bounds)}"


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that happens in a round: cards dealt (always, or under a condition), or columns worked out."""

    name: str
    slots: tuple[str, ...] = ()
    when: Node | None = None
    when_text: str = ""
    lets: tuple[tuple[str, Node], ...] = ()
    source: str = ""
    let_texts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PrintedTable:
    """A table of the rules as it is printed: rows and columns by what they are read with, a word in each cell.

    One with ``arguments`` is read for several columns in turn, as a definition is: ``draws(player_two)``.
    """

    name: str
    title: str
    row: str
    column: str | None
    row_labels: tuple[str, ...]
    column_labels: tuple[str, ...]
    words: tuple[tuple[str, ...], ...]
    cells: Mapping[tuple[Value, Value], Value]
    source: str = ""
    arguments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Breakdown:
    """Columns whose values together are worth a table of their own, such as the final totals of both sides."""

    name: str
    title: str
    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Records:
    """A list of rows from which wagers are made, as it is printed."""

    name: str
    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    source: str = ""


@dataclass(frozen=True, slots=True)
class PayLine:
    """Odds paid under a condition: ``odds`` to 1, net; 0 is a push, -1 the loss of the stake."""

    when: Node
    when_text: str
    odds: Fraction


@dataclass(frozen=True, slots=True)
class Shown:
    """A number that a bettor is shown when a wager is offered; ``values`` are those at which it is sold (none: all)."""

    name: str
    node: Node
    values: tuple[Value, ...] = ()


@dataclass(frozen=True, slots=True)
class Offer:
    """How a wager is offered in the course of a round, to whoever made another bet.

    ``most`` is the largest stake, in units of that bet; of the wagers offered ``once`` a bettor may take one a round.
    """

    on: str  # the bet that it goes with
    after: str  # the step after which it is offered
    sees: tuple[str, ...]  # the places of the cards that lie open then
    shown: tuple[Shown, ...]
    most: Fraction = Fraction(1)
    once: bool = False


@dataclass(frozen=True, slots=True)
class Wager:
    """Pay lines read in order, the first that holds decides; where none holds the stake is lost."""

    name: str
    title: str
    pays: tuple[PayLine, ...]
    offered: Node | None = None
    offered_text: str = ""
    source: str = ""
    assumed: bool = False
    extra: bool = False  # priced only when asked for
    record: Mapping[str, str] = field(default_factory=dict)  # the row it was made from
    offer: Offer | None = None

    def columns(self) -> frozenset[str]:
        """The columns of a round that decide this wager."""
        nodes = [line.when for line in self.pays] + ([self.offered] if self.offered else [])
        return frozenset().union(*map(names, nodes))


@dataclass(frozen=True, slots=True)
class SlotColumn:
    """A column that is an attribute of the card in a slot: ``p1_rank`` is the rank of ``p1``."""

    slot: str
    attribute: str


@dataclass(frozen=True, slots=True)
class Game:
    """A forced-play card game with its options chosen.

    ``facts`` holds every column of a round: what it can be, and whether it can be NULL (a card that was not drawn).
    ``slot_columns`` says which of them are attributes of a card; the others are worked out in a ``let``.
    """

    name: str
    title: str
    summary: str
    file: str
    text: str
    deck: Deck
    attributes: Mapping[str, Mapping[Card, Value]]
    options: tuple[Option, ...]
    chosen: Mapping[str, Value]
    steps: tuple[Step, ...]
    tables: tuple[PrintedTable, ...]
    records: tuple[Records, ...]
    wagers: tuple[Wager, ...]
    facts: Mapping[str, Fact]
    slot_columns: Mapping[str, SlotColumn]
    sources: Mapping[str, str]
    macros: Mapping[str, tuple[tuple[str, ...], Node]] = field(default_factory=dict)
    definitions: Mapping[str, str] = field(default_factory=dict)  # as written: "score(sum)" -> its expression
    attribute_sources: Mapping[str, str] = field(default_factory=dict)
    breakdowns: tuple[Breakdown, ...] = ()

    @property
    def slots(self) -> tuple[str, ...]:
        """Every place a card can be dealt to, in dealing order."""
        return tuple(slot for step in self.steps for slot in step.slots)

    @property
    def outcomes(self) -> tuple[str, ...]:
        """The words of the column ``outcome``, in the order of the file."""
        return self.facts["outcome"].words if "outcome" in self.facts else ()

    def wager(self, name: str) -> Wager:
        """A wager by name; ``InputError`` with the nearest name where there is none."""
        for wager in self.wagers:
            if wager.name == name:
                return wager
        raise InputError(f"{self.name} has no wager {name!r}; {nearest(name, (w.name for w in self.wagers))}")

    def by_rank(self, attribute: str) -> bool:
        """Whether the rank of a card alone decides this attribute, so that a shoe without suits can be asked for it."""
        seen: dict[str, Value] = {}
        return all(seen.setdefault(rank, value) == value for (rank, _), value in self.attributes[attribute].items())

    def chosen_texts(self) -> dict[str, str]:
        """The chosen options as texts, for results and files."""
        return {name: show(value) for name, value in self.chosen.items()}


def show(value: Value) -> str:
    """A constant as a user writes it.

    >>> show(Fraction(1, 20)), show(True), show("tie")
    ('1/20', 'true', 'tie')
    """
    return str(value).lower() if isinstance(value, bool) else str(value)
