"""The rules of blackjack as one frozen record, read from `rules.toml`: every option with its meaning and source."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from exact.blackjack.cards import RANKS, rank_index
from exact.errors import InputError, nearest

DOUBLE_TOTALS = {"11": (11, 11), "11+": (11, 21), "10-11": (10, 11), "9-11": (9, 11), "any": (2, 21)}
ALL_PAIRS = tuple(range(len(RANKS)))


@dataclass(frozen=True, slots=True)
class Rules:
    """One table's rules; `rules.toml` says what each means, what casinos call it and where its default comes from.

    ``double`` holds the least and the greatest total that may double, ``split_pairs`` the indices of the ranks whose
    pairs may split (0 = ace, 9 = ten), ``charlie`` the number of cards that wins at once or None, ``fold`` and
    ``blackjack_pays`` parts of the bet.

    >>> Rules.of().fold, Rules.of(options={"das": "false"}).das
    (Fraction(1, 5), False)

    Raises ``InputError`` for an unknown option or value and for options that contradict each other.
    """

    soft17: str
    hole_card: str
    blackjack_pays: Fraction
    double: tuple[int, int]
    double_soft: bool
    das: bool
    split_pairs: tuple[int, ...]
    split_or_fold: bool
    fold: Fraction
    split_hands: int
    split_aces: str
    surrender: str
    charlie: int | None
    charlie_beats_blackjack: bool
    ten_up_takes_double: bool
    ace_up_takes_double: bool
    ten_up_takes_split: bool
    ace_up_takes_split: bool
    blackjack_beats_21: bool
    insurance: bool

    @classmethod
    def of(cls, preset: str = "page", options: Mapping[str, str] | None = None) -> Rules:
        """The rules of a preset with options changed, all as text: ``Rules.of("vegas-strip", {"soft17": "hit"})``."""
        texts = option_texts(preset, options or {})
        values: dict[str, Any] = {name: _read(name, text) for name, text in texts.items()}
        return cls(**values)

    def __post_init__(self) -> None:
        if self.hole_card != "none":
            for name in TAKES:
                if getattr(self, name):
                    raise InputError(
                        f"{name}=true contradicts hole_card={self.hole_card}, where only the original bet is lost"
                    )
        if self.hole_card == "peek" and not self.blackjack_beats_21:
            raise InputError(
                "blackjack_beats_21=false needs a hole_card other than peek: after a peek no hand has been drawn to 21"
            )
        if self.hole_card == "peek" and self.charlie_beats_blackjack:
            raise InputError(
                "charlie_beats_blackjack=true needs a hole_card other than peek: after a peek no hand has been drawn"
            )
        if self.charlie is None and self.charlie_beats_blackjack:
            raise InputError("charlie_beats_blackjack=true contradicts charlie=none")
        if self.fold and not self.split_or_fold:
            raise InputError(f"fold={self.fold} contradicts split_or_fold=false: nothing can be folded")
        if self.split_or_fold and not self.split_pairs:
            raise InputError("split_or_fold=true contradicts split_pairs=none")

    def may_double(self, total: int, soft: bool) -> bool:
        """Whether two cards of this best total may be doubled."""
        return self.double[0] <= total <= self.double[1] and (self.double_soft or not soft)

    def blackjack_takes(self, up: int, *, doubled: bool, split: bool) -> Fraction:
        """What a dealer blackjack with this up card takes from a hand that is not bust, in bets.

        A split hand stands for either of the two, so where only the original bet is lost it loses half of it.
        """
        ten = up == RANKS.index("10")
        takes_split = self.ten_up_takes_split if ten else self.ace_up_takes_split
        takes_double = self.ten_up_takes_double if ten else self.ace_up_takes_double
        return (Fraction(1, 2) if split and not takes_split else Fraction(1)) + (doubled and takes_double)

    def bust_takes(self, up: int, *, doubled: bool, split: bool) -> Fraction:
        """What a bust hand loses when the dealer then shows a blackjack.

        That is its stake, which left the table at once, or, where a dealer blackjack takes original bets only, no more
        than that.
        """
        if self.hole_card == "none":
            return Fraction(1 + doubled)
        return self.blackjack_takes(up, doubled=doubled, split=split)

    def as_texts(self) -> dict[str, str]:
        """Every option as it is written on the command line.

        >>> Rules.of().as_texts()["split_pairs"]
        'A,8'
        """
        return {field.name: _write(field.name, getattr(self, field.name)) for field in fields(self)}


TAKES = ("ten_up_takes_double", "ace_up_takes_double", "ten_up_takes_split", "ace_up_takes_split")


@cache
def rule_data() -> dict[str, Any]:
    """`rules.toml` as it is: the tables ``options``, ``follows`` and ``presets``."""
    with (Path(__file__).parent / "rules.toml").open("rb") as file:
        return tomllib.load(file)


def preset_data(preset: str) -> dict[str, Any]:
    """One preset's title, decks, source, note and options; raises ``InputError`` for an unknown one."""
    presets: dict[str, dict[str, Any]] = rule_data()["presets"]
    if preset not in presets:
        raise InputError(f"unknown blackjack rules {preset!r}; {nearest(preset, presets)}")
    return presets[preset]


def option_texts(preset: str, options: Mapping[str, str]) -> dict[str, str]:
    """Every option's text under a preset with some options changed.

    An option that neither the preset nor the user gave takes its default, or, where another option leaves that no sense
    (stakes a dealer blackjack takes after a peek), what the table ``follows`` says.
    """
    data = rule_data()
    for name in options:
        if name not in data["options"]:
            raise InputError(f"blackjack has no option {name!r}; {nearest(name, data['options'])}")
    given = {**preset_data(preset).get("options", {}), **options}
    texts = {name: str(option["default"]) for name, option in data["options"].items()} | given
    for name, by_value in data["follows"].items():
        follow = by_value.get(texts[name].strip().lower(), {})
        # What the user chose overrules what the preset says about an option that then has no sense.
        texts |= {
            key: value for key, value in follow.items() if key not in options and (name in options or key not in given)
        }
    return texts


def _read(name: str, text: str) -> object:
    word = text.strip().lower()
    try:
        return _READERS[name](word)
    except (ValueError, KeyError, ZeroDivisionError):
        allowed = ", ".join(rule_data()["options"][name]["values"])
        raise InputError(f"the option {name} of blackjack cannot be {text!r}; it takes {allowed}") from None


def _choice(name: str) -> Any:
    def read(word: str) -> str:
        if word not in rule_data()["options"][name]["values"]:
            raise ValueError(word)
        return word

    return read


def _truth(word: str) -> bool:
    return {"true": True, "false": False, "yes": True, "no": False}[word]


def _odds(word: str) -> Fraction:
    win, per = word.split(":") if ":" in word else (word, "1")
    odds = Fraction(win) / Fraction(per)
    if odds < 0:
        raise ValueError(word)
    return odds


def _part(word: str) -> Fraction:
    part = Fraction(word)
    if not 0 <= part <= 1:
        raise ValueError(word)
    return part


def _pairs(word: str) -> tuple[int, ...]:
    if word in {"any", "none"}:
        return ALL_PAIRS if word == "any" else ()
    return tuple(sorted({rank_index(rank) for rank in re.split(r"[,+;/]", word)}))


def _charlie(word: str) -> int | None:
    if word == "none":
        return None
    if int(word) < 3:
        raise ValueError(word)
    return int(word)


_READERS: dict[str, Any] = {
    **{name: _choice(name) for name in ("soft17", "hole_card", "split_aces", "surrender")},
    **dict.fromkeys(("double_soft", "das", "split_or_fold", "charlie_beats_blackjack", *TAKES), _truth),
    **dict.fromkeys(("blackjack_beats_21", "insurance"), _truth),
    "blackjack_pays": _odds,
    "double": DOUBLE_TOTALS.__getitem__,
    "split_pairs": _pairs,
    "fold": _part,
    "split_hands": {"2": 2}.__getitem__,
    "charlie": _charlie,
}


def _write(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if name == "double":
        return next(text for text, totals in DOUBLE_TOTALS.items() if totals == value)
    if name == "split_pairs":
        return {ALL_PAIRS: "any", (): "none"}.get(value, ",".join(RANKS[pair] for pair in value))
    if name == "blackjack_pays":
        return f"{value.numerator}:{value.denominator}"
    return "none" if value is None else str(value)
