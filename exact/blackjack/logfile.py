"""Rounds of blackjack as a log writes them: which column holds what, and the cards, actions and amounts of a row.

A row is one player's round. ``player``: the cards as dealt ("T6 5" or "10 6 5"), of two hands after a split with a
slash ("8 3 T / 8 5 9"). ``dealer``: every card, the up card first. ``actions``: H hit, S stand, D double, P split,
R surrender, F fold in their order, after a split each hand's own ("P H S / D"); the S of a 21, and of a hand that can
only stand, may be left out. Everything else may be missing. ``seen`` lists cards gone from the shoe before the round.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from pathlib import Path

from exact.blackjack.cards import RANKS, rank_index
from exact.blackjack.player import Action
from exact.errors import InputError, nearest
from exact.shoe import FRENCH
from exact.verify.replay import Shape
from exact.verify.words import plain_word

MUST = ("player", "dealer", "actions")
_CARD = re.compile(r"(10|[2-9TJQKA])([SHDC♠♥♦♣]?)[\s,;+|-]*")
_AMOUNT = re.compile(r"[+-]?\d{1,15}(\.\d{1,15})?(e[+-]?\d)?")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(\D|$))")


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with a round; ``option`` names the option of the rules that decides it, "" where none does."""

    group: Shape
    fault: str
    about: str
    expected: str = ""
    seen: str = ""
    option: str = ""


class UnjudgedError(Exception):
    """A round that cannot be judged, with the fault that is why."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.fault)
        self.fault = fault


Hand = tuple[int, ...]  # indices of RANKS, in dealing order


@dataclass(frozen=True, slots=True)
class Dealt:
    """A round as it was logged. ``actions`` are those of each hand, without the split that made two of one.

    ``insured`` is the part of the stake that was insured, None where the log does not say. ``suited`` lists the cards
    whose suits are written. Amounts that the log does not state are None.
    """

    hands: tuple[Hand, ...]
    dealer: Hand
    actions: tuple[tuple[Action, ...], ...]
    split: bool
    suited: tuple[str, ...]
    stake: Fraction | None
    paid: Fraction | None
    insured: Fraction | None
    insurance_paid: Fraction | None
    totals: Mapping[str, tuple[str, ...]]
    results: tuple[str, ...]

    @property
    def up(self) -> int:
        """The dealer's up card."""
        return self.dealer[0]

    @property
    def first(self) -> Hand:
        """The first two cards."""
        return (self.hands[0][0], self.hands[1][0]) if self.split else self.hands[0][:2]

    def doubled(self, hand: int) -> bool:
        """Whether a hand's stake was doubled."""
        return Action.DOUBLE in self.actions[hand]

    def text(self) -> str:
        """The cards for people."""
        hands = " / ".join(" ".join(RANKS[card] for card in hand) for hand in self.hands)
        return f"player {hands}, dealer {' '.join(RANKS[card] for card in self.dealer)}"


@cache
def words(kind: str) -> Mapping[str, str]:
    """Every listed word of a kind with what it means.

    >>> words("actions")["doubledown"], words("columns")["payout"]
    ('DOUBLE', 'paid')
    """
    document = tomllib.loads((Path(__file__).parent / "logwords.toml").read_text(encoding="utf-8"))
    return {word: meaning for meaning, listed in document[kind].items() for word in listed.split()}


def find_columns(names: Sequence[str], given: Mapping[str, str], strict: bool) -> dict[str, str]:
    """Which column of a log holds what: as given, the others by common names unless ``strict``.

    >>> find_columns(["Player Cards", "Dealer", "Action", "note"], {}, False)
    {'player': 'Player Cards', 'dealer': 'Dealer', 'actions': 'Action'}

    Raises ``InputError`` for an unknown target or column, and where cards or actions are not found.
    """
    targets = tuple(dict.fromkeys(words("columns").values()))
    for target, column in given.items():
        if target not in targets:
            raise InputError(
                f"--columns {target}={column}: a log of blackjack has no {target!r}; {nearest(target, targets)}"
            )
        if column not in names:
            raise InputError(f"--columns {target}={column}: the log has no column {column!r}; {nearest(column, names)}")
    found = dict(given)
    for name in () if strict else names:
        meaning = words("columns").get(plain_word(name))
        if meaning and meaning not in found and name not in given.values():
            found[meaning] = name
    missing = [target for target in MUST if target not in found]
    if missing:
        how = "--strict guesses no column" if strict else "not found by common names"
        raise InputError(
            f"no column for {', '.join(missing)} ({how}); the log has {', '.join(names)}. "
            f"Say it with --columns {missing[0]}=NAME,..."
        )
    if "paid" in found and "net" in found:
        del found["net"]
    return {target: found[target] for target in targets if target in found}


def read_row(row: Mapping[str, str]) -> Dealt:
    """A round from the texts of its row, by what they hold; a missing column is "" as an empty cell is.

    Raises ``UnjudgedError`` with the fault of shape, or with the split to more than two hands.
    """
    player, dealer = read_hands("player", row["player"]), read_hands("dealer", row["dealer"])
    hands = tuple(indices for indices, _ in player)
    split, actions = read_actions(row["actions"])
    if len(dealer) > 1:
        raise UnjudgedError(Fault("shape", "unreadable cards", "dealer", "one hand", row["dealer"]))
    _refuse_misfit(hands, split, actions)
    stake = read_amount("stake", row.get("stake", ""))
    paid = read_amount("paid", row.get("paid", "") or row.get("net", ""))
    if stake is not None and stake <= 0:
        raise UnjudgedError(Fault("shape", "unreadable amount", "stake", "an amount above 0", row["stake"]))
    return Dealt(
        hands, dealer[0][0], actions, split, tuple(card for _, cards in (*player, *dealer) for card in cards),
        stake, paid, _insured(row, stake), read_amount("insurance_paid", row.get("insurance_paid", "")),
        {side: read_totals(f"{side}_total", row.get(f"{side}_total", "")) for side in ("player", "dealer")},
        read_results(row.get("result", "")),
    )  # fmt: skip


def _refuse_misfit(hands: tuple[Hand, ...], split: bool, actions: tuple[tuple[Action, ...], ...]) -> None:
    """Cards and actions that cannot belong together."""
    if len(hands) > 2 or any(Action.SPLIT in mine for mine in actions):
        seen = f"{max(len(hands), 3)} hands"
        raise UnjudgedError(Fault("rule", "split again", "actions", "2 hands", seen, "split_hands"))
    if len(hands) != 1 + split or len(actions) != len(hands):
        expected = "two hands and the actions of each" if split else "one hand and its actions: no split is logged"
        seen = f"{len(hands)} hands, actions of {len(actions)}"
        raise UnjudgedError(Fault("shape", "hands and actions do not agree", "actions", expected, seen))
    for hand, mine in zip(hands, actions, strict=True):
        wanted = 2 + sum(action in (Action.HIT, Action.DOUBLE) for action in mine)
        if len(hand) != wanted:
            fault = "cards left over" if len(hand) > wanted else "missing card"
            raise UnjudgedError(Fault("shape", fault, "player", f"{wanted} cards by the actions", f"{len(hand)} cards"))


@lru_cache(maxsize=2**17)
def read_hands(about: str, text: str) -> tuple[tuple[Hand, tuple[str, ...]], ...]:
    """The hands of a cell, each with the cards whose suits it writes.

    >>> read_hands("player", "8S 3 T / 8 5")
    (((7, 2, 9), ('8S',)), ((7, 4), ()))
    """
    found = []
    for part in text.upper().split("/"):
        cards = _CARD.findall(part.strip())
        if not cards or _CARD.sub("", part.strip()):
            raise UnjudgedError(Fault("shape", "unreadable cards", about, "cards such as T 6 5", text))
        hand = tuple(rank_index(rank) for rank, _ in cards)
        suited = tuple("".join(part or "" for part in FRENCH.parse(rank + suit)) for rank, suit in cards if suit)
        found.append((hand, suited))
    return tuple(found)


@lru_cache(maxsize=2**12)
def read_actions(text: str) -> tuple[bool, tuple[tuple[Action, ...], ...]]:
    """Whether the first action is a split, and the actions of each hand.

    >>> read_actions("P H S / D") == (True, ((Action.HIT, Action.STAND), (Action.DOUBLE,)))
    True
    """
    parts = [_acts(part, text) for part in text.split("/")]
    split = bool(parts[0]) and parts[0][0] is Action.SPLIT
    if split:
        apart = len(parts) == 3 and len(parts[0]) == 1  # "P / H S / D"
        parts = parts[1:] if apart else [parts[0][1:], *parts[1:]] if len(parts) > 1 or parts[0][1:] else [(), ()]
    return split, tuple(parts)


def _acts(part: str, text: str) -> tuple[Action, ...]:
    known = words("actions")
    found: list[Action] = []
    for token in re.split(r"[\s,;|>+-]+", part.strip()):
        word = plain_word(token)
        names = [word] if word in known else list(word)
        for name in names:
            if name not in known:
                raise UnjudgedError(Fault("shape", "unreadable action", "actions", "letters of H S D P R F", text))
            found.append(Action[known[name]])
    return tuple(found)


@lru_cache(maxsize=2**15)
def read_amount(about: str, text: str) -> Fraction | None:
    """An amount of money, exact; None where nothing is written.

    >>> read_amount("stake", "$1,000.50")
    Fraction(2001, 2)
    """
    word = _THOUSANDS.sub("", text.strip().lstrip("$€£¥").strip())
    if not word:
        return None
    if not _AMOUNT.fullmatch(word.lower()):
        raise UnjudgedError(Fault("shape", "unreadable amount", about, "an amount such as 10 or 7.50", text))
    return Fraction(word)


def _insured(row: Mapping[str, str], stake: Fraction | None) -> Fraction | None:
    """The insured part of the stake; without a stake an insured bet is insured by half."""
    text = row.get("insurance")
    if text is None:
        return None
    if not text:
        return Fraction(0)
    word = words("answers").get(plain_word(text))
    amount = Fraction(0) if word == "no" else None if word else read_amount("insurance", text)
    if word == "yes" or (amount and stake is None):
        return Fraction(1, 2)
    if amount is not None and amount < 0:
        raise UnjudgedError(Fault("shape", "unreadable amount", "insurance", "an amount from 0", text))
    return (amount or Fraction(0)) / (stake or 1)


@lru_cache(maxsize=2**12)
def read_totals(about: str, text: str) -> tuple[str, ...]:
    """Totals as stated, one a hand: "18", "18/20" or a word for a blackjack."""
    parts = [plain_word(part) for part in text.split("/")] if text.strip() else []
    for part in parts:
        if not re.fullmatch(r"\d{1,2}", part) and words("results").get(part) != "blackjack":
            raise UnjudgedError(Fault("shape", "unreadable total", about, "a total such as 18", text))
    return tuple("blackjack" if not part.isdigit() else str(int(part)) for part in parts)


@lru_cache(maxsize=2**12)
def read_results(text: str) -> tuple[str, ...]:
    """Results as stated, one for the round or one a hand.

    >>> read_results("Win / Busted")
    ('win', 'bust')
    """
    parts = [plain_word(part) for part in text.split("/")] if text.strip() else []
    for part in parts:
        if part not in words("results"):
            raise UnjudgedError(Fault("shape", "unreadable result", "result", "win, lose, push, blackjack ...", text))
    return tuple(words("results")[part] for part in parts)
