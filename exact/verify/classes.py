"""Every sequence of cards as far as the drawing rules tell cards apart, with its exact ways: two games side by side."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from exact.errors import InputError
from exact.plan import card_classes, plan
from exact.rulefile.game import Game
from exact.shoe import Card, Shoe
from exact.verify.dealt import KIND
from exact.verify.oracle import Kinds, Oracle

if TYPE_CHECKING:
    import numpy as np
    import polars as pl

    Array = np.ndarray[Any, Any]

WHOLE = 2_000_000  # sequences of all cards; of more, only the draws are compared, which the last card does not decide
MOST = 8_000_000


@dataclass(frozen=True, slots=True)
class Shown:
    """How often two games are told apart by a round: by its cards, or (where ``whole``) by its cards or its totals."""

    probability: Fraction
    whole: bool


def shows(rules: Game, dealt: Game, shoe: Shoe) -> Shown:
    """The probability that a round dealt by one game breaks the rules of the other, exactly.

    >>> from exact.games import load
    >>> from exact.rulefile.mutate import Cell, flip
    >>> game = load("baccarat")
    >>> shows(game, flip(game, Cell("banker_after_draw", 6, 6)), Shoe.decks(8)).probability
    Fraction(212588512, 47506066335)

    Raises ``InputError`` where the games deal other cards or places, or where too many sequences would have to be
    compared.
    """
    import numpy as np

    if rules.slots != dealt.slots or rules.deck != dealt.deck:
        raise InputError(f"{rules.name} and {dealt.name} deal other cards or places: their rounds cannot be compared")
    oracle = Oracle(rules, kinds=kinds_of((rules, dealt), shoe))
    other = Oracle(dealt, kinds=oracle.cards)
    length = oracle.longest
    # cards that score alike are scored alike: then only another draw can be seen, and the last card decides none
    whole = not _score_alike(rules, dealt) and len(oracle.cards) ** length <= WHOLE
    length -= not whole
    if len(oracle.cards) ** length > MOST:
        raise InputError(f"{len(oracle.cards)} kinds of cards in {length} places: too many sequences to compare")
    rows = sequences(oracle, length)
    ways = ways_of(rows, length, oracle.cards, shoe)
    right, seen = oracle.play(rows), other.play(rows)
    differ = np.zeros(rows.height, dtype=bool)
    compared = oracle.seen() if whole else tuple(KIND + slot for slot in rules.slots)
    for name in compared:
        differ |= ~right.get_column(name).eq_missing(seen.get_column(name)).to_numpy()
    total = shoe.orders(length)
    return Shown(Fraction(sum(int(n) for n in ways[differ]), total), whole)


def _score_alike(one: Game, other: Game) -> bool:
    lets = [[step.lets for step in game.steps] for game in (one, other)]
    return lets[0] == lets[1] and one.attributes == other.attributes


def kinds_of(games: tuple[Game, ...], shoe: Shoe) -> Kinds:
    """The cards in the coarsest kinds that the drawing rules and outcomes of some games tell apart."""
    attributes: set[str] = set()
    for game in games:
        wanted = {n for n in game.facts if n == "outcome" or n.endswith("_total")}
        slots = {column for column, at in game.slot_columns.items() if at.attribute == "value"}
        attributes |= plan(game, wanted | slots).attributes
    found: dict[tuple[Any, ...], list[Card]] = {}
    game = games[0]
    assert card_classes(game, shoe, attributes)
    for card in dict.fromkeys(game.deck.cards):
        found.setdefault(tuple(game.attributes[a][card] for a in sorted(attributes)), []).append(card)
    return tuple(map(tuple, found.values()))


def sequences(oracle: Oracle, length: int) -> pl.DataFrame:
    """All sequences of so many kinds of cards; further places repeat the last one, which the rules do not look at."""
    import polars as pl

    kinds = len(oracle.cards)
    number = pl.int_range(0, kinds**length, dtype=pl.Int64, eager=True)
    digits = [number // kinds ** (length - 1 - min(k, length - 1)) % kinds for k in range(oracle.longest)]
    return pl.DataFrame([d.cast(pl.Int8).alias(p) for d, p in zip(digits, oracle.places, strict=True)])


def ways_of(rows: pl.DataFrame, length: int, kinds: Kinds, shoe: Shoe) -> Array:
    """Ordered deals of the first ``length`` cards of each sequence, as Python integers where 64 bits do not hold
    them.
    """
    import numpy as np

    held = shoe.counts()
    by_rank = not any(suit for _, suit in held)
    counts = [sum(held.get((r, "") if by_rank else (r, s), 0) for r, s in _once(cards, by_rank)) for cards in kinds]
    wide: Any = np.int64 if shoe.orders(length) < 2**63 else object
    cards = rows[:, :length].to_numpy().astype(np.int64)
    table = np.array(counts, dtype=wide)
    ways = np.ones(len(cards), dtype=wide)
    for place in range(cards.shape[1]):
        before = (cards[:, :place] == cards[:, place : place + 1]).sum(axis=1).astype(wide)
        ways = ways * (table[cards[:, place]] - (0 if shoe.infinite else before))
    return ways


def _once(cards: tuple[Card, ...], by_rank: bool) -> tuple[Card, ...]:
    return tuple(dict.fromkeys((rank, "") for rank, _ in cards)) if by_rank else cards
