"""A sequential test of a log that states cards and shoes: every round against its exact chances given the cards already
gone.

Rounds of one shoe are exchangeable, not independent. Given the cards that have left the shoe, a round has exact
probabilities, so that the product of (bet on the outcome / its probability) is a martingale if the rules are kept,
whatever the bets, as long as they are placed before the round: an e-process by betting (Shafer 2021, "Testing by
betting"; Ramdas et al. 2023, "Game-theoretic statistics and safe anytime-valid inference"). The bets lean to outcomes
that have come more often than the probabilities so far said.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from typing import TYPE_CHECKING, Any

from exact.errors import InputError
from exact.polynomial import Polynomial, compile_digits
from exact.rulefile.game import Game
from exact.shoe import Shoe
from exact.tally import Digit
from exact.verify.dealt import KIND
from exact.verify.log import LogRequest, choose_reading
from exact.verify.replay import Replay
from exact.verify.source import blocks, find_files

if TYPE_CHECKING:
    import numpy as np
    import polars as pl

    Array = np.ndarray[Any, Any]

MOST = 5_000_000  # rounds that are held at once
SHOE = "shoe of the row"


@dataclass(frozen=True, slots=True)
class ShoeEvidence:
    """The evidence against the rules after all rounds: 100 allows rejection at 1 %, whenever one looks."""

    rounds: int
    e_value: float


def shoe_evidence(game: Game, paths: Sequence[str], shoe: Shoe) -> ShoeEvidence | None:
    """The e-process over a log with cards and shoes; None for a log that does not state both.

    Raises ``InputError`` where a shoe deals more than it holds.
    """
    import numpy as np
    import polars as pl

    replay: Replay | None = None
    frames: list[pl.DataFrame] = []
    for block in (block for path in find_files(paths) for block in blocks(path, 2**25)):
        try:
            replay = replay or choose_reading(game, block, LogRequest(shoe=shoe))
        except InputError:
            return None
        name = replay.reading.columns.shoe
        if name is None or shoe.infinite:
            return None
        judged = replay.judge(replay.prepare(block.frame))
        kinds = [KIND + slot for slot in game.slots]
        frames.append(judged.select(pl.col(name).cast(pl.String).alias(SHOE), *kinds, "outcome").collect())
        if sum(frame.height for frame in frames) > MOST:
            raise InputError(f"the log holds more than {MOST:,} rounds; give it in parts")
    if replay is None:
        return None
    rows = pl.concat(frames).drop_nulls("outcome")
    compiled = compile_digits(game, [Digit.of_column(game, "outcome")])
    ways = compiled.blocks.at(_left(rows, replay, compiled, shoe))
    chances = np.array(ways / ways.sum(axis=0), dtype=np.float64)
    place = {value: row for row, (_, value) in enumerate(compiled.columns)}
    seen = np.array([place[game.outcomes[number]] for number in rows.get_column("outcome").to_list()])
    return ShoeEvidence(rows.height, betting(chances, seen))


def _left(rows: pl.DataFrame, replay: Replay, compiled: Polynomial, shoe: Shoe) -> Array:
    """The cards of every class that are left in the shoe before each round (rounds x classes)."""
    import numpy as np
    import polars as pl

    kinds = replay.reading.notation.cards
    slots = [KIND + slot for slot in replay.game.slots]
    taken = rows.select(
        SHOE,
        *(
            pl.sum_horizontal((pl.col(slot) == kind).cast(pl.Int32).fill_null(0) for slot in slots).alias(str(kind))
            for kind in range(len(kinds))
        ),
    )
    names = [str(kind) for kind in range(len(kinds))]
    before = taken.select((pl.col(name).cum_sum().over(SHOE) - pl.col(name)).alias(name) for name in names).to_numpy()
    held = np.array(compiled.counts(shoe), dtype=np.int64)
    left = np.tile(held, (rows.height, 1))
    for kind, cards in enumerate(kinds):
        at = next(n for n, members in enumerate(compiled.classes) if set(cards) <= set(members))
        left[:, at] -= before[:, kind]
    if (left < 0).any() or (left.sum(axis=1) < compiled.longest).any():
        row = int(np.flatnonzero((left < 0).any(axis=1) | (left.sum(axis=1) < compiled.longest))[0])
        raise InputError(
            f"shoe {rows[SHOE][row]!r} deals more than {shoe.describe()} hold (round {row + 1} of the log)"
        )
    return left


def betting(chances: Array, seen: Array) -> float:
    """The e-process of bets placed before each round (``chances``: outcomes x rounds; ``seen``: the outcome of each
    round).

    >>> import numpy as np
    >>> betting(np.array([[0.5, 0.5], [0.5, 0.5]]), np.array([0, 0])) > 1
    True
    """
    import numpy as np

    rounds = np.arange(chances.shape[1])
    came = np.zeros_like(chances)
    came[seen, rounds] = 1
    so_far = np.cumsum(came, axis=1) - came
    foretold = np.cumsum(chances, axis=1) - chances
    bets = (
        chances * (so_far + 100) / (foretold + 100)
    )  # 100 rounds of belief in the rules, so that early bets are small
    bets /= bets.sum(axis=0)
    evidence = float(np.log(bets[seen, rounds] / chances[seen, rounds]).sum())
    return exp(evidence) if evidence < 700 else float("inf")
