"""Two arithmetics, one count: 64-bit sums and multisets weighed with Python integers; what is checked and refused."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from math import perm
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exact import rounds, tally
from exact.errors import InputError
from exact.games import load
from exact.result import compute
from exact.rulefile.conditions import read_condition
from exact.rulefile.meaning import integer
from exact.rulefile.wagers import read_wagers
from exact.shoe import FRENCH, Shoe
from exact.tally import Digit, Key
from exact.wager import parse_inline

GAME = load("baccarat")
COLUMNS = ("outcome", "player_total", "p3", "natural", "banker_cards")
TEXTS = ["TRUE", "p3 IS NULL", "player_two + banker_two = 7", "p1_rank = p2_rank"]


def counted(shoe: Shoe, given_: str, fits: bool, monkeypatch: pytest.MonkeyPatch) -> Counter[Key]:
    """The tally on the arithmetic that is forced, whatever the shoe."""
    with monkeypatch.context() as patch:
        patch.setattr(tally, "fits", lambda game, shoe: fits)
        digits = [Digit.of_column(GAME, name) for name in COLUMNS]
        return tally.tally(GAME, shoe, digits, read_condition(GAME, given_, "given"))


@settings(max_examples=8)
@given(
    st.dictionaries(st.sampled_from(FRENCH.ranks), st.integers(1, 30), min_size=2).filter(
        lambda c: sum(c.values()) > 5
    ),
    st.sampled_from(TEXTS),
)
def test_both_arithmetics_count_the_same(counts: dict[str, int], given_: str) -> None:
    """Small shoes by force on the path of the large ones; cards run out in some."""
    with pytest.MonkeyPatch.context() as patch:
        shoe = Shoe.of(counts)
        assert counted(shoe, given_, True, patch) == counted(shoe, given_, False, patch)


def test_both_arithmetics_count_the_same_with_replacement(monkeypatch: pytest.MonkeyPatch) -> None:
    shoe = Shoe.decks("infinite")
    assert counted(shoe, "TRUE", True, monkeypatch) == counted(shoe, "TRUE", False, monkeypatch)


def test_known_cards_on_both_arithmetics(monkeypatch: pytest.MonkeyPatch) -> None:
    shoe, dealt = Shoe.decks(2), ["p1=8H", "p3=5"]
    weighted = compute(GAME, shoe, [], dealt=dealt)
    monkeypatch.setattr(tally, "fits", lambda game, shoe: False)
    assert compute(GAME, shoe, [], dealt=dealt).all == weighted.all


@pytest.mark.parametrize(("decks", "path"), [(27, "_weighted"), (28, "_by_multiset")])
def test_the_switch_is_where_64_bits_end(decks: int, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """27 decks have 7.6e18 ordered deals, 28 have 9.5e18, and 2^63 is 9.2e18."""
    taken: list[str] = []
    for name in ("_weighted", "_by_multiset"):
        real = getattr(tally, name)
        monkeypatch.setattr(tally, name, lambda *args, n=name, f=real: taken.append(n) or f(*args))
    compute(GAME, Shoe.decks(decks), [])
    assert taken == [path]


def test_no_sum_wraps_just_below_the_switch() -> None:
    shoe = Shoe.of({rank: 111 + (rank == "A") * 7 for rank in FRENCH.ranks})  # 1450 cards, the most that fit
    assert 2**62 < shoe.orders(6) < 2**63
    result = compute(GAME, shoe, [])
    assert sum(o.ways for o in result.all.outcomes) == perm(1450, 6)
    assert all(o.ways > 0 for o in result.all.outcomes)


def test_multisets_are_told_apart_whatever_the_number_of_classes() -> None:
    """52 classes need several packed numbers: an order changes none, another card changes one."""
    slots = ["a", "b", "c"]
    hands = [(0, 51, 7), (51, 7, 0), (0, 0, 51), (0, 51, 51), (22, 23, 24), (24, 23, 22)]
    frame = pl.DataFrame(hands, schema=dict.fromkeys(slots, pl.UInt8), orient="row")
    packed = frame.select(*tally._multiset_columns(slots, 52).values()).rows()
    assert len(packed[0]) == 2
    for i, first in enumerate(hands):
        for j, second in enumerate(hands):
            assert (packed[i] == packed[j]) is (sorted(first) == sorted(second))


def test_a_digit_gives_every_value_a_place() -> None:
    assert Digit.of_column(GAME, "player_two").values == (*range(10), None)
    assert Digit.of_column(GAME, "natural").values == (False, True, None)
    assert Digit.of_column(GAME, "outcome").values == ("player", "banker", "tie", None)


def test_many_digits_need_several_numbers() -> None:
    """Twenty wagers of eleven lines tell more apart than one 64-bit number does."""
    lines = "; ".join(f"player_total = {n} pays {n}" for n in range(10))
    wagers = read_wagers(GAME, [parse_inline(f"w{n}: banker_two = {n % 8} pays {n}; {lines}") for n in range(20)], "x")
    result = compute(GAME, Shoe.decks(1), wagers, by=["natural"])
    assert sum(group.ways for group in result.by) == perm(52, 6)
    for n in (0, 7, 19):
        alone = compute(GAME, Shoe.decks(1), [wagers[n]]).all.wagers[0]
        assert result.all.wagers[n].lines == alone.lines


def test_a_breakdown_into_many_groups_takes_one_pass() -> None:
    """Every group once scanned the counts of all: 10,000 groups never ended."""
    result = compute(GAME, Shoe.decks(1), [], by=["p1", "b1", "p2", "b2"])
    assert len(result.by) == 10_000
    assert sum(group.ways for group in result.by) == perm(52, 6)


RULES = (Path(rounds.__file__).parent / "games" / "baccarat.toml").read_text(encoding="utf-8")
BANKER = '"NOT natural AND CASE WHEN p3 IS NULL THEN banker_after_stand ELSE banker_after_draw END"'


def own_game(folder: Path, banker: str) -> str:
    """A copy of the rule file with another condition for the Banker's card."""
    assert BANKER in RULES
    path = folder / "own.toml"
    lines = [line for line in RULES.replace(BANKER, banker).splitlines() if not line.startswith("wagers")]
    path.write_text("\n".join(lines), encoding="utf-8")
    return str(path)


def test_a_condition_that_is_null_is_an_error_of_the_rules(tmp_path: Path) -> None:
    """A draft without "p3 IS NULL" lost 7.18 % of the ways and said nothing."""
    game = load(own_game(tmp_path, '"NOT natural AND banker_after_draw"'))
    with pytest.raises(InputError, match=r"own\.toml: step 'banker draws'\.when: .* is NULL for "):
        compute(game, Shoe.decks(8), [])


@pytest.mark.parametrize(
    "condition", ["p3 IS NULL", "p3 IS NOT NULL", "TRUE", "FALSE", "COALESCE(p3_rank, 'none') = 'none'"]
)
def test_a_condition_that_hangs_on_drawing_alone(tmp_path: Path, condition: str) -> None:
    """Where the card is not drawn the condition is a constant: polars must not take it for one row."""
    game = load(own_game(tmp_path, f'"{condition}"'))
    result = compute(game, Shoe.decks(1), [], by=["player_cards", "banker_cards"])
    kinds = {tuple(group.key.values()) for group in result.by}
    drawn = {"TRUE": {3}, "FALSE": {2}}.get(condition)
    expected = {(p, 3 if (p == 2) == (condition != "p3 IS NOT NULL") else 2) for p in (2, 3)}
    assert kinds == ({(p, b) for p in (2, 3) for b in drawn} if drawn else expected)
    assert sum(group.ways for group in result.by) == perm(52, 6)


def test_texts_of_different_columns_are_compared(tmp_path: Path) -> None:
    """Words in another order are another Enum to polars, which refuses to compare the two."""
    shoe = Shoe.of({"AS": 2, "KH": 2, "KD": 1, "AH": 1, "5C": 2})
    game = load(own_game(tmp_path, BANKER))
    rules = Path(own_game(tmp_path, BANKER))
    text = rules.read_text(encoding="utf-8")
    own = "CASE WHEN p1 = 0 THEN 'red' WHEN p1 = 1 THEN 'black' ELSE 'none' END"
    rules.write_text(text.replace("let.natural ", f'let.own = "{own}"\nlet.natural '), encoding="utf-8")
    compared = compute(load(str(rules)), shoe, [], given="own = p1_colour")
    spelled = compute(game, shoe, [], given="p1 = 0 AND p1_colour = 'red' OR p1 = 1 AND p1_colour = 'black'")
    assert compared.total == spelled.total > 0


def test_ways_that_do_not_add_up_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    real = tally._weighted
    monkeypatch.setattr(tally, "_weighted", lambda *args: Counter({k: n - 1 for k, n in real(*args).items()}))
    with pytest.raises(InputError, match=r"the ways of all rounds add up to \d+, not to the 14658134400 ordered deals"):
        compute(GAME, Shoe.decks(1), [])


def test_a_column_of_too_many_values_is_refused() -> None:
    game = replace(GAME, facts={**GAME.facts, "big": integer(0, 20_000)})
    with pytest.raises(InputError, match="big takes 20,001 values, too many to break results down by"):
        Digit.of_column(game, "big")


def test_a_wager_on_nothing_deals_nothing() -> None:
    wagers = read_wagers(GAME, [parse_inline("sure: TRUE pays 1/2")], "--wager")
    assert compute(GAME, Shoe.decks(8), wagers).all.wager("sure").expectation == Fraction(1, 2)
