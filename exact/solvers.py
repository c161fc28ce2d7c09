"""Kinds of games and what solves them, so that no command asks which game it has been given.

A game of forced play is a rule file and is enumerated; a game with choices has a module of its own. Both answer the
same questions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

from exact.errors import InputError
from exact.output import Report
from exact.shoefile import ShoeRequest

if TYPE_CHECKING:
    from exact.published.figures import Figure, Quantity

Tell = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Question:
    """What a user asks of a game, as texts."""

    game: str
    shoe: ShoeRequest = field(default_factory=ShoeRequest)
    options: Mapping[str, str] = field(default_factory=dict)
    wagers: tuple[str, ...] = ()
    wager_files: tuple[str, ...] = ()
    given: str | None = None
    dealt: tuple[str, ...] = ()
    by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class About:
    """One game in a line of ``exact games``: ``kind`` says how its figures are found."""

    name: str
    title: str
    kind: str
    summary: str
    options: int


@dataclass(frozen=True, slots=True)
class Asked:
    """One figure that is asked of a game; ``where`` is the place in a file, for messages."""

    question: Question
    quantity: Quantity
    where: str


@dataclass(frozen=True, slots=True)
class LogAsked:
    """What a user says of a log of dealt rounds; what is None is recognised, or with ``strict`` refused.

    ``rows`` gets the rows that fail, whole; ``say`` is told how the log is read before anything is judged.
    """

    files: tuple[str, ...]
    columns: Mapping[str, str] = field(default_factory=dict)
    cards: str | None = None
    order: str | None = None
    words: Mapping[str, str] = field(default_factory=dict)
    strict: bool = False
    paid: str | None = None
    rounding: Literal["exact", "floor", "nearest"] = "exact"
    unit: Fraction = Fraction(1)
    readings: bool = False
    rows: Path | None = None
    memory: int = 256 * 2**20
    say: Callable[[Sequence[str]], None] | None = None


class Solver(Protocol):
    """What every kind of game can be asked."""

    def about(self, game: str) -> About:
        """The game in one line."""

    def compute(self, question: Question, tell: Tell | None = None) -> Report:
        """The report of ``exact compute``."""

    def rules(self, question: Question) -> Report:
        """The report of ``exact rules``."""

    def rule_file(self, game: str) -> str:
        """The text of the file that holds the rules, as it is."""

    def deal(self, question: Question, cards: Sequence[str]) -> Report:
        """The report of ``exact deal``: one round of these cards, in dealing order, with the reason of every step."""

    def verify_log(self, question: Question, asked: LogAsked, tell: Tell | None = None) -> tuple[Report, int]:
        """The report of ``exact verify log`` and its exit code: 0 clean, 1 with findings."""

    def figures(self, asked: Sequence[Asked], tell: Tell | None = None) -> Sequence[Figure]:
        """The exact figure of each quantity, worked out together; ``InputError`` naming every place that cannot be."""

    def kinds(self, question: Question) -> Mapping[str, int]:
        """The kinds of cards that matter for what is asked (ranks, or cards where suits do), each with its number."""

    def expectations(
        self, question: Question, removals: Sequence[Sequence[str]], tell: Tell | None = None
    ) -> Mapping[str, Sequence[Fraction | None]]:
        """For each wager its expectation from the shoe without each list of cards; None where it is never offered."""


class Choosing(Solver, Protocol):
    """What a game with choices can be asked besides."""

    def hand(self, question: Question, text: str, seen: str | None, split: str | None) -> Report:
        """The report of ``exact hand``: what each choice with one hand is worth."""

    def strategy(self, question: Question, exceptions: int | None) -> Report:
        """The report of ``exact strategy``: the best choices as a chart, and so many of its exceptions (None: all)."""

    def picture(self, report: Report, suffix: str) -> bytes:
        """The chart of such a report as the bytes of an .svg or .png file."""

    def coloured(self, report: Report, digits: int) -> str:
        """Such a report for a terminal with colours."""


# Games with choices, by name, each with the module that holds its SOLVER; every other game is a rule file.
WITH_CHOICES: Mapping[str, str] = {"blackjack": "exact.blackjack.solver"}


def solver(game: str) -> Solver:
    """What answers questions about a game, by its name or the path of its rule file."""
    found: Solver = import_module(WITH_CHOICES.get(game, "exact.forced")).SOLVER
    return found


def choosing(game: str) -> Choosing:
    """What answers questions about choices; ``InputError`` for a game that has none."""
    if game not in WITH_CHOICES:
        raise InputError(f"{game} has no choices to ask about; games with choices: {', '.join(WITH_CHOICES)}")
    found: Choosing = import_module(WITH_CHOICES[game]).SOLVER
    return found
