"""Logs of dealt rounds for the tests, dealt by an engine with a seed and written in the ways that were met."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import engines
import polars as pl

RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]


def deal(number: int, seed: int = 1, engine: engines.Engine = engines.right) -> list[dict[str, Any]]:
    """Rounds as an engine deals them: hands and outcome."""
    chance = random.Random(seed)
    return [engine([chance.choice(RANKS) for _ in range(6)]) for _ in range(number)]


def slots(rounds: Sequence[dict[str, Any]]) -> pl.DataFrame:
    """A column a card."""
    columns: dict[str, list[str | None]] = {}
    for side, letter in (("player", "p"), ("banker", "b")):
        for place in range(3):
            columns[f"{letter}{place + 1}"] = [(r[side] + [None] * 3)[place] for r in rounds]
    return pl.DataFrame(columns).with_columns(winner=pl.Series([r["outcome"] for r in rounds]))


def stale(frame: pl.DataFrame) -> pl.DataFrame:
    """The further cards keep their last value where none was drawn."""
    return frame.with_columns(pl.col("p3", "b3").forward_fill())


def dealt(rounds: Sequence[dict[str, Any]], order: str) -> list[list[str]]:
    """Every round's cards in a dealing order."""
    found = []
    for r in rounds:
        hands = {"P": iter(r["player"]), "B": iter(r["banker"])}
        found.append([next(hands[letter]) for letter in order] + [*hands["P"], *hands["B"]])
    return found


def write(frame: pl.DataFrame, path: Path) -> str:
    """The frame as a file of the kind that its name says."""
    match path.suffix:
        case ".parquet":
            frame.write_parquet(path)
        case ".jsonl":
            frame.write_ndjson(path)
        case ".json":
            path.write_text(frame.write_json())
        case ".tsv":
            frame.write_csv(path, separator="\t")
        case _:
            frame.write_csv(path)
    return str(path)
