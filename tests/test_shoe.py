"""Cards, decks and shoes: what is counted, what is removed in whatever order, and every refusal."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exact.errors import InputError
from exact.shoe import FRENCH, Deck, Shoe

CARDS = [rank + suit for rank, suit in FRENCH.cards]


@pytest.mark.parametrize("number", [1, 2, 8, 100, "8", " 8 "])
def test_whole_decks(number: int | str) -> None:
    shoe = Shoe.decks(number)
    assert shoe.size == 52 * int(number)
    assert set(shoe.counts_by("card").values()) == {int(number)}
    assert set(shoe.counts_by("rank").values()) == {4 * int(number)}
    assert set(shoe.counts_by("suit").values()) == {13 * int(number)}
    assert shoe.has_suits
    assert not shoe.infinite


@pytest.mark.parametrize("number", [0, -1, "0", "1.5", 1.5, "eight", "", "1e2", "9" * 5000, True, None])
def test_decks_that_are_no_whole_number_from_one(number: object) -> None:
    with pytest.raises(InputError, match="the number of decks must be a whole number from 1, or 'infinite', not"):
        Shoe.decks(number)  # type: ignore[arg-type]


def test_infinite_decks_draw_with_replacement() -> None:
    shoe = Shoe.decks("Infinite")
    assert shoe.infinite
    assert shoe.orders(6) == 52**6
    with pytest.raises(InputError, match="an infinite shoe never changes: nothing can be removed from it"):
        shoe.remove("8")


def test_ordered_deals() -> None:
    assert Shoe.decks(1).orders(3) == 52 * 51 * 50
    assert Shoe.of({"A": 2}).orders(3) == 0


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("8H", ("8", "H")),
        ("8h", ("8", "H")),
        (" 10d ", ("10", "D")),
        ("td", ("10", "D")),
        ("T", ("10", None)),
        ("A♠", ("A", "S")),
        ("Q♥", ("Q", "H")),
        ("J♦", ("J", "D")),
        ("K♣", ("K", "C")),
        ("10", ("10", None)),
    ],
)
def test_cards_as_people_write_them(text: str, card: tuple[str, str | None]) -> None:
    assert FRENCH.parse(text) == card


@pytest.mark.parametrize("text", ["1", "11", "X", "8X", "H", "", "H8", "8HH", "10 0"])
def test_what_is_no_card(text: str) -> None:
    with pytest.raises(InputError) as error:
        FRENCH.parse(text)
    assert str(error.value) == (
        f"{text!r} is not a card; ranks are A 2 3 4 5 6 7 8 9 10 J Q K, suits S H D C (write A or AS)"
    )


def test_a_deck_of_other_cards() -> None:
    deck = Deck((("0", "red"), ("0", "blue"), ("1", "red"), ("1", "red")))
    assert deck.ranks == ("0", "1")
    assert deck.suits == ("red", "blue")
    assert Shoe.decks(3, deck).counts_by("card") == {"0red": 3, "0blue": 3, "1red": 6}
    assert Shoe.decks(3, deck).describe() == "3 decks, 12 cards"
    with pytest.raises(InputError, match="there is no card '1blue': rank 1 has no suit blue"):
        deck.parse("1blue")


@pytest.mark.parametrize(
    ("counts", "reason"),
    [
        ({"A": -1}, "the count of A must be a whole number from 0, not -1"),
        ({"A": 1.5}, "the count of A must be a whole number from 0, not 1.5"),
        ({"A": True}, "the count of A must be a whole number from 0, not True"),
        ({"A": "3"}, "the count of A must be a whole number from 0, not '3'"),
        ({"A": 3, "a": 2}, "the card a is counted twice"),
        ({"T": 3, "10": 2}, "the card 10 is counted twice"),
        ({"AS": 3, "A♠": 2}, "the card A♠ is counted twice"),
        ({"AS": 8, "K": 3}, "a shoe is given by rank (A=32) or by card (AS=8), not by both"),
        ({"A": 0}, "the shoe is empty"),
        ({}, "the shoe is empty"),
    ],
)
def test_counts_that_are_refused(counts: dict[str, int], reason: str) -> None:
    with pytest.raises(InputError) as error:
        Shoe.of(counts)
    assert str(error.value) == reason


def test_a_shoe_by_rank_knows_no_suits() -> None:
    shoe = Shoe.of({"A": 3, "K": 2})
    assert not shoe.has_suits
    assert shoe.counts() == {("A", ""): 3, ("K", ""): 2}
    for attribute in ("suit", "card"):
        with pytest.raises(InputError, match=f"it knows no suits, so it cannot be counted by {attribute}"):
            shoe.counts_by(attribute)
    with pytest.raises(InputError, match="cannot remove AH: this shoe is given by rank and knows no suits; remove A"):
        shoe.remove("AH")
    assert shoe.remove("A,A").counts_by("rank")["A"] == 1


def test_a_shoe_by_card_knows_suits() -> None:
    shoe = Shoe.of({"AS": 3, "KH": 2})
    assert shoe.has_suits
    assert shoe.counts_by("suit") == {"S": 3, "H": 2, "D": 0, "C": 0}


def test_a_card_removed_unseen_leaves_no_suits() -> None:
    shoe = Shoe.decks(8).remove("8H")
    assert shoe.has_suits
    assert shoe.counts_by("card")["8H"] == 7
    unseen = shoe.remove("8")
    assert not unseen.has_suits
    assert unseen.size == 414
    assert unseen.counts()["8", ""] == 30


@pytest.mark.parametrize(
    ("shoe", "cards", "reason"),
    [
        (Shoe.decks(1), "8H,8H", "cannot remove 8H: the shoe holds 1, 2 are to be removed"),
        (Shoe.decks(1), "8,8,8,8,8", "cannot remove 8: the shoe holds 4, 5 are to be removed"),
        (Shoe.decks(1), "8,8,8,8,8H", "cannot remove 8: the shoe holds 4, 5 are to be removed"),
        (Shoe.of({"A": 1}), "A,A,A", "cannot remove A: the shoe holds 1, 3 are to be removed"),
        (Shoe.of({"A": 1}), "K", "cannot remove K: the shoe holds 0, 1 are to be removed"),
        (Shoe.decks(1), "8H,X", "'X' is not a card; "),
    ],
)
def test_more_than_there_is_cannot_be_removed(shoe: Shoe, cards: str, reason: str) -> None:
    with pytest.raises(InputError) as error:
        shoe.remove(cards)
    assert str(error.value).startswith(reason)


@given(
    st.lists(st.sampled_from([*CARDS, *FRENCH.ranks]), max_size=8).flatmap(
        lambda c: st.tuples(st.just(c), st.permutations(c))
    )
)
def test_the_order_of_removal_changes_nothing(pair: tuple[list[str], list[str]]) -> None:
    cards, shuffled = pair
    left = Shoe.decks(8).remove(cards)
    other = Shoe.decks(8).remove(shuffled)
    one_by_one = Shoe.decks(8)
    for card in cards:
        one_by_one = one_by_one.remove([card])
    assert left.counts() == other.counts() == one_by_one.counts()
    assert left.counts_by("rank") == other.counts_by("rank") == one_by_one.counts_by("rank")
    assert left.size == 416 - len(cards) == sum(left.counts_by("rank").values())


def test_whether_removing_is_possible_does_not_hang_on_the_order() -> None:
    for cards in permutations(["8", "8", "8", "8", "8H"]):
        with pytest.raises(InputError):
            Shoe.decks(1).remove(cards)
    for cards in permutations(["8", "8", "8", "8H"]):
        assert Shoe.decks(1).remove(cards).counts_by("rank")["8"] == 0


def test_a_shoe_is_immutable() -> None:
    shoe = Shoe.decks(8)
    shoe.remove("8H,8")
    assert shoe == Shoe.decks(8)
    with pytest.raises(AttributeError):
        shoe.infinite = True  # type: ignore[misc]


@pytest.mark.parametrize(
    ("shoe", "text"),
    [
        (Shoe.decks(1), "1 deck, 52 cards"),
        (Shoe.decks(8), "8 decks, 416 cards"),
        (Shoe.decks("infinite"), "infinite decks (cards drawn with replacement)"),
        (Shoe.of({"A": 3, "K": 2, "2": 0}), "5 cards: A=3 K=2"),
        (Shoe.decks(1).remove("8H"), "51 cards: A=4 2=4 3=4 4=4 5=4 6=4 7=4 8=3 9=4 10=4 J=4 Q=4 K=4"),
        (Shoe.of(dict.fromkeys(FRENCH.ranks, 32)), "416 cards: " + " ".join(f"{rank}=32" for rank in FRENCH.ranks)),
    ],
)
def test_a_shoe_in_one_line(shoe: Shoe, text: str) -> None:
    assert shoe.describe() == text
