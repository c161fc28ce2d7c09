"""Cards of one shoe counted against its decks: no shoe deals more copies of a card than it holds, nor more cards than
it has.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from exact.shoe import Card, Shoe
from exact.verify.dealt import KIND
from exact.verify.findings import Finding, Findings, What
from exact.verify.replay import Replay
from exact.verify.source import LINE, Block

if TYPE_CHECKING:
    import polars as pl

ROUND, SHOE = "round", "shoe of the row"


class ShoeCounter:
    """Counts the cards of every shoe as blocks pass by. Rounds of one shoe lie together in a log, as they are dealt."""

    def __init__(self, replay: Replay, shoe: Shoe) -> None:
        self.replay, self.shoe = replay, shoe
        self.open: pl.DataFrame | None = None  # cards of the last shoe so far: shoe, kind, count
        self.limits = tuple(sum(_held(shoe, card) for card in set(cards)) for cards in replay.reading.notation.cards)
        self.scarce = not shoe.infinite and min(self.limits) < len(replay.game.slots)

    def count(self, block: Block, judged: pl.LazyFrame, findings: Findings) -> None:
        """Add a block's cards; the first round that deals too many is a finding."""
        name = self.replay.reading.columns.shoe
        if self.shoe.infinite:
            return
        if name is None:
            if self.scarce:
                self._rounds(block, judged, findings)
            return
        import polars as pl

        cards = self._cards(judged, pl.col(name).cast(pl.String))
        totals = cards.group_by(SHOE, "kind").agg(pl.len().alias("count")).collect(engine="streaming")
        if self.open is not None:
            totals = (
                pl.concat([totals, self.open.cast(totals.schema)]).group_by(SHOE, "kind").agg(pl.col("count").sum())
            )
        self._judge(block, totals, cards, findings)
        last = judged.select(pl.col(name).cast(pl.String).last()).collect().item()
        self.open = totals.filter(pl.col(SHOE).eq_missing(pl.lit(last)))

    def _cards(self, judged: pl.LazyFrame, shoe: pl.Expr) -> pl.LazyFrame:
        """One row a card: the shoe, the line, the kind of card."""
        import polars as pl

        parts = [
            judged.select(shoe.alias(SHOE), LINE, pl.col(KIND + slot).alias("kind")).drop_nulls("kind")
            for slot in self.replay.game.slots
        ]
        return pl.concat(parts)

    def _judge(self, block: Block, totals: pl.DataFrame, cards: pl.LazyFrame, findings: Findings) -> None:
        import polars as pl

        limit = pl.lit(pl.Series(self.limits)).gather(pl.col("kind"))
        for shoe, kind, count in totals.filter(pl.col("count") > limit).sort(SHOE, "kind").iter_rows():
            line = self._line_of(cards, shoe, kind, self.limits[kind])
            label = self.replay.reading.notation.labels[kind]
            seen = f"{count} of {label} in shoe {shoe}"
            self._add(
                findings, "more copies than the shoe holds", label, block, line, f"at most {self.limits[kind]}", seen
            )
        size = self.shoe.size
        for shoe, count in (
            totals.group_by(SHOE).agg(pl.col("count").sum()).filter(pl.col("count") > size).sort(SHOE).iter_rows()
        ):
            line = self._line_of(cards, shoe, None, size)
            self._add(
                findings,
                "the shoe runs out",
                "cards of a shoe",
                block,
                line,
                f"at most {size} cards",
                f"{count} in shoe {shoe}",
            )

    def _line_of(self, cards: pl.LazyFrame, shoe: str, kind: int | None, limit: int) -> int:
        """The line at which a shoe has dealt more than ``limit`` cards (of one kind)."""
        import polars as pl

        mine = pl.col(SHOE).eq_missing(pl.lit(shoe)) & (pl.lit(True) if kind is None else pl.col("kind") == kind)
        lines = cards.filter(mine).select(LINE).collect().get_column(LINE).sort()
        before = 0
        if self.open is not None:
            before = int(self.open.filter(mine).get_column("count").sum())
        return int(lines[min(max(limit - before, 0), lines.len() - 1)])

    def _rounds(self, block: Block, judged: pl.LazyFrame, findings: Findings) -> None:
        """Without shoe ids: a single round that holds more copies than a whole shoe."""
        import polars as pl

        cards = self._cards(judged, pl.lit(""))
        counted = cards.group_by(LINE, "kind").agg(pl.len().alias("count"))
        limit = pl.lit(pl.Series(self.limits)).gather(pl.col("kind"))
        for line, kind, count in counted.filter(pl.col("count") > limit).collect().sort(LINE, "kind").iter_rows():
            label = self.replay.reading.notation.labels[kind]
            self._add(
                findings,
                "more copies than the shoe holds",
                label,
                block,
                line,
                f"at most {self.limits[kind]}",
                f"{count} in one round",
            )

    def _add(
        self, findings: Findings, fault: str, about: str, block: Block, line: int, expected: str, seen: str
    ) -> None:
        findings.shape += 1
        findings.add(What("shape", fault, about), Finding(1, block.file, line, "", expected, seen))

    def close(self, findings: Findings) -> None:
        """Nothing is left open at the end of a log: a shoe may end at any card."""
        self.open = None


def _held(shoe: Shoe, card: Card) -> int:
    counts: Mapping[Card, int] = shoe.counts()
    return counts.get(card, counts.get((card[0], ""), 0))
