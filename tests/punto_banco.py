"""The slow twin of the engine for punto banco: one round played by plain ifs, and every deal of a tiny shoe one by one.

Written from the rule pages for the tests only; it shares no code, table or data with the package.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import permutations
from typing import Any

VALUES = {"A": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9, "10": 0, "J": 0, "Q": 0, "K": 0}
Round = dict[str, Any]


@cache
def play(values: tuple[int, ...]) -> tuple[int | None, int | None]:
    """Which values the Player and the Banker draw as third cards from six values in dealing order; None for no card."""
    player, banker, undealt = (values[0] + values[2]) % 10, (values[1] + values[3]) % 10, list(values[4:])
    if player in (8, 9) or banker in (8, 9):
        return None, None
    third = undealt.pop(0) if player <= 5 else None
    if third is None:
        draws = banker <= 5
    elif banker <= 2:
        draws = True
    elif banker == 3:
        draws = third != 8
    elif banker == 4:
        draws = third in (2, 3, 4, 5, 6, 7)
    elif banker == 5:
        draws = third in (4, 5, 6, 7)
    elif banker == 6:
        draws = third in (6, 7)
    else:
        draws = False
    return third, undealt.pop(0) if draws else None


def play_cards(cards: Sequence[str]) -> Round:
    """One round of cards such as "8H" or "8" as every column that users may rely on."""
    values = tuple(VALUES[card.rstrip("SHDC")] for card in cards)
    third, last = play(values)
    places = ["p1", "b1", "p2", "b2"] + ["p3"] * (third is not None) + ["b3"] * (last is not None)
    row: Round = {"p3": None, "b3": None}
    for place, card, value in zip(places, cards, values, strict=False):
        rank = card.rstrip("SHDC")
        suit = card[len(rank) :]
        row |= {place: value, f"{place}_rank": rank, f"{place}_suit": suit}
        row[f"{place}_colour"] = "red" if suit in ("H", "D") else "black"
    row["player_two"] = (row["p1"] + row["p2"]) % 10
    row["banker_two"] = (row["b1"] + row["b2"]) % 10
    row["player_total"] = (row["player_two"] + (third or 0)) % 10
    row["banker_total"] = (row["banker_two"] + (last or 0)) % 10
    row["player_cards"] = 2 if third is None else 3
    row["banker_cards"] = 2 if last is None else 3
    row["natural"] = row["player_two"] > 7 or row["banker_two"] > 7
    lead = row["player_total"] - row["banker_total"]
    row["outcome"] = "tie" if lead == 0 else "player" if lead > 0 else "banker"
    return row


def deals(cards: Iterable[str]) -> Counter[tuple[str, ...]]:
    """Every ordered deal of six from a handful of cards, with how often it comes (cards may be alike)."""
    return Counter(permutations(cards, 6))


def count(
    cards: Iterable[str], key: Callable[[Round], Any], keep: Callable[[Round], bool] = lambda _: True
) -> Counter[Any]:
    """Deals by what ``key`` says of the round, among those that ``keep`` holds for."""
    found: Counter[Any] = Counter()
    for deal, ways in deals(cards).items():
        row = play_cards(deal)
        if keep(row):
            found[key(row)] += ways
    return found
