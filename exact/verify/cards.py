"""How a log writes cards: the notation found or given, and each card as a small number with its attributes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from exact.errors import InputError, nearest
from exact.rulefile.expression import Value
from exact.rulefile.game import Game
from exact.shoe import Card
from exact.verify.words import plain_word, words

if TYPE_CHECKING:
    import polars as pl

UNREADABLE = -1
NOTATIONS = ("ranks", "1-13", "0-12", "1-10", "values")


@dataclass(frozen=True, slots=True)
class Notation:
    """A way to write cards: ``cards[k]`` are the cards of the deck that the k-th kind of card may be.

    ``numbers`` gives the kind of each whole number that is a card, ``read`` the kind of a text (None: no card).
    """

    name: str
    cards: tuple[tuple[Card, ...], ...]
    labels: tuple[str, ...]
    numbers: Mapping[int, int]
    read: Callable[[str], int | None]

    def attribute(self, game: Game, name: str) -> tuple[Value, ...] | None:
        """The attribute of each kind of card; None where the notation does not tell it (no suits, values only)."""
        values = [{game.attributes[name][card] for card in cards} for cards in self.cards]
        return tuple(value.pop() for value in values) if all(len(value) == 1 for value in values) else None


def notation(game: Game, name: str, suits: bool = False) -> Notation:
    """A notation by name for the cards of a game.

    >>> from exact.games import load
    >>> ranks = notation(load("baccarat"), "ranks")
    >>> ranks.labels[ranks.read("T")], ranks.read("11"), notation(load("baccarat"), "0-12").labels[12]
    ('10', None, 'K')
    """
    deck = game.deck
    if name == "ranks":
        kinds = tuple(dict.fromkeys(deck.cards)) if suits else tuple((rank, "") for rank in deck.ranks)
        cards = tuple(tuple(c for c in deck.cards if c[0] == rank and suit in ("", c[1])) for rank, suit in kinds)
        place = {kind: number for number, kind in enumerate(kinds)}
        plain = {int(rank): place[rank, ""] for rank in deck.ranks if rank.isdigit()} if not suits else {}
        return Notation(name, cards, tuple("".join(kind) for kind in kinds), plain, _reader(game, place))
    if name in ("1-13", "0-12"):
        first = int(name[0])
        groups = dict(enumerate(deck.ranks, first))
        cards = tuple(tuple(c for c in deck.cards if c[0] == rank) for rank in groups.values())
        return _numbered(name, groups, cards, tuple(groups.values()))
    if name in ("values", "1-10"):
        by_value: dict[int, list[Card]] = {}
        for card in dict.fromkeys(deck.cards):
            value = game.attributes.get("value", {}).get(card)
            if isinstance(value, int):
                by_value.setdefault(10 if value == 0 and name == "1-10" else value, []).append(card)
        ordered = dict(sorted(by_value.items()))
        return _numbered(name, ordered, tuple(map(tuple, ordered.values())), tuple(map(str, ordered)))
    raise InputError(f"unknown card notation {name!r}; {nearest(name, NOTATIONS)}")


def _numbered(
    name: str, groups: Iterable[int], cards: tuple[tuple[Card, ...], ...], labels: tuple[str, ...]
) -> Notation:
    numbers = {number: kind for kind, number in enumerate(groups)}

    def read(text: str) -> int | None:
        match = re.fullmatch(r"([+-]?\d+)(?:\.0+)?", text.strip())
        return numbers.get(int(match[1])) if match else None

    return Notation(name, cards, labels, numbers, read)


def _reader(game: Game, place: Mapping[Card, int]) -> Callable[[str], int | None]:
    def read(text: str) -> int | None:
        found = read_card(game, text)
        if found is None:
            return None
        return place.get(found, place.get((found[0], "")))

    return read


def read_card(game: Game, text: str) -> Card | None:
    """A card in any of the written forms ("AS", "s-A", "10♥", "Queen of hearts", "T"); the suit is empty where none
    is said.
    """
    if text.strip() in game.deck.ranks:
        return text.strip(), ""
    word = re.sub(r"\.0+$", "", text.strip()).replace(" of ", " ")
    parts = [part for part in re.split(r"[\s_/-]+", word) if part]
    if len(parts) == 2:
        parts.sort(key=lambda part: plain_word(part) in words("suits") and part not in game.deck.ranks)
        suit = words("suits").get(plain_word(parts[1]))
        parts = [parts[0] + suit] if suit else parts
    if len(parts) != 1:
        return None
    word = words("ranks").get(parts[0].casefold(), parts[0]) if parts[0] not in game.deck.ranks else parts[0]
    for spelt in (word, word[1:] + word[:1]):  # "AS" and "SA"
        try:
            rank, suit_ = game.deck.parse(spelt)
        except InputError:
            continue
        return rank, suit_ or ""
    return None


def recognise(game: Game, tokens: Iterable[str]) -> tuple[Notation, str]:
    """The notation in which all (or most) of the tokens are cards, and why it was taken.

    Raises ``InputError`` where the tokens are cards in no notation.
    """
    seen = [token for token in dict.fromkeys(tokens) if token.strip() in game.deck.ranks or not is_absent(token)]
    numbers = sorted(int(float(t)) for t in seen if re.fullmatch(r"[+-]?\d+(\.0+)?", t.strip()))
    shown = " ".join(sorted(seen, key=lambda t: (len(t), t))[:14])
    if len(numbers) == len(seen) and numbers:
        name = _of_numbers(game, numbers)
        return notation(game, name), f"whole numbers {numbers[0]} to {numbers[-1]}"
    written = [read_card(game, token) for token in seen]
    readable = [card for card in written if card]
    if len(readable) * 2 <= len(seen):
        raise InputError(f"the card columns hold {shown!r}: cards in no known notation ({', '.join(NOTATIONS)})")
    return notation(game, "ranks", all(suit for _, suit in readable)), f"written as {shown}"


def _of_numbers(game: Game, numbers: list[int]) -> str:
    for name in ("values", "1-10", "0-12"):  # 0 also fills an empty place where cards start at 1
        known = notation(game, name).numbers
        if all(number in known or (number == 0 and name == "1-10") for number in numbers):
            return name
    return "1-13"


def is_absent(text: str) -> bool:
    """Whether a cell says that no card was drawn: empty, a dash, "none" and the like."""
    return not text.strip() or text.strip().casefold() in _absent()


def _absent() -> set[str]:
    return {word for word, _ in words("absent").items()}


def kinds_column(column: pl.Expr, dtype: pl.DataType, notation: Notation, tokens: Iterable[str]) -> pl.Expr:
    """The kind of card in each row: a small number, NULL where no card was drawn, -1 where the cell cannot be read.

    ``tokens`` are the texts that occur; for numbers none are needed.
    """
    import polars as pl

    if dtype.is_integer():
        return _of_integers(column, notation)
    if dtype.is_float():
        whole = pl.when(column.is_nan()).then(None).otherwise(column)
        kinds = _of_integers(whole.cast(pl.Int64, strict=False), notation)
        return pl.when(whole.round() != whole).then(pl.lit(UNREADABLE, dtype=pl.Int8)).otherwise(kinds)
    read_as = {token: notation.read(token) for token in tokens}
    known = {token: kind for token, kind in read_as.items() if kind is not None or not is_absent(token)}
    present = sorted(
        known, key=lambda token: UNREADABLE if (kind := known[token]) is None else kind
    )  # few runs, few comparisons
    read = [known[token] for token in present]
    place = column.cast(pl.Enum([*present, *(token for token in tokens if token not in known)])).to_physical()
    if not present:
        return pl.when(pl.lit(False)).then(place.cast(pl.Int8))
    coded = piecewise({k: UNREADABLE if kind is None else kind for k, kind in enumerate(read)})(place.cast(pl.Int16))
    return pl.when(place < len(present)).then(coded)


def _of_integers(column: pl.Expr, notation: Notation) -> pl.Expr:
    import polars as pl

    low, high = min(notation.numbers), max(notation.numbers)
    filling = [number for number in (-1, 0) if number < low]  # the usual ways to fill an empty place
    fine = column.is_between(low, high) | column.is_null()
    known = pl.when(fine).then(piecewise(notation.numbers)(column)).otherwise(UNREADABLE)
    return pl.when(~column.is_in(filling)).then(known).cast(pl.Int8) if filling else known.cast(pl.Int8)


def piecewise(values: Mapping[int, int]) -> Callable[[pl.Expr], pl.Expr]:
    """A mapping of whole numbers as few comparisons: runs that keep a distance, and runs of one value."""
    import polars as pl

    runs: list[list[tuple[int, int]]] = []
    for pair in sorted(values.items()):
        run = [*runs[-1], pair] if runs else []
        if run and (_constant(run) or _shifted(run)):
            runs[-1] = run
        else:
            runs.append([pair])

    def expression(column: pl.Expr) -> pl.Expr:
        parts = [
            pl.lit(run[0][1], dtype=pl.Int8) if _constant(run) else (column + (run[0][1] - run[0][0])).cast(pl.Int8)
            for run in runs
        ]
        result = pl.when(column.is_not_null()).then(parts[-1]) if _constant(runs[-1]) else parts[-1]
        for run, part in zip(reversed(runs[:-1]), reversed(parts[:-1]), strict=True):
            result = pl.when(column <= run[-1][0]).then(part).otherwise(result)
        return result

    return expression


def _constant(run: list[tuple[int, int]]) -> bool:
    return len({value for _, value in run}) == 1


def _shifted(run: list[tuple[int, int]]) -> bool:
    return len({value - key for key, value in run}) == 1
