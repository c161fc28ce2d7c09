"""Insurance baccarat: the 88 cells to their last digit, published pay tables, the slow twin, and the best bettor."""

from __future__ import annotations

import csv
from collections import Counter, defaultdict
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from exact.errors import InputError
from exact.games import load
from exact.offers import Bettor, Offers, State, count, offered_wagers, offers
from exact.result import Result, compute
from exact.shoe import Shoe
from tests.games import insurance as twin

CELLS = list(
    csv.DictReader((Path(__file__).parents[2] / "data/insurance/cells.csv").read_text(encoding="utf-8").splitlines())
)
EIGHT = Shoe.decks(8)


@cache
def rules(**options: str) -> Offers:
    return offers(load("insurance-baccarat", options), EIGHT)


@cache
def computed(**options: str) -> Result:
    return compute(load("insurance-baccarat", options), EIGHT)


def cell(found: Offers, row: str, player: int, banker: int) -> State:
    return next(
        state
        for state in found.states
        if state.wager.name == row and state.seen == {"player_shown": player, "banker_shown": banker}
    )


def digits(value: Fraction | None) -> str:
    """An exact value as the data prints it: eight decimals, nothing where there is none."""
    return "" if value is None else f"{float(round(value, 8)):.8f}"


@pytest.mark.parametrize("printed", CELLS, ids=lambda c: f"{c['row_id']}-{c['player_total']}-{c['banker_total']}")
def test_cell_to_its_last_digit(printed: dict[str, str]) -> None:
    place = printed["row_id"], int(printed["player_total"]), int(printed["banker_total"])
    pushed, lost = cell(rules(), *place), cell(rules(insurance_tie="lose"), *place)
    assert pushed.live is (printed["live"] == "yes")
    assert [digits(pushed.outcome(name)) for name in ("player", "banker", "tie")] == [
        printed[f"prob_{name}"] for name in ("player_win", "banker_win", "tie")
    ]
    assert digits(pushed.expectation) == printed["ev_tie_push"]
    assert digits(lost.expectation) == printed["ev_tie_lose"]
    assert pushed.offer.on == printed["insured_side"]
    assert pushed.wager.pays[0].odds == Fraction(printed["payout_to_1"])
    assert pushed.wager.pays[0].when_text == f"outcome = '{printed['insurance_wins_on'].lower()}'"


def test_88_cells_of_which_one_is_dead() -> None:
    dead = [(state.wager.name, *state.seen.values()) for state in rules().states if not state.live]
    assert len(rules().states) == len(CELLS) == 88
    assert dead == [("BI-04", 6, 7)]


def test_third_cards_that_lead_to_each_cell() -> None:
    """The column of the data that lists the reachable (third card, two-card score) pairs."""
    columns = ("player_total", "banker_two", "p3", "player_two")
    condition = "p3 IS NOT NULL AND banker_will_draw"
    groups = compute(load("insurance-baccarat"), EIGHT, [], condition, by=columns).by
    pairs = defaultdict[tuple[object, object], set[str]](set)
    for group in groups:
        player, banker, third, two = (group.key[name] for name in columns)
        pairs[player, banker].add(f"t{third}/p{two}")
    printed = [c for c in CELLS if c["player_cards"] == "3"]
    assert len(printed) == 53
    for row in printed:
        listed = row["reachable_third_card_t_and_player_two_card_p"].split()
        assert set(listed) == pairs[int(row["player_total"]), int(row["banker_total"])]


def test_rows_add_up_to_their_cells() -> None:
    for wager in computed().all.wagers:
        cells = [state for state in rules().states if state.wager.name == wager.name]
        if cells:
            assert wager.total == sum(state.ways for state in cells)
            assert wager.expectation * wager.total == sum(state.net for state in cells)


def test_main_bets_are_those_of_punto_banco() -> None:
    for name in ("player", "banker", "tie", "player-pair"):
        assert computed().all.wager(name) == compute(load("baccarat"), EIGHT).all.wager(name)


def test_no_offer_before_its_cards_are_known() -> None:
    """The condition of an offer reads only what is dealt by then; that the Banker draws later is part of the rules."""
    game = load("insurance-baccarat")
    third = compute(game, EIGHT, [], "p3 IS NOT NULL AND banker_will_draw").all.ways
    assert third == compute(game, EIGHT, [], "p3 IS NOT NULL AND b3 IS NOT NULL").all.ways
    four = compute(game, EIGHT, [], "card_to_come").all.ways
    assert (
        four == compute(game, EIGHT, [], "p3 IS NOT NULL OR b3 IS NOT NULL OR player_two <= 5 AND NOT natural").all.ways
    )


# -- the best bettor


GAINS = {  # section 6 of the rules worked out from page 003: 8 decks, tie pushed
    ("totals", "main", "false"): ("0.00141645", "0.00137032"),
    ("totals", "payout", "false"): ("0.00047545", "0.00086967"),
    ("cards", "main", "false"): ("0.00145013", "0.00159446"),
    ("cards", "main", "true"): ("0.00144583", "0.00159446"),
}


def gains(found: Offers) -> dict[str, Fraction]:
    return {bettor.on: bettor.gain for bettor in found.bettors}


@pytest.mark.parametrize("line", GAINS, ids="-".join)
def test_the_best_insurer(line: tuple[str, str, str]) -> None:
    information, stake, once = line
    game = load("insurance-baccarat", {"insurance_stake": stake, "insurance_once": once})
    found = gains(offers(game, EIGHT, information))
    assert (digits(found["banker"]), digits(found["player"])) == GAINS[line]


def test_the_best_insurer_as_a_fraction() -> None:
    assert gains(rules(insurance_stake="main"))["banker"] == Fraction(27656228864, 19524993263685)


def test_favourable_cells() -> None:
    """17 of 87 with a tie pushed, the best Player 5 v Banker 6; none with a tie lost, the best -0.44 %."""
    pushed, lost = rules().states, rules(insurance_tie="lose").states
    assert sum(state.favourable for state in pushed) == 17
    assert max(state.expectation for state in pushed if state.expectation) == cell(rules(), "BI-03", 5, 6).expectation
    assert not any(state.favourable for state in lost)
    assert digits(max(state.expectation for state in lost if state.expectation))[:8] == "-0.00436"
    assert gains(rules(insurance_tie="lose")) == {"banker": 0, "player": 0}


def test_cards_seen_make_some_offers_favourable_with_a_tie_lost() -> None:
    found = offers(load("insurance-baccarat", {"insurance_tie": "lose"}), EIGHT, "cards")
    best = max(found.states, key=lambda state: state.expectation or Fraction(-1))
    assert round(best.expectation or 0, 5) == Fraction("0.00536")
    assert gains(found)["banker"] > 0


def test_more_information_never_gains_less() -> None:
    for options in ({"insurance_stake": "main"}, {"insurance_once": "true"}):
        game, few = (
            load("insurance-baccarat", options),
            Shoe.of({"K": 6, "3": 3, "4": 4, "5": 3, "6": 3}),
        )
        totals, cards = gains(offers(game, few)), gains(offers(game, few, "cards"))
        assert all(totals[on] <= cards[on] for on in totals)


# -- brute force


TINY = {
    "both moments": "K 2 3 A 4 A 9",
    "player leads": "3 A K 6 2 4 5",
    "banker leads": "2 4 K 3 3 A 6 K",
    "nines": "9 K K A 4 4 A",
    "waiting": "K 7 6 K 4 3 5 6",
}


def shoe(name: str) -> Shoe:
    return Shoe.of(Counter(TINY[name].split()))


@pytest.mark.parametrize("name", TINY)
@pytest.mark.parametrize("tie", ["push", "lose"])
def test_tiny_shoes_equal_brute_force(name: str, tie: str) -> None:
    game = load("insurance-baccarat", {"insurance_tie": tie})
    _, states = count(game, shoe(name), offered_wagers(game))
    made, net = twin.count(TINY[name].split(), tie)
    live = {(s.wager.name, s.seen["player_shown"], s.seen["banker_shown"]): s for s in states if s.live}
    assert {place: state.ways for place, state in live.items()} == made
    assert {place: state.net for place, state in live.items() if state.net} == {k: v for k, v in net.items() if v}


def test_what_is_offered_after_every_five_card_prefix_equals_the_twin() -> None:
    """All 100,000 prefixes of five values; the sixth card, which no offer waits for, is taken at its extremes."""
    states = offers(load("insurance-baccarat"), EIGHT, "cards").states
    ours = {(state.wager.name, tuple(state.seen.values())) for state in states}
    theirs = set()
    card = {0: "K", 1: "A"} | {value: str(value) for value in range(2, 10)}
    for values in product(range(10), repeat=5):
        cards = tuple(card[value] for value in values)
        for last in ("K", "9"):
            for name, *_ in twin.offered((*cards, last)):
                theirs.add((name, values[: 4 if name in twin.AFTER_FOUR else 5]))
    assert ours == theirs


@pytest.mark.parametrize("name", TINY)
@pytest.mark.parametrize("once", ["false", "true"])
@pytest.mark.parametrize("stake", ["payout", "main"])
def test_the_best_insurer_who_sees_the_cards_equals_brute_force(name: str, once: str, stake: str) -> None:
    game = load("insurance-baccarat", {"insurance_stake": stake, "insurance_once": once})
    found = gains(offers(game, shoe(name), "cards"))
    for side in ("banker", "player"):
        assert found[side] == twin.best_gain(TINY[name].split(), "push", side, stake, once == "true")


def test_one_offer_a_round_is_sometimes_left_for_a_better_one() -> None:
    """The bettor who may insure once leaves a favourable offer where the next one is worth more, and gains less."""
    free, once = (
        offers(
            load("insurance-baccarat", {"insurance_once": text, "insurance_stake": "main"}), shoe("waiting"), "cards"
        )
        for text in ("false", "true")
    )
    assert (gains(free)["banker"], gains(once)["banker"]) == (Fraction(101, 560), Fraction(23, 140))
    left = [state for state in once.states if state.favourable and not once.taken(state)]
    assert {state.wager.name for state in left} == {"BI-01"}
    assert all(free.taken(state) for state in free.states if state.favourable)


# -- pay tables


PAYTABLES = {  # rows that each published table holds, as far as it was seen
    "page": (18, 88),
    "truth-bet": (22, 79),
    "asia-gaming": (4, 18),
    "marina-bay-sands": (5, 19),
    "coin178": (11, 65),
}


@pytest.mark.parametrize("paytable", PAYTABLES)
def test_rows_and_cells_of_each_pay_table(paytable: str) -> None:
    found = rules(paytable=paytable)
    assert (len(offered_wagers(found.game)), len(found.states)) == PAYTABLES[paytable]
    assert [record.name for record in found.game.records if record.name in PAYTABLES] == [paytable]


@pytest.mark.parametrize("paytable", ["truth-bet", "asia-gaming", "marina-bay-sands", "coin178"])
def test_no_other_pay_table_sells_the_dead_cell(paytable: str) -> None:
    assert all(state.live for state in rules(paytable=paytable).states)


def test_a_hand_of_its_own_can_be_insured_at_truth_bet() -> None:
    """Before the other hand is shown: P(win) and expectation found independently, 8 decks."""
    found = computed(paytable="truth-bet").all
    for name, hits, mean in (
        ("BI-own-7", "0.285046", "-0.002564"),
        ("BI-own-8", "0.094938", "-0.146347"),
        ("BI-own-9", "0.094525", "-0.149279"),
        ("PI-own-7", "0.285046", "-0.002564"),
        ("PI-own-8", "0.094938", "-0.146347"),
        ("PI-own-9", "0.094525", "0.039770"),
    ):
        wager = found.wager(name)
        assert (round(wager.hit_frequency, 6), round(wager.expectation, 6)) == (Fraction(hits), Fraction(mean))


def test_rows_that_differ_between_pay_tables() -> None:
    assert rules(paytable="coin178").game.wager("PI-09").pays[0].odds == 9
    assert rules(paytable="marina-bay-sands").game.wager("PI-02").pays[0].odds == 2
    assert rules(paytable="page").game.wager("PI-09").pays[0].odds == 10


def test_a_stake_is_bounded_by_the_main_bet_or_by_what_it_pays() -> None:
    for wager in offered_wagers(load("insurance-baccarat")):
        assert wager.offer
        assert wager.offer.most * wager.pays[0].odds == 1
    for wager in offered_wagers(load("insurance-baccarat", {"insurance_stake": "main"})):
        assert wager.offer
        assert wager.offer.most == 1


# -- what is refused


def test_a_game_without_offers() -> None:
    with pytest.raises(InputError, match="baccarat offers no wager in the course of a round"):
        offers(load("baccarat"), EIGHT)


def test_an_unknown_kind_of_information() -> None:
    with pytest.raises(InputError, match="information is 'total'; did you mean 'totals'"):
        offers(load("insurance-baccarat"), EIGHT, "total")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ('offer.after = "four cards"', "says on = BET and after = STEP; known: deal, two-card"),
        ('offer.sees = "p1 p3"', "'p3' is not dealt by then; known: p1, b1, p2, b2"),
        ('offer.most = "0"', "must be a positive number of bets, not '0'"),
        ('offer.once = "2"', "must be true or false, not '2'"),
        ('offered = "b3 IS NULL"', "unknown column 'b3' here"),
        ('offer.shown = { total = { is = "banker_total" } }', "unknown column 'banker_total' here"),
        ('offer.shown = { total = { of = "banker_two" } }', "unknown key"),
    ],
)
def test_faults_of_an_offer(tmp_path: Path, change: str, message: str) -> None:
    lines = ['name = "side"', 'offer.on = "player"', 'offer.after = "two-card scores"']
    key = change.partition(" ")[0]
    kept = [line for line in lines if not line.startswith(key)]
    text = "\n".join([*kept, change, "pays = [{ when = \"outcome = 'tie'\", odds = 1 }]"])
    file = tmp_path / "side.toml"
    file.write_text(f'extends = "baccarat"\n[[wager]]\n{text}\n')
    with pytest.raises(InputError, match="wager 'side'") as refused:
        load(str(file))
    assert message in str(refused.value)


def test_bettors_take_what_is_favourable() -> None:
    found = rules()
    assert {state.wager.name for state in found.states if found.taken(state)} == {
        state.wager.name for state in found.states if state.favourable
    }
    assert all(isinstance(bettor, Bettor) and bettor.gain >= 0 for bettor in found.bettors)
