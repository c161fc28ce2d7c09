"""What is left of a shoe after each round, of simulated shoes or of a log of dealt rounds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exact.errors import InputError, nearest
from exact.offers.playing import Table
from exact.polynomial.compiled import Compiled
from exact.polynomial.counting import Counting
from exact.polynomial.shoes import PART, refuse_infinite
from exact.shoe import Shoe

if TYPE_CHECKING:
    import numpy as np
    import polars as pl

    Array = np.ndarray[Any, Any]

TOGETHER = 1000  # shoes that are dealt at once


def starts(compiled: Compiled, shoe: Shoe, shoes: int, cut: int, seed: int) -> Iterator[tuple[Array, Array]]:
    """Simulated shoes at the start of each round: their numbers (from 0) and counts by ``compiled.counting``, in
    blocks.

    A round is begun while more than ``cut`` cards are left. The first block of each thousand shoes are the full ones.
    """
    import numpy as np

    label = {card: kind for kind, cards in enumerate(compiled.counting.cards) for card in cards}
    for first in range(0, shoes, TOGETHER):
        table = Table.shuffled(compiled.game, shoe, min(TOGETHER, shoes - first), (seed, first))
        kinds = np.array([label[card] for card in table.cards])
        left = np.tile(np.array(compiled.counting.counts(shoe)), (len(table.order), 1))
        for dealt in table.rounds(cut):
            yield dealt.shoes + first, left[dealt.shoes]
            for card in dealt.used.values():
                drawn = card >= 0
                left[dealt.shoes[drawn], kinds[card[drawn]]] -= 1


@dataclass(frozen=True)
class Simulated:
    """A sweep's source: the start of every round of simulated shoes, with columns ``shoe`` and ``round`` (from 1)."""

    compiled: Compiled
    shoe: Shoe
    shoes: int
    cut: int
    seed: int
    frame: pl.DataFrame

    @classmethod
    def of(cls, compiled: Compiled, shoe: Shoe, shoes: int, cut: int, seed: int) -> Simulated:
        """The rounds are dealt at once, so that their number is known; ``InputError`` for an infinite shoe."""
        import numpy as np
        import polars as pl

        refuse_infinite(shoe)
        blocks = list(starts(compiled, shoe, shoes, cut, seed))
        if not blocks:
            raise InputError(f"no round can be begun: the shoe holds {shoe.size} cards, the cut card leaves {cut}")
        numbers, counts = np.concatenate([b[0] for b in blocks]), np.concatenate([b[1] for b in blocks])
        data = {"shoe": numbers + 1} | dict(zip(compiled.counting.labels, counts.T, strict=True))
        frame = pl.DataFrame(data).sort("shoe", maintain_order=True)
        rounds = (pl.int_range(pl.len()).over("shoe") + 1).alias("round")
        return cls(compiled, shoe, shoes, cut, seed, frame.insert_column(1, frame.select(rounds).to_series()))

    @property
    def counting(self) -> Counting:
        """The fewest columns."""
        return self.compiled.counting

    @property
    def mark(self) -> Mapping[str, Any]:
        """The first shoe, the number of shoes, cut and seed."""
        counts = list(self.counting.counts(self.shoe))
        return {"simulated": self.shoes, "cut": self.cut, "seed": self.seed, "from": counts}

    @property
    def rows(self) -> int:
        """Rounds begun."""
        return self.frame.height

    @property
    def largest(self) -> int:
        """The cards of a full shoe."""
        return self.shoe.size

    def parts(self, first: int) -> Iterator[pl.DataFrame]:
        """In the order of the shoes."""
        yield from self.frame.slice(first * PART).iter_slices(PART)


@dataclass(frozen=True)
class Logged:
    """A sweep's source: what is left after each round of a log, with the log's other columns beside it."""

    path: Path
    counting: Counting
    frame: pl.DataFrame
    largest: int

    @classmethod
    def of(cls, path: Path, compiled: Compiled, shoe: Shoe) -> Logged:
        """A CSV or Parquet log with a column for each slot of the game (p1 b1 ...: a card, or nothing) and, for
        several shoes, ``shoe``.

        Raises ``InputError`` for missing columns, unreadable cards and, with the row, cards that the shoe does not
        hold.
        """
        import numpy as np

        refuse_infinite(shoe)
        frame = _log(path, compiled.game.slots)
        counting = compiled.counting
        used = np.zeros((frame.height, len(counting.labels)), dtype=np.int64)
        label = {card: kind for kind, cards in enumerate(counting.cards) for card in cards}
        for slot in compiled.game.slots:
            for row, text in enumerate(frame[slot].to_list(), 1):
                if text is not None and text.strip():
                    used[row - 1, label[_card(compiled, text, f"{path.name}: row {row}: {slot}")]] += 1
        left = np.array(counting.counts(shoe)) - _running(used, frame)
        if len(wrong := np.flatnonzero((left < 0).any(axis=1) | (left.sum(axis=1) < len(compiled.game.slots)))):
            row = int(wrong[0])
            short = [name for name, count in zip(counting.labels, left[row], strict=True) if count < 0]
            why = (
                f"more {short[0]} dealt than the shoe holds"
                if short
                else f"{left[row].sum()} cards are left, too few for a round"
            )
            raise InputError(f"{path.name}: row {row + 1}: {why}")
        columns = dict(zip(counting.labels, left.T, strict=True))
        if taken := set(columns) & set(frame.columns):
            frame = frame.drop(taken)
        return cls(path, counting, frame.with_columns(**columns), shoe.size)

    @property
    def mark(self) -> Mapping[str, Any]:
        """The log as it stands."""
        about = self.path.stat()
        return {"log": self.path.name, "bytes": about.st_size, "changed": about.st_mtime_ns, "shoe": self.largest}

    @property
    def rows(self) -> int:
        """Rounds of the log."""
        return self.frame.height

    def parts(self, first: int) -> Iterator[pl.DataFrame]:
        """In the order of the log."""
        yield from self.frame.slice(first * PART).iter_slices(PART)


def _log(path: Path, slots: Sequence[str]) -> pl.DataFrame:
    import polars as pl

    suffix = path.suffix.lower()
    if suffix not in (".csv", ".parquet"):
        raise InputError(f"{path}: a log is read from .csv or .parquet")
    try:
        frame = pl.read_csv(path, infer_schema=False) if suffix == ".csv" else pl.read_parquet(path)
    except (OSError, pl.exceptions.PolarsError) as error:
        raise InputError(f"{path}: cannot be read: {str(error).splitlines()[0]}") from None
    for slot in slots:
        if slot not in frame.columns:
            raise InputError(f"{path.name}: no column {slot!r}; a log has a column for each of {', '.join(slots)}")
    return frame.with_columns(pl.col(*slots).cast(pl.String))


def _card(compiled: Compiled, text: str, where: str) -> tuple[str, str]:
    """A card of a log, of any suit where none is given."""
    deck = compiled.game.deck
    try:
        rank, suit = deck.parse(text)
    except InputError as error:
        raise InputError(f"{where}: {error}") from None
    if suit is None and compiled.by_rank_or_card.name == "card":
        raise InputError(
            f"{where}: {text!r} has no suit, and suits are asked for; {nearest(text, map(''.join, deck.cards))}"
        )
    return rank, suit or next(other for r, other in deck.cards if r == rank)


def _running(used: Array, frame: pl.DataFrame) -> Array:
    """Cards used up to and with each row, of its own shoe."""
    import polars as pl

    names = [f"used {kind}" for kind in range(used.shape[1])]
    cards = pl.DataFrame(used, schema=names)
    if "shoe" not in frame.columns:
        return cards.select(pl.col(names).cum_sum()).to_numpy()
    return cards.with_columns(shoe=frame["shoe"]).select(pl.col(names).cum_sum().over("shoe")).to_numpy()
