"""One meaning for every reader of an expression: ours on a row and over polars columns, polars' own SQL, SQLite."""

from __future__ import annotations

import sqlite3
from fractions import Fraction
from typing import Any

import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from exact.errors import InputError
from exact.rulefile.evaluate import evaluate, fold, lookup_case, to_polars
from exact.rulefile.expression import Literal, Lookup, Name, Node, Value, names, parse, substitute
from exact.rulefile.meaning import study
from exact.rulefile.printed import keys_of
from tests.rulefile import sql

NARROW = {"a": pl.Int8, "b": pl.Int8, "c": pl.Int8, "n": pl.Boolean, "t": pl.Enum(["x", "y", "z"])}
WIDE = {"a": pl.Int64, "b": pl.Int64, "c": pl.Int64, "n": pl.Boolean, "t": pl.String}
Row = dict[str, Value]


def ours(node: Node, rows: list[Row]) -> list[Any]:
    """Our translation, over columns as narrow as the engine stores them."""
    frame = pl.DataFrame(rows, schema=NARROW)
    return frame.with_columns(to_polars(node, pl.col).alias("value")).get_column("value").to_list()


def polars_sql(text: str, rows: list[Row]) -> list[Any]:
    return pl.DataFrame(rows, schema=WIDE).with_columns(pl.sql_expr(text).alias("value")).get_column("value").to_list()


def sqlite(text: str, rows: list[Row]) -> list[Any]:
    with sqlite3.connect(":memory:") as connection:
        connection.execute("create table rounds (a, b, c, n, t)")
        connection.executemany("insert into rounds values (:a, :b, :c, :n, :t)", rows)
        return [value for (value,) in connection.execute(f"select {text} from rounds")]


def agree(text: str, rows: list[Row], truth: bool) -> None:
    errors: list[str] = []
    node = parse(text)
    fact = study(node, sql.SCOPE, errors)
    assume(not errors)
    expected = [evaluate(node, row) for row in rows]
    assert ours(node, rows) == expected
    assert ours(fold(node), rows) == expected
    assert polars_sql(text, rows) == expected
    from_sqlite = sqlite(text, rows)
    assert ([None if value is None else bool(value) for value in from_sqlite] if truth else from_sqlite) == expected
    assert fact.nullable or None not in expected
    if not truth:
        assert all(value is None or fact.low <= value <= fact.high for value in expected)  # type: ignore[operator]


@settings(max_examples=150)
@given(sql.expressions("T"), st.lists(sql.rows, min_size=1, max_size=6))
def test_a_condition_means_the_same_to_every_engine(text: str, rows: list[Row]) -> None:
    agree(text, rows, truth=True)


@settings(max_examples=150)
@given(sql.expressions("N"), st.lists(sql.rows, min_size=1, max_size=6))
def test_a_number_means_the_same_to_every_engine_and_stays_in_its_range(text: str, rows: list[Row]) -> None:
    agree(text, rows, truth=False)


@settings(max_examples=100)
@given(sql.expressions("T"), sql.rows, st.sets(st.sampled_from(["b", "c", "t"]), min_size=1))
def test_cards_not_drawn_fold_away_without_changing_the_value(text: str, row: Row, undrawn: set[str]) -> None:
    node = parse(text)
    row = {name: None if name in undrawn else value for name, value in row.items()}
    less = fold(substitute(node, dict.fromkeys(undrawn, Literal(None))))
    assert not names(less) & undrawn
    assert evaluate(less, row) == evaluate(node, row)


PRECEDENCE = [
    "a + 2 * 3 = 10",
    "a - 1 - 1 = 2",
    "(a - 1) * 2 % 3 = 0",
    "NOT n OR n",
    "NOT n AND n",
    "n OR n AND FALSE",
    "NOT a = 3",
    "NOT b IS NULL",
    "a BETWEEN 1 AND 3 AND n",
    "a BETWEEN 1 AND 3 OR n",
    "NOT a BETWEEN 1 AND 3",
    "a NOT IN (1, 2) AND n",
    "a = 3 AND n = TRUE",
    "-a + 3 = 0",
    "- 3 + a = 0",
    "a * -1 < 0",
    "n AND b > 3 OR a = 3",
    "b > 3 IS NULL",
    "2 + a IN (5, 6)",
    "a < 5 = n",
    "CASE WHEN b > 3 THEN 1 WHEN b IS NULL THEN 2 END = 2",
    "TRUE = (a = 3)",
    "a - -3 = 6",
    "t = 'x' OR t = 'y'",
]
ROWS: list[Row] = [
    {"a": a, "b": b, "c": 0, "n": n, "t": t}
    for a in (0, 3, 4, 9)
    for b in (None, 2, 7)
    for n in (True, False)
    for t in ("x", None)
]


@pytest.mark.parametrize("text", PRECEDENCE)
def test_precedence_is_that_of_sql(text: str) -> None:
    expected = [evaluate(parse(text), row) for row in ROWS]
    assert ours(parse(text), ROWS) == expected
    assert polars_sql(text, ROWS) == expected
    assert [None if value is None else bool(value) for value in sqlite(text, ROWS)] == expected
    assert len(set(expected)) > 1 or text in ("NOT n OR n", "NOT n AND n")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("NULL AND FALSE", False),
        ("NULL AND TRUE", None),
        ("NULL OR TRUE", True),
        ("NULL OR FALSE", None),
        ("NOT NULL", None),
        ("NULL = NULL", None),
        ("NULL IS NULL", True),
        ("NULL IN (1)", None),
        ("1 IN (1, NULL)", True),
        ("1 IN (2, NULL)", None),
        ("1 NOT IN (2, NULL)", None),
        ("COALESCE(NULL, NULL, 3)", 3),
        ("CASE WHEN NULL THEN 1 ELSE 2 END", 2),
        ("1 + NULL", None),
        ("ABS(NULL)", None),
        ("SIGN(0)", 0),
        ("SIGN(-7)", -1),
        ("ABS(-7)", 7),
        ("7 % 4", 3),
        ("-7 * 2", -14),
    ],
)
def test_three_valued_logic(text: str, expected: Value) -> None:
    assert evaluate(parse(text), {}) == expected
    assert fold(parse(text)) == Literal(expected)


def test_the_right_side_is_not_worked_out_where_the_left_decides() -> None:
    assert evaluate(parse("d > 0 AND 7 % d = 1"), {"d": 0}) is False
    assert evaluate(parse("d = 0 OR 7 % d = 1"), {"d": 0}) is True


def test_narrow_columns_do_not_wrap() -> None:
    """An Int8 column made 100 - (-33) into -123."""
    frame = pl.DataFrame({"a": pl.Series([100], dtype=pl.Int8), "c": pl.Series([-33], dtype=pl.Int8)})
    for text, value in (("a - c", 133), ("a + a", 200), ("a * c", -3300), ("-(c - a)", 133), ("ABS(c - a)", 133)):
        assert frame.select(to_polars(parse(text), pl.col)).item() == value
    assert frame.select(to_polars(parse("a < 300 AND c > -300"), pl.col)).item() is True


def test_a_text_that_no_column_knows_is_compared_as_text() -> None:
    """A polars Enum takes an unknown word for NULL, so that rounds would be lost."""
    rows: list[Row] = [{"t": None}, {"t": "x"}]
    frame = pl.DataFrame(rows, schema={"t": NARROW["t"]})
    for text, expected in (
        ("COALESCE(t, 'none') = 'none'", [True, False]),
        ("CASE WHEN t IS NULL THEN 'none' ELSE t END <> 'none'", [False, True]),
        ("COALESCE(t, 'none') IN ('none', 'q')", [True, False]),
    ):
        assert frame.with_columns(v=to_polars(parse(text), pl.col))["v"].to_list() == expected
        assert [evaluate(parse(text), row) for row in rows] == expected


def test_odds_are_exact_fractions() -> None:
    assert fold(parse("1 - 1/20")) == Literal(Fraction(19, 20))
    assert fold(parse("0.95")) == Literal(Fraction(19, 20))
    assert fold(parse("3/2 * 2 - 1/2")) == Literal(Fraction(5, 2))


def test_one_is_not_true() -> None:
    """1 equals True in Python: folding must leave it for the check of types."""
    assert fold(parse("n AND 1")) == parse("n AND 1")
    assert fold(parse("n OR 0")) == parse("n OR 0")
    assert fold(parse("n AND TRUE")) == Name("n")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("FOO(1)", "unknown function 'FOO'; known: COALESCE, ABS, SIGN"),
        ("ABS(1, 2)", "ABS takes 1 argument, 2 given"),
        ("ABS('x')", "ABS needs a number, not 'x'"),
        ("COALESCE(1)", "COALESCE takes 2 or more arguments, 1 given"),
    ],
)
def test_a_wrong_call_of_constants_is_refused_too(text: str, reason: str) -> None:
    with pytest.raises(InputError) as error:
        fold(parse(text))
    assert str(error.value) == reason


def table(row: Node, column: Node | None) -> Lookup:
    cells = {
        (key, head): (int(str(key)) + int(str(head or 0))) % 3 == 0
        for key in keys_of("0-6")
        for head in (keys_of("none 0-9") if column else (None,))
    }
    return Lookup("printed", row, column, tuple(cells.items()))


@settings(max_examples=50)
@given(st.lists(sql.rows, min_size=1, max_size=6))
def test_a_printed_table_is_one_case(rows: list[Row]) -> None:
    for node in (table(Name("a"), Name("b")), table(Name("a"), None), table(Name("b"), None)):
        expected = [evaluate(node, row) for row in rows]
        assert [evaluate(lookup_case(node), row) for row in rows] == expected
        assert ours(node, rows) == expected


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("COALESCE(CASE WHEN n THEN 0 ELSE 128 END, a)", 128),
        ("CASE WHEN n THEN a ELSE 300 END", 300),
        ("a < 300", True),
    ],
)
def test_a_constant_beside_a_narrow_column_does_not_wrap(text: str, value: object) -> None:
    """polars gives a bare constant the type of the column beside it: 128 as an Int8 is -128."""
    assert ours(parse(text), [{"a": 1, "b": None, "c": None, "n": False, "t": None}]) == [value]
