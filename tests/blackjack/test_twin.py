"""The engine against the slow twin: a memoised recursion over probabilities, on small shoes drawn by hypothesis."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exact.blackjack.cards import RANKS, RankShoe, parse_query
from exact.blackjack.dealer import dealer_distribution
from exact.blackjack.query import answer
from exact.blackjack.rules import Rules
from exact.blackjack.solve import solve
from exact.errors import InputError
from tests.blackjack.recursion import Endless, Twin, dealer

VALUES = {
    "soft17": ["stand", "hit"], "hole_card": ["none", "peek", "original-bets"], "blackjack_pays": ["3:2", "6:5", "1:1"],
    "double": ["11", "11+", "10-11", "9-11", "any"], "double_soft": ["true", "false"], "das": ["true", "false"],
    "split_pairs": ["A,8", "any", "none", "2,3,10"], "split_or_fold": ["true", "false"],
    "split_aces": ["one-card", "free"],
    "surrender": ["none", "late", "early"], "charlie": ["none", "8", "5", "4", "3"],
    "charlie_beats_blackjack": ["true", "false"], "ten_up_takes_double": ["true", "false"],
    "ace_up_takes_double": ["true", "false"], "ten_up_takes_split": ["true", "false"],
    "ace_up_takes_split": ["true", "false"], "blackjack_beats_21": ["true", "false"],
}  # fmt: skip


@st.composite
def rules(draw):
    """Rules with any options that do not contradict each other."""
    options = draw(
        st.fixed_dictionaries({}, optional={name: st.sampled_from(values) for name, values in VALUES.items()})
    )
    try:
        return Rules.of(options=options)
    except InputError:
        return Rules.of()


@st.composite
def shoes(draw, most=16):
    """Shoes of 4 to ``most`` cards in few ranks, with tens more often than not."""
    ranks = draw(st.lists(st.integers(0, 9), min_size=2, max_size=4, unique=True))
    cards = draw(st.lists(st.sampled_from([*ranks, 9]), min_size=4, max_size=most))
    return tuple(cards.count(rank) for rank in range(10))


@settings(max_examples=60, deadline=None)
@given(shoes(), rules())
def test_whole_game(counts, rules):
    assert solve(RankShoe(counts), rules).expectation == Twin(counts, rules).expectation()


@settings(max_examples=40, deadline=None)
@given(shoes(), st.booleans(), st.integers(0, 9))
def test_dealer_distribution(counts, hits, up):
    if not counts[up]:
        return
    left = tuple(count - (rank == up) for rank, count in enumerate(counts))
    expected = dealer(left, (up + 1,), hits)
    found = dealer_distribution(RankShoe(counts), (0,) * 10, up, hits)
    assert {end: p for end, p in found.items() if p} == {str(end): p for end, p in expected.items()}


def test_a_public_case_in_which_cards_run_out():
    """Counts A..T = 0 4 4 2 0 0 2 0 0 7, 2,2 v 7 (a public report of a program that failed there)."""
    counts = (0, 4, 4, 2, 0, 0, 2, 0, 0, 7)
    rules = Rules.of(options={"split_pairs": "any", "split_or_fold": "false", "double": "any", "charlie": "none"})
    found = answer(solve(RankShoe(counts), rules), parse_query("2,2 v 7"))
    expected = Twin(counts, rules).choices((2, 2), 7, (0, 2, 4, 2, 0, 0, 1, 0, 0, 7))
    assert {action.name.lower(): worth for action, worth in found.worth.items()} == expected


@pytest.mark.parametrize(("hand", "up"), [((8, 8), 6), ((1, 7), 9), ((2, 10), 3), ((1, 1), 10)])
def test_an_endless_shoe_draws_with_replacement(hand, up):
    counts = (4,) * 9 + (16,)
    text = f"{','.join(RANKS[card - 1] for card in hand)} v {RANKS[up - 1]}"
    found = answer(solve(RankShoe(counts, infinite=True), Rules.of()), parse_query(text))
    expected = Twin(Endless(counts), Rules.of()).choices(hand, up, Endless(counts))
    assert {action.name.lower(): worth for action, worth in found.worth.items()} == expected
