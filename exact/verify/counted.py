"""The outcomes of a log, counted."""

from __future__ import annotations

from collections.abc import Sequence

from exact.errors import InputError
from exact.rulefile.game import Game
from exact.verify.source import blocks, find_files
from exact.verify.words import is_word, outcome_words, pieces, plain_word


def counted_outcomes(game: Game, paths: Sequence[str], column: str | None) -> dict[str, int]:
    """How often each outcome stands in the outcome column of a log.

    Raises ``InputError`` where the column is not found, or holds what is no outcome.
    """
    import polars as pl

    words, found = outcome_words(game.outcomes), dict.fromkeys(game.outcomes, 0)
    for path in find_files(paths):
        for block in blocks(path, 2**25):
            names = block.frame.collect_schema().names()
            name = column or next(
                (n for n in names if all(is_word("outcome", piece) for piece in pieces(n)) and pieces(n)), None
            )
            if name not in names:
                raise InputError(f"{path}: has no column of outcomes; it has {', '.join(names)}; say --column NAME")
            counted = (
                block.frame.group_by(pl.col(name).cast(pl.String))
                .agg(pl.len().alias("count"))
                .collect(engine="streaming")
            )
            for text, count in counted.iter_rows():
                word = words.get(plain_word(text or ""))
                if word is None:
                    raise InputError(
                        f"{path}: {text!r} in column {name!r} is no outcome; known: {', '.join(game.outcomes)}"
                    )
                found[word] += count
    return found
