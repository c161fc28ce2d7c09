"""The cards of a log's rows as kinds of cards, slot by slot or place by place, however they are written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from exact.verify.cards import kinds_column
from exact.verify.columns import sides
from exact.verify.reading import FIXED, Reading

if TYPE_CHECKING:
    import polars as pl

KIND = "kind of "
LEFT = "cards left over"
USED = "cards used"
_LONG = "too many cards"


Texts = Callable[["pl.LazyFrame", Sequence[str]], Sequence[str]]  # the texts that occur in some columns


def with_kinds(frame: pl.LazyFrame, reading: Reading, texts: Texts) -> tuple[pl.LazyFrame, tuple[str, ...]]:
    """The kind of card in every slot (or, of a log in dealing order, in every place), and the names of the places."""
    import polars as pl

    cards = reading.columns.cards
    if reading.columns.layout == "slots" or (reading.columns.layout == "dealt" and "cards" not in cards):
        frame, found = _with_suits(frame, reading)
    else:
        frame, found = _cut(frame, reading)
    schema = frame.collect_schema()
    tokens = texts(frame, [name for name in found.values() if not schema[name].is_numeric()])
    kinds = (kinds_column(pl.col(name), schema[name], reading.notation, tokens) for name in found.values())
    frame = frame.with_columns(kind.alias(KIND + place) for kind, place in zip(kinds, found, strict=True))
    return _place(frame, reading, list(found)), tuple(found)


def _with_suits(frame: pl.LazyFrame, reading: Reading) -> tuple[pl.LazyFrame, dict[str, str]]:
    import polars as pl

    cards = reading.columns.cards
    found = dict(cards)
    for slot, suit in reading.columns.suits.items():
        if slot in cards:
            found[slot] = f"{slot} with its suit"
            both = pl.concat_str(
                pl.col(cards[slot]).cast(pl.String), pl.lit(" "), pl.col(suit).cast(pl.String), ignore_nulls=True
            )
            frame = frame.with_columns(both.alias(found[slot]))
    return frame, found


def _cut(frame: pl.LazyFrame, reading: Reading) -> tuple[pl.LazyFrame, dict[str, str]]:
    """Hands or whole rounds written in one cell, cut into cards."""
    import polars as pl

    hands = (
        sides(reading.game)
        if reading.columns.layout == "hands"
        else {"cards": tuple(f"card{i + 1}" for i in range(len(reading.game.slots)))}
    )
    found: dict[str, str] = {}
    over = list[pl.Expr]()
    for side, places in hands.items():
        text = (
            pl.col(reading.columns.cards[side]).cast(pl.String).str.replace_all(r"[\[\](){}'\"]", "").str.strip_chars()
        )
        if reading.split:
            cut = text.str.extract_all(reading.split)
        else:
            cut = text.str.replace_all(r"[\s,;|/+&]+", " ").str.split(" ")
        frame = frame.with_columns(cut.alias(f"cut {side}"))
        frame = frame.with_columns(
            pl.col(f"cut {side}").list.get(i, null_on_oob=True).alias(f"cut {place}") for i, place in enumerate(places)
        )
        over.append(pl.col(f"cut {side}").list.len() > len(places))
        found |= {place: f"cut {place}" for place in places}
    return frame.with_columns(pl.any_horizontal(over).alias(_LONG)), found


def _place(frame: pl.LazyFrame, reading: Reading, places: Sequence[str]) -> pl.LazyFrame:
    """Cards from dealing order to the slots that are always dealt; the others follow when the rules say that they
    draw.
    """
    import polars as pl

    layout = reading.columns.layout
    if reading.order == FIXED:
        moved = [
            pl.col(KIND + place).alias(KIND + slot) for place, slot in zip(places, reading.game.slots, strict=True)
        ]
        return frame.with_columns(*moved, pl.lit(False).alias(LEFT))
    if layout == "slots":
        absent = [pl.lit(None, dtype=pl.Int8).alias(KIND + slot) for slot in reading.game.slots if slot not in places]
        return frame.with_columns(*absent, pl.lit(False).alias(LEFT))
    if layout == "hands":
        return frame.with_columns(pl.col(_LONG).alias(LEFT))
    first = reading.slots_of_order()
    given = [pl.col(KIND + place).alias(KIND + slot) for place, slot in zip(places, first, strict=False)]
    late = _LONG if "cards" in reading.columns.cards else None
    return frame.with_columns(
        *given,
        pl.lit(len(first), dtype=pl.Int8).alias(USED),
        (pl.col(late) if late else pl.lit(False)).alias(LEFT),
    )


def texts_of(frame: pl.LazyFrame, columns: Sequence[str]) -> Sequence[str]:
    """All texts that occur in some columns of a block."""
    import polars as pl

    found: dict[str, None] = {}
    for name in columns:
        column = frame.select(pl.col(name).cast(pl.String)).unique().collect(engine="streaming")
        found |= dict.fromkeys(text for text in column.get_column(name).to_list() if text is not None)
    return list(found)
