"""How one log is read: its columns, card notation, dealing order and words, each given or recognised; said before
anything is judged.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

from exact.errors import InputError, nearest
from exact.rulefile.game import Game
from exact.verify.cards import Notation, is_absent, notation, read_card, recognise
from exact.verify.columns import LogColumns, find_columns, sides
from exact.verify.words import outcome_words, plain_word

if TYPE_CHECKING:
    import polars as pl

SAMPLE = 200_000  # rows from which notation and order are recognised
FIXED = "fixed"

_SEPARATORS = r"[\s,;|/+&]+"
_JOINED = {"ranks": r"(?i)(?:10|[2-9TJQKA])[SHDC♠♥♦♣]?", "values": r"\d"}
_SUIT_FIRST = r"(?i)[SHDC♠♥♦♣](?:10|[2-9TJQKA])"


@dataclass(frozen=True, slots=True)
class Reading:
    """One log's way of writing rounds. ``order`` is the order of the cards dealt at first ("PBPB"), or "fixed" for a
    place a slot.
    """

    game: Game
    columns: LogColumns
    notation: Notation
    order: str = ""
    split: str = ""  # a pattern that cuts a joined hand into cards; empty where cards are set apart
    words: Mapping[str, str] = None  # type: ignore[assignment]  # outcome words, plain
    net: bool = False  # paid columns hold the net result, not what is returned with the stake
    said: tuple[str, ...] = ()

    def slots_of_order(self) -> tuple[str, ...]:
        """The slots that the first cards of a round go to, card by card."""
        hands = {side: iter(slots) for side, slots in sides(self.game).items()}
        letters = {side[0].upper(): side for side in hands}
        return tuple(next(hands[letters[letter]]) for letter in self.order)


def read_log(
    game: Game,
    sample: pl.DataFrame,
    given: Mapping[str, str],
    cards: str | None = None,
    order: str | None = None,
    words: Mapping[str, str] | None = None,
    strict: bool = False,
) -> tuple[Reading, ...]:
    """How a log is read: one reading, or several that differ in the dealing order and must be tried (see
    ``exact.verify.replay``).

    Raises ``InputError`` where the cards are not found or not readable, and with ``strict`` where anything would be
    guessed.
    """
    columns = find_columns(game, [name for name in sample.columns if not name.startswith("line of")], given)
    tokens, split = _tokens(sample, columns)
    if cards:
        written = [read_card(game, token) for token in tokens if not is_absent(token)] if cards == "ranks" else []
        found, why = notation(game, cards, any(card and card[1] for card in written)), "given"
    else:
        found, why = recognise(game, tokens)
    orders = _orders(game, columns)
    if order:
        if order not in orders:
            known_ = nearest(order, orders) if any(orders) else "its cards lie in columns of slots or hands"
            raise InputError(f"--order {order}: this log is in no such dealing order; {known_}")
        orders = (order,)
    if strict and (columns.guessed or not cards or len(orders) > 1):
        missing = [
            *(f"--columns {t}={_column(columns, t)}" for t in columns.guessed),
            *(["--cards"] if not cards else []),
        ]
        raise InputError(
            f"--strict guesses nothing; say {', '.join([*missing, *(['--order'] if len(orders) > 1 else [])])}"
        )
    for word, meaning in (words or {}).items():
        if meaning not in game.outcomes:
            raise InputError(
                f"--words {word}={meaning}: {game.name} has no such outcome; {nearest(meaning, game.outcomes)}"
            )
    known = outcome_words(game.outcomes) | {plain_word(w): meaning for w, meaning in (words or {}).items()}
    said = _said(columns, found, why, split)
    return tuple(Reading(game, columns, found, o, split, known, said=said) for o in orders)


def _column(columns: LogColumns, target: str) -> str:
    everything = {**columns.cards, **columns.claims, "shoe": columns.shoe or "", "bet": columns.bet or ""}
    return everything.get(target, "...")


def _orders(game: Game, columns: LogColumns) -> tuple[str, ...]:
    """The dealing orders a log of cards in dealing order may have; none to choose where every card has its own
    column.
    """
    if columns.layout != "dealt":
        return ("",)
    first = [slot for step in game.steps if step.when is None for slot in step.slots]
    hands = sides(game)
    letter = {slot: side[0].upper() for side, slots in hands.items() for slot in slots}
    usual = "".join(letter[slot] for slot in first)
    initials = "".join(dict.fromkeys(usual))
    each = {i: usual.count(i) for i in initials}
    grouped = "".join(i * each[i] for i in initials)
    candidates = dict.fromkeys([usual, grouped, usual[::-1], grouped[::-1]])
    fixed = (FIXED,) if len(columns.cards) == len(game.slots) else ()
    return (*candidates, *fixed)


def _tokens(sample: pl.DataFrame, columns: LogColumns) -> tuple[list[str], str]:
    """The texts that stand for single cards in a sample, and the pattern that cuts joined hands."""
    texts = [unique_texts(sample, name) for name in columns.cards.values()]
    joined = columns.layout == "hands" or "cards" in columns.cards
    if columns.suits:
        return list(dict.fromkeys(chain.from_iterable(texts))), ""
    if not joined:
        return list(dict.fromkeys(chain.from_iterable(texts))), ""
    import re

    hands = [re.sub(r"[\[\](){}'\"]", "", text).strip() for text in chain.from_iterable(texts)]
    hands = [text for text in hands if not is_absent(text)]
    apart = any(re.search(_SEPARATORS, text) for text in hands)
    if apart:
        return list(dict.fromkeys(p for text in hands for p in re.split(_SEPARATORS, text) if p)), ""
    digits = all(re.fullmatch(r"\d+", text) for text in hands)
    suit_first = not digits and all(re.fullmatch(f"(?:{_SUIT_FIRST[4:]})+", text, re.IGNORECASE) for text in hands)
    tens = any("10" in text for text in hands)
    pattern = _SUIT_FIRST if suit_first else _JOINED["values" if digits and not tens else "ranks"]
    found = [card for text in hands for card in re.findall(pattern, text)]
    return list(dict.fromkeys(found)), pattern


def unique_texts(frame: pl.DataFrame, name: str) -> list[str]:
    """The different texts of a column."""
    import polars as pl

    return [text for text in frame.get_column(name).cast(pl.String).unique().to_list() if text is not None]


def _said(columns: LogColumns, found: Notation, why: str, split: str) -> tuple[str, ...]:
    cards = ", ".join(f"{target} = {name}" for target, name in columns.cards.items())
    lines = [f"cards: {cards} ({columns.layout}); notation {found.name} ({why})"]
    if split:
        lines.append("hands are written without separators")
    if columns.suits:
        lines.append("suits: " + ", ".join(f"{slot} = {name}" for slot, name in columns.suits.items()))
    stated = {**columns.claims, **{f"stake of {w or 'the bet'}": c for w, c in columns.stakes.items()}}
    stated |= {f"paid on {w or 'the bet'}": c for w, c in columns.paid.items()}
    stated |= {word: c for word, c in (("bet", columns.bet), ("shoe", columns.shoe)) if c}
    if stated:
        lines.append("stated: " + ", ".join(f"{target} = {name}" for target, name in stated.items()))
    if columns.guessed:
        lines.append(f"recognised by name: {', '.join(columns.guessed)}")
    return tuple(lines)


def chosen(reading: Reading, said: str) -> Reading:
    """The reading that was taken, with why."""
    return replace(reading, said=(*reading.said, said))
