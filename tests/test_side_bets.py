"""Every side bet against a plain Python reading of its pay table over all deals of tiny shoes; printed edges."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from fractions import Fraction

import pytest
from click.testing import CliRunner

from exact.cli import main
from exact.errors import InputError
from exact.games import load
from exact.published.figures import Figure, Printed
from exact.result import compute
from exact.shoe import Shoe
from tests.punto_banco import Round, count

GAME = load("baccarat")
Net = Callable[[Round], Fraction | int | None]  # to 1; None where the stake is lost
LOST = Fraction(-1)


def pair(side: str, row: Round) -> bool:
    return bool(row[f"{side}1_rank"] == row[f"{side}2_rank"])


def perfect(side: str, row: Round) -> bool:
    return pair(side, row) and bool(row[f"{side}1_suit"] == row[f"{side}2_suit"])


def dragon(side: str, row: Round) -> int | None:
    other = {"player": "banker", "banker": "player"}[side]
    lead = row[f"{side}_total"] - row[f"{other}_total"]
    if row["natural"]:
        return 1 if lead > 0 else 0 if lead == 0 else None
    return {4: 1, 5: 2, 6: 4, 7: 6, 8: 10, 9: 30}.get(lead)


def banker_but(row: Round, pays: dict[bool, Fraction | int], special: bool) -> Fraction | int | None:
    return {"tie": 0, "player": None}.get(row["outcome"], pays[special] if row["outcome"] == "banker" else None)


def wins(side: str, total: int, cards: int | None, row: Round) -> bool:
    return row["outcome"] == side and row[f"{side}_total"] == total and cards in (None, row[f"{side}_cards"])


def sides(row: Round) -> set[tuple[int, int]]:
    """Total and number of cards of both sides."""
    return {(row["player_total"], row["player_cards"]), (row["banker_total"], row["banker_cards"])}


def tie_from(first: int, last: int, odds: int) -> Net:
    return lambda row: odds if row["outcome"] == "tie" and first <= row["player_total"] <= last else None


def six(three_cards: int) -> Net:
    return lambda row: 12 if wins("banker", 6, 2, row) else three_cards if wins("banker", 6, 3, row) else None


def both(a: int, b: int, cards: int) -> Callable[[Round], bool]:
    return lambda row: sides(row) == {(a, cards), (b, cards)}


def tiger_pair(row: Round) -> int | None:
    pairs = pair("p", row) + pair("b", row)
    return [None, 4, 100 if row["p1_rank"] == row["b1_rank"] else 20][pairs]


def kill(row: Round) -> bool:
    ox = (row["player_total"], row["player_cards"]) == (6, 3) and row["outcome"] != "player"
    tiger = (row["banker_total"], row["banker_cards"]) == (7, 3) and row["outcome"] != "banker"
    return ox or tiger


def cards(row: Round) -> int:
    return int(row["player_cards"] + row["banker_cards"])


def pays(odds: Fraction | int, holds: Callable[[Round], bool]) -> Net:
    return lambda row: odds if holds(row) else None


HALF = Fraction(1, 2)
NETS: dict[str, Net] = {
    "player": lambda row: {"player": 1, "tie": 0}.get(row["outcome"]),
    "banker": lambda row: {"banker": Fraction(19, 20), "tie": 0}.get(row["outcome"]),
    "tie": pays(8, lambda row: row["outcome"] == "tie"),
    "player-pair": pays(11, lambda row: pair("p", row)),
    "banker-pair": pays(11, lambda row: pair("b", row)),
    "either-pair": pays(5, lambda row: pair("p", row) or pair("b", row)),
    "perfect-player-pair": pays(25, lambda row: perfect("p", row)),
    "perfect-banker-pair": pays(25, lambda row: perfect("b", row)),
    "perfect-pair": pays(25, lambda row: perfect("p", row) or perfect("b", row)),
    "perfect-pair-26": pays(26, lambda row: perfect("p", row) or perfect("b", row)),
    "perfect-pairs": lambda row: [None, 25, 250][perfect("p", row) + perfect("b", row)],
    "tiger-pair": tiger_pair,
    "dragon-bonus-player": lambda row: dragon("player", row),
    "dragon-bonus-banker": lambda row: dragon("banker", row),
    "ez-banker": lambda row: banker_but(row, {True: 0, False: 1}, wins("banker", 7, 3, row)),
    "no-commission-banker": lambda row: banker_but(row, {True: HALF, False: 1}, wins("banker", 6, None, row)),
    "dragon-7": pays(40, lambda row: wins("banker", 7, 3, row)),
    "panda-8": pays(25, lambda row: wins("player", 8, 3, row)),
    "super-6": pays(12, lambda row: wins("banker", 6, None, row)),
    "lucky-6": six(23),
    "lucky-7": lambda row: 6 if wins("player", 7, 2, row) else 15 if wins("player", 7, 3, row) else None,
    "tiger": six(20),
    "small-tiger": pays(22, lambda row: wins("banker", 6, 2, row)),
    "big-tiger": pays(50, lambda row: wins("banker", 6, 3, row)),
    "tiger-tie": tie_from(6, 6, 35),
    "tiger-tie-45": tie_from(6, 6, 45),
    "ox-6": pays(40, lambda row: wins("player", 6, 3, row)),
    "tiger-7": pays(40, lambda row: wins("banker", 7, 3, row)),
    "kill": pays(30, kill),
    "frog-8-6": pays(25, lambda row: {total for total, _ in sides(row)} == {6, 8}),
    "frog-9-7": pays(50, both(9, 7, 2)),
    "frog-9-1": pays(150, both(9, 1, 3)),
    "frog-three-9-7": pays(200, both(9, 7, 3)),
    "bad-beat": pays(50, both(9, 8, 2)),
    "both-8-or-9": pays(20, lambda row: {total for total, _ in sides(row)} <= {8, 9}),
    "3-giving-8": pays(200, lambda row: row["banker_two"] == 3 and row["p3"] == 8),
    "small": pays(Fraction(3, 2), lambda row: cards(row) == 4),
    "big": pays(Fraction(27, 50), lambda row: cards(row) in (5, 6)),
    "four-cards": pays(Fraction(3, 2), lambda row: cards(row) == 4),
    "five-cards": pays(2, lambda row: cards(row) == 5),
    "six-cards": pays(2, lambda row: cards(row) == 6),
    "natural-tie": pays(50, lambda row: row["natural"] and row["outcome"] == "tie"),
    "low-tie-max": tie_from(0, 5, 55),
    "high-tie-max": tie_from(6, 9, 10),
}
for total, odds in enumerate((150, 215, 225, 200, 120, 110, 45, 45, 80, 80)):
    NETS[f"egalite-{total}"] = tie_from(total, total, odds)
for first, last, odds in ((0, 0, 160), (1, 3, 70), (4, 5, 60), (6, 7, 22), (8, 9, 40)):
    NETS[f"egalite-{first}-to-{last}"] = tie_from(first, last, odds)
for n in range(1, 10):
    NETS[f"banker-half-on-{n}"] = lambda row, n=n: banker_but(  # type: ignore[misc]
        row, {True: HALF, False: 1}, wins("banker", n, None, row)
    )
for side in ("player", "banker"):
    for n in (8, 9):
        NETS[f"{side}-natural-{n}"] = lambda row, s=side, n=n: 9 if row[f"{s}_two"] == n else None  # type: ignore[misc]
TOTALS = {"player": "8 10.5 10.5 10.5 9.5 9.5 5.5 5.5 5.5 5.5", "banker": "- - - 10.5 7.5 7.5 5.5 5.5 5.5 5.5"}
for side, texts in TOTALS.items():
    for n, text in enumerate(texts.split()):
        if text != "-":
            odds_ = Fraction(text)
            NETS[f"{side}-total-{n}"] = lambda row, s=side, n=n, o=odds_: o if row[f"{s}_total"] == n else None  # type: ignore[misc]

SHOES = {
    "pairs of suits": "8S 8S 8H KD KD 3C 3C",
    "six draws": "AS AH 4D AC 3S 5H KD",
    "naturals": "8S 9H KD KC 4S 5H AD",
    "ties and sevens": "2S 4S 3H 4D KC KS 9H",
    "nine and eight third": "7S 2H KD QC 8S AH 6D",
    "four alike": "7S 7S 7S 7H 7H AD 6C",
}


def test_every_wager_is_read_twice() -> None:
    assert {wager.name for wager in GAME.wagers} == NETS.keys()


@pytest.mark.parametrize("text", SHOES.values(), ids=SHOES)
def test_every_wager_pays_what_its_table_says_in_every_deal(text: str) -> None:
    deals = count(text.split(), lambda row: tuple(net(row) for net in NETS.values()))
    expected: dict[str, Counter[Fraction]] = {name: Counter() for name in NETS}
    for nets, number in deals.items():
        for name, net in zip(NETS, nets, strict=True):
            expected[name][LOST if net is None else Fraction(net)] += number
    found = compute(GAME, Shoe.of(Counter(text.split())), GAME.wagers).all
    for wager in found.wagers:
        ways: Counter[Fraction] = Counter({LOST: wager.lost})
        for line in wager.lines:
            ways[line.odds] += line.ways
        assert +ways == +expected[wager.name], wager.name


@pytest.mark.parametrize(
    ("name", "edge"),
    {
        "big-tiger": "15.253%", "3-giving-8": "8.682%", "both-8-or-9": "7.372%", "kill": "13.7559%",
        "ox-6": "10.3376%", "frog-8-6": "21.79%", "frog-9-7": "8.10%", "frog-9-1": "13.87%", "frog-three-9-7": "11.89%",
        "tiger-pair": "16.1217%", "dragon-bonus-player": "2.6517%", "lucky-7": "18.2961%", "perfect-pairs": "6.62%",
    }.items(),
)  # fmt: skip
def test_printed_edges_of_eight_decks(name: str, edge: str) -> None:
    priced = compute(GAME, Shoe.decks(8), [GAME.wager(name)]).all.wager(name)
    assert Printed.parse(edge).is_of(Figure(priced.edge))


def test_classes_of_tiger_pair_do_not_overlap() -> None:
    figures = compute(GAME, Shoe.decks(8), [GAME.wager("tiger-pair"), GAME.wager("either-pair")]).all
    hits = figures.wager("tiger-pair").hit_frequency
    assert hits == figures.wager("either-pair").hit_frequency
    assert Printed.parse("0.143816872").is_of(Figure(hits))
    assert not Printed.parse("0.143819831").is_of(Figure(hits))  # overlapping classes, as one program printed it


def test_side_bets_are_priced_only_when_asked_for() -> None:
    usual = [wager.name for wager in compute(GAME, Shoe.decks(8)).all.wagers]
    assert usual == ["player", "banker", "tie", "player-pair", "banker-pair"]
    asked = CliRunner().invoke(main, ["compute", "--decks", "1", "--wagers", "all", "--format", "json"])
    assert {wager["wager"] for wager in json.loads(asked.output)["wagers"]} == NETS.keys()


def test_a_perfect_pair_needs_suits() -> None:
    with pytest.raises(InputError, match="this shoe knows ranks only"):
        compute(GAME, Shoe.decks(8).remove("8"), [GAME.wager("perfect-pair")])


def test_the_list_of_wagers_names_odds_and_sources() -> None:
    shown = CliRunner().invoke(main, ["wagers", "--format", "csv"])
    assert shown.exit_code == 0
    (dragon,) = (line for line in shown.output.splitlines() if line.startswith("wagers,dragon-7,"))
    assert dragon.startswith(
        "wagers,dragon-7,banker_wins AND banker_total = 7 AND banker_cards = 3,40/1,40.0,when asked,"
        '"Dragon 7, Fortune 7: the Banker wins with a three-card 7",woo-ez,,baccarat,'
    )
    assert 'natural-tie,natural AND tied,50/1,50.0,"when asked, odds assumed"' in shown.output
    assert 'woo-ez,"user-casino.com/games/ez-baccarat: EZ Baccarat' in shown.output


def test_wagers_of_an_unknown_game_are_refused() -> None:
    shown = CliRunner().invoke(main, ["wagers", "bacarat"])
    assert (shown.exit_code, shown.stdout) == (2, "")
    assert "did you mean 'baccarat'?" in shown.stderr
