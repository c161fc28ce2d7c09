"""Effects of removal against solving each shoe and against print; the best linear count against least squares."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from exact.errors import InputError
from exact.games import load
from exact.polynomial.compiled import compiled
from exact.polynomial.effects import Effects, effects, judged, rounded
from exact.polynomial.effects_report import effects_report
from exact.polynomial.linear import spread
from exact.result import compute
from exact.shoe import Shoe
from exact.shoefile import ShoeRequest
from exact.solvers import Question

# Effects x 10^7 by card value A 2 .. 9 0 with 8 decks, of a public table that lists them 0 A 2 .. 9 and reads them
# one rank off: github.com/ChiFungHillmanChan/casino-game-calculator, baccarat/js/calculations.js.
BANKER = (440, 522, 649, 1157, -827, -1132, -827, -502, -231, 188)
PLAYER = (-448, -543, -672, -1195, 841, 1128, 817, 533, 249, -178)
# Dragon 7 x 10^3, A 2 .. 9 0: github.com/mrwatts88/ride-free-sim
DRAGON = ("+0.5", "-0.9", "-1.1", "-2.7", "-2.6", "-3.2", "-3.6", "+5.4", "+4.8", "+0.9")
DRAGON_BET = "dragon: outcome = 'banker' AND banker_total = 7 AND banker_cards = 3 pays 40"
VALUES = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "K")


def asked(*wagers: str, decks: str = "8", order: int = 1) -> tuple[Effects, ...]:
    return effects(Question("baccarat", ShoeRequest(decks), wagers=wagers), order)


def worth(shoe: Shoe, wager: str) -> Fraction:
    game = load("baccarat")
    return compute(game, shoe, [game.wager(wager)]).all.wager(wager).expectation


def test_each_is_a_difference_of_two_shoes() -> None:
    (tie, pair) = asked("tie", "player-pair", decks="2", order=2)
    shoe = Shoe.decks(2)
    for one in (tie, pair):
        base = worth(shoe, one.name)
        assert one.base == base
        for card in ("A", "8", "K"):
            assert one.first[card] == worth(shoe.remove(card), one.name) - base
        joint = (
            worth(shoe.remove("8,9"), one.name) - worth(shoe.remove("8"), one.name) - worth(shoe.remove("9"), one.name)
        )
        assert one.second["8", "9"] == joint + base


@pytest.mark.parametrize(("name", "printed"), [("banker", BANKER), ("player", PLAYER)])
def test_published_effects(name: str, printed: tuple[int, ...]) -> None:
    (found,) = asked(name)
    assert tuple(round((found.first[card] or 0) * 10**7) for card in VALUES) == printed


def test_each_rank_has_its_own_effect_not_its_neighbours() -> None:
    """The table read one rank off gives the ace the effect of a ten: told apart by every value."""
    (found,) = asked("banker")
    shifted = (*BANKER[-1:], *BANKER[:-1])
    exact = [round((found.first[card] or 0) * 10**7) for card in VALUES]
    assert sum(a == b for a, b in zip(exact, shifted, strict=True)) == 0


def test_published_effects_of_a_side_bet() -> None:
    (found,) = asked(DRAGON_BET)
    assert tuple(f"{float(found.first[card] or 0) * 1000:+.1f}" for card in VALUES) == DRAGON


def test_effects_of_all_cards_cancel() -> None:
    """A card out of sight changes nothing: weighted with the cards of the shoe the effects are 0."""
    for one in asked("player", "banker", "tie"):
        assert sum(count * (one.first[card] or 0) for card, count in one.counts.items()) == 0


def test_a_card_that_is_not_there_has_no_effect() -> None:
    (found,) = effects(Question("baccarat", ShoeRequest(counts="A=9,9=1"), wagers=("tie",)), 2)
    assert found.first["K"] is None
    assert found.second["9", "9"] is None
    assert found.second["A", "9"] is not None


def test_by_card_where_suits_matter() -> None:
    (found,) = asked("red: p1_colour = 'red' pays 1", decks="1")
    assert (found.first["AH"], found.first["AS"]) == (Fraction(-1, 51), Fraction(1, 51))


@pytest.fixture(scope="module")
def tiny() -> tuple[list[str], dict[frozenset[int], Fraction]]:
    """A shoe of 13 cards, one of each rank, and the exact worth of the tie for every 8 of them that may be left."""
    ranks = list(Shoe.decks(1).counts_by("rank"))
    game = load("baccarat")
    found = compiled(game, [game.wager("tie")])
    subsets = list(combinations(range(13), 8))
    counts = np.array([[int(i in left) for i in range(13)] for left in subsets])
    net, offered = found.at_many(counts, found.by_rank_or_card).expectation(1)
    values = [Fraction(int(a), int(b)) for a, b in zip(net, offered, strict=True)]
    return ranks, dict(zip(map(frozenset, subsets), values, strict=True))


def test_the_best_linear_count_is_least_squares(tiny: tuple[list[str], dict[frozenset[int], Fraction]]) -> None:
    """Over every subset: what is left over is uncorrelated with each card's presence, and R^2 is the exact ratio."""
    ranks, worths = tiny
    shoe = Shoe.of(dict.fromkeys(ranks, 1))
    (one,) = effects(Question("baccarat", ShoeRequest(counts=",".join(f"{r}=1" for r in ranks)), wagers=("tie",)))
    game = load("baccarat")
    varied = spread(compiled(game, [game.wager("tie")]), 1, shoe)
    weight = varied.weight(8)
    assert weight == Fraction(12, 8)
    linear = {
        left: one.base + weight * sum((one.first[ranks[i]] or 0) for i in range(13) if i not in left) for left in worths
    }
    for card in range(13):
        assert sum(worths[left] - linear[left] for left in worths if card in left) == 0
    mean = sum(worths.values()) / len(worths)
    assert mean == one.base
    whole = sum((value - mean) ** 2 for value in worths.values()) / len(worths)
    explained = sum((value - mean) ** 2 for value in linear.values()) / len(worths)
    assert varied.variance(8) == whole
    assert varied.linear(8) == explained / whole


def test_a_rounding_is_the_best_of_all_scales() -> None:
    (one,) = asked("banker")
    for most in (1, 2, 3):
        best = rounded(one, most)
        assert best is not None
        for scale in range(1, 6000, 7):
            tags = {card: round((effect or 0) * scale * 10) for card, effect in one.first.items()}
            if 0 < max(map(abs, tags.values())) <= most:
                other = judged(tags, one)
                assert best.loss is not None
                assert other.loss is not None
                assert best.loss <= other.loss


def test_the_two_correlations() -> None:
    """By hand: cards x (3 of them, effect 1) and y (1, effect -3); tags 1 and 0."""
    one = Effects("w", {"x": 3, "y": 1}, Fraction(0), {"x": Fraction(1), "y": Fraction(-3)}, {})
    found = judged({"x": 1, "y": 0}, one)
    assert (found.balance, found.correlation, found.loss) == (3, 1.0, 0)
    assert found.uncentred == pytest.approx(3 / (3 * 12) ** 0.5)  # floats: a square root
    assert judged({"x": 1, "y": 1}, one).correlation is None


def test_a_pair_has_no_linear_count() -> None:
    """All ranks are alike: no single card moves it, so that nothing linear is to be seen."""
    game = load("baccarat")
    found = compiled(game, [game.wager("player-pair")])
    assert spread(found, 1, Shoe.decks(8)).linear(52) == 0


@pytest.mark.parametrize(
    ("question", "tags", "message"),
    [
        (Question("baccarat", ShoeRequest("infinite")), {}, "infinite shoe"),
        (Question("baccarat", ShoeRequest(counts="A=3,K=3")), {}, "6 cards, with 1 of them removed too few"),
        (Question("baccarat", wagers=("ti",)), {}, "no wager 'ti'"),
        (Question("baccarat", wagers=("tie",)), {"mine": "Z=1"}, "no card 'Z'"),
        (Question("baccarat", wagers=("tie",)), {"mine": "A"}, "--tags mine: the tag of 'A' must be a whole number"),
        (Question("baccarat", wagers=("tie",)), {"mine": "A=1-2"}, "must be a whole number such as -1, not '1-2'"),
        (Question("baccarat", wagers=("tie",)), {"mine": "A=1,A=2"}, "'A' stands there twice"),
    ],
)
def test_refusals(question: Question, tags: dict[str, str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        effects_report(question, 1, tags)


def test_why_there_is_nothing_by_depth() -> None:
    question = Question("baccarat", wagers=("tie",), given="player_two = 6")
    report = effects_report(question, 1, {"mine": "A=-1,9=2"})
    assert "bet on some rounds only" in report.heading[-1]
    assert [table.name for table in report.tables] == ["effects", "counts"]
    assert report.tables[1].rows[-1]["tags"] == "A=-1,9=2"  # type: ignore[index]


def test_tags_of_cards_that_are_negative_numbers() -> None:
    report = effects_report(Question("multicolour-baccarat", wagers=("tie",)), 1, {"mine": "-11=-1, 11=2"})
    assert report.tables[1].rows[-1]["tags"] == "-11=-1,11=2"  # type: ignore[index]
