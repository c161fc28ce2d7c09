"""``exact offers``, ``exact readings`` and ``exact compute`` of games with offers, at the command line."""

from __future__ import annotations

import csv
import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from exact.cli import main

SMALL = ("--shoe", "A=2,2=2,3=3,4=3,5=3,6=3,7=2,8=1,9=2,K=6")


def exact(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments), prog_name="exact")


def document(*arguments: str) -> Any:
    found = exact(*arguments, "--format", "json")
    assert found.exit_code == 0, found.stderr
    return json.loads(found.stdout)


def test_cells_of_insurance_in_json() -> None:
    found = document("compute", "insurance-baccarat")
    names = {wager["wager"] for wager in found["wagers"]}
    assert {"BI-01", "BI-09", "PI-01", "PI-09"} <= names
    cells = {(c["row"], c["player_shown"], c["banker_shown"]): c for c in found["cells"]}
    assert len(cells) == 88
    dead = cells["BI-04", 6, 7]
    assert (dead["live"], dead["ways"], dead["expectation"], dead["value"]) == (False, "0", None, None)
    live = cells["BI-03", 5, 6]
    assert live["live"] is True
    assert round(live["value"], 8) == 0.08439668
    assert {row["wager"]: row["live"] for row in found["offers"]} == dict.fromkeys(sorted(names - MAIN), True)


MAIN = {"player", "banker", "tie", "player-pair", "banker-pair"}


def test_the_dead_cell_is_said_to_people() -> None:
    assert "never offered: BI-04 at player_shown 6, banker_shown 7" in exact("compute", "insurance-baccarat").stdout


def test_under_a_condition_cells_are_conditional_and_unreachable_ones_counted() -> None:
    arguments = ("compute", "insurance-baccarat", "--given", "player_two = 5 AND banker_two = 6")
    cells = {(c["row"], c["player_shown"], c["banker_shown"]): c for c in document(*arguments)["cells"]}
    assert (cells["BI-03", 5, 6]["live"], cells["BI-03", 5, 6]["probability"]) == (True, "1/1")
    dead = sum(not cell["live"] for cell in cells.values())
    assert f"never offered here: {dead} of 88 cells" in exact(*arguments).stdout


def test_rules_print_the_published_table() -> None:
    printed = next(r for r in document("rules", "insurance-baccarat")["records"] if r["name"] == "page")
    assert len(printed["rows"]) == 18
    assert printed["rows"][3] == {
        "row": "BI-04", "insured": "banker", "player_cards": "2", "banker_cards": "2", "player": "0-6", "banker": "7",
        "wins": "player", "pays": "4", "source": "003 L25",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("options", "banker", "player"),
    [
        ((), "1856612480/3904998652737", "7277271704/8367854255865"),
        (("-O", "insurance_stake=main"), "27656228864/19524993263685", "26755550984/19524993263685"),
        (("-O", "insurance_tie=lose"), "0/1", "0/1"),
    ],
)
def test_gains_of_the_best_bettors(options: tuple[str, ...], banker: str, player: str) -> None:
    found = document("offers", *options)
    assert {b["bettor"]: b["gain"] for b in found["bettors"]} == {"banker": banker, "player": player}
    assert found["information"] == "totals"


def test_every_state_has_a_decision_and_its_worth() -> None:
    found = document("offers", "insurance-baccarat")["states"]
    assert len(found) == 88
    decisions = {state["decision"] for state in found}
    assert decisions == {"take", "leave", "never offered"}
    for state in found:
        assert (state["decision"] == "take") is (state["value"] is not None and state["value"] > 0)
        assert state["worth"] == (state["expectation"] if state["decision"] == "take" else "0/1")


def test_with_cards_the_table_tells_what_to_take_and_the_document_everything() -> None:
    arguments = ("offers", "insurance-baccarat", "--information", "cards", "--shoe", "K=6,3=3,4=4,5=3,6=3")
    rows = list(csv.DictReader(StringIO(exact(*arguments, "--format", "csv").stdout)))
    told = [row for row in rows if row["table"] == "states"]
    states = document(*arguments)["states"]
    assert {row["decision"] for row in told} == {"take"}
    assert len(told) == sum(state["decision"] == "take" for state in states) < len(states)
    assert {"p1", "b1", "p2", "b2", "p3"} <= set(states[-1])
    assert "other states: leave the offer" in exact(*arguments).stdout


def test_any_shoe_even_one_beyond_64_bits() -> None:
    """40 decks do not fit in 64-bit ways; an infinite shoe is what decks tend to."""
    by_decks = {
        n: {b["bettor"]: b["value"] for b in document("offers", "--decks", n)["bettors"]} for n in ("40", "infinite")
    }
    assert abs(by_decks["40"]["banker"] - by_decks["infinite"]["banker"]) < 1e-4
    assert by_decks["40"] != by_decks["infinite"]


def test_readings_of_the_multi_colour_game() -> None:
    found = document("readings", "--shoe", "1=3,3=3,5=3,7=3,10=3,11=3,-1=3,-5=3,-11=3")
    assert [reading["reading"] for reading in found["readings"]][:3] == ["default", "ten_eleven=mod", "equal_two=draw"]
    assert found["assumed"] == ["player_odds", "banker_odds", "tie_odds"]
    assert all(w["difference"] is None for w in found["readings"][0]["wagers"])


def test_assumed_odds_are_said_in_every_output() -> None:
    shoe = ("--shoe", "1=3,3=3,5=3,-1=3,-5=3")
    for command in (("compute", "multicolour-baccarat"), ("readings", "multicolour-baccarat")):
        assert (
            "assumed, since no source gives them: player_odds = 1, banker_odds = 19/20, tie_odds = 8"
            in exact(*command, *shoe).stdout
        )
        assert document(*command, *shoe)["assumed"] == ["player_odds", "banker_odds", "tie_odds"]
    assert "assumed" in exact("rules", "multicolour-baccarat").stdout
    for others in (
        ("deal", "multicolour-baccarat", "7", "10", "3", "1", "-11"),
        ("grid", "multicolour-baccarat", "--decks", "1"),
    ):
        assert "assumed: player_odds,banker_odds,tie_odds" in exact(*others).stdout


def test_a_side_bet_with_assumed_odds_says_so() -> None:
    asked = ("compute", "baccarat", "--wager", "natural-tie", "--wager", "tie", "--shoe", "4=4,5=4,9=4")
    assert "odds assumed, since no source gives them: natural-tie\n" in exact(*asked).stdout
    assert document(*asked)["odds_assumed"] == ["natural-tie"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("offers", "baccarat"), "baccarat offers no wager in the course of a round"),
        (("readings", "baccarat"), "baccarat has no option that is marked as a reading"),
        (("offers", "insurence"), "unknown game 'insurence'"),
        (
            ("offers", "insurance-baccarat", "-O", "insurance_tie=draw"),
            "option insurance_tie cannot be 'draw'; allowed: push, lose",
        ),
        (("offers", "insurance-baccarat", "--shoe", "A=5"), "the shoe holds 5 cards, too few for a round"),
        (("offers", "insurance-baccarat", "--information", "all"), "'all' is not one of 'totals', 'cards'"),
        (("readings", "multicolour-baccarat", "--decks", "0"), "the number of decks must be a whole number from 1"),
    ],
)
def test_bad_input_ends_with_one_message(arguments: tuple[str, ...], message: str) -> None:
    found = exact(*arguments)
    assert found.exit_code == 2
    assert message in found.stderr
    assert found.stdout == ""


def test_offers_go_to_a_file(tmp_path: Path) -> None:
    file = tmp_path / "offers.csv"
    assert exact("offers", "insurance-baccarat", *SMALL, "-o", str(file)).exit_code == 0
    rows = list(csv.DictReader(StringIO(file.read_text())))
    assert sum(row["table"] == "states" for row in rows) == 88
    assert {row["bettor"] for row in rows if row["table"] == "gains"} == {"banker", "player"}
