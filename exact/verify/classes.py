"""Every sequence of cards as far as the drawing rules tell cards apart, with its exact ways: two games side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from exact.errors import InputError
from exact.plan import card_classes, plan
from exact.rulefile.game import Game
from exact.shoe import Card, Shoe
from exact.verify.dealt import KIND
from exact.verify.oracle import CHUNK, Kinds, Oracle

if TYPE_CHECKING:
    import numpy as np
    import polars as pl

    Array = np.ndarray[Any, Any]

Pair = tuple[Game, Game]  # the rules, and what is dealt
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
    (shown,) = shows_all([(rules, dealt)], shoe)
    return shown


def shows_all(pairs: Sequence[Pair], shoe: Shoe, progress: Callable[[int], None] | None = None) -> list[Shown]:
    """The same for many pairs of games, each game played once; ``progress`` is told of games played over some rounds.

    Raises ``InputError`` as ``shows`` does.
    """
    for rules, dealt in pairs:
        check_comparable(rules, dealt)
    # cards that score alike are scored alike: then only another draw can be seen, and the last card decides none
    alike = [_score_alike(rules, dealt) for rules, dealt in pairs]
    found: dict[int, Shown] = {}
    for same in (True, False):
        places = [place for place, value in enumerate(alike) if value is same]
        if places:
            shown = _shown([pairs[place] for place in places], same, shoe, progress)
            found |= dict(zip(places, shown, strict=True))
    return [found[place] for place in range(len(pairs))]


def check_comparable(rules: Game, dealt: Game) -> None:
    """``InputError`` where two games deal other cards or places, or know other outcomes."""
    if (rules.slots, rules.deck, set(rules.outcomes)) != (dealt.slots, dealt.deck, set(dealt.outcomes)):
        raise InputError(
            f"{rules.name} and {dealt.name} have other cards, places or outcomes: their rounds cannot be compared"
        )


def _shown(pairs: Sequence[Pair], alike: bool, shoe: Shoe, progress: Callable[[int], None] | None) -> Iterator[Shown]:
    """Pairs that all score alike, or none of which does, over blocks of the same sequences."""
    games = {id(game): game for pair in pairs for game in pair}
    kinds = kinds_of(tuple(games.values()), shoe)
    oracles = {key: Oracle(game, kinds=kinds) for key, game in games.items()}
    first = next(iter(oracles.values()))
    whole = not alike and len(kinds) ** first.longest <= WHOLE
    length = first.longest - (not whole)
    if len(kinds) ** length > MOST:
        raise InputError(f"{len(kinds)} kinds of cards in {length} places: too many sequences to compare")
    slots = [KIND + slot for slot in first.game.slots]
    compared = [n for n in first.seen() if all(n in o.seen() for o in oracles.values())] if whole else slots
    ways = [0] * len(pairs)
    for start in range(0, len(kinds) ** length, CHUNK):
        rows = sequences(first, length, start, CHUNK)
        weights = ways_of(rows, length, kinds, shoe)
        played = {}
        for key, oracle in oracles.items():
            played[key] = oracle.replay.spelt(oracle.play(rows).select(compared))
            if progress:
                progress(1)
        for place, (rules, dealt) in enumerate(pairs):
            ways[place] += int(weights[_differ(played[id(rules)], played[id(dealt)])].sum())
    return (Shown(Fraction(number, shoe.orders(length)), whole) for number in ways)


def _differ(right: pl.DataFrame, seen: pl.DataFrame) -> Array:
    import numpy as np

    differ = np.zeros(right.height, dtype=bool)
    for name in right.columns:
        differ |= ~right.get_column(name).eq_missing(seen.get_column(name)).to_numpy()
    return differ


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
    assert card_classes(games[0], shoe, attributes)
    for card in dict.fromkeys(games[0].deck.cards):
        told = tuple(game.attributes[a][card] for game in games for a in sorted(attributes & game.attributes.keys()))
        found.setdefault(told, []).append(card)
    return tuple(map(tuple, found.values()))


def sequences(oracle: Oracle, length: int, start: int, number_of: int) -> pl.DataFrame:
    """Some of the sequences of so many kinds of cards; further places repeat the last one, which the rules do not look
    at.
    """
    import polars as pl

    kinds = len(oracle.cards)
    number = pl.int_range(start, min(start + number_of, kinds**length), dtype=pl.Int64, eager=True)
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
