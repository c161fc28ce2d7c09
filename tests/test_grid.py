"""Grids of shoes and options: each row is the answer to its own question."""

import json
from fractions import Fraction

import pytest
from click.testing import CliRunner

from exact.blackjack.cards import RankShoe
from exact.blackjack.rules import Rules
from exact.blackjack.solve import solve
from exact.cli import main
from exact.errors import InputError
from exact.grid import grid
from exact.shoe import Shoe


def test_every_combination_is_the_answer_to_its_question():
    done: list[int] = []
    found = grid("blackjack", ["1", "2"], {"das": ["true", "false"], "soft17": ["hit"]}, ["blackjack"], done.append)
    rows = list(found.tables[0])
    assert [(row["decks"], row["das"]) for row in rows] == [
        ("1", "true"),
        ("1", "false"),
        ("2", "true"),
        ("2", "false"),
    ]
    assert sum(done) == 4
    for row in rows:
        rules = Rules.of(options={"das": str(row["das"]), "soft17": "hit"})
        assert row["expectation"] == solve(RankShoe.of(Shoe.decks(str(row["decks"]))), rules).expectation
    assert found.provenance["options"] == {"soft17": "hit"}


def test_a_grid_of_forced_play():
    found = grid("baccarat", ["8"], {"commission": ["1/20", "0"]}, ["banker"])
    assert [row["edge"] for row in found.tables[0]] != []
    five, none = (Fraction(row["edge"]) for row in found.tables[0])  # type: ignore[arg-type]
    assert five > 0 > none


def test_what_a_game_refuses_names_its_combination():
    with pytest.raises(InputError, match=r"^decks=1, soft17=maybe: the option soft17 of blackjack cannot be 'maybe'"):
        grid("blackjack", ["1"], {"soft17": ["hit", "maybe"]})


def test_a_grid_says_what_its_cells_share():
    """The class of strategy and over which rounds, of every result; a title of one cell only would be wrong."""
    found = grid("blackjack", ["1", "2"], {"soft17": ["hit"]}, ["blackjack"])
    assert (found.provenance["strategy"], found.provenance["rules"]) == ("cdp1", "page")
    assert found.heading == (
        "Blackjack",
        "changed in these rules: soft17=hit",
        "strategy cdp1; values over all rounds, dealer blackjacks included",
    )
    varied = grid("blackjack", ["1"], {"strategy": ["cdp1", "cdz-"], "das": ["true"]}, ["blackjack"])
    assert "strategy" not in varied.provenance
    assert varied.provenance["values"] == "over all rounds, dealer blackjacks included"
    assert varied.heading[0].endswith(", 1 deck, 52 cards")


def test_command():
    arguments = ["grid", "blackjack", "--decks", "1", "-O", "das=true", "-O", "das=false", "--wager", "blackjack"]
    result = CliRunner().invoke(main, [*arguments, "--format", "json"])
    assert [row["das"] for row in json.loads(result.stdout)["grid"]] == ["true", "false"]
    refused = CliRunner().invoke(main, [*arguments, "-O", "das=true"])
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "--option das=true is given twice" in refused.stderr
    assert "--decks 1 is given twice" in CliRunner().invoke(main, [*arguments, "--decks", "1"]).stderr
    assert "write NAME=VALUE" in CliRunner().invoke(main, [*arguments, "-O", "das"]).stderr
