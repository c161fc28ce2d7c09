"""A program under test, held against every round: which rounds it plays wrongly, the smallest, the cells, how often
it shows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from exact.errors import InputError
from exact.output.report import decimal_text
from exact.rulefile.expression import names
from exact.rulefile.game import Game
from exact.trace import play, reason
from exact.verify.compare import Comparison, Wrong
from exact.verify.dealt import KIND
from exact.verify.oracle import Oracle
from exact.verify.protocol import Answer, Capabilities, Program, start_request
from exact.verify.settled import lines_of
from exact.verify.shown import Patterns

if TYPE_CHECKING:
    import polars as pl

BATCH = 2_000
STAKES = (1, 5, 25)


@dataclass(slots=True)
class Fault:
    """One kind of wrong answer: by which cell, how many inputs, the smallest of them."""

    fault: str
    rule: str
    source: str
    count: int
    cards: tuple[str, ...]
    expected: str
    seen: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the test of a program found. ``asked`` rounds, ``skipped`` of them by the program itself.

    ``shows`` is the probability that a round from eight fresh decks is played wrongly, exactly (None where it is not
    defined); ``edges`` the exact house edges of the game that the program deals, beside the right ones.
    """

    can: Capabilities
    asked: int
    skipped: int
    faults: tuple[Fault, ...]
    broken: str | None = None
    broken_at: tuple[str, ...] = ()
    shows: Fraction | None = None
    shows_why: str = ""
    edges: Mapping[str, tuple[Fraction, Fraction]] = field(default_factory=dict)


def verify_program(
    game: Game, program: Program, rounds: Sequence[Sequence[str]] | None = None,
    progress: Callable[[int], None] | None = None, first: bool = False,
) -> Verdict:  # fmt: skip
    """Ask a program every round of the exhaustive set (or ``rounds``, by rank) and compare what it answers.

    With ``first`` the test ends at the smallest input that is played wrongly.

    Raises ``InputError`` where the program does not start, or answers nothing that can be compared.
    """
    can = Capabilities.read(game, program.start(start_request(game)))
    test = _Test(game, program, can, progress, first)
    if can.verb == "table":
        test.table()
    elif rounds is None:
        for frame in test.oracle.exhaustive():
            if not test.frame(frame):
                break
        else:
            if not (first and test.faults):
                test.patterns.settle(test)
    else:
        test.frame(test.oracle.frame(rounds))
    if can.bets and not test.broken:
        test.settlement()
    if test.skipped and test.skipped == test.asked:
        raise InputError(f"the program skipped all {test.asked:,} rounds: nothing could be compared")
    return test.verdict(whole=rounds is None and can.verb == "round" and not first)


class _Test:
    def __init__(
        self, game: Game, program: Program, can: Capabilities, progress: Callable[[int], None] | None, first: bool
    ) -> None:
        self.first = first
        self.game, self.program, self.can, self.progress = game, program, can, progress
        self.oracle = Oracle(game, fixed=can.deal == "slots")
        self.comparison = Comparison(game, self.oracle, can)
        self.patterns = Patterns(game, self.oracle)
        self.faults: dict[tuple[str, str], Fault] = {}
        self.asked = self.skipped = 0
        self.broken: str | None = None
        self.broken_at: tuple[str, ...] = ()

    def frame(self, frame: pl.DataFrame) -> bool:
        """Ask all rounds of a frame; False where the program broke."""
        played = self.oracle.play(frame)
        for part in played.iter_slices(BATCH):
            for place, (right, answer) in enumerate(self.answers(part)):
                if answer.broken:
                    self.broken, self.broken_at = answer.broken, self.oracle.texts(part.row(place, named=True))
                    return False
                if answer.skipped is not None:
                    self.skipped += 1
                    self.patterns.add(None, False)
                    continue
                wrong = self.comparison.wrong(right, answer)
                if wrong:
                    self._note(part.row(place, named=True), wrong)
                    if self.first:
                        return False
                self.patterns.add(self.comparison.sizes(answer), wrong is not None)
        return True

    def answers(self, played: pl.DataFrame) -> Iterator[tuple[dict[str, Any], Answer]]:
        """For each of some rounds what the rules answer, and the program's answer."""
        requests = self.comparison.requests(self.asked + 1, played)
        self.asked += len(requests)
        if self.progress:
            self.progress(len(requests))
        yield from zip(self.comparison.rights(played), self.program.ask(requests), strict=False)

    def wrong(self, right: Mapping[str, Any], answer: Answer) -> bool:
        """Whether an answer is wrong, without noting it."""
        return bool(answer.broken) or (answer.skipped is None and self.comparison.wrong(right, answer) is not None)

    def _note(self, row: Mapping[str, Any], wrong: Wrong) -> None:
        rule, source = self._rule(row, wrong.slot) if wrong.slot else ("", "")
        key = (wrong.fault, rule)
        if key in self.faults:
            self.faults[key].count += 1
        else:
            self.faults[key] = Fault(wrong.fault, rule, source, 1, self.oracle.texts(row), wrong.expected, wrong.seen)

    def _rule(self, row: Mapping[str, Any], slot: str) -> tuple[str, str]:
        """The cell that says whether a slot gets a card."""
        step = next(step for step in self.game.steps if slot in step.slots)
        assert step.when is not None
        values = {name: self._value(row, name) for name in names(step.when)}
        why = reason(self.game, step.when, values)
        source = "; ".join(dict.fromkeys(cell.source for cell in why.cells if cell.source)) or step.source
        return "; ".join(cell.text() for cell in why.cells) or why.text(), source

    def _value(self, row: Mapping[str, Any], name: str) -> Any:
        at = self.game.slot_columns.get(name)
        if at is not None:
            kind = row[KIND + at.slot]
            return None if kind is None else self.oracle.replay.attributes[at.attribute][kind]
        return row[name]

    def settlement(self) -> None:
        """Ask what bets pay on every wager that it settles, in rounds in which each line of each wager decides."""
        wagers = [self.game.wager(name) for name in self.can.bets]
        rounds = dict.fromkeys(cards for wager in wagers for cards, _, _ in lines_of(self.game, wager))
        for cards in rounds:
            named = self.comparison.spelt(cards)
            trace = play(self.game, cards, wagers)
            right = {s.wager.name: s.net for s in trace.settled if s.net is not None}
            for stake in STAKES:
                self.asked += 1
                request = {"do": "round", "id": self.asked, "cards": named, "bets": dict.fromkeys(right, stake)}
                answer = next(iter(self.program.ask([request])))
                if answer.broken:
                    self.broken, self.broken_at = answer.broken, cards
                    return
                if answer.skipped is not None:
                    self.skipped += 1
                    continue
                for wager, net in right.items():
                    self._settled(cards, wager, stake, stake * (1 + net), answer)

    def _settled(self, cards: tuple[str, ...], wager: str, stake: int, right: Fraction, answer: Answer) -> None:
        pays = answer.said.get("pays")
        seen = pays.get(wager) if isinstance(pays, Mapping) else None
        if seen is None or _amount(seen) != right:
            rule = self.game.wager(wager).title
            key = ("wrong settlement", wager)
            expected = f"{wager}, stake {stake}: returns {decimal_text(right, 4)}"
            fault = Fault("wrong settlement", rule, self.game.wager(wager).source, 0, cards, expected, f"{seen}")
            self.faults.setdefault(key, fault).count += 1

    def table(self) -> None:
        """Ask every cell of the one table that the program knows."""
        table = next(table for table in self.game.tables if table.name == self.can.table)
        requests = [
            {"do": "table", "id": n, "table": table.name, "row": row, "column": column}
            for n, (row, column) in enumerate(table.cells, 1)
        ]
        self.asked = len(requests)
        for request, answer in zip(requests, self.program.ask(requests), strict=False):
            place = (str(request["row"]), str(request["column"]))
            if answer.broken:
                self.broken, self.broken_at = answer.broken, place
                return
            right = table.cells[request["row"], request["column"]]
            seen = answer.error or answer.said.get("answer")
            if answer.skipped is not None:
                self.skipped += 1
            elif seen is not right:
                rule = f"{table.title!r}, row {place[0]}, column {place[1]}"
                self.faults["table", rule] = Fault("wrong cell", rule, table.source, 1, place, str(right), str(seen))

    def verdict(self, whole: bool) -> Verdict:
        shows, why, edges = None, "", {}
        if whole and not self.broken:
            shows, why = self.patterns.probability()
            edges = self.patterns.edges() if self.faults else {}
        return Verdict(
            self.can,
            self.asked,
            self.skipped,
            tuple(self.faults.values()),
            self.broken,
            self.broken_at,
            shows,
            why,
            edges,
        )


def _amount(value: object) -> Fraction | None:
    """An amount as a program writes it: a number, or a text such as "9.75" or "39/4"."""
    try:
        return Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        return None
