"""Every fault of a rule file: refused with file, key and reason, and all faults of a file at once."""

from __future__ import annotations

import copy
import tomllib
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from exact.errors import InputError
from exact.games import load
from exact.result import compute
from exact.rulebook import rulebook
from exact.rulefile.builder import Builder
from exact.rulefile.document import Document
from exact.shoe import Shoe

GAME = """
title = "High card"
summary = "The higher card wins; a 1 may draw."
sources.own = "house rules"
cards.ranks = "1-3"
cards.suits = "S H"

[attribute.value]
rank = { 1 = 1, 2 = 2, 3 = 3 }
source = "own"

[attribute.colour]
suit = { S = "black", H = "red" }

[attribute.twice]
is = "value + value"

[option.odds]
default = "1"
least = 0
most = 3
meaning = "a winning bet pays this to 1"
source = "own"

[option.mode]
default = "high"
values = ["high", "low"]
meaning = "which card wins"
source = "own"

[define]
"beats(x, y)" = "CASE WHEN mode = 'high' THEN x > y ELSE x < y END"

[table.again]
row = "a"
words = { D = true, S = false }
cells.1 = "D"
cells.2-3 = "S"

[records.sums]
header = "sum odds"
rows = [["2", "3"], ["3", "4"]]

[[step]]
name = "deal"
deal = "a b"

[[step]]
name = "again"
draw = "c"
when = "again"

[[step]]
name = "end"
let.score = "a + COALESCE(c, 0)"
let.outcome = "CASE WHEN beats(score, b) THEN 'a' ELSE 'b' END"

[[wager]]
name = "on-a"
pays = [{ when = "outcome = 'a'", odds = "odds" }]

[[wager]]
each = "sums"
name = "sum-{sum}"
pays = [{ when = "a + b = {sum}", odds = "{odds}" }]
"""


CASES = tomllib.loads((Path(__file__).parent / "faults.toml").read_text())["fault"]


def written(folder: Path, text: str, name: str = "g.toml") -> str:
    (folder / name).write_text(text)
    return str(folder / name)


def refusal(folder: Path, text: str) -> str:
    """The message with which a file is refused, at the latest when it is computed with."""
    path = written(folder, text)
    with pytest.raises(InputError) as caught:
        compute(load(path), Shoe.decks(2, load(path).deck))
    return str(caught.value)


def test_the_file_that_is_changed_below_is_right(tmp_path: Path) -> None:
    game = load(written(tmp_path, GAME))
    result = compute(game, Shoe.decks(1, game.deck)).all
    # Of the 120 ordered deals of 3 of the 6 cards: a = 1 (40) draws c and wins but for b, c = 3, 1 (4), 2, 1 (4) and
    # 3, 2 (8); a = 2 wins against b = 1 (16), a = 3 against b < 3 (32).
    assert result.outcome("a").ways == (40 - 4 - 4 - 8) + 16 + 32
    assert result.wager("on-a").expectation == Fraction(72 - 48, 120)


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_fault(tmp_path: Path, case: dict[str, str]) -> None:
    assert GAME.count(case["old"]) >= 1
    assert refusal(tmp_path, GAME.replace(case["old"], case["new"], 1)) == case["message"]


def test_an_outcome_that_is_null_is_refused_when_it_happens(tmp_path: Path) -> None:
    rules = GAME[: GAME.index("[[wager]]")]
    decided = "CASE WHEN beats(score, b) THEN 'a' ELSE 'b' END"
    assert decided in rules
    covered = rules.replace(decided, "CASE WHEN score > b THEN 'a' WHEN score <= b THEN 'b' END")
    game = load(written(tmp_path, covered))
    assert sum(outcome.ways for outcome in compute(game, Shoe.decks(1, game.deck)).all.outcomes) == 120
    message = refusal(tmp_path, rules.replace(decided, "CASE WHEN score > b THEN 'a' WHEN score < b THEN 'b' END"))
    assert message == "g.toml: outcome: is NULL in some rounds (no condition of a CASE holds); say what then, with ELSE"


def test_every_case_has_a_name_of_its_own() -> None:
    assert len({case["name"] for case in CASES}) == len(CASES)


def test_all_faults_of_a_file_are_said_at_once(tmp_path: Path) -> None:
    text = GAME
    for old, new in (
        ("[attribute.colour]\nsuit", "[attribute.colour]\nsuits"),
        ('meaning = "which card wins"\n', ""),
        ("cells.2-3", "cells.1-3"),
        ('when = "again"', 'when = "a + 1"'),
        ('odds = "odds" }', 'odds = "evens" }'),
    ):
        assert old in text
        text = text.replace(old, new)
    assert refusal(tmp_path, text).splitlines() == [
        "g.toml: option.mode.meaning: every option has a default, a meaning and a source",
        "g.toml: table.again.cells.1-3: the cell 1 is given twice, in rows '1' and '1-3'",
        "g.toml: attribute.colour.suits: unknown key; did you mean 'suit'?",
        "g.toml: attribute.colour: say rank = { A = 1, ... }, suit = { S = ..., ... } or is = EXPRESSION",
        "g.toml: step 'again'.when: 'a + 1': must be truth valued (true or false), but it is integer",
        "g.toml: wager 'on-a'.pays[1].odds: odds must be a fraction of at least -1 such as 19/20, not 'evens'",
    ]


def test_files_that_extend_each_other_in_a_circle(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    written(tmp_path, 'extends = "sub/../g.toml"', "h.toml")
    assert refusal(tmp_path, 'extends = "h.toml"') == "g.toml: extends: the files extend each other in a circle"


def test_a_fault_is_named_by_the_file_it_stands_in(tmp_path: Path) -> None:
    written(tmp_path, GAME.replace('draw = "c"\nwhen = "again"', 'draw = "c"\nwhen = "again + 1"'), "base.toml")
    written(tmp_path, '[[wager]]\nname = "more"\npays = [{ when = "a", odds = "1" }]', "more.toml")
    option = '[option.odds]\ndefault = "4"\nmost = 3\nmeaning = "x"\nsource = "x"'
    own = f'extends = "base.toml"\nwagers = ["more.toml"]\n{option}'
    assert [line.split(": ")[:2] for line in refusal(tmp_path, own).splitlines()] == [
        ["g.toml", "option.odds.default"],
        ["base.toml", "step 'again'.when"],
        ["more.toml", "wager 'more'.pays[1].when"],
    ]


def test_a_wager_file_may_not_replace_a_wager(tmp_path: Path) -> None:
    written(tmp_path, '[[wager]]\nname = "on-a"\npays = [{ when = "a = b", odds = "1" }]', "more.toml")
    message = refusal(tmp_path, 'wagers = ["more.toml"]\n' + GAME)
    assert message == "more.toml: wager 'on-a': g.toml has one of this name"


def test_an_extending_file_replaces_a_step_and_puts_one_in(tmp_path: Path) -> None:
    written(tmp_path, GAME, "base.toml")
    own = """
extends = "base.toml"
[[step]]
name = "again"
draw = "c"
when = "a = 3"
[[step]]
name = "look"
after = "deal"
let.low = "a = 1"
"""
    game = load(written(tmp_path, own))
    assert [step.name for step in game.steps] == ["deal", "look", "again", "end"]
    assert game.steps[2].when_text == "a = 3"
    message = refusal(tmp_path, own.replace('after = "deal"', 'after = "dea"'))
    assert message == "g.toml: step 'look': after: no such step 'dea'; did you mean 'deal'?"


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "g.toml").write_bytes(b"title = '\xff'")
    with pytest.raises(InputError, match=r"^g\.toml: not a TOML file: 'utf-8' codec can't decode"):
        load(str(tmp_path / "g.toml"))
    with pytest.raises(InputError, match=r"^there is no rule file 'absent\.toml'$"):
        load("absent.toml")
    with pytest.raises(InputError, match=r"^there is no rule file 'baccarat-wagers\.toml'$"):
        load("baccarat-wagers.toml")
    with pytest.raises(InputError, match=r"^g\.toml: wagers: there is no rule file 'absent\.toml'$"):
        load(written(tmp_path, GAME.replace("title", 'wagers = ["absent.toml"]\ntitle', 1)))


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("[[wager]]\nname = 'on-a'\n" * 2, "h.toml: wager 'on-a': given twice"),
        ("[[step]]\nname = 'new'\nafter = 'deal'\n" * 2, "h.toml: step 'new': given twice"),
        ("[[wager]]\nname = ['on-a']\n", "h.toml: wager ['on-a'].name: must be a text in quotes"),
    ],
)
def test_what_an_extending_file_may_name(tmp_path: Path, more: str, message: str) -> None:
    written(tmp_path, GAME)
    (tmp_path / "h.toml").write_text(f"extends = 'g.toml'\n{more}")
    with pytest.raises(InputError) as error:
        load(str(tmp_path / "h.toml"))
    assert str(error.value).splitlines()[0] == message


WRONG: list[Any] = [
    3,
    -1,
    "x",
    "",
    True,
    [],
    {},
    [1],
    ["x"],
    {"a": 1},
    [{}],
    Fraction(1, 2),
    "'",
    [["a"]],
    "1/0",
    "5 % 0",
]


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every value inside a document."""
    if path:
        yield path
    for key, item in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from places(item, (*path, key))


@pytest.mark.parametrize("wrong", WRONG, ids=repr)
def test_a_value_of_any_shape_anywhere_is_computed_with_or_refused(wrong: Any) -> None:
    """No traceback: each value of the right file in turn is replaced by a wrong one."""
    document = tomllib.loads(GAME, parse_float=Fraction)
    messages = []
    for path in places(document):
        changed = copy.deepcopy(document)
        parent = changed
        for key in path[:-1]:
            parent = parent[key]
        parent[path[-1]] = wrong
        try:
            game = Builder(Document(changed, {}), "g.toml", "g", "", {}).build()
            rulebook(game)
        except InputError as error:
            messages.append(str(error))
    assert len(messages) > 20
    assert all(message.startswith("g.toml: ") for message in messages)
