"""A shoe as people give it: decks, counts in a text, or a TOML, CSV or JSON file; with cards removed on top."""

from __future__ import annotations

import csv
import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from exact.errors import InputError
from exact.shoe import Deck, Shoe

DEFAULT_DECKS = "8"


@dataclass(frozen=True, slots=True)
class ShoeRequest:
    """What a user said of the shoe; at most one of the first three."""

    decks: str | None = None
    counts: str | None = None
    file: Path | None = None
    remove: str | None = None

    def shoe(self, deck: Deck, default: str = DEFAULT_DECKS) -> Shoe:
        """The shoe that is meant, of the cards of a game.

        >>> from exact.shoe import FRENCH
        >>> ShoeRequest(decks="1", remove="8H,K").shoe(FRENCH).size
        50

        Raises ``InputError`` for contradictory, unreadable or impossible wishes.
        """
        given = [
            name
            for name, value in (("--decks", self.decks), ("--shoe", self.counts), ("--shoe-file", self.file))
            if value is not None
        ]
        if len(given) > 1:
            raise InputError(f"{' and '.join(given)} both say what the shoe is: give one of them")
        if self.counts is not None:
            shoe = Shoe.of(parse_counts(self.counts), deck)
        elif self.file is not None:
            counts = read_counts(self.file)
            try:
                shoe = Shoe.of(counts, deck)
            except InputError as error:
                raise InputError(f"{self.file.name}: {error}") from None
        else:
            shoe = Shoe.decks(self.decks if self.decks is not None else default, deck)
        return shoe.remove(self.remove) if self.remove else shoe


def parse_counts(text: str) -> dict[str, int]:
    """Counts such as "A=30,2=32".

    >>> parse_counts("A=30, K=2")
    {'A': 30, 'K': 2}
    """
    return _counts(
        ((card, number) for card, _, number in (part.partition("=") for part in text.split(",") if part.strip())),
        "--shoe",
    )


def read_counts(path: Path) -> dict[str, int]:
    """Counts from a file: TOML or JSON with a key for each card (or under ``counts``, or the JSON that ``exact
    compute`` writes), CSV with the columns card and count, or rank, suit and count.
    """
    suffix = path.suffix.lower()
    try:
        text = path.read_text(encoding="utf-8-sig")
        if suffix == ".csv":
            return _from_csv(text, path.name)
        if suffix not in (".toml", ".json"):
            raise InputError(f"{path}: a shoe file ends in .toml, .csv or .json")
        data = tomllib.loads(text) if suffix == ".toml" else json.loads(text, object_pairs_hook=_once)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    except KeyError as error:
        raise InputError(f"{path.name}: {error.args[0]} is counted twice") from None
    except (tomllib.TOMLDecodeError, json.JSONDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read as {suffix[1:]}: {error}") from None
    if isinstance(data, Mapping) and isinstance(data.get("shoe"), Mapping) and data["shoe"].get("infinite"):
        raise InputError(f"{path.name}: holds infinite decks, which no counts say: ask for --decks infinite")
    for key in ("shoe", "counts"):
        data = data.get(key, data) if isinstance(data, Mapping) else data
    if not isinstance(data, Mapping):
        raise InputError(f"{path}: expected a count for each card, such as A = 32")
    return _counts(data.items(), path.name)


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """A JSON object; ``KeyError`` for a key given twice, of which JSON would keep the last."""
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            raise KeyError(key)
        found[key] = value
    return found


def _from_csv(text: str, name: str) -> dict[str, int]:
    rows = list(csv.DictReader(text.splitlines()))
    header = set(rows[0]) if rows else set()
    if "count" not in header or not header & {"card", "rank"}:
        raise InputError(f"{name}: a shoe in CSV has the columns card,count or rank,count or rank,suit,count")
    if long := [number for number, row in enumerate(rows, 2) if None in row]:
        raise InputError(f"{name}: line {long[0]} has more cells than the header has columns")
    return _counts(
        ((row.get("card") or f"{row.get('rank') or ''}{row.get('suit') or ''}", row["count"]) for row in rows), name
    )


def _counts(pairs: Iterable[tuple[str, object]], where: str) -> dict[str, int]:
    counts: dict[str, int] = {}
    for card, number in pairs:
        card = str(card).strip()
        if isinstance(number, bool) or not re.fullmatch(r"\d{1,15}", str(number).strip()):
            raise InputError(
                f"{where}: the count of {card!r} must be a whole number from 0, not {str(number).strip()!r}"
            )
        if card in counts:
            raise InputError(f"{where}: {card} is counted twice")
        counts[card] = int(str(number))
    return counts
