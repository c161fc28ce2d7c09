"""Every distinct round of a game from a shoe as rows: its cards, what the rules work out, its exact ways.

Rows come as the enumeration finds them, in frames of bounded size, so that a file of any length is written in little
memory. Ways that 64 bits do not hold are decimal texts.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import perm
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from exact.answer import provenance
from exact.errors import InputError
from exact.output import replacing
from exact.output.report import plain
from exact.rounds import CLASS, WAYS, Branch, Walk, check_shoe, fits, undealt_orders
from exact.rulefile.game import Game
from exact.shoe import Shoe

if TYPE_CHECKING:
    import polars as pl

CARDS = {"value": ("value",), "rank": ("rank",), "card": ("rank", "suit")}
FORMATS = ("parquet", "csv", "tsv", "jsonl")


@dataclass(frozen=True, slots=True)
class Listing:
    """The rounds of a game from a shoe; ``cards`` tells cards apart: "value", "rank" or "card" (rank and suit)."""

    game: Game
    shoe: Shoe
    cards: str

    @property
    def columns(self) -> tuple[str, ...]:
        """The cards in dealing order, then what the rules work out."""
        kinds = CARDS[self.cards]
        by_slot = {(source.slot, source.attribute): column for column, source in self.game.slot_columns.items()}
        missing = [kind for kind in kinds if kind not in self.game.attributes]
        if missing:
            raise InputError(
                f"the cards of {self.game.name} have no {missing[0]}; known: {', '.join(self.game.attributes)}"
            )
        seen = [by_slot[slot, kind] for slot in self.game.slots for kind in kinds]
        return (*seen, *(name for step in self.game.steps for name, _ in step.lets))

    def schema(self) -> dict[str, pl.DataType]:
        """The type of every column; ways are texts where 64 bits do not hold them."""
        import polars as pl

        types = {"integer": pl.Int64(), "truth": pl.Boolean(), "text": pl.String()}
        ways = pl.Int64() if fits(self.game, self.shoe) else pl.String()
        return {name: types[self.game.facts[name].kind] for name in self.columns} | {WAYS: ways}

    def frames(self) -> Iterator[pl.DataFrame]:
        """The rounds, some at a time; all ways together are the ordered deals of the shoe.

        Raises ``InputError`` for a shoe too small for a round, too many rounds to list, suits asked of a shoe that
        knows none, and rules that lose or double rounds.
        """
        import polars as pl

        check_shoe(self.game, self.shoe)
        schema = self.schema()
        weighted = fits(self.game, self.shoe)
        walk = Walk(self.game, self.shoe, self.columns, weighted=weighted)
        everything = 0
        for branch in walk.branches():
            frame = branch.frame if weighted else _with_ways(walk, branch)
            everything += sum(map(int, frame[WAYS])) if not weighted else int(frame[WAYS].sum())
            absent = [name for name in schema if name not in frame.columns]
            frame = frame.with_columns(pl.lit(None).alias(name) for name in absent)
            yield frame.select(pl.col(name).cast(kind) for name, kind in schema.items())
        if everything != self.shoe.orders(len(self.game.slots)):
            raise InputError(f"{self.game.file}: a condition of the rules loses or doubles rounds: {everything} ways")


def _with_ways(walk: Walk, branch: Branch) -> pl.DataFrame:
    """A frame without ways, with them: worked out once for each multiset of cards, as Python integers."""
    import polars as pl

    slots = [name for name in branch.frame.columns if name.startswith(CLASS)]
    rest = undealt_orders(walk.shoe, len(walk.game.slots), branch.cards)
    keyed = branch.frame.with_columns(
        pl.concat_list(slots).list.sort().cast(pl.List(pl.String)).list.join(" ").alias("cards")
    )
    ways = {}
    for text in keyed["cards"].unique():
        drawn = [int(word) for word in text.split()]
        ways[text] = rest
        for kind in set(drawn):
            count, taken = walk.classes[kind].count, drawn.count(kind)
            ways[text] *= count**taken if walk.shoe.infinite else perm(count, taken)
    table = pl.DataFrame({"cards": list(ways), WAYS: [str(number) for number in ways.values()]})
    kept = keyed.drop(WAYS, strict=False).join(table, on="cards", how="left", maintain_order="left").drop("cards")
    return kept.filter(pl.col(WAYS) != "0")


def save(listing: Listing, format: str, path: Path, tell: Callable[[int], None] | None = None) -> int:
    """Writes the rounds to a file, whole or not at all, as they are found; returns how many there are.

    Parquet carries game, options, shoe and version in its metadata under the key "exact".
    """
    with replacing(path) as part:
        if format == "parquet":
            return _parquet(listing, part, tell)
        with part.open("wb") as file:
            return write_text(listing, format, file, tell)


def write_text(listing: Listing, format: str, file: BinaryIO, tell: Callable[[int], None] | None = None) -> int:
    """Writes the rounds as csv, tsv or jsonl to an open file; returns how many there are."""
    import polars as pl

    written = 0
    for frame in listing.frames():
        if format == "jsonl":
            text = frame.with_columns(pl.col(WAYS).cast(pl.String)).write_ndjson()  # a reader of doubles keeps it
        else:
            text = frame.write_csv(include_header=not written, separator="," if format == "csv" else "\t")
        file.write(text.encode())
        written += frame.height
        if tell:
            tell(frame.height)
    return written


def _parquet(listing: Listing, path: Path, tell: Callable[[int], None] | None) -> int:
    from polars.io.plugins import register_io_source

    written, faults = 0, list[InputError]()

    def source(columns: list[str] | None, *_: object) -> Iterator[pl.DataFrame]:
        nonlocal written
        try:
            for frame in listing.frames():
                written += frame.height
                if tell:
                    tell(frame.height)
                yield frame if columns is None else frame.select(columns)
        except InputError as error:  # polars would make another kind of it
            faults.append(error)

    origin = json.dumps(plain(provenance(listing.game, listing.shoe)), ensure_ascii=False)
    rounds = register_io_source(source, schema=listing.schema())
    rounds.sink_parquet(path, metadata={"exact": origin}, maintain_order=True)
    if faults:
        raise faults[0]
    return written
