"""Words of logs and programs, read from ``words.toml``: sides, outcomes, suits, columns, and how a column name falls
into words.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

_PIECES = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+(?:st|nd|rd|th)\b|\d+|[^\W\d_a-zA-Z]+")


@cache
def words(kind: str) -> Mapping[str, str]:
    """Every listed word of a kind with what it means.

    >>> words("outcomes")["庄"], words("suits")["♥"]
    ('banker', 'H')
    """
    document = tomllib.loads((Path(__file__).parent / "words.toml").read_text(encoding="utf-8"))
    return {word: meaning for meaning, listed in document[kind].items() for word in listed.split()}


def plain_word(text: str) -> str:
    """A word as it is compared: without case, spaces and punctuation.

    >>> plain_word(" Banker_Win "), plain_word("ผู้เล่น")
    ('bankerwin', 'ผู้เล่น')
    """
    return re.sub(r"[\s_.,;:!()'\"-]+", "", text).casefold()


def pieces(name: str) -> tuple[str, ...]:
    """The words of a column name, sides and ordinals by what they mean.

    >>> pieces("PlayerCard1"), pieces("b_third"), pieces("闲2")
    (('player', 'card', '1'), ('banker', '3'), ('player', '2'))
    """
    found = []
    for piece in _PIECES.findall(name):
        word = piece.casefold()
        found.append(words("sides").get(word) or words("ordinals").get(word) or word)
    whole = words("sides").get(plain_word(re.sub(r"\d+$", "", name)))
    if whole:  # words of scripts without capitals, marks and all
        return (whole, *re.findall(r"\d+$", name))
    return tuple(found)


def is_word(kind: str, word: str) -> bool:
    """Whether a word of a column name says this kind of thing (card, total, outcome, shoe, stake, paid ...)."""
    return kind in {meaning for meaning, listed in _column_words().items() if word in listed}


@cache
def _column_words() -> Mapping[str, frozenset[str]]:
    document = tomllib.loads((Path(__file__).parent / "words.toml").read_text(encoding="utf-8"))
    return {meaning: frozenset(listed.split()) for meaning, listed in document["columns"].items()}


def outcome_words(known: tuple[str, ...]) -> dict[str, str]:
    """Every way to write the outcomes of a game: its own words, and the listed ones."""
    listed = {word: meaning for word, meaning in words("outcomes").items() if meaning in known}
    return listed | {plain_word(word): word for word in known}
