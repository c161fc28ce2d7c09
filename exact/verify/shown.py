"""How often a program's faults show in rounds from eight fresh decks, and the exact edges of the game that it deals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol

from exact.result import compute
from exact.rulefile.game import Game
from exact.shoe import Shoe
from exact.tally import Digit
from exact.verify.columns import sides
from exact.verify.dealt import KIND, LEFT
from exact.verify.oracle import Oracle
from exact.wager import figures

if TYPE_CHECKING:
    import numpy as np
    import polars as pl

    from exact.verify.protocol import Answer

    Array = np.ndarray[Any, Any]

DECKS = 8
MOST = 200_000  # prefixes whose every last card is asked


class Asker(Protocol):
    """The part of a test that asks more rounds."""

    def answers(self, played: pl.DataFrame) -> Any:
        """Right answers and the program's."""

    def wrong(self, right: Mapping[str, Any], answer: Answer) -> bool:
        """Whether an answer is wrong."""


class Patterns:
    """For every prefix of the exhaustive set how many cards each hand got, and whether the round was wrong, with
    either last card.
    """

    def __init__(self, game: Game, oracle: Oracle) -> None:
        self.game, self.oracle = game, oracle
        self.sizes: list[tuple[int, ...] | None] = []
        self.faulty = bytearray()
        self.mixed: int | None = 0  # ways of rounds that are wrong with some last cards only; None: not known

    def add(self, sizes: tuple[int, ...] | None, wrong: bool) -> None:
        """The next round of the exhaustive set: cards a hand by the answer, and whether it was wrong."""
        self.sizes.append(sizes)
        self.faulty.append(wrong)

    def settle(self, asker: Asker) -> None:
        """Ask every last card where the two extremes differ."""
        import numpy as np
        import polars as pl

        verdicts = np.frombuffer(bytes(self.faulty), dtype=np.uint8).reshape(-1, 2)
        mixed = np.flatnonzero(verdicts[:, 0] != verdicts[:, 1])
        if len(mixed) > MOST:
            self.mixed = None
            return
        kinds = len(self.oracle.labels)
        length = self.oracle.longest - 1
        for start in range(0, len(mixed), 10_000):
            part = np.repeat(mixed[start : start + 10_000], kinds)
            digits = [
                pl.Series(p, part // kinds ** (length - 1 - k) % kinds, dtype=pl.Int8)
                for k, p in enumerate(self.oracle.places[:-1])
            ]
            last = pl.Series(self.oracle.places[-1], np.tile(np.arange(kinds), len(part) // kinds), dtype=pl.Int8)
            frame = pl.DataFrame([*digits, last])
            ways = self._ways(frame)
            for place, (right, answer) in enumerate(asker.answers(self.oracle.play(frame))):
                if asker.wrong(right, answer):
                    self.mixed = (self.mixed or 0) + int(ways[place])

    def probability(self) -> tuple[Fraction | None, str]:
        """The probability that a round is played wrongly, and what had to be taken for granted."""
        import numpy as np

        if self.mixed is None:
            return None, "the fault depends on the last card in too many rounds to ask each"
        verdicts = np.frombuffer(bytes(self.faulty), dtype=np.uint8).reshape(-1, 2)
        both = np.flatnonzero(verdicts.all(axis=1))
        total = self._shoe.orders(self.oracle.longest)
        ways = sum(int(w) for w in self._ways(self._prefixes(both))) * (self._shoe.size - self.oracle.longest + 1)
        return Fraction(
            ways + self.mixed, total
        ), "where both extreme last cards agree, the others are taken to agree too"

    @property
    def _shoe(self) -> Shoe:
        return Shoe.decks(DECKS, self.game.deck)

    def _prefixes(self, numbers: Array) -> pl.DataFrame:
        import polars as pl

        kinds, length = len(self.oracle.labels), self.oracle.longest - 1
        places = self.oracle.places[:-1]
        return pl.DataFrame(
            [pl.Series(p, numbers // kinds ** (length - 1 - k) % kinds, dtype=pl.Int8) for k, p in enumerate(places)]
        )

    def _ways(self, frame: pl.DataFrame) -> Array:
        """Ordered deals of each sequence of kinds; they fit in 64 bits, as all deals of eight decks do."""
        import numpy as np

        counts = np.array(
            [sum(self._shoe.counts().get(c, 0) for c in set(cards)) for cards in self.oracle.cards], dtype=np.int64
        )
        cards = frame.to_numpy().astype(np.int64)
        ways = np.ones(len(cards), dtype=np.int64)
        for place in range(cards.shape[1]):
            before = (cards[:, :place] == cards[:, place : place + 1]).sum(axis=1)
            ways *= counts[cards[:, place]] - before
        return ways

    def edges(self) -> dict[str, tuple[Fraction, Fraction]]:
        """The program's and the right house edge of every usual wager; nothing where its hands do not define them."""
        import numpy as np

        low, high = self.sizes[::2], self.sizes[1::2]
        most = [len(slots) for slots in sides(self.game).values()]
        if any(
            a is None or a != b or any(n > m for n, m in zip(a, most, strict=True))
            for a, b in zip(low, high, strict=True)
        ):
            return {}
        if len(self.oracle.labels) ** self.oracle.longest > 10_000_000:
            return {}
        sizes = np.array(low, dtype=np.int8)
        wagers = [w for w in self.game.wagers if not w.extra and w.columns() <= self.oracle.replay.known]
        digits = [
            Digit.of_conditions(self.game, [x.when for x in w.pays], f"wager {w.name!r}", w.offered) for w in wagers
        ]
        ways: list[dict[int, int]] = [{} for _ in wagers]
        prefixes = self._prefixes(np.arange(len(sizes)))
        for last in range(len(self.oracle.labels)):
            self._add_last(prefixes, sizes, last, digits, ways)
        right = compute(self.game, self._shoe, wagers).all
        found = {}
        for wager, counted in zip(wagers, ways, strict=True):
            total = sum(counted.values())
            offered = total - counted.get(len(wager.pays) + 1, 0)
            made = figures(wager, [counted.get(k, 0) for k in range(len(wager.pays))], offered, total)
            if made:
                found[wager.name] = (made.edge, right.wager(wager.name).edge)
        return found

    def _add_last(
        self, prefixes: pl.DataFrame, sizes: Array, last: int, digits: Sequence[Digit], ways: list[dict[int, int]]
    ) -> None:
        """The ways of every wager's lines over all rounds with one last card, dealt as the program deals."""
        import polars as pl

        replay = self.oracle.replay
        frame = prefixes.with_columns(pl.lit(last, dtype=pl.Int8).alias(self.oracle.places[-1]))
        weights = pl.Series("ways", self._ways(frame))
        dealt = frame.with_columns(weights, pl.lit(False).alias(LEFT)).with_columns(self._slots(sizes))
        judged = replay.judge(dealt.lazy(), settle=False, flow=False)
        lines = [replay.expression(digit.node).cast(pl.Int64).alias(f"line {k}") for k, digit in enumerate(digits)]
        rows = judged.with_columns(lines).select("ways", *(f"line {k}" for k in range(len(digits)))).collect()
        for k, counted in enumerate(ways):
            for line, number in rows.group_by(f"line {k}").agg(pl.col("ways").sum()).iter_rows():
                counted[line] = counted.get(line, 0) + number

    def _slots(self, sizes: Array) -> list[pl.Expr]:
        """The kind of card in every slot: further cards go one after another, in the order of the rules."""
        import numpy as np
        import polars as pl

        hands = list(sides(self.game).values())
        first = [slot for step in self.game.steps if step.when is None for slot in step.slots]
        used = np.full(len(sizes), len(first), dtype=np.int8)
        found = [pl.col(place).alias(KIND + slot) for place, slot in zip(self.oracle.places, first, strict=False)]
        for slot in (slot for slot in self.game.slots if slot not in first):
            side = next(n for n, slots in enumerate(hands) if slot in slots)
            drawn = sizes[:, side] > hands[side].index(slot)
            place = pl.Series(np.where(drawn, used, -1))
            picks = [pl.when(pl.lit(place) == at).then(pl.col(name)) for at, name in enumerate(self.oracle.places)]
            found.append(pl.coalesce(*picks, pl.lit(None, dtype=pl.Int8)).alias(KIND + slot))
            used = used + drawn.astype(np.int8)
        return found
