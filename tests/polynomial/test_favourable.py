"""Shoes that run down: rounds dealt as the rules say, and favourable shares as exact ones say."""

from __future__ import annotations

import importlib.util
from collections import Counter
from math import comb
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from exact.cli import main
from exact.errors import InputError
from exact.games import load
from exact.offers.playing import Table
from exact.polynomial.compiled import Compiled, compiled
from exact.polynomial.favourable import by_depth, by_shoe
from exact.polynomial.products import Products
from exact.rulefile.wagers import read_wagers
from exact.shoe import Shoe


def straight_line():  # type: ignore[no-untyped-def]
    """The rules of punto banco as plain ifs, written for the tests only."""
    path = Path(__file__).parents[1] / "punto_banco.py"
    spec = importlib.util.spec_from_file_location("punto_banco", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_rounds_are_dealt_by_the_rules() -> None:
    """Every round of some shuffled shoes, card by card, against the straight-line player."""
    play_cards = straight_line().play_cards
    table = Table.shuffled(load("baccarat"), Shoe.decks(1), 20, (3,))
    texts = [[rank + suit for rank, suit in (table.cards[card] for card in row)] for row in table.order.tolist()]
    assert all(Counter(row) == Counter(texts[0]) for row in texts)
    seen = 0
    for dealt in table.rounds(cut=14):
        for place, shoe in enumerate(dealt.shoes.tolist()):
            before = int(dealt.before[place])
            row = play_cards(texts[shoe][before : before + 6])
            cards = {
                slot: "".join(table.cards[card[place]]) if card[place] >= 0 else None
                for slot, card in dealt.used.items()
            }
            expected = {s: row[s] if row[s] is None else f"{row[f'{s}_rank']}{row[f'{s}_suit']}" for s in cards}
            assert cards == expected
            seen += 1
    assert seen > 20 * 5


def test_depth_against_every_subset() -> None:
    """Two kinds of cards, so that every shoe that can be left is known with its exact share."""
    shoe = Shoe.of({"9": 12, "10": 12})
    game = load("baccarat")
    found = compiled(game, read_wagers(game, [{"name": "nine", "pays": [{"when": "p1 = 9", "odds": "1"}]}], "test"))
    left = 12
    rows = [row for row in Products(2, left).multisets(left).tolist() if max(row) <= 12]
    counts = np.zeros((len(rows), len(found.counting.labels)), dtype=np.int64)
    counts[:, [found.counting.labels.index("9"), found.counting.labels.index("0")]] = rows
    shares = np.array([comb(12, a) * comb(12, b) / comb(24, 12) for a, b in rows])
    net, offered = found.at_many(counts).expectation(1)
    worth = net / offered
    (sampled,) = by_depth(found, shoe, [left], 20_000, seed=1)
    share, gain = float(shares[worth > 0].sum()), float((shares * np.maximum(worth, 0)).sum())
    assert sampled.share_interval
    assert sampled.gain_interval
    assert sampled.share_interval[0] < share < sampled.share_interval[1]  # seed 1 is inside its 95 % intervals
    assert sampled.gain_interval[0] < gain < sampled.gain_interval[1]


def test_the_first_round_of_a_fresh_shoe_is_never_favourable(main_bets: Compiled) -> None:
    """A cut card right behind the first round: one round a shoe, of eight decks."""
    for one in by_shoe(main_bets, Shoe.decks(8), cut=415, shoes=5, seed=1):
        assert (one.sampled, one.share, one.gain) == (5, 0, 0)
        assert (one.rounds_interval, one.gain_interval) == (None, None), "nothing met says nothing of how much there is"
        assert one.best < 0


def test_a_seed_is_a_result(main_bets: Compiled) -> None:
    one, again, other = (by_shoe(main_bets, Shoe.decks(1), 10, 30, seed) for seed in (1, 1, 2))
    assert one == again != other


def test_both_tables_say_what_they_are() -> None:
    result = CliRunner().invoke(main, ["depth", "--wager", "tie", "--left", "26", "--samples", "50", "--shoes", "2"])
    assert result.exit_code == 0
    assert "Uniform depth: random subsets of so many cards" in result.output
    assert "In play: the start of each round, cut card at 14" in result.output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--left", "x"], "--left takes numbers of cards"),
        (["--left", "5"], "5 cards left: a round needs 6"),
        (["--left", "417"], "the shoe holds 416"),
        (["--decks", "infinite"], "infinite shoe"),
        (["--cut", "416"], "no round begins"),
    ],
)
def test_refusals(arguments: list[str], message: str) -> None:
    result = CliRunner().invoke(main, ["depth", "--wager", "tie", "--samples", "2", "--shoes", "2", *arguments])
    assert (result.exit_code, message in result.output) == (2, True), result.output


def test_an_infinite_shoe_is_never_dealt_out() -> None:
    with pytest.raises(InputError, match="never dealt out"):
        Table.shuffled(load("baccarat"), Shoe.decks("infinite"), 1, (1,))
