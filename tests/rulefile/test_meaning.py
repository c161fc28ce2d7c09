"""Types, ranges and NULL before a card is dealt: what conditions narrow, and every refusal."""

from __future__ import annotations

from fractions import Fraction

import pytest

from exact.rulefile.expression import Lookup, Name, Value, parse
from exact.rulefile.meaning import TRUTH, Fact, Scope, fact_of, integer, narrow, study
from tests.rulefile.sql import SCOPE

MODULO = "% needs a non-negative number and a positive divisor (engines differ on others); here the number is"


def fact(text: str, scope: Scope = SCOPE) -> Fact:
    errors: list[str] = []
    found = study(parse(text), scope, errors)
    assert not errors
    return found


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("a + c", -100, 109),
        ("a - c", -100, 109),
        ("a * c", -900, 900),
        ("-a", -9, 0),
        ("(a + 7) % 10", 0, 9),
        ("a % 20", 0, 9),
        ("a % (a + 1)", 0, 9),
        ("ABS(c)", 0, 100),
        ("ABS(a - 20)", 11, 20),
        ("SIGN(c)", -1, 1),
        ("SIGN(a)", 0, 1),
        ("SIGN(a + 1)", 1, 1),
        ("COALESCE(b, -5)", -5, 9),
        ("CASE WHEN n THEN 3 ELSE c END", -100, 100),
        ("CASE WHEN c >= 0 THEN c % 10 ELSE 0 END", 0, 9),
        ("CASE WHEN c < 0 THEN 0 ELSE c END", 0, 100),
        ("CASE WHEN c > 5 AND c < 8 THEN c ELSE 6 END", 6, 7),
        ("CASE WHEN NOT (c > 5) THEN 0 ELSE c END", -100, 100),
        ("CASE WHEN c = 7 THEN c END", 7, 7),
        ("CASE WHEN c <> 7 THEN 7 ELSE c END", 7, 7),
        ("CASE WHEN c < -50 OR c > 50 THEN 0 ELSE c END", -50, 50),
    ],
)
def test_ranges(text: str, low: int, high: int) -> None:
    found = fact(text)
    assert (found.kind, found.low, found.high) == ("integer", low, high)


@pytest.mark.parametrize(
    ("text", "nullable"),
    [
        ("a = 1", False),
        ("b = 1", True),
        ("b IS NULL", False),
        ("b IS NOT NULL AND b > 3", False),
        ("b IS NULL OR b > 3", False),
        ("b > 3 OR b IS NULL", True),
        ("NOT (b IS NULL) AND b > 3", False),
        ("COALESCE(b, 0) > 3", False),
        ("COALESCE(b, c) > 3", True),
        ("CASE WHEN b IS NULL THEN TRUE ELSE b > 3 END", False),
        ("CASE WHEN b > 3 THEN TRUE ELSE b > 1 END", True),
        ("CASE WHEN b > 3 THEN b < 5 ELSE n END", False),
        ("CASE WHEN n THEN n END", True),
        ("t IN ('x')", True),
        ("n IN (TRUE)", False),
    ],
)
def test_null(text: str, nullable: bool) -> None:
    assert fact(text).nullable is nullable


def test_the_words_of_a_text_are_known() -> None:
    assert fact("CASE WHEN n THEN 'q' ELSE t END").words == ("q", "x", "y", "z")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("aa = 1", "unknown column 'aa' here; did you mean 'a'?"),
        ("a AND n", "AND needs a truth value, not an integer one"),
        ("NOT a", "NOT needs a truth value, not an integer one"),
        ("n OR t", "OR needs a truth value, not a text one"),
        ("a = 't'", "= compares an integer with a text value"),
        ("n = 1", "= compares a truth with an integer value"),
        ("a IN (1, 'x')", "= compares an integer with a text value"),
        ("t < 'x'", "< needs integers, not text values"),
        ("n < TRUE", "< needs integers, not truth values"),
        ("t = 'w'", "the text 'w' never occurs here; known: x, y, z"),
        ("a = 1/2", "division and fractions can stand in odds only, not in a condition"),
        ("a / 2 = 1", "division and fractions can stand in odds only, not in a condition"),
        ("a * 0.5 = 1", "division and fractions can stand in odds only, not in a condition"),
        ("a = 0.5", "= compares an integer with a fraction value"),
        ("n + 1 = 2", "+ needs an integer value, not a truth one"),
        ("t + 1 = 2", "+ needs an integer value, not a text one"),
        ("c % 10 = 1", f"{MODULO} -100..100 and the divisor 10..10"),
        ("a % b = 1", f"{MODULO} 0..9 and the divisor 0..9"),
        ("CASE WHEN a THEN 1 END = 1", "WHEN needs a truth value, not an integer one"),
        ("CASE WHEN n THEN 1 ELSE 'x' END = 1", "the branches are of different kinds: integer, text"),
        ("MAX(a) = 1", "unknown function 'MAX'; known: COALESCE, ABS, SIGN"),
        ("ABSS(a) = 1", "unknown function 'ABSS'; did you mean 'ABS'?"),
        ("ABS(a, a) = 1", "ABS takes 1 argument, 2 given"),
        ("COALESCE(b) = 1", "COALESCE takes 2 or more arguments, 1 given"),
        ("ABS(t) = 1", "ABS needs an integer value, not a text one"),
        ("a * 4611686018427387904 > 1", "* may reach 41505174165846491136, more than 64 bits hold"),
        ("a + 4611686018427387900 > 1", "+ may reach 4611686018427387909, more than 64 bits hold"),
    ],
)
def test_every_refusal(text: str, reason: str) -> None:
    errors: list[str] = []
    study(parse(text), SCOPE, errors)
    assert errors == [reason]


def test_a_table_is_read_with_what_its_labels_are() -> None:
    cells: tuple[tuple[tuple[Value, Value], Value], ...] = (((1, "x"), True), ((2, "y"), False))
    errors: list[str] = []
    assert study(Lookup("draws", Name("a"), Name("t"), cells), SCOPE, errors) == Fact("truth", nullable=True)
    assert errors == []
    study(Lookup("draws", Name("a"), Name("b"), cells), SCOPE, errors)
    assert errors == ["table 'draws': the key 'x' is a text, the column it is read by an integer"]


@pytest.mark.parametrize(
    ("value", "kind"), [(None, "null"), (True, "truth"), (3, "integer"), ("x", "text"), (Fraction(1, 2), "fraction")]
)
def test_constants(value: Value, kind: str) -> None:
    assert fact_of(value).kind == kind


def test_narrowing_that_contradicts_itself_keeps_the_range() -> None:
    """A branch that no round reaches must not get a range that is empty."""
    scope = narrow({"a": integer(0, 9), "n": TRUTH}, parse("a > 20"), True)
    assert (scope["a"].low, scope["a"].high) == (0, 9)
