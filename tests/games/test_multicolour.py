"""Multi-colour baccarat: exact totals of every reading, the slow twin, brute force, and arithmetic that cannot wrap."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from exact.games import load
from exact.result import Result, compute
from exact.rounds import WAYS, Walk
from exact.shoe import Shoe
from exact.tally import Digit, tally
from exact.trace import play
from tests.games import multicolour as twin

GAME = load("multicolour-baccarat")
SHOE = Shoe.decks(8, GAME.deck)
DEAL = ("player_total", "banker_total", "p3", "b3", "outcome")
READINGS: dict[str, tuple[str, ...]] = {
    option.name: tuple(str(value) for value in option.values if value != option.default)
    for option in GAME.options
    if option.reading
}
ALONE = [{name: value} for name, values in READINGS.items() for value in values]
TOGETHER = [
    {"equal_two": "draw", "banker_ahead": "stand"},
    {"banker_ahead": "stand", "negative_round": "points"},
    {"equal_two": "tie-if-white", "gap_eleven": "stand", "no_change": "win-only", "ten_eleven": "mod"},
]


@cache
def eight_decks(**options: str) -> Result:
    return compute(load("multicolour-baccarat", options), SHOE)


def test_the_recommended_rules_with_eight_decks() -> None:
    """rules of page 004: two programs found these totals."""
    found = eight_decks().all
    assert found.ways == 7_012_106_288_193_600
    assert {o.name: o.ways for o in found.outcomes} == {
        "player": 3_134_042_815_499_520,
        "banker": 3_151_814_220_423_936,
        "tie": 726_249_252_270_144,
    }


# Printed digits: P / B / T in percent, then the expectations of Player, Banker (0.95) and Tie (8) in percent.
PRINTED = {
    "ten_eleven=mod": "45.115 45.433 9.452 -0.32 -1.95 -14.93",
    "gap_eleven=stand": "44.718 44.968 10.314 -0.25 -2.00 -7.18",
    "negative_round=natural": "44.713 44.962 10.325 -0.25 -2.00 -7.07",
    "negative_round=points": "44.750 44.980 10.269 -0.23 -2.02 -7.58",
    "equal_two=draw": "46.813 47.066 6.121 -0.25 -2.10 -44.9",
    "equal_two=tie-if-white": "45.838 46.091 8.071 -0.25 -2.05 -27.4",
    "banker_ahead=stand": "44.086 46.019 9.894 -1.93 -0.37 -10.95",
    "no_change=win-only": "44.699 44.948 10.353",
    "equal_two=draw banker_ahead=stand": "46.094 48.333 5.574",
    "banker_ahead=stand negative_round=points": "44.142 46.052 9.807",
}


@pytest.mark.parametrize("reading", PRINTED)
def test_printed_figures_of_each_reading(reading: str) -> None:
    found = eight_decks(**dict(pair.split("=") for pair in reading.split())).all
    exact = [o.probability for o in found.outcomes] + [w.expectation for w in found.wagers]
    for value, text in zip(exact, PRINTED[reading].split(), strict=False):
        assert round(100 * value, len(text.partition(".")[2])) == Fraction(text)


def test_every_reading_changes_the_totals() -> None:
    assert set(READINGS) == set(twin.DEFAULTS)
    base = [o.ways for o in eight_decks().all.outcomes]
    for options in ALONE:
        assert [o.ways for o in eight_decks(**options).all.outcomes] != base


def test_readings_leave_what_they_do_not_touch() -> None:
    """Equal scores of two cards win and lose alike on both sides; a Banker who cannot change the result never won."""
    base = eight_decks().all
    for value in READINGS["equal_two"]:
        assert eight_decks(equal_two=value).all.wager("player").expectation == base.wager("player").expectation
    assert eight_decks(no_change="win-only").all.outcome("banker").ways == base.outcome("banker").ways


def test_odds_are_assumed_and_said_so() -> None:
    assert {option.name: option.default for option in GAME.options if option.assumed} == {
        "player_odds": 1,
        "banker_odds": Fraction(19, 20),
        "tie_odds": 8,
    }
    assert all(wager.assumed for wager in GAME.wagers)


def test_odds_change_only_their_wager() -> None:
    found = compute(load("multicolour-baccarat", {"banker_odds": "1", "tie_odds": "9"}), SHOE).all
    base = eight_decks().all
    assert found.wager("player").expectation == base.wager("player").expectation
    assert found.wager("banker").expectation == -base.wager("player").expectation
    assert found.wager("tie").expectation - base.wager("tie").expectation == base.outcome("tie").probability


def test_sequences_of_eight_decks() -> None:
    """19,719,358 distinct sequences, and frames that stay small."""
    walk, rows, ways = Walk(GAME, SHOE, DEAL), 0, 0
    for branch in walk.branches():
        rows += branch.frame.height
        ways += branch.frame[WAYS].sum()
        assert branch.frame.height <= 2_000_000
    assert (rows, ways) == (19_719_358, 7_012_106_288_193_600)


def differences(options: Mapping[str, str], shoe: Shoe, sixth: Sequence[int]) -> tuple[int, list[object]]:
    """How many different rounds the engine plays from a shoe, and those that the twin plays otherwise.

    Every sequence of cards is looked at. Of the Banker's last card, which decides nothing but a score, some values are.
    """
    import polars as pl

    game, rules = load("multicolour-baccarat", options), tuple((twin.DEFAULTS | dict(options)).values())[1:]
    seen, wrong = 0, list[object]()
    for branch in Walk(game, shoe, ("p1", "b1", "p2", "b2", *DEAL)).branches():
        frame = branch.frame.with_columns(
            *(pl.lit(None, dtype=pl.Int8).alias(slot) for slot in branch.absent),
            players=pl.col("p1").cast(pl.Int64) + pl.col("p2"),
            bankers=pl.col("b1").cast(pl.Int64) + pl.col("b2"),
            white=pl.min_horizontal("p1", "b1", "p2", "b2") < 0,
        ).filter(pl.col("b3").is_null() | pl.col("b3").is_in(sixth))
        for players, bankers, white, *found in frame.select("players", "bankers", "white", *DEAL).unique().iter_rows():
            drawn = [card for card in found[2:4] if card is not None] + [*sixth[:2]]
            expected = twin.settle((players, bankers), white, (drawn[0], drawn[1]), rules)
            seen += 1
            if expected != tuple(found):
                wrong.append((players, bankers, white, found, expected))
    return seen, wrong


def test_every_five_card_prefix_equals_the_twin() -> None:
    seen, wrong = differences({}, SHOE, (-11, 1, 11))
    assert wrong == []
    assert seen > 30_000


SOME = Shoe.of({str(value): 6 for value in (-11, -10, -6, -1, 1, 3, 5, 9, 10, 11)}, GAME.deck)


@pytest.mark.parametrize("options", [*ALONE, *TOGETHER], ids=lambda o: ",".join(f"{k}={v}" for k, v in o.items()))
def test_every_five_card_prefix_of_some_cards_equals_the_twin_in_every_reading(options: Mapping[str, str]) -> None:
    assert differences(options, SOME, (-11, 1, 10, 11))[1] == []


# Six to eight cards, by what they are chosen for.
TINY = {
    "lowest score": "-11 -11 -11 -11 -11 -9",
    "gap of eleven": "-8 3 3 -8 11 -11 5",
    "one table": "10 1 7 3 -11 4 2",
    "levels": "5 -5 7 3 2 2 -1",
    "points and naturals": "-2 8 -1 6 9 -3 1",
    "alike": "5 5 5 5 -5 -5 -5 -5",
}


@pytest.mark.parametrize("cards", TINY.values(), ids=TINY)
@pytest.mark.parametrize("options", [{}, *ALONE, *TOGETHER], ids=lambda o: ",".join(f"{k}={v}" for k, v in o.items()))
def test_tiny_shoes_equal_brute_force(cards: str, options: Mapping[str, str]) -> None:
    game = load("multicolour-baccarat", options)
    shoe = Shoe.of(Counter(cards.split()), game.deck)
    found = tally(game, shoe, [Digit.of_column(game, name) for name in DEAL])
    assert found == twin.count(map(int, cards.split()), options)


def test_an_8_bit_column_cannot_wrap(tmp_path: Path) -> None:
    """A draft made 100 - (-33) into -123 in an 8-bit column and gave plausible totals."""
    file = tmp_path / "far.toml"
    file.write_text(
        'extends = "multicolour-baccarat"\n[[step]]\nname = "far"\nlet.far = "100 - banker_total"\n'
        'let.farther = "far - 4 * banker_total"\n'
    )
    game = load(str(file))
    shoe = Shoe.of({"-11": 5, "-9": 1}, game.deck)
    lowest = compute(game, shoe, given="banker_total = -33").all.ways
    assert lowest > 0
    for condition in ("100 - banker_total = 133", "far = 133", "farther = 265", "banker_total * banker_total = 1089"):
        assert compute(game, shoe, given=condition).all.ways == lowest
    assert game.facts["far"].high >= 133
    assert compute(game, shoe).all.ways == tally(game, shoe, [Digit.of_column(game, "far")]).total()


def test_scores_reach_what_the_page_says() -> None:
    """The Banker reaches -33 (L31), the Player -32; the best score that is not negative is 9."""
    found = tally(GAME, SHOE, [Digit.of_column(GAME, name) for name in ("player_total", "banker_total")])
    players, bankers = zip(*found, strict=True)
    assert (min(players), max(players), min(bankers), max(bankers)) == (-32, 9, -33, 9)


def test_a_round_by_hand() -> None:
    """L39: Banker 10 + 1 = 1, Player 7 + 3 - 11 = -11: the Banker cannot change the result and stands."""
    played = play(GAME, ["7", "10", "3", "1", "-11"]).complete()
    assert (played.row["player_total"], played.row["banker_total"], played.outcome) == (-11, 1, "player")
    assert played.row["b3"] is None
