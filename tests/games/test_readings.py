"""Readings of unclear rules: each changed alone, with exact differences."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import pytest

from exact.errors import InputError
from exact.games import load
from exact.offers import offers
from exact.readings import readings, sheet
from exact.result import compute
from exact.rulefile.game import Game
from exact.shoe import Shoe

MULTI = load("multicolour-baccarat")
FEW = Shoe.of({str(value): 3 for value in (-11, -8, -2, 1, 3, 4, 5, 7, 10, 11)}, MULTI.deck)


def multicolour(options: Mapping[str, str]) -> Game:
    return load("multicolour-baccarat", options)


def insurance(options: Mapping[str, str]) -> Game:
    return load("insurance-baccarat", options)


def test_every_other_value_of_every_reading_comes_once() -> None:
    found = [reading.name for reading in readings(multicolour, {}, FEW)]
    others = [f"{o.name}={v}" for o in MULTI.options if o.reading for v in o.values if v != o.default]
    assert found == ["default", *others]
    assert len(others) == 8


def test_figures_are_those_of_the_game_with_one_option_changed() -> None:
    found, base = readings(multicolour, {}, FEW), compute(MULTI, FEW).all
    for reading in found[1:]:
        assert reading.option
        changed = compute(multicolour({reading.option.name: reading.value}), FEW).all
        for outcome in changed.outcomes:
            assert reading.figures["probability", outcome.name] == outcome.probability
        for wager in changed.wagers:
            assert reading.figures["edge", wager.name] == wager.edge
        difference = reading.changes(found[0])["edge", "tie"]
        assert difference == changed.wager("tie").edge - base.wager("tie").edge


def test_options_chosen_are_the_base_and_their_default_is_a_reading() -> None:
    found = readings(multicolour, {"equal_two": "draw"}, FEW)
    names = [reading.name for reading in found]
    assert "equal_two=tie" in names
    assert "equal_two=draw" not in names
    assert (
        found[0].figures["probability", "tie"]
        == compute(multicolour({"equal_two": "draw"}), FEW).all.outcome("tie").probability
    )


def test_gains_of_a_bettor_are_figures_of_a_game_with_offers() -> None:
    shoe = Shoe.decks(1)
    found = {reading.name: reading for reading in readings(insurance, {}, shoe)}
    assert list(found) == ["default", "insurance_tie=lose", "insurance_stake=main", "insurance_once=true"]
    gains = {b.on: b.gain for b in offers(insurance({"insurance_stake": "main"}), shoe).bettors}
    assert found["insurance_stake=main"].figures["gain", "banker"] == gains["banker"]
    changed = found["insurance_stake=main"].changes(found["default"])
    assert {key for key, change in changed.items() if change} == {("gain", "banker"), ("gain", "player")}


def test_a_wager_never_offered_has_no_edge() -> None:
    shoe = Shoe.of({"5": 4, "6": 4, "K": 4})
    base = readings(insurance, {}, shoe)[0]
    assert base.figures["edge", "BI-08"] is None


def test_a_game_without_readings() -> None:
    with pytest.raises(InputError, match="baccarat has no option that is marked as a reading"):
        readings(lambda options: load("baccarat", options), {}, Shoe.of({"5": 4, "6": 4, "K": 4}))


def test_the_table_and_the_document_hold_every_figure() -> None:
    found = readings(multicolour, {}, FEW)
    report = sheet(MULTI, FEW, found)
    rows = list(report.tables[0])
    assert len(rows) == 9 * 6
    assert rows[0] == {
        "reading": "default", "figure": "probability", "of": "player",
        "exact": found[0].figures["probability", "player"], "difference": None,
    }  # fmt: skip
    assert report.document
    document = report.document["readings"]
    assert isinstance(document, list)
    assert [item["reading"] for item in document] == [reading.name for reading in found]
    assert document[1]["option"] == "ten_eleven"
    assert [w["wager"] for w in document[1]["wagers"]] == ["player", "banker", "tie"]
    assert sum((o["difference"] for o in document[1]["outcomes"]), Fraction(0)) == 0
    options = list(report.tables[1])
    assert {row["option"] for row in options} == {o.name for o in MULTI.options if o.reading}
    assert all(row["source"] and row["meaning"] for row in options)
