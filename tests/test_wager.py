"""Wagers: figures from ways, worked out by hand, and wagers written on a command line."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exact.errors import InputError
from exact.games import load
from exact.rulefile.wagers import read_wagers
from exact.wager import LineFigures, WagerFigures, figures, parse_inline

GAME = load("baccarat")
ODDS = "x: wager 'a'.pays[1].odds: odds must be a fraction of at least -1 such as 19/20, not "


def wager(*lines: tuple[Fraction | int, int], total: int, rounds: int | None = None) -> WagerFigures:
    paid = tuple(LineFigures("", Fraction(odds), ways, total) for odds, ways in lines)
    return WagerFigures("w", "", paid, total, rounds or total)


def test_roulette_by_hand() -> None:
    straight = wager((35, 1), total=37)
    assert straight.expectation == Fraction(-1, 37)
    assert straight.edge == straight.edge_resolved == Fraction(1, 37)
    assert straight.variance == Fraction(35**2 + 36, 37) - Fraction(1, 37**2)
    assert straight.hit_frequency == Fraction(1, 37)
    assert straight.return_to_player == Fraction(36, 37)
    assert straight.standard_deviation == pytest.approx(5.8378, abs=1e-4)  # a double, printed to four places in books
    assert (straight.lost, straight.resolved, straight.offered) == (36, 1, 1)


def test_pushes_are_not_resolved() -> None:
    """Half of the bets pushed: the edge per resolved bet doubles."""
    push = wager((1, 20), (0, 50), total=100)
    assert push.edge == Fraction(1, 10)
    assert push.resolved == Fraction(1, 2)
    assert push.edge_resolved == Fraction(1, 5)
    assert push.hit_frequency == Fraction(1, 5)
    assert wager((0, 100), total=100).edge_resolved is None


def test_a_line_that_loses_a_part_or_all_is_no_hit() -> None:
    half = wager((Fraction(-1, 2), 10), (-1, 10), (2, 10), total=40)
    assert half.hit_frequency == Fraction(1, 4)
    assert half.expectation == Fraction(-5 - 10 + 20 - 10, 40)
    assert half.lines[0].contribution == Fraction(-1, 8)


odds = st.fractions(-1, 200, max_denominator=20)


@given(st.lists(st.tuples(odds, st.integers(0, 50)), min_size=1, max_size=5), st.integers(1, 50))
def test_figures_are_moments_of_the_net_result(lines: list[tuple[Fraction, int]], lost: int) -> None:
    total = sum(ways for _, ways in lines) + lost
    found = wager(*lines, total=total)
    nets = [net for net, ways in lines for _ in range(ways)] + [Fraction(-1)] * lost
    mean = sum(nets, Fraction(0)) / total
    assert found.expectation == mean == sum(line.contribution for line in found.lines) - Fraction(found.lost, total)
    assert found.variance == sum(((net - mean) ** 2 for net in nets), Fraction(0)) / total
    assert found.hit_frequency == Fraction(sum(net > 0 for net in nets), total)
    assert found.resolved == Fraction(sum(net != 0 for net in nets), total)
    assert found.return_to_player == 1 - found.edge


def test_figures_are_given_the_offer() -> None:
    tie = GAME.wager("tie")
    found = figures(tie, [3], 10, 40)
    assert found is not None
    assert (found.expectation, found.offered) == (Fraction(3 * 8 - 7, 10), Fraction(1, 4))
    assert figures(tie, [0], 0, 40) is None


@pytest.mark.parametrize(
    ("text", "pays"),
    [
        ("a: x = 1 pays 12", [("x = 1", "12")]),
        ("a: x = 1 pays 12; y = 2 PAYS 1/2;", [("x = 1", "12"), ("y = 2", "1/2")]),
        ("a: w = 'b; c' pays 1", [("w = 'b; c'", "1")]),
        ("a:x=1 pays 1 - 1/20", [("x=1", "1 - 1/20")]),
    ],
)
def test_wagers_on_a_command_line(text: str, pays: list[tuple[str, str]]) -> None:
    read = parse_inline(text)
    assert read["name"] == "a"
    assert [(line["when"], line["odds"]) for line in read["pays"]] == pays


@pytest.mark.parametrize(
    "text", ["a", "a:", "a: x = 1", "a: pays 3", ": x = 1 pays 2", "a: x = 1 pays", "a: x pays 1; y"]
)
def test_wagers_that_cannot_be_read(text: str) -> None:
    with pytest.raises(InputError, match="write NAME: CONDITION pays ODDS"):
        parse_inline(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a: aces = 1 pays 1", "x: wager 'a'.pays[1].when: 'aces = 1': unknown column 'aces' here; "),
        ("a: p1 pays 1", "x: wager 'a'.pays[1].when: 'p1': must be truth valued (true or false), but it is integer"),
        (
            "a: p3 = 1 pays 1",
            "x: wager 'a'.pays[1].when: 'p3 = 1': is NULL whenever p3 is (a card not drawn); ",
        ),
        ("a: p1 = 1 pays 12:1", "x: wager 'a'.pays[1].odds: cannot read '12:1': unexpected ':' at character 3"),
        (
            "a: p1 = 1 pays -2",
            f"{ODDS}'-2'",
        ),
        (
            "a: p1 = 1 pays p1",
            f"{ODDS}'p1'",
        ),
        ("a: p1 = 1 pays 1/0", ODDS),
        (
            "a: p1 = 1 pays TRUE",
            ODDS,
        ),
        (
            "a: p1 = 1 pays MAX(3)",
            ODDS,
        ),
    ],
)
def test_wagers_that_are_refused(text: str, reason: str) -> None:
    with pytest.raises(InputError) as error:
        read_wagers(GAME, [parse_inline(text)], "x")
    assert str(error.value).startswith(reason)


def test_odds_may_use_the_options_of_the_game() -> None:
    read = read_wagers(GAME, [parse_inline("a: p1 = 1 pays 2 * (1 - commission)")], "x")
    assert read[0].pays[0].odds == Fraction(19, 10)
