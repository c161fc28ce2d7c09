"""Runs against every sequence of results; two rounds in a row against every deal of a tiny shoe."""

from __future__ import annotations

import importlib.util
from collections import Counter
from fractions import Fraction
from itertools import groupby, product
from math import perm, prod
from pathlib import Path

import pytest

from exact.errors import InputError
from exact.games import load
from exact.polynomial.compiled import Compiled, compiled
from exact.polynomial.streaks import run_chance, successive
from exact.polynomial.streaks_report import streaks_report
from exact.result import compute
from exact.shoe import Shoe
from exact.shoefile import ShoeRequest
from exact.solvers import Question

P = {"b": Fraction(1, 2), "p": Fraction(1, 3), "t": Fraction(1, 6)}


@pytest.mark.parametrize("length", [1, 2, 3, 5])
@pytest.mark.parametrize("ignored", [True, False])
def test_runs_against_every_sequence(length: int, ignored: bool) -> None:
    chance = Fraction(0)
    for rounds in product("bpt", repeat=6):
        seen = [r for r in rounds if not (ignored and r == "t")]
        longest = max((len(list(run)) for result, run in groupby(seen) if result == "b"), default=0)
        chance += prod(P[r] for r in rounds) * (longest >= length)
    assert run_chance(length, 6, P["b"], P["t"] if ignored else Fraction(0)) == chance


@pytest.mark.parametrize(
    ("rounds", "model", "printed"), [(70, "resolved rounds only", "99.74"), (81, "a tie ends a run", "99.46")]
)
def test_published_streaks_of_three_bankers(rounds: int, model: str, printed: str) -> None:
    report = streaks_report(Question("baccarat"), "banker", "tie", 3, rounds)
    (row,) = (row for row in report.tables[0] if model in str(row["model"]))
    assert f"{float(100 * row['probability']):.2f}" == printed  # type: ignore[arg-type,operator]


def straight_line():  # type: ignore[no-untyped-def]
    """The rules of punto banco as plain ifs, written for the tests only."""
    path = Path(__file__).parents[1] / "punto_banco.py"
    spec = importlib.util.spec_from_file_location("punto_banco", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("counts", [{"A": 5, "6": 5, "K": 3}, {"4": 6, "9": 4, "2": 3}])
def test_two_rounds_against_every_deal(counts: dict[str, int]) -> None:
    play_cards = straight_line().play_cards
    ways: Counter[tuple[str, str]] = Counter()
    for first in product(counts, repeat=6):
        row = play_cards(first)
        used = row["player_cards"] + row["banker_cards"]
        orders = prod(perm(counts[r], first.count(r)) for r in counts)
        if orders:
            for second in product(counts, repeat=used):  # the cards after the six that the first round looked into
                six = [*first[used:], *second]
                more = prod(perm(counts[r] - first.count(r), second.count(r)) for r in counts)
                if more:
                    # of ``used + 6`` cards in order, the rest of the shoe unseen
                    ways[row["outcome"], play_cards(six)["outcome"], used] += orders * more
    size = sum(counts.values())
    expected: dict[tuple[str, str], Fraction] = {}
    for (one, other, used), number in ways.items():
        expected[one, other] = expected.get((one, other), Fraction(0)) + Fraction(number, perm(size, used + 6))
    found = successive(compiled(load("baccarat"), []), Shoe.of(counts))
    assert {pair: value for pair, value in found.joint.items() if value} == expected


def test_the_second_round_alone_is_like_the_first(main_bets: Compiled) -> None:
    law = successive(main_bets, Shoe.decks(8))
    for outcome in compute(main_bets.game, Shoe.decks(8), []).all.outcomes:
        assert law.single[outcome.name] == outcome.probability
        assert sum(law.joint[first, outcome.name] for first in law.single) == outcome.probability
    assert f"{float(law.given('banker', 'banker')):.8f}" == "0.45859625"
    assert f"{float(law.single['banker']):.8f}" == "0.45859742"


@pytest.mark.parametrize(
    ("decks", "outcome", "message"),
    [("infinite", "banker", "infinitely many"), ("8", "bank", "no outcome 'bank'")],
)
def test_refusals(decks: str, outcome: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        streaks_report(Question("baccarat", ShoeRequest(decks)), outcome, "tie", 3, 70)
    with pytest.raises(InputError, match=r"would need 360,679 shoes, .* too many here"):
        successive(compiled(load("multicolour-baccarat"), []), Shoe.decks(1, load("multicolour-baccarat").deck))
    with pytest.raises(InputError, match="two rounds in a row need"):
        successive(compiled(load("baccarat"), []), Shoe.of({"A": 11}))
    with pytest.raises(InputError, match="add up to at most 1"):
        run_chance(3, 70, Fraction(2, 3), Fraction(1, 2))
