"""The slow twin of multi-colour baccarat: one round played by plain ifs, and every deal of a tiny shoe one by one.

Written from the rule page for the tests only; it shares no code, table or data with the package.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import permutations

DEFAULTS = {
    "ten_eleven": "face", "equal_two": "tie", "gap_eleven": "draw", "negative_round": "literal",
    "banker_ahead": "draw", "no_change": "tie-counts",
}  # fmt: skip


Ended = tuple[int, int, int | None, int | None, str]


def score(total: int) -> int:
    """The last digit of what is not negative; a negative sum in full."""
    return total % 10 if total >= 0 else total


def beats(a: int, b: int) -> bool:
    if a < 0 and b < 0:
        return abs(a) > abs(b)
    if a < 0 or b < 0:
        return a < 0
    return a > b


@cache
def settle(sums: tuple[int, int], white: bool, further: tuple[int, int], rules: tuple[str, ...]) -> Ended:
    """A round from the sums of both hands of two, whether a white card lies in them, and the next two cards."""
    equal_two, gap_eleven, negative_round, banker_ahead, no_change = rules
    player, banker = score(sums[0]), score(sums[1])
    deck = list(further)
    third = last = None

    def ended() -> Ended:
        word = "player" if beats(player, banker) else "banker" if beats(banker, player) else "tie"
        return player, banker, third, last, word

    if player == banker and (player < 0 or equal_two == "tie" or (equal_two == "tie-if-white" and white)):
        return ended()
    if player >= 0 and banker >= 0:
        if player >= 8 or banker >= 8:
            return ended()
        if player <= 5:
            third = deck.pop(0)
            player = score(player + third)
        if banker <= 5:
            gap = banker - player
            beyond = gap > 11 or (gap == 11 and (gap_eleven == "stand" or no_change == "win-only"))
            ahead = banker_ahead == "stand" and beats(banker, player)
            if third is None or not ((player < 0 and beyond) or ahead):
                last = deck.pop(0)
                banker = score(banker + last)
        return ended()
    gap = abs(player - banker)
    if gap > 11 or (gap == 11 and gap_eleven == "stand"):
        return ended()
    low = banker if beats(player, banker) else player
    if (negative_round == "natural" and low in (8, 9)) or (negative_round == "points" and low in (6, 7, 8, 9)):
        return ended()
    if beats(player, banker):
        last = deck.pop(0)
        banker = score(banker + last)
        return ended()
    third = deck.pop(0)
    player = score(player + third)
    if beats(player, banker):
        last = deck.pop(0)
        banker = score(banker + last)
    return ended()


def play(cards: Sequence[int], **options: str) -> Ended:
    """Final scores, third cards (None: not drawn) and the outcome of six cards in dealing order."""
    ten_eleven, *rules = (DEFAULTS | options).values()
    worth = [{10: 0, 11: 1}.get(card, card) if ten_eleven == "mod" else card for card in cards]
    sums = worth[0] + worth[2], worth[1] + worth[3]
    return settle(sums, min(worth[:4]) < 0, (worth[4], worth[5]), tuple(rules))


def count(cards: Iterable[int], options: Mapping[str, str]) -> Counter[tuple[object, ...]]:
    """Ordered deals of six from a handful of cards by what happens in them."""
    found: Counter[tuple[object, ...]] = Counter()
    for deal, ways in Counter(permutations(cards, 6)).items():
        found[play(deal, **options)] += ways
    return found
