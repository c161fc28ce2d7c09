"""A game as read: options with what they allow, columns, wagers by name, and punto banco as its rule file says it."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from exact.errors import InputError
from exact.games import GAMES, load
from exact.rulefile.expression import Value
from exact.rulefile.game import Kind, Option, show

GAME = load("baccarat")
USER_COLUMNS = [
    *(slot + what for slot in ("p1", "b1", "p2", "b2", "p3", "b3") for what in ("", "_rank", "_suit", "_colour")),
    "player_two", "banker_two", "player_total", "banker_total", "player_cards", "banker_cards", "natural", "outcome",
]  # fmt: skip


def option(kind: Kind, values: tuple[Value, ...] = (), least: int | None = None, most: int | None = None) -> Option:
    bounds = [None if bound is None else Fraction(bound) for bound in (least, most)]
    return Option("o", kind, None, "", "", values, *bounds)


@pytest.mark.parametrize(
    ("found", "text", "value"),
    [
        (option("fraction"), "0.05", Fraction(1, 20)),
        (option("fraction"), " 1/20 ", Fraction(1, 20)),
        (option("integer", least=1), "8", 8),
        (option("word", ("a", "b")), "b", "b"),
        (option("truth"), "TRUE", True),
        (option("truth"), "false", False),
        (option("integer", (6, 8)), "8", 8),
    ],
)
def test_options_are_read(found: Option, text: str, value: Value) -> None:
    assert found.read(text) == value
    assert type(found.read(text)) is type(value)


@pytest.mark.parametrize(
    ("found", "text", "allowed"),
    [
        (option("fraction"), "x", "allowed: a fraction such as 19/20 or 0.95"),
        (option("fraction"), "1/0", "allowed: a fraction such as 19/20 or 0.95"),
        (option("fraction"), "nan", "allowed: a fraction such as 19/20 or 0.95"),
        (option("fraction", least=0), "-1", "allowed: a fraction such as 19/20 or 0.95, at least 0"),
        (
            option("fraction", least=0, most=1),
            "2",
            "allowed: a fraction such as 19/20 or 0.95, at least 0 and at most 1",
        ),
        (option("integer", most=8), "9", "allowed: a whole number, at most 8"),
        (option("integer"), "1.5", "allowed: a whole number"),
        (option("word", ("a", "b")), "c", "allowed: a, b"),
        (option("integer", (6, 8)), "7", "allowed: 6, 8"),
        (option("truth"), "yes", "allowed: true, false"),
    ],
)
def test_options_that_are_refused(found: Option, text: str, allowed: str) -> None:
    with pytest.raises(InputError) as error:
        found.read(text)
    assert str(error.value) == f"option o cannot be {text!r}; {allowed}"


@pytest.mark.parametrize("value", [Fraction(1, 20), Fraction(8), True, False, "tie", 3])
def test_a_shown_value_is_read_again(value: Value) -> None:
    kinds: dict[type, Kind] = {Fraction: "fraction", bool: "truth", str: "word", int: "integer"}
    assert option(kinds[type(value)]).read(show(value)) == value


def test_the_columns_that_users_may_rely_on() -> None:
    assert set(USER_COLUMNS) <= GAME.facts.keys()
    nullable = {name for name, fact in GAME.facts.items() if fact.nullable}
    assert nullable == {name for name in GAME.facts if name.startswith(("p3", "b3"))}
    assert GAME.outcomes == ("player", "banker", "tie")
    assert GAME.slots == ("p1", "b1", "p2", "b2", "p3", "b3")


def test_no_column_needs_more_than_it_must() -> None:
    """Ranges found before a card is dealt are those that occur."""
    ranges = {name: (fact.low, fact.high) for name, fact in GAME.facts.items() if fact.kind == "integer"}
    scores = ("player_two", "banker_two", "player_total", "banker_total")
    assert all(ranges[name] == (0, 9) for name in (*GAME.slots, *scores))
    assert ranges["player_cards"] == ranges["banker_cards"] == (2, 3)


def test_what_a_rank_decides() -> None:
    assert [name for name in GAME.attributes if GAME.by_rank(name)] == ["rank", "value"]


def test_wagers_by_name() -> None:
    assert GAME.wager("banker").pays[0].odds == Fraction(19, 20)
    assert GAME.wager("player-pair").columns() == {"p1_rank", "p2_rank"}
    with pytest.raises(InputError) as error:
        GAME.wager("bankr")
    assert str(error.value) == "baccarat has no wager 'bankr'; did you mean 'banker'?"


def test_options_chosen() -> None:
    game = load("baccarat", {"commission": "0.04", "tie_odds": "9"})
    assert game.chosen_texts() == {"commission": "1/25", "player_odds": "1", "tie_odds": "9", "pair_odds": "11"}
    assert game.wager("banker").pays[0].odds == Fraction(24, 25)
    with pytest.raises(InputError, match=r"baccarat has no option 'comission'; did you mean 'commission'\?"):
        load("baccarat", {"comission": "0"})


def test_every_rule_has_a_source() -> None:
    assert all(option.source and option.meaning for option in GAME.options)
    assert all(table.source for table in GAME.tables)
    assert all(wager.source for wager in GAME.wagers)
    assert all(step.source for step in GAME.steps)


@pytest.mark.parametrize("name", GAMES)
def test_a_copy_of_a_built_in_file_is_the_same_game(name: str, tmp_path: Path) -> None:
    game = load(name)
    copy = tmp_path / f"{name}.toml"
    copy.write_text(game.text, encoding="utf-8")
    assert load(str(copy)) == game
