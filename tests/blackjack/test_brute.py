"""The engine against brute force over every order of tiny shoes: each option, on a shoe where it changes the value."""

from pathlib import Path

import pytest

from exact.blackjack.cards import RankShoe
from exact.blackjack.rules import Rules, rule_data
from exact.blackjack.solve import solve
from tests.blackjack.brute import Brute

ACES_EIGHTS = (2, 0, 0, 0, 0, 0, 0, 3, 0, 4)
ELEVENS = (1, 0, 0, 0, 2, 2, 0, 0, 0, 4)
SEVENS = (0, 0, 0, 3, 0, 0, 3, 0, 0, 3)
SOFT_SEVENTEEN = (3, 0, 0, 0, 0, 3, 0, 0, 0, 3)
LOW = (2, 3, 3, 1, 0, 0, 0, 0, 0, 1)
FREE = {"split_pairs": "any", "split_or_fold": "false", "double": "any"}

CASES = [
    ("soft17", {}, {"soft17": "hit"}, SOFT_SEVENTEEN),
    ("hole_card", FREE, {"hole_card": "peek"}, ACES_EIGHTS),
    ("hole_card", FREE, {"hole_card": "original-bets"}, ACES_EIGHTS),
    ("blackjack_pays", {}, {"blackjack_pays": "6:5"}, ACES_EIGHTS),
    ("double", {}, {"double": "any"}, ELEVENS),
    ("double", {}, {"double": "11+"}, SOFT_SEVENTEEN),
    ("double", {}, {"double": "10-11"}, ELEVENS),
    ("double", {"split_or_fold": "false"}, {"double": "9-11"}, (0, 2, 0, 2, 1, 0, 2, 0, 0, 3)),
    ("double_soft", {"double": "any"}, {"double_soft": "false"}, SOFT_SEVENTEEN),
    ("das", {**FREE, "double": "11"}, {"das": "false"}, SEVENS),
    ("split_pairs", {}, {"split_pairs": "none", "split_or_fold": "false"}, ACES_EIGHTS),
    ("split_or_fold", {}, {"split_or_fold": "false"}, ACES_EIGHTS),
    ("fold", {}, {"fold": "0"}, ACES_EIGHTS),
    ("split_aces", {"split_pairs": "A"}, {"split_aces": "free"}, (2, 0, 0, 0, 2, 0, 0, 0, 0, 5)),
    ("surrender", FREE, {"surrender": "late"}, ACES_EIGHTS),
    ("surrender", FREE, {"surrender": "early"}, ACES_EIGHTS),
    ("charlie", {}, {"charlie": "4"}, LOW),
    ("charlie_beats_blackjack", {"charlie": "3"}, {"charlie_beats_blackjack": "true"}, ELEVENS),
    ("ten_up_takes_double", {"double": "any"}, {"ten_up_takes_double": "true"}, ELEVENS),
    ("ace_up_takes_double", {"double": "any"}, {"ace_up_takes_double": "false"}, (1, 0, 0, 0, 3, 1, 0, 0, 0, 4)),
    ("ten_up_takes_split", {"fold": "1"}, {"ten_up_takes_split": "false"}, (1, 0, 0, 0, 2, 0, 0, 2, 0, 5)),
    ("ace_up_takes_split", {"fold": "1"}, {"ace_up_takes_split": "false"}, ACES_EIGHTS),
    ("blackjack_beats_21", {}, {"blackjack_beats_21": "false"}, ELEVENS),
]  # fmt: skip


@pytest.mark.parametrize(("option", "base", "change", "counts"), CASES, ids=[f"{c[0]}-{c[2]}" for c in CASES])
def test_every_order_of_a_tiny_shoe(option, base, change, counts):
    shoe = RankShoe(counts)
    before, after = (solve(shoe, Rules.of(options=options)).expectation for options in (base, {**base, **change}))
    assert before != after, "the shoe is chosen so that the option matters"
    assert after == Brute(counts, Rules.of(options={**base, **change})).expectation()


def test_every_option_has_a_case():
    no_value = {"split_hands", "insurance"}  # one value only so far; a side bet
    assert {case[0] for case in CASES} == set(rule_data()["options"]) - no_value


def test_a_shoe_that_runs_out():
    """Nobody draws from an empty shoe: the dealer keeps his total, the player cannot hit."""
    counts, options = (0, 4, 0, 2, 0, 0, 1, 0, 0, 1), {"split_pairs": "none", "split_or_fold": "false", "double": "any"}
    assert (
        solve(RankShoe(counts), Rules.of(options=options)).expectation
        == Brute(counts, Rules.of(options=options)).expectation()
    )


def test_brute_force_shares_no_code_with_the_engine():
    text = (Path(__file__).parent / "brute.py").read_text(encoding="utf-8")
    imported = [line for line in text.splitlines() if line.startswith(("from exact", "import exact"))]
    assert imported == ["from exact.blackjack.rules import Rules"]
