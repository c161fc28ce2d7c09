"""Logs of blackjack: dealt rounds are clean, a round with one cell changed is judged as the slow checker judges it."""

import csv
import json
import re
from fractions import Fraction
from functools import cache
from itertools import pairwise
from random import Random

import pytest
from click.testing import CliRunner
from tests.blackjack.dealing import deal, sound

from exact.blackjack.cards import RankShoe, best_total
from exact.blackjack.dealer import HOLE_OF_BLACKJACK
from exact.blackjack.log import Judge
from exact.blackjack.logchoices import Choices
from exact.blackjack.logfile import read_row
from exact.blackjack.rules import Rules
from exact.blackjack.solve import solve
from exact.cli import main
from exact.shoe import Shoe
from exact.solvers import LogAsked

COLUMNS = ("player", "dealer", "actions", "stake", "insurance", "paid")
DECKS = 2
OPEN = {"double": "any", "split_pairs": "any", "split_or_fold": "false"}
TABLES = {
    "page": {},
    "vegas": OPEN | {"hole_card": "peek", "charlie": "none", "soft17": "hit"},
    "european": OPEN | {"double": "9-11", "ten_up_takes_double": "true", "charlie": "5", "surrender": "late"},
    "original bets": OPEN | {"hole_card": "original-bets", "charlie": "4", "charlie_beats_blackjack": "true",
                             "blackjack_beats_21": "false", "double_soft": "false"},
    "early": OPEN | {"hole_card": "peek", "surrender": "early", "das": "false", "split_aces": "free", "charlie": "5"},
    "late": OPEN | {"hole_card": "peek", "surrender": "late", "insurance": "false", "blackjack_pays": "6:5"},
    "peek and fold": {"hole_card": "peek", "split_pairs": "any", "soft17": "hit"},
    "refunds": OPEN | {"ace_up_takes_double": "false", "ten_up_takes_split": "false", "ace_up_takes_split": "false",
                       "charlie": "4", "blackjack_beats_21": "false"},
}  # fmt: skip


@cache
def judge(name: str) -> Judge:
    return Judge(Rules.of(options=TABLES[name]), Shoe.decks(DECKS), LogAsked(()), dict(zip(COLUMNS, COLUMNS, strict=True)))


def rounds(name: str, seed: int, number: int) -> list[dict[str, str]]:
    """Rounds played by chance, hitting often enough that hands grow long."""
    rng = Random(seed)
    def choose(cards, letters, up, split):
        return rng.choice(letters if sum(cards) > 11 else [one for one in letters if one != "S"] or letters)
    return [deal(rng, judge(name).rules, DECKS, choose) for _ in range(number)]


@pytest.mark.parametrize("name", TABLES)
def test_dealt_rounds_are_clean(name: str) -> None:
    for row in rounds(name, 1, 1500):
        assert sound(judge(name).rules, row), row
        assert judge(name).faults(_spelt(row))[1] == [], row


def changed(rng: Random, row: dict[str, str]) -> dict[str, str]:
    """The row with one cell changed: a card or an action more, less or other, or another amount."""
    column = rng.choice(COLUMNS)
    if column in ("stake", "paid", "insurance"):
        amount = Fraction(row[column] or "0") + rng.choice([-1, 1, 5, Fraction(1, 2)])
        return row | {column: str(float(amount))} if amount > 0 or column == "paid" else row
    known = "123456789" if column != "actions" else "SHDPRF"
    words = row[column].split()
    place = rng.randrange(len(words) + 1)
    other = rng.choice([*known, *(["10"] if column != "actions" else [])])
    replaced = [*words[:place], other, *words[place + 1 :]]
    less, more = [*words[:place], *words[place + 1 :]], [*words[:place], other, *words[place:]]
    return row | {column: " ".join(rng.choice([replaced, less, more]))}


@pytest.mark.parametrize("name", TABLES)
def test_one_changed_cell_is_judged_as_the_slow_checker_does(name: str) -> None:
    rng, verdicts = Random(2), []
    for row in rounds(name, 3, 1500):
        other = changed(rng, row)
        good = _sound(judge(name).rules, other)
        faults = judge(name).faults(_spelt(other))[1]
        assert bool(faults) != good, (row, other, faults)
        verdicts.append(good)
    assert 0.5 < verdicts.count(False) / len(verdicts) < 1


def _spelt(row: dict[str, str]) -> dict[str, str]:
    return {column: re.sub(r"\b1\b", "A", text) if column in ("player", "dealer") else text for column, text in row.items()}


def _sound(rules: Rules, row: dict[str, str]) -> bool:
    try:
        return sound(rules, row)
    except (ValueError, IndexError):  # no hand, no card, no amount
        return False
