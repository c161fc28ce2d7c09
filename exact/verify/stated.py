"""What a log states of a round beside its cards: outcomes by word, totals and other numbers, truths."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from exact.errors import InputError
from exact.rulefile.meaning import Fact
from exact.verify.dealt import Texts
from exact.verify.reading import Reading
from exact.verify.words import plain_word

if TYPE_CHECKING:
    import polars as pl

UNKNOWN = 255  # the place of a text that is no outcome
MOST_WORDS = 64  # different texts of an outcome column
Unread = Callable[["pl.Expr"], "pl.Expr"]  # where a stated value cannot be read


def stated(frame: pl.LazyFrame, reading: Reading, column: str, name: str, texts: Texts) -> tuple[pl.Expr, Unread]:
    """The value that the log's column ``name`` states of a column of the rules, and where it cannot be read.

    Raises ``InputError`` for a column of outcomes that holds anything but a few words.
    """
    import polars as pl

    fact = reading.game.facts[column]
    if fact.kind == "text":
        return _word(frame, reading, column, name, texts)
    return _number(pl.col(name), frame.collect_schema()[name], fact)


def _word(frame: pl.LazyFrame, reading: Reading, column: str, name: str, texts: Texts) -> tuple[pl.Expr, Unread]:
    """An outcome as the place of its word, ``UNKNOWN`` where it is no word for any."""
    import polars as pl

    found = texts(frame, [name])
    if len(found) > MOST_WORDS:
        raise InputError(
            f"the column {name!r} holds {len(found):,} different texts, which are no outcomes: "
            f"say --columns {column}=NAME"
        )
    words = reading.game.facts[column].words
    spelt = pl.col(name).cast(pl.String).cast(pl.Enum(found)).to_physical()
    place = pl.lit(None, dtype=pl.UInt8)
    for number, text in enumerate(found):
        word = reading.words.get(plain_word(text)) if column == "outcome" else text
        if text.strip():
            here = pl.lit(words.index(word) if word in words else UNKNOWN, dtype=pl.UInt8)
            place = pl.when(spelt == number).then(here).otherwise(place)
    return place, lambda value: value == UNKNOWN


def _number(column: pl.Expr, dtype: pl.DataType, fact: Fact) -> tuple[pl.Expr, Unread]:
    """A number or a truth that the log states, NULL where the cell is empty or cannot be read."""
    import polars as pl

    if fact.kind == "truth":
        text = column.cast(pl.String).str.to_lowercase()
        truth = pl.when(text.is_in(["true", "1", "yes"])).then(True).when(text.is_in(["false", "0", "no"])).then(False)
        return truth, lambda value: value.is_null() & text.str.strip_chars().ne("")
    if dtype.is_integer():
        return column, lambda value: pl.lit(False)
    if dtype.is_float():
        number = column.cast(pl.Int32, strict=False)
        return number, lambda value: value.is_null() & column.is_not_null()
    text = column.cast(pl.String).str.strip_chars()
    whole = text.str.replace(r"\.0+$", "").cast(pl.Int32, strict=False)
    return whole, lambda value: value.is_null() & text.ne("")
