"""Which column of a log holds what: cards by slot, by hand or in dealing order, totals, winner, shoe, stakes. Given
or recognised.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from exact.errors import InputError, nearest
from exact.rulefile.game import Game
from exact.verify.words import is_word, pieces, plain_word

Layout = Literal["slots", "hands", "dealt"]


@dataclass(frozen=True, slots=True)
class LogColumns:
    """Where a log keeps the cards and what it claims.

    ``slots``: for layout "slots" the column of each slot, for "hands" the column of each side, for "dealt" the columns
    of the first, second
    ... card dealt, or one column "cards" with all. ``suits``: columns with the suit of a slot's card. ``claims``: game
    columns that the log
    states (totals, the outcome). ``stakes`` and ``paid``: by wager, or under "" with the name of the wager in column
    ``bet``.
    """

    layout: Layout
    cards: Mapping[str, str]
    suits: Mapping[str, str] = field(default_factory=dict)
    claims: Mapping[str, str] = field(default_factory=dict)
    shoe: str | None = None
    bet: str | None = None
    stakes: Mapping[str, str] = field(default_factory=dict)
    paid: Mapping[str, str] = field(default_factory=dict)
    guessed: tuple[str, ...] = ()

    def used(self) -> tuple[str, ...]:
        """Every column of the log that is read."""
        groups = (self.cards, self.suits, self.claims, self.stakes, self.paid)
        found = [name for group in groups for name in group.values()] + [n for n in (self.shoe, self.bet) if n]
        return tuple(dict.fromkeys(found))


def sides(game: Game) -> dict[str, tuple[str, ...]]:
    """The hands of a game, each with its slots in the order in which it gets them.

    >>> from exact.games import load
    >>> sides(load("baccarat"))
    {'player': ('p1', 'p2', 'p3'), 'banker': ('b1', 'b2', 'b3')}
    """
    found: dict[str, tuple[str, ...]] = {}
    for slot in game.slots:
        side = pieces(slot)[0]
        found[side] = (*found.get(side, ()), slot)
    return found


def find_columns(game: Game, names: Sequence[str], given: Mapping[str, str]) -> LogColumns:
    """The columns of a log by common names; ``given`` says what is not to be guessed (slot, side, game column, "shoe"
    ... = column).

    Raises ``InputError`` where the cards are not found, naming what was looked for and what is there.
    """
    known = _targets(game)
    for target, column in given.items():
        if target not in known:
            raise InputError(
                f"--columns {target}={column}: a log of {game.name} has no {target!r}; {nearest(target, known)}"
            )
        if column not in names:
            raise InputError(f"--columns {target}={column}: the log has no column {column!r}; {nearest(column, names)}")
    guesses = dict(_guess(game, name) for name in names if name not in given.values())
    guesses.pop("", None)
    merged = {target: column for target, column in guesses.items() if target not in given} | dict(given)
    layout, cards = _cards(game, merged, names)
    stakes, paid = (
        {t[len(k) + 1 :]: c for t, c in merged.items() if t == k or t.startswith(f"{k}:")} for k in ("stake", "paid")
    )
    claims = {
        t: c for t, c in merged.items() if t in game.facts and t not in game.slot_columns and c not in cards.values()
    }
    suits = {t[:-5]: c for t, c in merged.items() if t.endswith("_suit") and layout == "slots"}
    return LogColumns(
        layout, cards, suits, claims, merged.get("shoe"), merged.get("bet"), stakes, paid,
        tuple(t for t in guesses if t in merged and t not in given),
    )  # fmt: skip


def _targets(game: Game) -> list[str]:
    wagers = [f"{kind}:{wager.name}" for kind in ("stake", "paid") for wager in game.wagers]
    places = [f"card{i}" for i in range(1, len(game.slots) + 1)]
    suits = [f"{slot}_suit" for slot in game.slots]
    derived = [name for name in game.facts if name not in game.slot_columns]
    return [*game.slots, *sides(game), "cards", *places, *suits, *derived, "shoe", "bet", "stake", "paid", *wagers]


def _cards(game: Game, found: Mapping[str, str], names: Sequence[str]) -> tuple[Layout, dict[str, str]]:
    slots = {slot: found[slot] for slot in game.slots if slot in found}
    must = [slot for step in game.steps if step.when is None for slot in step.slots]
    if all(slot in slots for slot in must):
        return "slots", slots
    # "PlayerCards" is the number of cards where these have columns of their own, and the cards where they have not
    hands = {side: found.get(side) or found.get(f"{side}_cards", "") for side in sides(game)}
    hands = {side: column for side, column in hands.items() if column}
    if len(hands) == len(sides(game)):
        return "hands", hands
    if "cards" in found:
        return "dealt", {"cards": found["cards"]}
    places = {f"card{i}": found[f"card{i}"] for i in range(1, len(game.slots) + 1) if f"card{i}" in found}
    if len(places) >= len(must):
        return "dealt", places
    raise InputError(
        f"the cards are not found: looked for a column a slot ({', '.join(game.slots)}), a column a "
        f"hand ({', '.join(sides(game))}) or one in "
        f"dealing order (cards); the log has {', '.join(names)}. Say it with --columns {game.slots[0]}=NAME,..."
    )


def _guess(game: Game, name: str) -> tuple[str, str]:
    """What a column's name says it holds; "" where it says nothing that is known."""
    for known in _targets(game):
        if plain_word(known) == plain_word(name) and known not in ("stake", "paid"):
            return known, name
    found = pieces(name)
    hands = sides(game)
    side = next((piece for piece in found if piece in hands), None)
    number = next((int(piece) for piece in found if piece.isdigit()), None)
    rest = [piece for piece in found if piece != side and not piece.isdigit()]
    for kind in ("stake", "paid"):
        if rest and any(is_word(kind, piece) for piece in rest) and (target := _wager_column(game, kind, name)):
            return target, name
    if side and number:
        return _slot(game, side, number, rest, name)
    if side:
        return _of_side(game, side, rest), name
    if number and all(is_word("card", piece) for piece in rest):
        return f"card{number}", name
    return next(
        (target for target in ("shoe", "bet", "outcome") if _all(rest, target)), "cards" if _all(rest, "dealt") else ""
    ), name


def _slot(game: Game, side: str, number: int, rest: Sequence[str], name: str) -> tuple[str, str]:
    slots = sides(game)[side]
    if number > len(slots):
        return "", name
    if any(is_word("suit", piece) for piece in rest):
        return f"{slots[number - 1]}_suit", name
    return (slots[number - 1] if all(is_word("card", piece) for piece in rest) else ""), name


def _of_side(game: Game, side: str, rest: Sequence[str]) -> str:
    """A column of one side: its hand, or something worked out of it such as its total."""
    if not rest or _all(rest, "hand"):
        return side
    for column in game.facts:
        if column not in game.slot_columns and pieces(column)[0] == side:
            last = pieces(column)[1:]
            if list(last) == list(rest) or (last == ("total",) and _all(rest, "total")):
                return column
    return ""


def _wager_column(game: Game, kind: str, name: str) -> str | None:
    plain = plain_word(name)
    for wager in sorted(game.wagers, key=lambda w: -len(w.name)):
        word = plain_word(wager.name)
        rest = re.sub(re.escape(word), "", plain, count=1)
        if word in plain and is_word(kind, rest):
            return f"{kind}:{wager.name}"
    return kind if is_word(kind, plain) else None


def _all(rest: Sequence[str], kind: str) -> bool:
    return bool(rest) and (all(is_word(kind, piece) for piece in rest) or is_word(kind, "".join(rest)))
