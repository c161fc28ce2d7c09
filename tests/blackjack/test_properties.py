"""What holds for every shoe and all rules: a larger choice is never worse, and what an option does not touch stays."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exact.blackjack.cards import RankShoe, parse_query
from exact.blackjack.chart import evaluate
from exact.blackjack.query import answer
from exact.blackjack.rules import Rules
from exact.blackjack.solve import solve
from exact.blackjack.total import first_chart, solve_total
from exact.shoe import Shoe

# Each allows the player something more and changes nothing else.
ADDED = [
    ({"split_or_fold": "false", "double": "11"}, {"double": "10-11"}),
    ({"split_or_fold": "false", "double": "10-11"}, {"double": "9-11"}),
    ({"split_or_fold": "false", "double": "9-11"}, {"double": "any"}),
    ({"split_or_fold": "false", "double": "any", "double_soft": "false"}, {"double_soft": "true"}),
    ({"split_or_fold": "false", "das": "false"}, {"das": "true"}),
    ({"split_or_fold": "false", "split_pairs": "none"}, {"split_pairs": "any"}),
    ({"split_or_fold": "true", "split_aces": "one-card"}, {"split_aces": "free"}),
    ({"split_or_fold": "true"}, {"split_or_fold": "false"}),
    ({"split_or_fold": "false", "surrender": "none"}, {"surrender": "late"}),
    ({"split_or_fold": "false", "surrender": "late"}, {"surrender": "early"}),
]

shoes = st.lists(st.integers(0, 9), min_size=8, max_size=40).map(
    lambda cards: RankShoe(tuple(cards.count(rank) for rank in range(10)))
)


@settings(max_examples=25, deadline=None)
@given(shoes, st.sampled_from(ADDED))
def test_an_added_action_never_lowers_the_value(shoe, added):
    base, more = added
    # Without the right to hit or stand, folding at 20 % may be worth more than what replaces it: fold costs all here.
    base = {"fold": "1", **base} if base["split_or_fold"] == "true" else base
    larger = {**base, **more}
    if larger["split_or_fold"] == "false":
        larger.pop("fold", None)
    assert solve(shoe, Rules.of(options=larger)).expectation >= solve(shoe, Rules.of(options=base)).expectation


@settings(max_examples=6, deadline=None)
@given(shoes, st.sampled_from(["page", "vegas-strip", "european", "atlantic-city"]))
def test_a_larger_class_is_never_worse(shoe, preset):
    rules = Rules.of(preset)
    best = solve(shoe, rules)
    assert best.expectation >= solve(shoe, rules, "cdz-").expectation
    total = solve_total(shoe, rules)
    assert (
        best.expectation >= total.solution.expectation >= evaluate(first_chart(best), shoe, rules, "first").expectation
    )
    assert total.certificate.best_gain <= 0


UNRELATED = [
    ("soft17", "hit", "dealer up 8", "10,6 v 8"),
    ("double", "any", "three cards", "2,3,4 v 6"),
    ("das", "false", "no split", "10,6 v 10"),
    ("surrender", "late", "a pair that must split or fold", "8,8 v 10"),
    ("fold", "1/10", "no fold", "6,5 v 6"),
    ("blackjack_pays", "6:5", "no blackjack", "10,6 v 10"),
    ("ten_up_takes_double", "true", "no double", "10,6 v 10"),
    ("ace_up_takes_double", "false", "a ten up", "6,5 v 10"),
    ("ten_up_takes_split", "false", "an ace up", "8,8 v A"),
    ("ace_up_takes_split", "false", "a ten up", "8,8 v 10"),
    ("split_aces", "free", "eights", "8,8 v 6"),
    ("blackjack_beats_21", "false", "no dealer blackjack", "10,6 v 6"),
    ("charlie_beats_blackjack", "true", "no dealer blackjack", "2,2 v 6"),
    ("insurance", "false", "the hand itself", "10,6 v A"),
]


@pytest.mark.parametrize(("option", "value", "why", "hand"), UNRELATED)
def test_an_option_does_not_change_what_it_has_no_part_in(option, value, why, hand):
    shoe = RankShoe.of(Shoe.decks(1))
    before = answer(solve(shoe, Rules.of()), parse_query(hand)).worth
    after = answer(solve(shoe, Rules.of(options={option: value})), parse_query(hand)).worth
    shared = before.keys() & after.keys()
    assert shared
    assert {action: before[action] for action in shared} == {action: after[action] for action in shared}, why
