"""The engine against brute force over every ordered deal of tiny shoes, and what it refuses."""

from __future__ import annotations

from collections import Counter
from math import perm

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exact import rounds
from exact.errors import InputError
from exact.games import load
from exact.plan import Dealt, card_classes, plan
from exact.result import compute
from exact.rounds import CLASS, WAYS, Walk, check_shoe, dtype, fits, undealt_orders
from exact.rulefile.meaning import Fact, integer
from exact.shoe import FRENCH, Shoe
from tests.punto_banco import count

GAME = load("baccarat")
COLUMNS = ("p1", "b1", "p2", "b2", "p3", "b3", "player_total", "banker_total", "outcome")
RANKS = tuple(f"{slot}_rank" for slot in GAME.slots)
# Six to nine cards, by what they are chosen for.
SHOES = {
    "six draws": "A A 4 A 3 5",
    "naturals": "8 9 K K 4 5 A",
    "ten values third": "2 3 K Q 10 J 4 K",
    "pairs": "7 7 7 K K 2 A A",
    "six and seven": "6 A 5 6 7 6 J 2",
    "nine cards": "9 3 6 3 K 5 2 8 A",
    "alike": "5 5 5 5 5 5 5",
}


def enumerate_rounds(cards: str, wanted: tuple[str, ...], dealt: tuple[Dealt, ...] = ()) -> Counter[tuple[object, ...]]:
    """Ways by the wanted columns, summed over every row of every branch; cards not drawn are None."""
    shoe = Shoe.of(Counter(cards.split()))
    walk, found = Walk(GAME, shoe, wanted, dealt), Counter[tuple[object, ...]]()
    for branch in walk.branches():
        for row in branch.frame.iter_rows(named=True):
            found[tuple(row.get(name) for name in wanted)] += row[WAYS]
    return found


@pytest.mark.parametrize("cards", SHOES.values(), ids=SHOES)
def test_every_column_equals_brute_force(cards: str) -> None:
    expected = count(cards.split(), lambda row: tuple(row[name] for name in COLUMNS))
    assert enumerate_rounds(cards, COLUMNS) == expected


@pytest.mark.parametrize("cards", SHOES.values(), ids=SHOES)
def test_ranks_and_values_together_equal_brute_force(cards: str) -> None:
    wanted = ("p1_rank", "p3_rank", "b2", "player_cards", "banker_cards", "natural")
    expected = count(cards.split(), lambda row: tuple(row.get(name) for name in wanted))
    assert enumerate_rounds(cards, wanted) == expected


@pytest.mark.parametrize("cards", ["8S 8H 8D KS KC 3H 3D 2C", "AS AS AH 4H 4D 5C 5C 6D"])
def test_suits_of_some_cards_equal_brute_force(cards: str) -> None:
    wanted = ("p1_suit", "p2_colour", "b1_rank", "p3_suit", "outcome")
    expected = count(cards.split(), lambda row: tuple(row.get(name) for name in wanted))
    assert enumerate_rounds(cards, wanted) == expected


@settings(max_examples=25)
@given(st.lists(st.sampled_from(list(FRENCH.ranks)), min_size=6, max_size=7))
def test_any_tiny_shoe_equals_brute_force(ranks: list[str]) -> None:
    expected = count(ranks, lambda row: (row["player_total"], row["banker_total"], row["outcome"]))
    assert enumerate_rounds(" ".join(ranks), ("player_total", "banker_total", "outcome")) == expected


@pytest.mark.parametrize(("decks", "rows"), [(1, 339_215), (2, 339_400)])
def test_every_sequence_comes_once(decks: int, rows: int) -> None:
    """With one deck the sequences of five or six cards of one value (not ten) are impossible: 185 fewer."""
    frames: dict[frozenset[str], list[pl.DataFrame]] = {}
    for branch in Walk(GAME, Shoe.decks(decks), ("outcome",)).branches():
        slots = [name for name in branch.frame.columns if name.startswith(CLASS)]
        frames.setdefault(branch.absent, []).append(branch.frame.select(slots))
    whole = [pl.concat(parts) for parts in frames.values()]
    assert sum(frame.n_unique() for frame in whole) == sum(frame.height for frame in whole) == rows


@pytest.mark.parametrize(("attributes", "rows"), [(("outcome",), 339_400), (("outcome", *RANKS), 1_659_001)])
def test_the_number_of_sequences_is_the_known_one(attributes: tuple[str, ...], rows: int) -> None:
    """339,400 by value and 1,659,001 by rank, as independent programs count them."""
    walk = Walk(GAME, Shoe.decks(8), attributes)
    assert sum(branch.frame.height for branch in walk.branches()) == rows


def test_a_slot_is_told_apart_as_finely_as_it_or_a_later_one_is_read() -> None:
    """Cards of one step lie in any order, so that the finest come first and make no other dearer."""
    kinds = {slot: len(classes) for slot, classes in Walk(GAME, Shoe.decks(8), ("outcome", "b1_rank")).kinds.items()}
    assert kinds == {"b1": 13, "p1": 10, "p2": 10, "b2": 10, "p3": 10, "b3": 10}
    kinds = {slot: len(classes) for slot, classes in Walk(GAME, Shoe.decks(8), ("outcome", "p3_suit")).kinds.items()}
    assert kinds == {"p1": 40, "b1": 40, "p2": 40, "b2": 40, "p3": 40, "b3": 10}


def test_suits_of_two_cards_and_the_outcome_equal_the_sum_over_known_cards() -> None:
    """A perfect pair of the Player and a win: all at once, or a question for each known pair."""
    shoe = Shoe.of({f"{rank}{suit}": 8 for rank in ("A", "3", "8", "K") for suit in "SH"})
    pair = "p1_rank = p2_rank AND p1_suit = p2_suit AND outcome = 'player'"
    known = [
        compute(GAME, shoe, [], dealt=(f"p1={card}", f"p2={card}")).all.outcome("player").ways
        for card in ("AS", "AH", "3S", "3H", "8S", "8H", "KS", "KH")
    ]
    assert compute(GAME, shoe, [], given=pair).total == sum(known)


def test_small_frames_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = enumerate_rounds(SHOES["nine cards"], COLUMNS)
    monkeypatch.setattr(rounds, "CHUNK", 500)
    assert enumerate_rounds(SHOES["nine cards"], COLUMNS) == whole


def test_frames_stay_below_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "CHUNK", 5000)
    walk = Walk(GAME, Shoe.decks(1), ("outcome",))
    assert all(branch.frame.height <= 5000 for branch in walk.branches())


def test_nobody_deals_a_card_that_nobody_looks_at() -> None:
    assert plan(GAME, ["player_two"]).slots == ("p1", "p2")
    assert plan(GAME, ["player_total"]).slots == ("p1", "b1", "p2", "b2", "p3")
    assert plan(GAME, ["natural"]).attributes == {"value"}
    assert plan(GAME, ["p1_rank", "outcome"]).slots == GAME.slots
    assert plan(GAME, []).slots == ()
    assert plan(GAME, ["player_two"], [("b3", "8", None)]).slots == ("p1", "b1", "p2", "b2", "p3", "b3")


def test_known_cards_equal_brute_force() -> None:
    cards = SHOES["nine cards"]
    expected = count(
        cards.split(), lambda row: (row["outcome"],), lambda row: row["p1_rank"] == "6" and row["b1_rank"] == "A"
    )
    assert enumerate_rounds(cards, ("outcome",), (("p1", "6", None), ("b1", "A", None))) == expected


def test_a_known_third_card_leaves_only_rounds_that_draw_it() -> None:
    cards = SHOES["six and seven"]
    expected = count(cards.split(), lambda row: (row["outcome"],), lambda row: row.get("p3_rank") == "6")
    assert enumerate_rounds(cards, ("outcome",), (("p3", "6", None),)) == expected


def test_classes_are_the_coarsest() -> None:
    shoe = Shoe.decks(8)
    assert [c.count for c in card_classes(GAME, shoe, ["value"])] == [32] * 9 + [128]
    assert len(card_classes(GAME, shoe, ["rank"])) == 13
    assert len(card_classes(GAME, shoe, ["value", "colour"])) == 20
    assert [c.count for c in card_classes(GAME, shoe, [], [("p1", "8", "H")])] == [408, 8]
    assert [c.count for c in card_classes(GAME, shoe, [])] == [416]
    assert sum(c.count for c in card_classes(GAME, shoe.remove("8H,8"), ["rank"])) == 414


def test_a_suit_asked_of_a_shoe_without_suits_is_refused() -> None:
    shoe = Shoe.of({"A": 4, "K": 4})
    with pytest.raises(InputError, match="knows ranks only, no suits, and suit is asked for: give the shoe by card"):
        card_classes(GAME, shoe, ["suit"])
    with pytest.raises(InputError, match="no suits: say p1=A, not p1=AH"):
        card_classes(GAME, shoe, [], [("p1", "A", "H")])
    assert len(card_classes(GAME, shoe, ["value"], [("p1", "A", None)])) == 2


def test_six_suits_are_refused_with_their_number() -> None:
    wanted = ["outcome", *(f"{slot}_{what}" for slot in GAME.slots for what in ("rank", "suit"))]
    with pytest.raises(InputError, match=r"up to 19,770,609,664 .* 6 places, up to 52 kinds of cards told apart"):
        Walk(GAME, Shoe.decks(8), wanted)


def test_a_shoe_too_small_for_a_round_is_refused() -> None:
    with pytest.raises(InputError, match="holds 5 cards, too few for a round to be completed: baccarat may need 6"):
        check_shoe(GAME, Shoe.of({"A": 5}))
    check_shoe(GAME, Shoe.of({"A": 6}))


@pytest.mark.parametrize(("cards", "fit"), [(1404, True), (1450, True), (1451, False), (1456, False)])
def test_the_switch_of_arithmetic_is_at_2_to_the_63(cards: int, fit: bool) -> None:
    assert fits(GAME, Shoe.of({"A": cards})) is fit
    assert (perm(cards, 6) < 2**63) is fit


def test_places_left_empty_are_filled_in_every_way() -> None:
    assert undealt_orders(Shoe.decks(8), 6, 4) == 412 * 411
    assert undealt_orders(Shoe.decks("infinite"), 6, 4) == 52 * 52


@pytest.mark.parametrize(
    ("fact", "name"),
    [(integer(-128, 127), "Int8"), (integer(0, 128), "Int16"), (integer(-40000, 0), "Int32"),
     (integer(0, 2**40), "Int64"), (Fact("truth"), "Boolean"),
     (Fact("text", words=("a", "b")), "Enum(categories=['a', 'b'])")],
)  # fmt: skip
def test_columns_are_as_narrow_as_their_range(fact: Fact, name: str) -> None:
    assert str(dtype(fact)) == name or repr(dtype(fact)) == name
