"""Stakes and payments of a log against the wagers of a game, in whole units of a ten-thousandth, so that nothing
rounds unseen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

from exact.errors import InputError
from exact.rulefile.expression import Node
from exact.rulefile.game import Game, Wager
from exact.verify.dealt import texts_of
from exact.verify.words import outcome_words, plain_word

if TYPE_CHECKING:
    import polars as pl

Express = Callable[[Node], "pl.Expr"]
NAMED = "wager of the bet"
SCALE = 10_000
MOST = 10**9  # the largest stake: with it no product leaves 64 bits
Rounding = Literal["exact", "floor", "nearest"]


@dataclass(frozen=True, slots=True)
class Settlement:
    """Which wagers a log settles, and how: payments returned with the stake or net, rounded to ``unit`` down or to the
    nearest.

    ``columns`` gives for each wager its stake and paid columns; with ``bet`` a row is one bet, named in that column.
    """

    wagers: tuple[Wager, ...]
    columns: Mapping[str, tuple[str, str]]
    bet: str | None
    net: bool
    rounding: Rounding
    unit: Fraction = Fraction(1)

    @property
    def read(self) -> frozenset[str]:
        """The columns of a round that decide these wagers."""
        return frozenset[str]().union(*(wager.columns() for wager in self.wagers))

    @property
    def amount_columns(self) -> tuple[str, ...]:
        """The columns of the log that hold stakes and payments."""
        return tuple(dict.fromkeys(name for pair in self.columns.values() for name in pair))

    def amounts(self, frame: pl.LazyFrame) -> pl.LazyFrame:
        """Stakes and payments as whole numbers beside the log's columns, and which wager a named bet is."""
        import polars as pl

        schema = frame.collect_schema()
        for name in self.amount_columns:
            text = pl.col(name).cast(pl.String).str.replace_all(r"[^0-9.eE+-]", "")
            number = pl.col(name) if schema[name].is_numeric() else text.cast(pl.Float64, strict=False)
            scaled = (number.cast(pl.Float64) * SCALE).round()
            amount = pl.when(scaled.abs() <= MOST * SCALE).then(scaled).cast(pl.Int64)
            frame = frame.with_columns(amount.alias(f"amount {name}"))
        return frame.with_columns(self._named(frame)) if self.bet else frame

    def _named(self, frame: pl.LazyFrame) -> pl.Expr:
        import polars as pl

        spelt: dict[str, int] = {}
        for place, wager in enumerate(self.wagers):
            words = [word for word, meaning in outcome_words((wager.name,)).items() if meaning == wager.name]
            for word in (plain_word(wager.name), plain_word(wager.title), *words):
                spelt.setdefault(word, place)
        named = pl.lit(None, dtype=pl.UInt16)
        for text in texts_of(frame, [str(self.bet)]):
            known = spelt.get(plain_word(text))
            if known is not None:
                here = pl.lit(known, dtype=pl.UInt16)
                named = pl.when(pl.col(str(self.bet)).cast(pl.String) == text).then(here).otherwise(named)
        return named.alias(NAMED)

    def tests(self, known: frozenset[str], express: Express) -> Iterator[tuple[str, pl.Expr]]:
        """For each wager that the log can settle, where it paid something else than the rules."""

        settled = [wager for wager in self.wagers if wager.columns() <= known]
        if self.bet:
            yield "the bet", self._wrong(self.wagers[0], self.due(settled, express))
            return
        for wager in settled:
            yield wager.name, self._wrong(wager, self.expected(wager, express))

    def _wrong(self, wager: Wager, expected: pl.Expr) -> pl.Expr:
        import polars as pl

        stake, paid = (pl.col(f"amount {name}") for name in self.columns[wager.name])
        return (expected != paid.fill_null(0)) & stake.is_not_null() & (stake != 0)

    def due(self, settled: Sequence[Wager], express: Express) -> pl.Expr:
        """What the bet that a row names should have paid."""
        import polars as pl

        due = pl.lit(None, dtype=pl.Int64)
        for place, wager in enumerate(self.wagers):
            if wager in settled:
                due = pl.when(pl.col(NAMED) == place).then(self.expected(wager, express)).otherwise(due)
        return due

    def payments(self, known: frozenset[str], express: Express) -> list[pl.Expr]:
        """Beside each settled wager what it should have paid and what it paid, for the rows that are at fault."""
        import polars as pl

        settled = [wager for wager in self.wagers if wager.columns() <= known]
        if self.bet:
            paid = pl.col(f"amount {self.columns[self.wagers[0].name][1]}")
            return [self.due(settled, express).alias("due the bet"), paid.fill_null(0).alias("paid the bet")]
        due = [self.expected(wager, express).alias(f"due {wager.name}") for wager in settled]
        return due + [pl.col(f"amount {self.columns[w.name][1]}").fill_null(0).alias(f"paid {w.name}") for w in settled]

    def expected(self, wager: Wager, express: Express) -> pl.Expr:
        """What the wager should have paid on each row."""
        import polars as pl

        stake = pl.col(f"amount {self.columns[wager.name][0]}")
        result = self._paid(stake, Fraction(-1))
        for line in reversed(wager.pays):
            result = pl.when(express(line.when)).then(self._paid(stake, line.odds)).otherwise(result)
        if wager.offered is not None:
            result = pl.when(express(wager.offered)).then(result).otherwise(self._paid(stake, Fraction(0)))
        return result

    def _paid(self, stake: pl.Expr, odds: Fraction) -> pl.Expr:
        share = odds if self.net else 1 + odds
        if self.rounding == "exact":
            return stake * share.numerator // share.denominator if share.denominator > 1 else stake * share.numerator
        unit = int(self.unit * SCALE) * share.denominator
        whole = stake * share.numerator
        half = unit // 2 if self.rounding == "nearest" else 0
        return (whole + half) // unit * int(self.unit * SCALE)


def find_settlement(
    game: Game, wagers: Sequence[Wager], stakes: Mapping[str, str], paid: Mapping[str, str], bet: str | None,
    net: bool, rounding: Rounding, unit: Fraction = Fraction(1),
) -> Settlement | None:  # fmt: skip
    """The settlement of the wagers whose stake and payment a log states; None where it states none."""
    if unit <= 0 or (unit * SCALE).denominator != 1:
        raise InputError(f"the unit of payments must be a multiple of 1/{SCALE}, not {unit}")
    both = {name: (stakes[name], paid[name]) for name in stakes if name in paid}
    if "" in both and bet:
        return Settlement(tuple(wagers), {w.name: both[""] for w in wagers}, bet, net, rounding, unit)
    found = tuple(wager for wager in wagers if wager.name in both)
    return Settlement(found, both, None, net, rounding, unit) if found else None
