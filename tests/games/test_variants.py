"""Rule files that extend another: Bahamian baccarat, the free choice of chemin de fer, and a game of a user's own."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations
from pathlib import Path

import pytest

from exact.errors import InputError
from exact.games import FOLDER, load
from exact.result import compute
from exact.shoe import Shoe
from tests.punto_banco import VALUES

EIGHT = Shoe.decks(8)


def test_edge_of_bahamian_baccarat() -> None:
    """Both sides play by one rule, so both bets are worth the same; the edge was found by an independent program."""
    found = compute(load("bahamian-baccarat"), EIGHT).all
    assert found.wager("player").edge == found.wager("banker").edge == Fraction(506109344072, 19524993263685)
    assert found.outcome("player").ways == found.outcome("banker").ways


def test_commission_is_an_option_of_bahamian_baccarat_too() -> None:
    free, taxed = (compute(load("bahamian-baccarat", {"commission": c}), EIGHT).all for c in ("0", "1/20"))
    assert taxed.wager("player") == free.wager("player")
    assert taxed.wager("banker").edge - free.wager("banker").edge == free.wager("banker").hit_frequency / 20


def bahamian(deal: tuple[str, ...]) -> tuple[str, int, int]:
    """Outcome and final scores by plain ifs."""
    cards = [VALUES[card] for card in deal]
    player, banker, deck = (cards[0] + cards[2]) % 10, (cards[1] + cards[3]) % 10, cards[4:]
    if max(player, banker) < 8:
        draws = player <= 5, banker <= 5
        player = (player + deck.pop(0)) % 10 if draws[0] else player
        banker = (banker + deck.pop(0)) % 10 if draws[1] else banker
    return ("player" if player > banker else "banker" if banker > player else "tie"), player, banker


@pytest.mark.parametrize("cards", ["A 2 3 4 5 6 K", "2 K 3 K 9 4 5", "7 6 5 5 K A 2", "K K 2 3 A A"])
def test_bahamian_baccarat_of_tiny_shoes_equals_brute_force(cards: str) -> None:
    found = compute(load("bahamian-baccarat"), Shoe.of(Counter(cards.split()))).all
    ended = Counter(bahamian(deal) for deal in permutations(cards.split(), 6))
    for side, other in (("player", "banker"), ("banker", "player")):
        at = 1 if side == "player" else 2
        won = sum(n for end, n in ended.items() if end[0] == side and end[at] not in (2, 3))
        lost = sum(n for end, n in ended.items() if end[0] == other)
        assert found.wager(side).expectation == Fraction(won - lost, ended.total())


def test_the_player_is_free_at_five() -> None:
    """Drawing on 5 is punto banco; standing on 5 was found by an enumeration of this program."""
    draws, stands = (compute(load("chemin-de-fer", {"player_five": text}), EIGHT).all for text in ("draw", "stand"))
    assert draws.outcomes == compute(load("baccarat"), EIGHT).all.outcomes
    assert stands.wager("player").edge == Fraction(2829012800, 185952316797)


def chemin_de_fer(deal: tuple[str, ...]) -> str:
    """The outcome by plain ifs, the Player standing on 5."""
    cards = [VALUES[card] for card in deal]
    player, banker, deck = (cards[0] + cards[2]) % 10, (cards[1] + cards[3]) % 10, cards[4:]
    if max(player, banker) < 8:
        third = deck.pop(0) if player <= 4 else None
        if third is None:
            draws = banker <= 5
        else:
            player = (player + third) % 10
            low = {3: range(8), 4: range(2, 8), 5: range(4, 8), 6: range(6, 8), 7: range(0)}
            draws = banker <= 2 or third in low[banker] or (banker == 3 and third == 9)
        banker = (banker + deck.pop(0)) % 10 if draws else banker
    return "player" if player > banker else "banker" if banker > player else "tie"


@pytest.mark.parametrize("cards", ["A 4 K 5 2 3 6", "5 K 5 K 2 7 3", "3 2 K 6 9 A 4"])
def test_standing_on_five_equals_brute_force(cards: str) -> None:
    game = load("chemin-de-fer", {"player_five": "stand"})
    found = compute(game, Shoe.of(Counter(cards.split()))).all
    assert {o.name: o.ways for o in found.outcomes if o.ways} == Counter(
        map(chemin_de_fer, permutations(cards.split(), 6))
    )


@pytest.mark.parametrize("name", ["bahamian-baccarat", "chemin-de-fer"])
def test_a_variant_says_only_what_differs(name: str) -> None:
    lines = (FOLDER / f"{name}.toml").read_text(encoding="utf-8").splitlines()
    assert len([line for line in lines if line and not line.startswith("#")]) < 40


# -- a game of a user's own: other names, other cards, another number of hands

OWN = """
title = "Seven and a half, for two"

[cards]
ranks = "1 2 3 4 5 6 7 S C R"
suits = "oros copas espadas bastos"

[attribute.halves]
rank = { 1 = 2, 2 = 4, 3 = 6, 4 = 8, 5 = 10, 6 = 12, 7 = 14, S = 1, C = 1, R = 1 }

[option.mesa_stands]
default = 10
least   = 2
most    = 15
meaning = "half points on which the table stands"
source  = "made up for this test"

[define]
"over(sum)" = "sum > 15"

[[step]]
name = "one each"
deal = "mano1 mesa1"

[[step]]
name = "mano takes a second"
draw = "mano2"
when = "mano1_halves < 8"

[[step]]
name = "mano takes a third"
draw = "mano3"
when = "mano2 IS NOT NULL AND mano1_halves + mano2_halves < 8"

[[step]]
name = "mano"
let.mano = "mano1_halves + COALESCE(mano2_halves, 0) + COALESCE(mano3_halves, 0)"

[[step]]
name = "mesa takes a second"
draw = "mesa2"
when = "NOT over(mano) AND mesa1_halves < mesa_stands"

[[step]]
name = "end"
let.mesa    = "mesa1_halves + COALESCE(mesa2_halves, 0)"
let.outcome = "CASE WHEN over(mano) THEN 'mesa' WHEN over(mesa) OR mano > mesa THEN 'mano' ELSE 'mesa' END"

[[wager]]
name = "mano"
pays = [{ when = "outcome = 'mano' AND mano = 15", odds = "2" }, { when = "outcome = 'mano'", odds = "1" }]

[[wager]]
name = "figures"
pays = [{ when = "mano1_rank IN ('S', 'C', 'R') AND mano1_suit = 'oros'", odds = "5/2" }]
"""
HALVES = {"S": 1, "C": 1, "R": 1} | {str(rank): 2 * rank for rank in range(1, 8)}


def own_round(deal: tuple[str, ...], stands: int) -> tuple[str, int]:
    deck = [HALVES[card] for card in deal]
    mano, mesa = [deck.pop(0)], [deck.pop(0)]
    for _ in range(2):
        if sum(mano) < 8:
            mano.append(deck.pop(0))
    if sum(mano) > 15:
        return "mesa", sum(mano)
    if mesa[0] < stands:
        mesa.append(deck.pop(0))
    return ("mano" if sum(mesa) > 15 or sum(mano) > sum(mesa) else "mesa"), sum(mano)


@pytest.fixture
def own(tmp_path: Path) -> str:
    file = tmp_path / "seven-and-a-half.toml"
    file.write_text(OWN.replace("mano2 IS NOT NULL", "mano2_halves IS NOT NULL"))
    return str(file)


def test_a_game_of_a_user_s_own(own: str) -> None:
    """40 cards of four Spanish suits, at most three cards a hand, names of its own: from a TOML file alone."""
    game = load(own)
    shoe = Shoe.decks(1, game.deck)
    assert (shoe.size, game.slots) == (40, ("mano1", "mesa1", "mano2", "mano3", "mesa2"))
    found = compute(game, shoe).all
    assert found.ways == 40 * 39 * 38 * 37 * 36
    assert found.wager("figures").hit_frequency == Fraction(3, 40)
    assert found.wager("figures").expectation == Fraction(3, 40) * Fraction(5, 2) - Fraction(37, 40)


@pytest.mark.parametrize("stands", [4, 10])
@pytest.mark.parametrize("cards", ["1 7 S 4 3 2 R", "S C R 7 7 1", "6 5 4 3 2 1 S"])
def test_a_game_of_a_user_s_own_equals_brute_force(own: str, cards: str, stands: int) -> None:
    game = load(own, {"mesa_stands": str(stands)})
    found = compute(game, Shoe.of(Counter(cards.split()), game.deck), [game.wager("mano")], by=("mano",))
    ended = Counter(own_round(deal, stands) for deal in permutations(cards.split(), 5))
    ours = {(o.name, int(str(g.key["mano"]))): o.ways for g in found.by for o in g.outcomes if o.ways}
    assert ours == ended
    net = sum(n * (-1 if who == "mesa" else 2 if points == 15 else 1) for (who, points), n in ended.items())
    assert found.all.wager("mano").expectation == Fraction(net, ended.total())


def test_a_users_game_is_refused_with_a_reason(own: str) -> None:
    with pytest.raises(
        InputError, match="option mesa_stands cannot be '16'; allowed: a whole number, at least 2 and at most 15"
    ):
        load(own, {"mesa_stands": "16"})


# -- wagers that exist under an option, and records chosen by one


EXTRA = """
extends = "baccarat"

[option.felt]
default = "old"
values  = ["old", "new"]
meaning = "which felt lies on the table"
source  = "made up for this test"

[records.old]
header = "score odds"
rows   = [["8", "5"], ["9", "6"]]

[records.new]
header = "score odds"
rows   = [["9", "7"]]

[[wager]]
each = "{felt}"
name = "player-{score}"
pays = [{ when = "player_total = {score}", odds = "{odds}" }]

[[wager]]
if   = "felt = 'new'"
name = "five"
pays = [{ when = "player_total = 5", odds = "8" }]
"""


@pytest.mark.parametrize(
    ("felt", "wagers"), [("old", {"player-8": 5, "player-9": 6}), ("new", {"player-9": 7, "five": 8})]
)
def test_an_option_chooses_records_and_wagers(tmp_path: Path, felt: str, wagers: dict[str, int]) -> None:
    file = tmp_path / "felt.toml"
    file.write_text(EXTRA)
    game = load(str(file), {"felt": felt})
    known = {wager.name for wager in load("baccarat").wagers}
    assert {w.name: w.pays[0].odds for w in game.wagers if w.name not in known} == wagers
    assert {record.name for record in game.records} & {"old", "new"} == {felt}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("if   = \"felt = 'new'\"", 'if   = "player_total = 3"', "must be true or false by the options alone"),
        ('each = "{felt}"', 'each = "{cloth}"', "no such records '{cloth}'"),
        ('name = "player-{score}"', 'name = "player-{total}"', "records 'old' have no column 'total'"),
    ],
)
def test_faults_of_records_and_conditions(tmp_path: Path, old: str, new: str, message: str) -> None:
    file = tmp_path / "felt.toml"
    file.write_text(EXTRA.replace(old, new))
    with pytest.raises(InputError) as refused:
        load(str(file))
    assert message in str(refused.value)
