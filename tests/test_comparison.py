"""Two reports side by side: rows by their keys, exact differences, what only one of them has."""

from __future__ import annotations

from fractions import Fraction

import pytest

from exact.answer import report
from exact.comparison import compare
from exact.errors import InputError
from exact.games import load
from exact.output.report import Column, Report, Table
from exact.result import compute
from exact.shoe import Shoe


def rows(found: Report, table: str) -> list[tuple[object, ...]]:
    (one,) = (t for t in found.tables if t.name == table)
    return [tuple(row.values()) for row in one]


def asked(game: str, options: dict[str, str], decks: int) -> Report:
    loaded = load(game, options)
    return report(compute(loaded, Shoe.decks(decks, loaded.deck)))


def test_an_option_changes_what_it_pays_and_nothing_else() -> None:
    found = compare(asked("baccarat", {}, 8), asked("baccarat", {"tie_odds": "9"}, 8))
    tie = Fraction(475627426473216, 4998398275503360)
    differences = {row[0]: row[-1] for row in rows(found, "wagers")}
    assert differences == {"player": 0, "banker": 0, "tie": tie, "player-pair": 0, "banker-pair": 0}
    assert [row[-1] for row in rows(found, "outcomes")] == [0, 0, 0]
    assert found.heading[-1] == "A and B differ in: tie_odds (8, 9)"


def test_the_difference_is_b_minus_a() -> None:
    """Player, from the published counts of 8 and 6 decks."""
    found = rows(compare(asked("baccarat", {}, 8), asked("baccarat", {}, 6)), "outcomes")
    eight, six = Fraction(2230518282592256, 4998398275503360), Fraction(392220492728832, 878869206895680)
    assert found[0] == ("player", "probability", eight, six, six - eight)


def side(name: str, *pairs: tuple[str, int]) -> Report:
    columns = (Column("outcome"), Column("probability", "exact"))
    outcomes = [{"outcome": outcome, "probability": Fraction(1, number)} for outcome, number in pairs]
    return Report({"game": name}, (Table("outcomes", outcomes, columns),))


def test_what_only_one_side_has_stands_there_without_a_difference() -> None:
    found = compare(side("a", ("x", 2), ("y", 3)), side("b", ("z", 5), ("y", 4)))
    assert rows(found, "outcomes") == [
        ("x", "probability", Fraction(1, 2), None, None),
        ("y", "probability", Fraction(1, 3), Fraction(1, 4), Fraction(-1, 12)),
        ("z", "probability", None, Fraction(1, 5), None),
    ]
    assert found.document is not None
    assert found.document["outcomes"][0]["value"] is None  # type: ignore[index]


def test_reports_without_a_table_in_common() -> None:
    other = Report({"game": "b"}, (Table("hands", [{"hand": "x"}], (Column("hand"),)),))
    with pytest.raises(InputError, match=r"^these two have no outcomes or wagers in common to compare$"):
        compare(side("a", ("x", 2)), other)
