"""The rules played on many given sequences of cards at once: what every implementation is held against."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from exact.rulefile.game import Game
from exact.shoe import Card
from exact.verify.cards import Notation
from exact.verify.columns import LogColumns, sides
from exact.verify.dealt import KIND
from exact.verify.reading import FIXED, Reading
from exact.verify.replay import DUE, Replay
from exact.verify.settle import Settlement

if TYPE_CHECKING:
    import polars as pl

Kinds = tuple[tuple[Card, ...], ...]
CHUNK = 1_000_000
UNDECIDED = "a condition is NULL"


class Oracle:
    """One game played over frames of cards: columns ``card1`` ... hold the kind of each card in dealing order.

    Kinds of cards are ranks, or single cards of the deck with ``suits``, or the ``kinds`` that are given. With
    ``fixed`` every slot has its own card.
    """

    def __init__(self, game: Game, suits: bool = False, fixed: bool = False, kinds: Kinds | None = None) -> None:
        self.game, self.longest = game, len(game.slots)
        single = tuple(dict.fromkeys(game.deck.cards)) if suits else tuple((rank, "") for rank in game.deck.ranks)
        whole = tuple(dict.fromkeys(game.deck.cards))
        cards = kinds or tuple(tuple(card for card in whole if fits(card, kind)) for kind in single)
        self.labels = tuple(c[0][0] for c in cards) if kinds else tuple("".join(kind) for kind in single)
        self.cards = cards
        self.places = tuple(f"card{place}" for place in range(1, self.longest + 1))
        notation = Notation("kinds", cards, self.labels, {k: k for k in range(len(cards))}, lambda text: None)
        columns = LogColumns("dealt", {place: place for place in self.places})
        wagers = tuple(wager for wager in game.wagers)
        self._settlement = Settlement(wagers, {}, None, False, "exact")
        self.replay = Replay(Reading(game, columns, notation, FIXED if fixed else usual_order(game)), self._settlement)

    def play(self, frame: pl.DataFrame) -> pl.DataFrame:
        """The rounds: kinds of cards by slot (``KIND`` + slot) and every column that can be worked out."""
        replay = self.replay
        judged = replay.judge(replay.prepare(frame.lazy()), drop=self.replay.reading.order == FIXED, settle=False)
        names = [n for n in judged.collect_schema().names() if n in self.game.facts or n.startswith(KIND)]
        slots = [KIND + slot for slot in self.game.slots]
        shown = (n for n in names if n in slots or n in replay.known)
        return judged.select(*self.places, *shown, self._undecided().alias(UNDECIDED)).collect()

    def _undecided(self) -> pl.Expr:
        """Whether a condition came out as NULL: an error of the rules."""
        import polars as pl

        due = [pl.col(DUE + step.name).is_null() for step in self.game.steps if step.when is not None]
        return pl.any_horizontal(due) if due else pl.lit(False)

    def seen(self) -> tuple[str, ...]:
        """What an implementation shows of a round: cards by slot, totals, outcome."""
        worked_out = [n for n in ("outcome", *self._totals) if n in self.replay.known]
        return (*(KIND + slot for slot in self.game.slots), *worked_out, UNDECIDED)

    @cached_property
    def _totals(self) -> tuple[str, ...]:
        return tuple(name for name in self.game.facts if name.endswith("_total"))

    @cached_property
    def extremes(self) -> tuple[int, int]:
        """The kinds with the smallest and the largest card value, in the order of ranks."""
        values = self.replay.attributes.get("value") or tuple(range(len(self.labels)))
        order = sorted(range(len(self.labels)), key=lambda kind: (values[kind], kind))
        low, high = sorted((order[0], order[-1]))
        return low, high

    def exhaustive(self) -> Iterator[pl.DataFrame]:
        """Every sequence of all cards but the last, each with both extremes as the last, in lexicographic order."""
        import polars as pl

        kinds, length = len(self.labels), self.longest - 1
        total = kinds**length * 2
        for start in range(0, total, CHUNK):
            number = pl.int_range(start, min(start + CHUNK, total), dtype=pl.Int64, eager=True)
            digits = [
                (number // 2 // kinds ** (length - 1 - k) % kinds).cast(pl.Int8).alias(p)
                for k, p in enumerate(self.places[:-1])
            ]
            low, high = self.extremes
            last = pl.select(
                pl.when(number % 2 == 0).then(low).otherwise(high).cast(pl.Int8).alias(self.places[-1])
            ).to_series()
            yield pl.DataFrame([*digits, last])

    def frame(self, rounds: Sequence[Sequence[str]]) -> pl.DataFrame:
        """Sequences of cards by label as a frame; a short one is filled up with its last card, which no rule deals."""
        import polars as pl

        place = {label: kind for kind, label in enumerate(self.labels)}
        rows = [[place[card] for card in cards] for cards in rounds]
        rows = [row + row[-1:] * (self.longest - len(row)) for row in rows]
        return pl.DataFrame(rows, schema=dict.fromkeys(self.places, pl.Int8()), orient="row")

    def texts(self, row: Mapping[str, int]) -> tuple[str, ...]:
        """The cards of a row of a frame, by label."""
        return tuple(self.labels[row[place]] for place in self.places)

    def hands(self, row: Mapping[str, int | None]) -> dict[str, tuple[str, ...]]:
        """The hands of a played row, side by side."""
        return {
            side: tuple(self.labels[kind] for slot in slots if (kind := row[KIND + slot]) is not None)
            for side, slots in sides(self.game).items()
        }


def fits(card: Card, kind: Card) -> bool:
    """Whether a card is of a kind given by rank and perhaps suit."""
    return card[0] == kind[0] and kind[1] in ("", card[1])


def usual_order(game: Game) -> str:
    """The order in which a game deals its first cards, a letter a side: PBPB."""
    letter = {slot: side[0].upper() for side, slots in sides(game).items() for slot in slots}
    return "".join(letter[slot] for step in game.steps if step.when is None for slot in step.slots)
