"""Punto banco as others wrote it: one right engine, and one with each kind of fault that was seen in public code.

Each takes the six cards of a round in dealing order, by rank, and returns the hands and the outcome. Nothing here uses
``exact``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

VALUES = {"A": 1, **{str(n): n for n in range(2, 10)}, "10": 0, "J": 0, "Q": 0, "K": 0}
Engine = Callable[[Sequence[str]], dict[str, Any]]
Rule = Callable[
    [int, int | None, int], bool
]  # Banker's two-card total, value of the Player's third card, Player's total


def total(hand: Sequence[str]) -> int:
    return sum(VALUES[card] for card in hand) % 10


def tableau(banker: int, third: int | None, player: int) -> bool:
    if third is None:
        return banker <= 5
    if banker == 3:
        return third != 8
    if banker in (4, 5, 6):
        return {4: 2, 5: 4, 6: 6}[banker] <= third <= 7
    return banker <= 2


def answer(player: list[str], banker: list[str]) -> dict[str, Any]:
    p, b = total(player), total(banker)
    return {"player": player, "banker": banker, "outcome": "player" if p > b else "banker" if b > p else "tie"}


def engine(banker_draws: Rule = tableau, player_draws: Callable[[int], bool] = lambda p: p <= 5) -> Engine:
    """An engine that deals rightly, with the drawing rules given."""

    def play(cards: Sequence[str]) -> dict[str, Any]:
        player, banker, rest = [cards[0], cards[2]], [cards[1], cards[3]], list(cards[4:])
        if max(total(player), total(banker)) < 8:
            third = None
            if player_draws(total(player)):
                player.append(rest.pop(0))
                third = VALUES[player[2]]
            if banker_draws(total(banker), third, total(player)):
                banker.append(rest.pop(0))
        return answer(player, banker)

    return play


right = engine()


def ten_is_ten(cards: Sequence[str]) -> dict[str, Any]:
    """A ten-value third card is compared as 10, which no row of the table foresees."""

    def rule(banker: int, third: int | None, player: int) -> bool:
        return tableau(banker, third, player) if third != 0 else banker != 7

    return engine(rule)(cards)


def players_total(cards: Sequence[str]) -> dict[str, Any]:
    """The table is read with the Player's total, not with the third card."""
    return engine(lambda b, third, p: tableau(b, None if third is None else p, p))(cards)


def always_true(cards: Sequence[str]) -> dict[str, Any]:
    """``total >= 4 or total <= 7``."""
    return engine(
        lambda b, third, p: (b == 5 and third is not None and (third >= 4 or third <= 7)) or tableau(b, third, p)
    )(cards)


def retested_natural(cards: Sequence[str]) -> dict[str, Any]:
    """A Player's 8 or 9 reached with a third card stops the Banker."""
    return engine(lambda b, third, p: tableau(b, third, p) and not (third is not None and p >= 8))(cards)


def falls_through(cards: Sequence[str]) -> dict[str, Any]:
    """After the table says stand, "0 to 5 draws" is asked."""
    return engine(lambda b, third, p: tableau(b, third, p) or b <= 5)(cards)


def copied_row(cards: Sequence[str]) -> dict[str, Any]:
    """The row of 5 is the row of 6."""
    return engine(lambda b, third, p: tableau(6 if b == 5 and third is not None else b, third, p))(cards)


def half_open(cards: Sequence[str]) -> dict[str, Any]:
    """``range(4, 7)`` for 4 to 7, ``range(0, 5)`` for 0 to 5: the last value of each range is missed."""

    def rule(banker: int, third: int | None, player: int) -> bool:
        if third is None:
            return banker in range(5)
        if banker in (4, 5, 6):
            return third in range({4: 2, 5: 4, 6: 6}[banker], 7)
        return tableau(banker, third, player)

    return engine(rule, lambda p: p in range(5))(cards)


def draws_twice(cards: Sequence[str]) -> dict[str, Any]:
    """The Banker draws a second card when the Player stands."""
    made = right(cards)
    if len(made["player"]) == 2 and len(made["banker"]) == 3:
        return answer(made["player"], [*made["banker"], cards[5]])
    return made


def sixth_place(cards: Sequence[str]) -> dict[str, Any]:
    """The Banker's third card always comes from the sixth place."""
    made = right(cards)
    if len(made["banker"]) == 3:
        return answer(made["player"], [*made["banker"][:2], cards[5]])
    return made


FAULTY: dict[str, Engine] = {
    f.__name__: f
    for f in (
        ten_is_ten,
        players_total,
        always_true,
        retested_natural,
        falls_through,
        copied_row,
        half_open,
        draws_twice,
        sixth_place,
    )
}


def settles(cards: Sequence[str], bets: dict[str, int]) -> dict[str, Any]:
    """A right engine that settles, too: what comes back with the stake."""
    made = right(cards)
    outcome = made["outcome"]
    pair = {"player-pair": cards[0] == cards[2], "banker-pair": cards[1] == cards[3]}
    pays = {}
    for wager, stake in bets.items():
        if wager in pair:
            pays[wager] = stake * 12 if pair[wager] else 0
        elif outcome == wager:
            pays[wager] = stake * {"player": 2, "banker": 1.95, "tie": 9}[wager]
        else:
            pays[wager] = stake if outcome == "tie" else 0
    return made | {"pays": pays}


settles.capabilities = {"bets": True}  # type: ignore[attr-defined]


def pair_only_at_two_cards(cards: Sequence[str], bets: dict[str, int]) -> dict[str, Any]:
    """A pair is credited only if the hand stays at two cards."""
    made = settles(cards, bets)
    if len(made["player"]) == 3 and "player-pair" in bets:
        made["pays"]["player-pair"] = 0
    return made


pair_only_at_two_cards.capabilities = {"bets": True}  # type: ignore[attr-defined]


def whole_units(cards: Sequence[str], bets: dict[str, int]) -> dict[str, Any]:
    """Commission cut to whole units."""
    made = settles(cards, bets)
    made["pays"] = {wager: int(paid) for wager, paid in made["pays"].items()}
    return made


whole_units.capabilities = {"bets": True}  # type: ignore[attr-defined]


def dragon_bonus(cards: Sequence[str], bets: dict[str, int]) -> dict[str, Any]:
    """The Dragon Bonus on the Player: a natural pays 1, a natural tie pushes, else the margin pays from 4 on."""
    made = right(cards)
    player, banker = total(made["player"]), total(made["banker"])
    natural = len(made["player"]) == len(made["banker"]) == 2 and max(player, banker) >= 8
    margin = {4: 1, 5: 2, 6: 4, 7: 6, 8: 10, 9: 30}.get(player - banker)
    if natural:
        margin = 1 if player > banker else 0 if player == banker else None
    return made | {"pays": {wager: 0 if margin is None else stake * (1 + margin) for wager, stake in bets.items()}}


dragon_bonus.capabilities = {"bets": ["dragon-bonus-player"]}  # type: ignore[attr-defined]


def natural_tie_loses(cards: Sequence[str], bets: dict[str, int]) -> dict[str, Any]:
    """A natural tie is not told apart from other ties, on which the Dragon Bonus loses."""
    made = dragon_bonus(cards, bets)
    return made | {"pays": dict.fromkeys(bets, 0)} if made["outcome"] == "tie" else made


natural_tie_loses.capabilities = dragon_bonus.capabilities  # type: ignore[attr-defined]
