"""Rules as data: every option documented and sourced, contradictions refused, presets as their sources say."""

from fractions import Fraction

import pytest

from exact.blackjack.rules import Rules, option_texts, rule_data
from exact.errors import InputError

OPTIONS = rule_data()["options"]
PRESETS = rule_data()["presets"]


@pytest.mark.parametrize("option", OPTIONS)
def test_every_option_says_what_it_is(option):
    entry = OPTIONS[option]
    assert set(entry) == {"default", "values", "abbreviation", "meaning", "source"}
    assert all(entry[name] for name in ("meaning", "source", "values"))
    assert option in Rules.__slots__


def test_the_record_has_no_option_that_the_data_lacks():
    assert list(OPTIONS) == list(Rules.__slots__)


@pytest.mark.parametrize("preset", PRESETS)
def test_presets_are_sourced_and_survive_writing_and_reading(preset):
    assert all(PRESETS[preset][name] for name in ("source", "decks", "title"))
    rules = Rules.of(preset)
    assert Rules.of("page", rules.as_texts()) == rules


def test_the_page_is_the_default():
    rules = Rules.of()
    assert (rules.soft17, rules.hole_card, rules.blackjack_pays, rules.double) == (
        "stand",
        "none",
        Fraction(3, 2),
        (11, 11),
    )
    assert (rules.split_pairs, rules.split_or_fold, rules.fold, rules.charlie) == ((0, 7), True, Fraction(1, 5), 8)


def test_where_splitting_to_four_is_usual_the_preset_says_that_two_are_computed():
    assert all("computed here with two" in PRESETS[name]["note"] for name in ("vegas-strip", "atlantic-city"))


def test_an_option_follows_another_that_leaves_it_no_sense():
    peek = option_texts("page", {"hole_card": "peek"})
    assert {peek[name] for name in peek if "_takes_" in name} == {"false"}
    assert option_texts("european", {"hole_card": "peek"})["ten_up_takes_double"] == "false"
    assert option_texts("page", {"split_or_fold": "false"})["fold"] == "0"
    assert option_texts("vegas-strip", {"split_or_fold": "true"})["fold"] == "1/5"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"soft17": "draw"}, "the option soft17 of blackjack cannot be 'draw'; it takes stand, hit"),
        ({"soft_17": "hit"}, "blackjack has no option 'soft_17'; did you mean 'soft17'?"),
        ({"hole_card": "peek", "ace_up_takes_double": "true"}, "ace_up_takes_double=true contradicts hole_card=peek"),
        ({"hole_card": "original-bets", "ten_up_takes_split": "true"}, "contradicts hole_card=original-bets"),
        ({"hole_card": "peek", "blackjack_beats_21": "false"}, "blackjack_beats_21=false needs a hole_card other than"),
        ({"hole_card": "peek", "charlie_beats_blackjack": "true"}, "charlie_beats_blackjack=true needs a hole_card"),
        ({"charlie": "none", "charlie_beats_blackjack": "true"}, "contradicts charlie=none"),
        ({"split_or_fold": "false", "fold": "1/5"}, "fold=1/5 contradicts split_or_fold=false: nothing can be folded"),
        ({"split_pairs": "none"}, "split_or_fold=true contradicts split_pairs=none"),
        ({"split_pairs": "A,Z"}, "the option split_pairs of blackjack cannot be 'A,Z'"),
        (
            {"split_hands": "4"},
            "the option split_hands of blackjack cannot be '4'; it takes 2 (more are not computed yet)",
        ),
        ({"split_hands": "1"}, "the option split_hands of blackjack cannot be '1'; it takes 2"),
        ({"fold": "3/2"}, "the option fold of blackjack cannot be '3/2'"),
        ({"blackjack_pays": "3:0"}, "the option blackjack_pays of blackjack cannot be '3:0'"),
        ({"charlie": "2"}, "the option charlie of blackjack cannot be '2'"),
    ],
)
def test_bad_options_are_refused_by_name(options, message):
    with pytest.raises(InputError) as refused:
        Rules.of(options=options)
    assert message in str(refused.value)


def test_an_unknown_preset_is_refused():
    with pytest.raises(InputError, match="unknown blackjack rules 'vegas'; did you mean 'vegas-strip'"):
        Rules.of("vegas")


def test_odds_are_read_as_they_are_spoken():
    assert [Rules.of(options={"blackjack_pays": text}).blackjack_pays for text in ("6:5", "1:1", "2", "7:5")] == [
        Fraction(6, 5), 1, 2, Fraction(7, 5)
    ]  # fmt: skip
