"""Side bets against plain counting over cards, and against figures of the page and of others."""

from fractions import Fraction
from itertools import permutations

import pytest

from exact.blackjack.bets import insurance, insurance_value, non_tens_needed, pair_ways, perfect_pairs
from exact.blackjack.cards import RankShoe, parse_query
from exact.blackjack.figures import measure
from exact.blackjack.query import answer
from exact.blackjack.rules import Rules
from exact.blackjack.solve import solve
from exact.errors import InputError
from exact.published.figures import Quantity
from exact.shoe import Shoe


def kind_of(first, second):
    """The pair that two cards (rank, suit) make, by the words of the page."""
    if first[0] != second[0]:
        return None
    if first[1] == second[1]:
        return "perfect pair"
    return "coloured pair" if {first[1], second[1]} in ({"H", "D"}, {"S", "C"}) else "mixed pair"


@pytest.mark.parametrize("decks", [1, 2])
def test_pairs_card_by_card(decks):
    cards = [card for card, count in Shoe.decks(decks).counts().items() for _ in range(count)]
    found, total = pair_ways(Shoe.decks(decks))
    kinds = [kind_of(first, second) for first, second in permutations(cards, 2)]
    assert found == {kind: kinds.count(kind) for kind in found}
    assert total == len(kinds)


def test_a_ten_and_a_jack_are_no_pair():
    assert perfect_pairs(Shoe.of({"10S": 1, "JS": 1})).expectation == -1


@pytest.mark.parametrize(("decks", "expected"), [(6, Fraction(-19, 311)), (8, Fraction(-17, 415))])
def test_perfect_pairs_of_fresh_shoes(decks, expected):
    assert perfect_pairs(Shoe.decks(decks)).expectation == expected
    assert perfect_pairs(Shoe.decks(decks), "dealer_pair").expectation == expected


def test_the_next_two_cards_are_a_pair_as_often_as_any_two():
    """The dealer's pair bet is on other cards of the same shoe; unseen cards are exchangeable."""
    cards = ["4D", "4D", "4H", "5S"]
    shoe = Shoe.of({"4D": 2, "4H": 1, "5S": 1})
    pays = {"perfect pair": 25, "coloured pair": 12, "mixed pair": 6, None: -1}
    later = [pays[kind_of(tuple(order[2]), tuple(order[3]))] for order in permutations(cards)]
    assert perfect_pairs(shoe).expectation == Fraction(sum(later), len(later))


def test_pairs_need_suits():
    with pytest.raises(InputError, match="a shoe whose suits are known"):
        perfect_pairs(Shoe.decks(1).remove("8"))


@pytest.mark.parametrize(
    ("decks", "expected"), [(1, Fraction(-1, 17)), (6, Fraction(-23, 311)), (8, Fraction(-31, 415))]
)
def test_insurance_knowing_only_the_ace(decks, expected):
    found = insurance(RankShoe.of(Shoe.decks(decks)))
    assert found is not None
    assert (found.expectation, found.offered) == (expected, Fraction(1, 13))


@pytest.mark.parametrize(("decks", "expected"), [(1, 4), (6, 24), (8, 32)])
def test_seen_cards_that_make_insurance_favourable(decks, expected):
    shoe = RankShoe.of(Shoe.decks(decks))
    assert non_tens_needed(shoe) == expected
    tens, unseen = shoe.counts[9], shoe.size - 1
    assert insurance_value(tens, unseen - expected + 1) <= 0 < insurance_value(tens, unseen - expected)


def test_insurance_by_hand_and_seen_cards():
    """Two tens in hand make it worse, seen low cards better."""
    shoe = Shoe.decks(1)
    tens = answer(solve(RankShoe.of(shoe), Rules.of()), parse_query("10,10 v A")).insurance
    low = answer(solve(RankShoe.of(shoe.remove("2,3,4,5,6")), Rules.of()), parse_query("7,8 v A")).insurance
    assert (tens, low) == (insurance_value(14, 49), insurance_value(16, 44))
    assert tens < 0 < low
    assert answer(solve(RankShoe.of(shoe), Rules.of()), parse_query("10,10 v 9")).insurance is None


def figure(text, shoe=None, rules=None):
    return measure(Quantity.parse(text), shoe or Shoe.decks(8), rules or Rules.of(), None, False).value


def test_quantities_by_name():
    assert figure("ways(perfect pair)") == 1456
    assert figure("ways(all)") == 416 * 415 // 2
    assert figure("probability(no pair)") == 1 - Fraction(1456 + 1664 + 3328, 86320)
    assert figure("expectation(player_pair pays 30/10/5)") == Fraction(30 * 1456 + 10 * 1664 + 5 * 3328 - 79872, 86320)
    assert figure("penalty(insurance)") == Fraction(31, 415) / 13 / 2
    assert figure("dealer(blackjack v A)") == Fraction(128, 415)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("luck(8,8 v 10)", "blackjack has no measure 'luck'"),
        ("dealer(22 v A)", "a dealer does not end on '22'"),
        ("expectation(player_pair pays 30)", "write what perfect, coloured and mixed pairs pay as 25/12/6"),
        ("ways(royal pair)", "unknown kind of pair 'royal pair'"),
        ("edge(banker)", "blackjack has no edge of 'banker'"),
    ],
)
def test_unknown_quantities_are_refused(text, message):
    with pytest.raises(InputError) as refused:
        figure(text)
    assert message in str(refused.value)
