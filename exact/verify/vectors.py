"""Conformance vectors of a game: few rounds that together catch every single wrong cell, number or operator of its
rules.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from exact import __version__
from exact.output.report import fraction_text
from exact.result import compute
from exact.rulefile.game import Game
from exact.shoe import Shoe
from exact.trace import Trace, play, said
from exact.verify.columns import sides
from exact.verify.dealt import KIND
from exact.verify.invalid import invalid_rounds
from exact.verify.mutants import Mutant, mutants
from exact.verify.oracle import Oracle
from exact.verify.settled import lines_of

if TYPE_CHECKING:
    import numpy as np
    import polars as pl

    Array = np.ndarray[Any, Any]

CANDIDATES = 60_000
MORE = 1_000_000
STAKES = (1, 5, 25)
SCHEMA = "vectors.schema.json"

NOTES = {
    "smoke": "every pattern of hand sizes and outcomes once",
    "cell": "caught: this cell of a printed table turned round",
    "condition": "caught: this number or operator of a condition changed",
    "pays": "this line of a wager decides",
    "loses": "no line of the wager holds: the stake is lost",
    "shape": "a log checker must reject the row as badly written, not as wrongly dealt",
    "rule": "a log checker must reject the round as dealt, scored or paid against the rules",
}


@dataclass(frozen=True, slots=True)
class Chosen:
    """The rounds that were chosen, the mutants that each catches, and mutants that no round shows."""

    rounds: tuple[tuple[tuple[str, ...], tuple[Mutant, ...]], ...]
    silent: tuple[Mutant, ...]


def candidates(oracle: Oracle, number_of: int = CANDIDATES) -> pl.DataFrame:
    """Rounds spread evenly over all prefixes, each with one of the two extremes as its last card, in lexicographic
    order.
    """
    import polars as pl

    kinds, length = len(oracle.labels), oracle.longest - 1
    total = kinds**length * 2
    stride = next(
        n for n in range(int(total * 0.6180339887), total) if n % 2 and all(n % k for k in range(2, kinds + 1))
    )
    steps = pl.int_range(0, min(number_of, total), dtype=pl.Int64, eager=True)
    number = ((steps * stride) % total).sort()
    low, high = oracle.extremes
    digits = [
        (number // 2 // kinds ** (length - 1 - k) % kinds).cast(pl.Int8).alias(p)
        for k, p in enumerate(oracle.places[:-1])
    ]
    last = pl.select(
        pl.when(number % 2 == 0).then(low).otherwise(high).cast(pl.Int8).alias(oracle.places[-1])
    ).to_series()
    return pl.DataFrame([*digits, last])


def differing(oracle: Oracle, right: pl.DataFrame, other: Game, rounds: pl.DataFrame) -> Array:
    """Which rounds another game plays so that it can be seen: other cards, other totals, another outcome."""
    import numpy as np

    played = Oracle(other).play(rounds)
    found = np.zeros(rounds.height, dtype=bool)
    for name in oracle.seen():
        found |= ~right.get_column(name).eq_missing(played.get_column(name)).to_numpy()
    return found


def choose(game: Game) -> Chosen:
    """A small set of rounds that catches every mutant which any round shows: always the round that catches most of
    those left.
    """
    import numpy as np

    oracle = Oracle(game)
    rounds = candidates(oracle)
    right = oracle.play(rounds)
    every = list(mutants(game))
    caught = np.array([differing(oracle, right, mutant.game, rounds) for mutant in every])
    if not caught.any(axis=1).all():  # the shy ones among many more rounds
        rounds, caught = _look_further(oracle, every, rounds, caught)
    silent = tuple(mutant for mutant, row in zip(every, caught, strict=True) if not row.any())
    left = caught.any(axis=1)
    chosen: list[int] = []
    while left.any():
        best = int(caught[left].sum(axis=0).argmax())
        chosen.append(best)
        left &= ~caught[:, best]
    picked = []
    for place in sorted(chosen):
        texts = oracle.texts(rounds.row(place, named=True))
        picked.append((texts, tuple(mutant for mutant, row in zip(every, caught[:, place], strict=True) if row)))
    return Chosen(tuple(picked), silent)


def _look_further(
    oracle: Oracle, every: Sequence[Mutant], rounds: pl.DataFrame, caught: Array
) -> tuple[pl.DataFrame, Array]:
    """One more round for every mutant that none of the candidates shows but one of many more does."""
    import numpy as np
    import polars as pl

    more = candidates(oracle, MORE)
    right = oracle.play(more)
    for mutant in (mutant for mutant, row in zip(every, caught, strict=True) if not row.any()):
        found = np.flatnonzero(differing(oracle, right, mutant.game, more))
        if len(found):
            rounds = pl.concat([rounds, more[int(found[0])]])
    added = rounds[caught.shape[1] :]
    if added.is_empty():
        return rounds, caught
    right = oracle.play(added)
    columns = np.array([differing(oracle, right, mutant.game, added) for mutant in every])
    return rounds, np.concatenate([caught, columns], axis=1)


def document(game: Game) -> dict[str, Any]:
    """The vectors of a game as one JSON document."""
    chosen = choose(game)
    settlement = list(_settlement(game))
    invalid = [{"id": f"invalid-{n}", **round_} for n, round_ in enumerate(invalid_rounds(game), 1)]
    return {
        "schema": SCHEMA,
        "game": game.name,
        "title": game.title,
        "generator": f"exact vectors {game.name} (version {__version__})",
        "rules_sha256": rules_hash(game),
        "options": game.chosen_texts(),
        "slots": list(game.slots),
        "notes": NOTES,
        "smoke": [_vector(game, f"smoke-{n}", cards, ("smoke",)) for n, cards in enumerate(_smoke(game), 1)],
        "table": [
            _vector(game, f"table-{n}", cards, tuple(f"{'cell' if m.cell else 'condition'}: {m.name}" for m in found))
            for n, (cards, found) in enumerate(chosen.rounds, 1)
        ],
        "settlement": settlement,
        "invalid": invalid,
        "silent": [mutant.name for mutant in chosen.silent],
        "counts": _counts(game),
        "exhaustive": exhaustive(game),
    }


def rules_hash(game: Game) -> str:
    """A SHA-256 of what decides rounds and wagers: steps, cell values, card attributes, pay lines; not of comments."""
    steps = [(step.slots, step.when, step.lets) for step in game.steps]
    wagers = [(wager.name, wager.offered, [(line.when, line.odds) for line in wager.pays]) for wager in game.wagers]
    return hashlib.sha256(repr((steps, wagers, sorted(game.attributes.items()))).encode()).hexdigest()


def _smoke(game: Game) -> Iterator[tuple[str, ...]]:
    """The first round of every pattern of hand sizes and outcomes."""
    import polars as pl

    oracle = Oracle(game)
    played = oracle.play(candidates(oracle))
    sizes = [pl.col(KIND + slot).is_null().alias(f"no {slot}") for slot in game.slots]
    outcome = ["outcome"] if "outcome" in played.columns else []
    first = played.with_columns(sizes).unique(
        [f"no {slot}" for slot in game.slots] + outcome, keep="first", maintain_order=True
    )
    for row in first.iter_rows(named=True):
        yield oracle.texts(row)


def _vector(game: Game, name: str, cards: Sequence[str], flags: tuple[str, ...]) -> dict[str, Any]:
    trace = play(game, cards, ())
    used = len(cards) - len(trace.unused)
    return {
        "id": name,
        "cards": list(cards),
        "used": used,
        "expected": expected(game, trace),
        "reason": "; ".join(p.reason.text() for p in trace.played if p.held is not None),
        "flags": list(flags),
    }


def expected(game: Game, trace: Trace) -> dict[str, Any]:
    """What an implementation must answer: hands, totals, outcome."""
    dealt = {slot: card for step in trace.played for slot, card in step.cards}
    hands: dict[str, Any] = {side: [dealt[s] for s in slots if s in dealt] for side, slots in sides(game).items()}
    totals = {name: trace.row[name] for name in game.facts if name.endswith("_total") and name in trace.row}
    return hands | totals | ({"outcome": trace.outcome} if game.outcomes else {})


def _settlement(game: Game) -> Iterator[dict[str, Any]]:
    """For every wager a round for each line that can pay, and one that loses."""
    for wager in game.wagers:
        for cards, odds, said_when in lines_of(game, wager):
            returned = {str(stake): fraction_text(stake * (1 + odds)) for stake in STAKES}
            trace = play(game, cards, [wager])
            yield {
                "id": f"settlement-{wager.name}-{said_when or 'lost'}",
                "cards": list(cards),
                "used": len(cards) - len(trace.unused),
                "wager": wager.name,
                "line": said_when,
                "odds": fraction_text(odds),
                "returned": returned,
                "expected": expected(game, trace),
                "flags": ["pays" if odds > Fraction(-1) else "loses"],
            }


def _counts(game: Game) -> dict[str, Any]:
    """Exact counts of a fresh shoe of eight decks."""
    result = compute(game, Shoe.decks(8, game.deck), ())
    return {"decks": 8, "total": str(result.total), "outcomes": {o.name: str(o.ways) for o in result.all.outcomes}}


def exhaustive(game: Game) -> dict[str, Any]:
    """The SHA-256 of every round of the exhaustive set, and how its text is made."""
    import polars as pl

    oracle = Oracle(game)
    digest, rounds = hashlib.sha256(), 0
    for frame in oracle.exhaustive():
        played = oracle.play(frame)
        digest.update(played.select(_line(oracle, played)).to_series().str.join("").item().encode())
        rounds += frame.height
    low, high = (oracle.labels[kind] for kind in oracle.extremes)
    how = (
        f"for every sequence of {oracle.longest - 1} cards of {' '.join(oracle.labels)} in "
        f"lexicographic order (cards in dealing order, "
        f"ranks in this order), followed by {low} and then by {high}: one line of the cards with "
        f"spaces, then for each hand a | and its "
        "cards with spaces, then | and the outcome, ended by a line feed; UTF-8"
    )
    assert isinstance(pl.__version__, str)
    return {"sha256": digest.hexdigest(), "rounds": str(rounds), "how": how}


def _line(oracle: Oracle, played: pl.DataFrame) -> pl.Expr:
    import polars as pl

    def label(column: str) -> pl.Expr:
        return pl.lit(pl.Series(oracle.labels)).gather(pl.col(column).cast(pl.UInt32))

    parts = [pl.concat_str([label(place) for place in oracle.places], separator=" ")]
    for slots in sides(oracle.game).values():
        parts.append(pl.concat_str([label(KIND + slot) for slot in slots], separator=" ", ignore_nulls=True))
    if "outcome" in played.columns:
        parts.append(pl.lit(pl.Series(oracle.game.outcomes)).gather(pl.col("outcome").cast(pl.UInt32)))
    return pl.concat_str([pl.concat_str(parts, separator="|"), pl.lit("\n")])


__all__ = ["Chosen", "choose", "document", "exhaustive", "expected", "said"]
