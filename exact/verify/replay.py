"""Dealt rounds replayed by a rule file: its expressions run over the columns of a log, and every row gets the set of
its faults.

No row is looked at by Python: a fault is a bit of one number, worked out by the same expressions that ``exact compute``
enumerates.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import add
from typing import TYPE_CHECKING
from typing import Literal as OneOf

from exact.errors import InputError
from exact.rounds import dtype
from exact.rulefile.evaluate import to_polars
from exact.rulefile.expression import Node, Value, names
from exact.rulefile.game import Step
from exact.rulefile.meaning import Fact, width_of
from exact.verify.cards import UNREADABLE, piecewise
from exact.verify.coded import coded, placed
from exact.verify.dealt import KIND, LEFT, USED, texts_of, with_kinds
from exact.verify.reading import FIXED, Reading
from exact.verify.settle import Settlement
from exact.verify.stated import stated

if TYPE_CHECKING:
    import polars as pl

FAULTS = "faults of the row"
MOST_TEXTS = 200  # of more different texts most are rubbish, which is forgotten with the block that holds it
DUE = "due "  # + a step: whether it deals
STATED = "stated "

Shape = OneOf["shape", "rule"]


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that can be wrong in a row; ``about`` is the slot, step, column or wager it is wrong about."""

    group: Shape
    fault: str
    about: str
    step: Step | None = None


class Replay:
    """The checks of one game on a log read in one way."""

    def __init__(self, reading: Reading, settlement: Settlement | None = None) -> None:
        self.reading, self.game, self.settlement = reading, reading.game, settlement
        self.checks: list[Check] = []
        self._tests: list[pl.Expr] = []
        self._flowing = False  # whether further cards come in the order in which they were dealt
        self._shapes = 0  # how many of the checks are about the shape of a row alone
        self._learn = True
        self._texts: dict[tuple[str, ...], Sequence[str]] = {}  # those that some columns have been seen to hold

    # -- what can be known from this log ----------------------------------------------------------------------------

    @cached_property
    def attributes(self) -> Mapping[str, tuple[Value, ...]]:
        """The attributes of a card that the notation of the log tells, by kind of card."""
        found = {name: self.reading.notation.attribute(self.game, name) for name in self.game.attributes}
        return {name: values for name, values in found.items() if values is not None}

    @cached_property
    def known(self) -> frozenset[str]:
        """The columns of a round that can be worked out from this log."""
        known = {column for column, at in self.game.slot_columns.items() if at.attribute in self.attributes}
        for step in self.game.steps:
            if step.when is not None and not names(step.when) <= known:
                missing = ", ".join(sorted(names(step.when) - known))
                raise InputError(
                    f"this log cannot be replayed: step {step.name!r} reads {missing}, which its card "
                    f"notation does not tell"
                )
            for name, node in step.lets:
                known |= {name} if names(node) <= known else set()
        return frozenset(known)

    # -- the query --------------------------------------------------------------------------------------------------

    def prepare(self, frame: pl.LazyFrame, learn: bool = True) -> pl.LazyFrame:
        """Kinds of cards and what the log states: all that is needed to judge a row.

        The texts of the log are looked up in a first pass. Without ``learn`` those seen before must do: polars refuses
        to run the query on any other (``InvalidOperationError``).
        """
        import polars as pl

        if learn:
            self._texts = {key: texts for key, texts in self._texts.items() if len(texts) < MOST_TEXTS}
        self._learn = learn
        self.checks, self._tests = [], []
        self._test("shape", "stale card", "a further card", pl.lit(False))  # told apart later: exact.verify.stale
        frame = self._stated(self._kinds(frame))
        self._shapes = len(self.checks)
        return frame

    def judge(self, frame: pl.LazyFrame, drop: bool = False, settle: bool = True, flow: bool = True) -> pl.LazyFrame:
        """The rules run over prepared rows; with ``drop``, cards that the rules do not deal are taken away first.

        Without ``flow`` the cards lie in their slots already, whatever the layout of the log.
        """
        import polars as pl

        self._flowing = flow and self.reading.columns.layout == "dealt" and self.reading.order != FIXED
        del self.checks[self._shapes :], self._tests[self._shapes :]
        for step in self.game.steps:
            frame = self._step(frame, step, drop)
        if self.reading.columns.layout != "slots":
            self._test("rule", "more cards than the rules deal", "the round", pl.col(LEFT))
        self._compare()
        if self.settlement and settle:
            for wager, test in self.settlement.tests(self.known, self.expression):
                self._test("rule", "wrong settlement", wager, test)
        if len(self._tests) > 62:
            raise InputError(
                f"this log states too much: {len(self._tests)} things to check, at most 62 at once; leave out columns"
            )
        return frame

    @property
    def faulty(self) -> pl.Expr:
        """Whether a judged row has any fault."""
        import polars as pl

        return pl.any_horizontal(self._tests)

    def faults(self, first: int = 0) -> pl.Expr:
        """The faults of a judged row, one bit for each check from ``first`` on."""
        import polars as pl

        none = pl.lit(0, dtype=pl.Int64)
        tests = enumerate(self._tests[first:], first)
        bits = (pl.when(test).then(pl.lit(1 << k, dtype=pl.Int64)).otherwise(none) for k, test in tests)
        return reduce(add, bits, none).alias(FAULTS)

    @property
    def rule_faults(self) -> pl.Expr:
        """The faults of a judged row against the rules alone."""
        return self.faults(self._shapes)

    def _test(self, group: Shape, fault: str, about: str, test: pl.Expr, step: Step | None = None) -> None:
        self.checks.append(Check(group, fault, about, step))
        self._tests.append(test)  # NULL is no fault: what it depends on is one

    def bits(self, group: Shape) -> int:
        """The bits of all checks of a group."""
        return sum(1 << k for k, check in enumerate(self.checks) if check.group == group)

    @property
    def stale(self) -> int:
        """The bit of a row with a card kept from an earlier round (see ``exact.verify.stale``)."""
        return 1

    @property
    def evidence(self) -> int:
        """The bits of what the log states: totals, outcomes, payments."""
        return sum(1 << k for k, check in enumerate(self.checks) if check.group == "rule" and check.step is None)

    def source_of(self, check: Check) -> str:
        """Where the rule that a check applies is written."""
        if check.step:
            return check.step.source
        return next((step.source for step in self.game.steps if check.about in dict(step.lets)), "")

    def _texts_of(self, frame: pl.LazyFrame, columns: Sequence[str]) -> Sequence[str]:
        key = tuple(columns)
        if self._learn or key not in self._texts:
            self._texts[key] = tuple(dict.fromkeys((*self._texts.get(key, ()), *texts_of(frame, columns))))
        return self._texts[key]

    # -- cards ------------------------------------------------------------------------------------------------------

    def _kinds(self, frame: pl.LazyFrame) -> pl.LazyFrame:
        import polars as pl

        frame, places = with_kinds(frame, self.reading, self._texts_of)
        for place in places:
            self._test("shape", "unreadable card", place, pl.col(KIND + place) == UNREADABLE)
        return frame

    # -- steps ------------------------------------------------------------------------------------------------------

    def _step(self, frame: pl.LazyFrame, step: Step, drop: bool) -> pl.LazyFrame:
        import polars as pl

        if step.slots and step.when is None:
            for slot in step.slots:
                self._test("shape", "missing card", slot, pl.col(KIND + slot).is_null(), step)
        elif step.slots and step.when is not None:
            due = DUE + step.name
            frame = frame.with_columns(self.expression(step.when).alias(due))
            if self._flowing:
                frame = self._next_cards(frame, step, due)
            if drop:
                kept = (pl.when(pl.col(due)).then(pl.col(KIND + slot)).alias(KIND + slot) for slot in step.slots)
                frame = frame.with_columns(kept)
            there = pl.any_horizontal(pl.col(KIND + slot).is_not_null() for slot in step.slots)
            whole = pl.all_horizontal(pl.col(KIND + slot).is_not_null() for slot in step.slots)
            self._test("rule", "drew when it must stand", step.slots[0], ~pl.col(due) & there, step)
            self._test("rule", "stood when it must draw", step.slots[0], pl.col(due) & ~whole, step)
        frame = frame.with_columns(self._attribute_columns(step.slots))
        for name, node in step.lets:
            if name in self.known:
                frame = frame.with_columns(self._let(node, self.game.facts[name]).alias(name))
        if self._flowing and step is self.game.steps[-1]:
            after = [
                pl.when(pl.col(USED) == used).then(pl.col(KIND + f"card{used + 1}").is_not_null())
                for used in self._places()
            ]
            frame = frame.with_columns((pl.col(LEFT) | pl.coalesce(*after, pl.lit(False))).alias(LEFT))
        return frame

    def _places(self) -> range:
        """How many cards may be dealt before another one."""
        cards = self.reading.columns.cards
        return range(len(self.reading.order), len(self.game.slots) if "cards" in cards else len(cards))

    def _next_cards(self, frame: pl.LazyFrame, step: Step, due: str) -> pl.LazyFrame:
        import polars as pl

        for slot in step.slots:
            picks = [
                pl.when(pl.col(due) & (pl.col(USED) == used)).then(pl.col(KIND + f"card{used + 1}"))
                for used in self._places()
            ]
            frame = frame.with_columns(pl.coalesce(*picks, pl.lit(None, dtype=pl.Int8)).alias(KIND + slot))
            frame = frame.with_columns((pl.col(USED) + pl.col(due).cast(pl.Int8)).alias(USED))
        return frame

    def _attribute_columns(self, slots: Sequence[str]) -> list[pl.Expr]:
        """The columns that are attributes of the cards in some slots."""
        found = []
        for column, at in self.game.slot_columns.items():
            if at.slot in slots and column in self.known and column in self._read:
                found.append(
                    self._attribute(KIND + at.slot, self.attributes[at.attribute], self.game.facts[column]).alias(
                        column
                    )
                )
        return found

    @cached_property
    def _read(self) -> frozenset[str]:
        """Columns of cards that a step or a settled wager reads."""
        nodes: list[Node] = [
            node for step in self.game.steps for node in ([step.when] if step.when else []) + [n for _, n in step.lets]
        ]
        read = frozenset[str]().union(*map(names, nodes))
        return read | (self.settlement.read if self.settlement else frozenset())

    def _attribute(self, kind: str, values: Sequence[Value], fact: Fact) -> pl.Expr:
        import polars as pl

        places = dict(enumerate(values))
        if fact.kind == "integer":
            return piecewise({k: int(v) for k, v in places.items()})(pl.col(kind)).cast(dtype(fact))  # type: ignore[arg-type]
        if fact.kind == "truth":
            return pl.when(pl.col(kind).is_not_null()).then(pl.col(kind).is_in([k for k, v in places.items() if v]))
        words = {word: place for place, word in enumerate(fact.words)}
        number = piecewise({k: words[str(v)] for k, v in places.items()})(pl.col(kind))
        return number.cast(pl.UInt8)

    def _let(self, node: Node, fact: Fact) -> pl.Expr:
        """A column that a step works out, in the narrowest type; a text as the place of its word."""
        import polars as pl

        if fact.kind == "text":
            return self.expression(placed(node, fact.words, self.game.facts), pl.UInt8()).cast(pl.UInt8)
        return self.expression(node, dtype(fact)).cast(dtype(fact))

    def expression(self, node: Node, result: pl.DataType | None = None) -> pl.Expr:
        """An expression of the rules over the columns of the log."""
        import polars as pl

        node = coded(node, self.game.facts)
        width = pl.Int16() if width_of(node, self.game.facts) < 2**15 else pl.Int64()
        return to_polars(node, pl.col, result, width)

    def spelt(self, rows: pl.DataFrame) -> pl.DataFrame:
        """Judged rows with words in place of their places."""
        import polars as pl

        texts = {c: f.words for c, f in self.game.facts.items() if f.kind == "text"}
        texts |= {STATED + column: words for column, words in texts.items()}
        return rows.with_columns(
            pl.col(c).replace_strict(list(range(len(words))), list(words), default=None, return_dtype=pl.String)
            for c, words in texts.items()
            if c in rows.columns and rows.schema[c] == pl.UInt8
        )

    # -- what the log states ----------------------------------------------------------------------------------------

    def _stated(self, frame: pl.LazyFrame) -> pl.LazyFrame:
        """Totals and outcomes that the log states, in the types of the rules."""
        import polars as pl

        for column, name in self.reading.columns.claims.items():
            value, unread = stated(frame, self.reading, column, name, self._texts_of)
            frame = frame.with_columns(value.alias(STATED + column))
            fault = "unreadable outcome" if column == "outcome" else "unreadable number"
            self._test("shape", fault, column, unread(pl.col(STATED + column)))
        if not self.settlement:
            return frame
        for name in self.settlement.amount_columns:
            empty = pl.col(name).cast(pl.String).str.strip_chars() == ""
            self._test("shape", "unreadable number", name, pl.col(f"amount {name}").is_null() & ~empty)
        return self.settlement.amounts(frame)

    def _compare(self) -> None:
        import polars as pl

        for column in self.reading.columns.claims:
            if column in self.known:
                fault = (
                    "wrong winner"
                    if column == "outcome"
                    else f"wrong {'total' if column.endswith('total') else column}"
                )
                self._test("rule", fault, column, pl.col(STATED + column) != pl.col(column))
