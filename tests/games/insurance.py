"""The slow twin of insurance baccarat: which insurances one round offers, and what they pay, by plain ifs.

Written from page 003 for the tests only; rows are copied from the page by hand and share no data with the package.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import permutations

from tests.punto_banco import Round, play_cards

Offered = tuple[str, int, int, Fraction]  # row, Player and Banker shown, net result of a unit staked


def offered(cards: tuple[str, ...], tie: str = "push") -> Iterator[Offered]:
    """Every insurance that a round of six cards in dealing order offers."""
    row = play_cards(cards)
    player, banker = row["player_two"], row["banker_two"]
    if not row["natural"] and (player <= 5 or banker <= 5):
        if banker == 4 and player <= 3:
            yield settle("BI-01", player, banker, row, tie, "player", Fraction(3, 2))
        if banker == 5 and player <= 4:
            yield settle("BI-02", player, banker, row, tie, "player", Fraction(2))
        if banker == 6 and player <= 5:
            yield settle("BI-03", player, banker, row, tie, "player", Fraction(3))
        if banker == 7 and player <= 6:
            yield settle("BI-04", player, banker, row, tie, "player", Fraction(4))
        if player == 5 and banker == 4:
            yield settle("PI-01", player, banker, row, tie, "banker", Fraction(2))
        if player == 6 and banker <= 5:
            yield settle("PI-02", player, banker, row, tie, "banker", Fraction(3))
        if player == 7 and banker <= 5:
            yield settle("PI-03", player, banker, row, tie, "banker", Fraction(4))
    if row["p3"] is None or row["b3"] is None:
        return
    player = row["player_total"]
    if player < banker:
        name, wins, pays = {
            0: ("BI-05", "tie", 8),
            1: ("BI-06", "player", 7),
            2: ("BI-07", "player", 4),
            3: ("BI-08", "player", 2),
            4: ("BI-09", "player", 2),
        }[player]
        yield settle(name, player, banker, row, tie, wins, Fraction(pays))
    elif player > banker and player >= 4:
        name, wins, odds = {
            4: ("PI-04", "banker", "3/2"),
            5: ("PI-05", "banker", "2"),
            6: ("PI-06", "banker", "3"),
            7: ("PI-07", "banker", "4"),
            8: ("PI-08", "banker", "8"),
            9: ("PI-09", "tie", "10"),
        }[player]
        yield settle(name, player, banker, row, tie, wins, Fraction(odds))


def settle(name: str, player: int, banker: int, row: Round, tie: str, wins: str, odds: Fraction) -> Offered:
    if row["outcome"] == wins:
        net = odds
    elif row["outcome"] == "tie" and tie == "push":
        net = Fraction(0)
    else:
        net = Fraction(-1)
    return name, player, banker, net


def count(cards: Iterable[str], tie: str) -> tuple[Counter[tuple[str, int, int]], Counter[tuple[str, int, int]]]:
    """Over every ordered deal of six of some cards: how often each cell is offered, and the sum of its net results."""
    made: Counter[tuple[str, int, int]] = Counter()
    net: Counter[tuple[str, int, int]] = Counter()
    for deal, ways in Counter(permutations(cards, 6)).items():
        for name, player, banker, result in offered(deal, tie):
            made[name, player, banker] += ways
            net[name, player, banker] += ways * result  # type: ignore[assignment]
    return made, net


ODDS = {
    "BI-01": "3/2", "BI-02": "2", "BI-03": "3", "BI-04": "4", "BI-05": "8", "BI-06": "7", "BI-07": "4", "BI-08": "2",
    "BI-09": "2", "PI-01": "2", "PI-02": "3", "PI-03": "4", "PI-04": "3/2", "PI-05": "2", "PI-06": "3", "PI-07": "4",
    "PI-08": "8", "PI-09": "10",
}  # fmt: skip
AFTER_FOUR = {"BI-01", "BI-02", "BI-03", "BI-04", "PI-01", "PI-02", "PI-03"}


def best_gain(cards: Iterable[str], tie: str, side: str, stake: str, once: bool) -> Fraction:
    """The most that a bettor on one side gains a round who sees every card, over every ordered deal of some cards.

    After each prefix of dealt cards that makes an offer he compares taking it with leaving it, the later offers first.
    """
    early, late, total = (
        defaultdict[tuple[str, ...], Fraction](Fraction),
        defaultdict[tuple[str, ...], Fraction](Fraction),
        0,
    )
    for deal, ways in Counter(permutations(cards, 6)).items():
        total += ways
        for name, _, _, net in offered(deal, tie):
            if name.startswith(side[0].upper()):
                most = Fraction(1) if stake == "main" else 1 / Fraction(ODDS[name])
                if name in AFTER_FOUR:
                    early[deal[:4]] += ways * most * net
                else:
                    late[deal[:5]] += ways * most * net
    worth = {seen: max(net, Fraction(0)) for seen, net in late.items()}
    if not once:
        return (sum(worth.values(), Fraction(0)) + sum(max(net, Fraction(0)) for net in early.values())) / total
    waiting = defaultdict[tuple[str, ...], Fraction](Fraction)
    for seen, net in worth.items():
        waiting[seen[:4]] += net
    return sum((max(early[seen], waiting[seen]) for seen in {*early, *waiting}), Fraction(0)) / total
