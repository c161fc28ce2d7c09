"""Results: published counts, closed forms, brute force, conditions and breakdowns, options, and what always holds."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import pairwise, product
from math import perm
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exact.errors import InputError
from exact.games import load
from exact.result import Result, compute
from exact.rulefile.game import Wager
from exact.rulefile.wagers import read_wagers
from exact.shoe import FRENCH, Shoe
from exact.wager import parse_inline
from tests.punto_banco import VALUES, Round, count, play

GAME = load("baccarat")
PUBLISHED = Path(__file__).parents[1] / "data" / "published" / "baccarat.csv"


def wagers(*texts: str) -> tuple[Wager, ...]:
    return read_wagers(GAME, [parse_inline(text) for text in texts], "--wager")


def ways(result: Result) -> dict[str, int]:
    return {outcome.name: outcome.ways for outcome in result.all.outcomes}


# What others counted.

EIGHT = {"player": 2230518282592256, "banker": 2292252566437888, "tie": 475627426473216}


def test_eight_decks() -> None:
    result = compute(GAME, Shoe.decks(8))
    assert ways(result) == EIGHT
    assert result.total == sum(EIGHT.values()) == perm(416, 6) == 4998398275503360


SUBJECTS = {"ways(TRUE)": "total"} | {f"ways(outcome = '{name}')": name for name in EIGHT}


def published_counts() -> Iterator[tuple[int, str, int]]:
    """Outcome counts that are printed whole; those that a spreadsheet cut after 15 digits are recorded as misprints."""
    with PUBLISHED.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            digits = row["printed"].replace(",", "")
            plain = not (row["remove"] or row["given"] or row["unit"])
            if row["quantity"] in SUBJECTS and plain and row["standing"] == "agrees":
                yield int(row["decks"]), SUBJECTS[row["quantity"]], int(digits)


@pytest.mark.parametrize("decks", [*range(1, 11), 12])  # of 11 decks no count is printed whole
def test_every_count_that_is_published_whole(decks: int) -> None:
    result = compute(GAME, Shoe.decks(decks), [])
    found = {**ways(result), "total": result.total}
    printed = [(name, number) for number_, name, number in published_counts() if number_ == decks]
    assert len(printed) >= 1
    assert [(name, found[name]) for name, _ in printed] == printed


def closed_form(d: int) -> int:
    """The Banker count of d decks as the rule notes give it."""
    return 9063399424 * d**6 - 2587207680 * d**5 + 273677824 * d**4 - 12871680 * d**3 + 234752 * d**2


@pytest.mark.parametrize("decks", [*range(1, 13), 27, 28, 29, 100, 1000])
def test_the_banker_count_is_the_closed_form(decks: int) -> None:
    """27 decks are the last that fit in 64 bits; from 28 on the multiset path counts."""
    result = compute(GAME, Shoe.decks(decks), [])
    assert result.all.outcome("banker").ways == closed_form(decks)
    assert result.total == perm(52 * decks, 6)


def test_infinite_decks_equal_the_sum_over_cards_with_replacement() -> None:
    weights = Counter(VALUES.values())
    hands: Counter[int] = Counter()
    for first, second in product(weights, repeat=2):
        hands[(first + second) % 10] += weights[first] * weights[second]
    expected: Counter[str] = Counter()
    for player, banker, fifth, sixth in product(range(10), repeat=4):
        third, last = play((player, banker, 0, 0, fifth, sixth))
        lead = (player + (third or 0)) % 10 - (banker + (last or 0)) % 10
        times = hands[player] * hands[banker] * weights[fifth] * weights[sixth]
        expected["tie" if not lead else "player" if lead > 0 else "banker"] += times
    result = compute(GAME, Shoe.decks("infinite"), [])
    assert {name: Fraction(n, 52**6) for name, n in ways(result).items()} == {
        name: Fraction(n, 13**6) for name, n in expected.items()
    }
    assert (
        sum(outcome.probability for outcome in result.all.outcomes) == 1
    )  # 1/13 typed with nine digits gave 0.99999994


# Brute force.

TINY = "2S 3H KS QH 8D 3D 2C 9S"
GIVEN: list[tuple[str, Callable[[Round], bool]]] = [
    ("player_two = 5", lambda row: row["player_two"] == 5),
    ("p3 IS NULL", lambda row: row["p3"] is None),
    ("p3 IS NOT NULL AND p3 = banker_two", lambda row: row["p3"] == row["banker_two"]),
    ("p1_rank = 'K' OR b1_suit = 'H'", lambda row: row["p1_rank"] == "K" or row["b1_suit"] == "H"),
    ("COALESCE(p3_rank, 'none') IN ('none', '8')", lambda row: row.get("p3_rank") in (None, "8")),
    ("NOT natural AND player_total > banker_total", lambda row: not row["natural"] and row["outcome"] == "player"),
    ("CASE WHEN b3 IS NULL THEN TRUE ELSE b3 > p1 END", lambda row: row["b3"] is None or row["b3"] > row["p1"]),
    ("p1_colour = p2_colour", lambda row: row["p1_colour"] == row["p2_colour"]),
]


@pytest.mark.parametrize(("text", "keep"), GIVEN, ids=[text for text, _ in GIVEN])
def test_a_condition_equals_brute_force(text: str, keep: Callable[[Round], bool]) -> None:
    expected = count(TINY.split(), lambda row: row["outcome"], keep)
    result = compute(GAME, Shoe.of(Counter(TINY.split())), [], given=text)
    assert {name: n for name, n in ways(result).items() if n} == expected
    assert result.total == expected.total()


@pytest.mark.parametrize(
    ("dealt", "keep"),
    [
        (["p1=8D"], lambda row: row["p1_rank"] + row["p1_suit"] == "8D"),
        (["P1=3", "b1=K"], lambda row: row["p1_rank"] == "3" and row["b1_rank"] == "K"),
        (["p1=3H", "p2=2"], lambda row: row["p1_rank"] + row["p1_suit"] == "3H" and row["p2_rank"] == "2"),
        (["p3=9"], lambda row: row.get("p3_rank") == "9"),
        (["b3=KS", "p1=2"], lambda row: row.get("b3_rank") == "K" and row["p1_rank"] == "2"),
    ],
)
def test_known_cards_equal_brute_force(dealt: list[str], keep: Callable[[Round], bool]) -> None:
    """Suits of some cards, ranks of others, beside outcomes that look at values only."""
    expected = count(TINY.split(), lambda row: row["outcome"], keep)
    result = compute(GAME, Shoe.of(Counter(TINY.split())), [], dealt=dealt)
    assert {name: n for name, n in ways(result).items() if n} == expected


def test_a_known_card_is_a_condition() -> None:
    shoe = Shoe.decks(2).remove("8H,KS")
    dealt = compute(GAME, shoe, dealt=["p1=8", "b1=K"])
    given_ = compute(GAME, shoe, given="p1_rank = '8' AND b1_rank = 'K'")
    assert ways(dealt) == ways(given_)
    assert dealt.total == given_.total == 7 * 7 * perm(100, 4)


def test_a_breakdown_equals_brute_force() -> None:
    expected = count(TINY.split(), lambda row: (row["player_total"], row["b3"], row["outcome"]))
    result = compute(GAME, Shoe.of(Counter(TINY.split())), [], by=["player_total", "b3"])
    found = {(*group.key.values(), o.name): o.ways for group in result.by for o in group.outcomes if o.ways}
    assert found == expected


def test_wagers_equal_brute_force() -> None:
    """Pairs, suits of the first cards, a third card that may not be there; the first line that holds decides."""
    priced = wagers(
        "pair: p1_rank = p2_rank AND p1_suit = p2_suit pays 200; p1_rank = p2_rank pays 5",
        "red: p1_colour = 'red' AND b1_colour = 'red' pays 3; outcome = 'tie' pays 0",
        "third: p3 IS NOT NULL AND p3 >= 8 pays 3/2",
    )
    cards = ["AS", "AS", "AH", "8D", "8C", "KH", "2S", "9D"]

    def net(row: Round) -> tuple[Fraction, ...]:
        alike = row["p1_rank"] == row["p2_rank"]
        pair = Fraction(200 if alike and row["p1_suit"] == row["p2_suit"] else 5 if alike else -1)
        red = row["p1_colour"] == row["b1_colour"] == "red"
        third = Fraction(3, 2) if row["p3"] is not None and row["p3"] >= 8 else Fraction(-1)
        return pair, Fraction(3 if red else 0 if row["outcome"] == "tie" else -1), third

    nets = count(cards, net)
    result = compute(GAME, Shoe.of(Counter(cards)), priced)
    for place, figures in enumerate(result.all.wagers):
        mean = sum(n * key[place] for key, n in nets.items()) / perm(8, 6)
        square = sum(n * key[place] ** 2 for key, n in nets.items()) / perm(8, 6)
        hits = Fraction(sum(n for key, n in nets.items() if key[place] > 0), perm(8, 6))
        assert (figures.expectation, figures.variance, figures.hit_frequency) == (mean, square - mean**2, hits)


# What always holds.

shoes = st.dictionaries(st.sampled_from(FRENCH.ranks), st.integers(0, 40), min_size=3).filter(
    lambda counts: sum(counts.values()) >= 6
)


@settings(max_examples=12)
@given(shoes)
def test_ways_add_up_and_merging_classes_changes_nothing(counts: dict[str, int]) -> None:
    """By value, by rank and by card the outcomes are the same; a side bet on ranks does not touch the main bets."""
    shoe = Shoe.of(counts)
    by_value = compute(GAME, shoe, [])
    assert sum(ways(by_value).values()) == by_value.total == perm(sum(counts.values()), 6)
    groups = compute(GAME, shoe, [], by=["p1_rank"]).by
    merged: Counter[str] = Counter()
    for group in groups:
        merged.update({o.name: o.ways for o in group.outcomes})
    assert dict(merged) == ways(by_value)
    assert ways(compute(GAME, shoe)) == ways(by_value)


@settings(max_examples=10)
@given(st.permutations("SHDC"), st.lists(st.sampled_from([r + s for r, s in FRENCH.cards]), max_size=6, unique=True))
def test_permuting_suits_changes_nothing(suits: list[str], removed: list[str]) -> None:
    other = dict(zip("SHDC", suits, strict=True))
    moved = [card[:-1] + other[card[-1]] for card in removed]
    perfect = wagers("perfect: p1_rank = p2_rank AND p1_suit = p2_suit pays 25")
    left, right = Shoe.decks(2).remove(removed), Shoe.decks(2).remove(moved)
    first, second = compute(GAME, left, perfect), compute(GAME, right, perfect)
    assert ways(first) == ways(second)
    assert first.all.wager("perfect").edge == second.all.wager("perfect").edge


def test_more_decks_tend_to_the_infinite_value() -> None:
    endless = compute(GAME, Shoe.decks("infinite")).all
    gaps = [
        [abs(a.edge - b.edge) for a, b in zip(compute(GAME, Shoe.decks(d)).all.wagers, endless.wagers, strict=True)]
        for d in (10, 100, 1000)
    ]
    for near, nearer in pairwise(gaps):
        assert all(0 < b < a / 9 for a, b in zip(near, nearer, strict=True))  # the gap shrinks as 1 / decks


@settings(max_examples=15)
@given(shoes)
def test_outcomes_weighted_with_their_pay_are_the_edge(counts: dict[str, int]) -> None:
    result = compute(GAME, Shoe.of(counts)).all
    chance = {outcome.name: outcome.probability for outcome in result.outcomes}
    assert result.wager("player").expectation == chance["player"] - chance["banker"]
    assert result.wager("banker").expectation == Fraction(19, 20) * chance["banker"] - chance["player"]
    assert result.wager("tie").expectation == 8 * chance["tie"] - (1 - chance["tie"])


@settings(max_examples=10)
@given(shoes, st.sampled_from(["player_two", "banker_cards", "natural", "outcome", "p3"]))
def test_a_breakdown_adds_up_to_the_whole(counts: dict[str, int], column: str) -> None:
    result = compute(GAME, Shoe.of(counts), by=[column])
    assert sum(group.ways for group in result.by) == result.total
    for wager in result.all.wagers:
        parts = sum(group.wager(wager.name).expectation * group.probability for group in result.by)
        assert parts == wager.expectation


# Every option, with a number that others know.


def edge(wager: str, **options: str) -> Fraction:
    return compute(load("baccarat", options), Shoe.decks(8)).all.wager(wager).edge


def test_every_option_is_flipped_by_a_test_below() -> None:
    assert [option.name for option in GAME.options] == ["commission", "player_odds", "tie_odds", "pair_odds"]


@pytest.mark.parametrize(
    ("wager", "options", "percent"),
    [
        ("player", {}, "1.2351"),
        ("banker", {}, "1.0579"),
        ("tie", {}, "14.3596"),
        ("player-pair", {}, "10.3614"),
        ("banker", {"commission": "1/25"}, "0.5993"),
        ("banker", {"commission": "0"}, "-1.2351"),
        ("tie", {"tie_odds": "9"}, "4.8440"),
        ("player-pair", {"pair_odds": "12"}, "2.8916"),
        ("player", {"player_odds": "11/10"}, "-3.2274"),
    ],
)
def test_options_change_the_known_number(wager: str, options: dict[str, str], percent: str) -> None:
    """Edges of 8 decks as they are printed, in percent; without commission Banker is Player's mirror."""
    assert f"{float(edge(wager, **options) * 100):.4f}" == percent


@pytest.mark.parametrize(
    ("option", "value", "touched"),
    [("commission", "0", {"banker"}), ("player_odds", "2", {"player"}), ("tie_odds", "9", {"tie"}),
     ("pair_odds", "12", {"player-pair", "banker-pair"})],
)  # fmt: skip
def test_an_option_changes_nothing_else(option: str, value: str, touched: set[str]) -> None:
    before = compute(GAME, Shoe.decks(8)).all
    after = compute(load("baccarat", {option: value}), Shoe.decks(8)).all
    assert after.outcomes == before.outcomes
    assert {b.name for a, b in zip(after.wagers, before.wagers, strict=True) if a.edge != b.edge} == touched


# Refusals.


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        ({"given": "player_two = 10"}, "no round of this shoe satisfies the condition: player_two = 10"),
        ({"given": ""}, "baccarat: --given: cannot read '': expected a value, the text ends at character 1"),
        (
            {"given": "p3 > 5 OR natural"},
            "baccarat.toml: the condition given: a condition is NULL where natural = ",
        ),
        ({"dealt": ["p1=8", "p1=9"]}, "no round of this shoe satisfies the condition: p1=8 and p1=9"),
        (
            {"dealt": ["x=8"]},
            "cannot read the known card 'x=8': write SLOT=CARD such as p1=8; slots: p1, b1, ",
        ),
        (
            {"dealt": ["p1"]},
            "cannot read the known card 'p1': write SLOT=CARD such as p1=8; slots: p1, b1, ",
        ),
        ({"dealt": ["p1=1"]}, "'1' is not a card; "),
        ({"by": ["playertotal"]}, "baccarat has no column 'playertotal'; did you mean 'player_total'?"),
    ],
)
def test_questions_that_are_refused(asked: dict[str, object], reason: str) -> None:
    with pytest.raises(InputError) as error:
        compute(GAME, Shoe.decks(1), **asked)  # type: ignore[arg-type]
    assert str(error.value).startswith(reason)


def test_figures_are_asked_by_name() -> None:
    result = compute(GAME, Shoe.decks(1))
    with pytest.raises(InputError, match=r"no wager 'bankr' here; did you mean 'banker'\?"):
        result.all.wager("bankr")
    with pytest.raises(InputError, match=r"no outcome 'ties' here; did you mean 'tie'\?"):
        result.all.outcome("ties")


def offer(condition: str, when: str) -> tuple[Wager, ...]:
    return read_wagers(GAME, [{"name": "late", "offered": condition, "pays": [{"when": when, "odds": "1"}]}], "x")


def test_a_wager_never_offered_is_said_so() -> None:
    late = offer("player_two = 6", "outcome = 'player'")
    assert compute(GAME, Shoe.decks(8), late, given="player_two = 5").all.never == ("late",)
    figures = compute(GAME, Shoe.decks(8), late).all.wager("late")
    alone = compute(GAME, Shoe.decks(8), wagers("late: outcome = 'player' pays 1"), given="player_two = 6")
    assert (figures.edge, figures.total) == (alone.all.wager("late").edge, alone.total)
    assert figures.offered == Fraction(alone.total, perm(416, 6))


def test_an_offer_that_is_null_is_an_error_not_an_offer() -> None:
    with pytest.raises(InputError, match="wager 'late': a condition is NULL where player_two = "):
        compute(GAME, Shoe.decks(8), offer("p3 > 5 OR player_two = 6", "TRUE"))
