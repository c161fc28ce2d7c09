"""Stakes and payments of a log against the wagers of a game, in whole units of a ten-thousandth, so that nothing
rounds unseen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

from exact.errors import InputError
from exact.expression import Node
from exact.game import Game, Wager
from exact.verify.words import outcome_words, plain_word

if TYPE_CHECKING:
    import polars as pl

Express = Callable[[Node], "pl.Expr"]
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

    def amounts(self, frame: pl.LazyFrame) -> pl.LazyFrame:
        """Stakes and payments as whole numbers beside the log's columns."""
        import polars as pl

        schema = frame.collect_schema()
        for name in dict.fromkeys(n for pair in self.columns.values() for n in pair):
            text = pl.col(name).cast(pl.String).str.replace_all(r"[^0-9.eE+-]", "")
            number = pl.col(name) if schema[name].is_numeric() else text.cast(pl.Float64, strict=False)
            scaled = (number.cast(pl.Float64) * SCALE).round()
            frame = frame.with_columns(
                pl.when(scaled.abs() <= MOST * SCALE).then(scaled).cast(pl.Int64).alias(f"amount {name}")
            )
        return frame

    def tests(self, known: frozenset[str], express: Express) -> Iterator[tuple[str, pl.Expr]]:
        """For each wager that the log can settle, where it paid something else than the rules."""
        import polars as pl

        for wager in self.wagers:
            if not wager.columns() <= known:
                continue
            stake, paid = (pl.col(f"amount {name}") for name in self.columns[wager.name])
            wrong = (self.expected(wager, express) != paid.fill_null(0)) & stake.is_not_null() & (stake != 0)
            yield wager.name, wrong & self._mine(wager) if self.bet else wrong

    def _mine(self, wager: Wager) -> pl.Expr:
        import polars as pl

        spelt = [word for word, meaning in outcome_words((wager.name,)).items() if meaning == wager.name] + [
            plain_word(wager.title)
        ]
        plain = pl.col(str(self.bet)).cast(pl.String).str.to_lowercase().str.replace_all(r"[\s_.,;:!()'\"-]+", "")
        return plain.is_in(spelt)

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
