"""Reading expressions: the tree, its parts, and every message of what cannot be read."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given

from exact.rulefile.expression import (
    NULL,
    TRUE,
    Binary,
    Call,
    Case,
    ExpressionError,
    In,
    IsNull,
    Literal,
    Lookup,
    Name,
    Unary,
    children,
    names,
    parse,
    rebuild,
    substitute,
)
from tests.rulefile import sql

A, ONE, TWO = Name("a"), Literal(1), Literal(2)


@pytest.mark.parametrize(
    ("text", "node"),
    [
        ("a", A),
        ("1.5", Literal(Fraction(3, 2))),
        ("'it''s'", Literal("it's")),
        ("null", NULL),
        ("True", TRUE),
        ("-1", Literal(-1)),
        ("-a", Unary("-", A)),
        ("a != 1", Binary("<>", A, ONE)),
        ("a is null", IsNull(A)),
        ("a IS NOT NULL", Unary("NOT", IsNull(A))),
        ("a in (1, 2)", In(A, (ONE, TWO))),
        ("a NOT IN (1)", Unary("NOT", In(A, (ONE,)))),
        ("a BETWEEN 1 AND 2", Binary("AND", Binary(">=", A, ONE), Binary("<=", A, TWO))),
        ("case when a = 1 then 2 end", Case(((Binary("=", A, ONE), TWO),), NULL)),
        ("coalesce(a, 1)", Call("COALESCE", (A, ONE))),
        ("score(a, 1)", Call("score", (A, ONE))),
        ("a - 1 - 2", Binary("-", Binary("-", A, ONE), TWO)),
        ("a\n  -- 1", Binary("-", A, Literal(-1))),
    ],
)
def test_a_text_is_read_as_this_tree(text: str, node: object) -> None:
    assert parse(text) == node


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "cannot read '': expected a value, the text ends at character 1"),
        ("a +", "cannot read 'a +': expected a value, the text ends at character 4"),
        ("a = = 1", "cannot read 'a = = 1': expected a value, found '=' at character 5"),
        ("a == 1", "cannot read 'a == 1': equality is written = (character 3)"),
        ("a 1", "cannot read 'a 1': expected an operator or the end, found '1' at character 3"),
        ("(a", "cannot read '(a': expected ), the text ends at character 3"),
        ("a NOT 1", "cannot read 'a NOT 1': expected BETWEEN or IN after NOT, found '1' at character 7"),
        ("a IS 1", "cannot read 'a IS 1': expected NULL, found '1' at character 6"),
        ("a BETWEEN 1", "cannot read 'a BETWEEN 1': expected AND, the text ends at character 12"),
        ("a IN 1", "cannot read 'a IN 1': expected (, found '1' at character 6"),
        ("a IN ()", "cannot read 'a IN ()': expected a value, found ')' at character 7"),
        ("CASE a WHEN 1 THEN 2 END", "cannot read 'CASE a WHEN 1 THEN 2 END': expected WHEN, found 'a' at character 6"),
        ("CASE WHEN a THEN 1", "cannot read 'CASE WHEN a THEN 1': expected END, the text ends at character 19"),
        ("a = 'x", 'cannot read "a = \'x": unexpected "\'" at character 4'),
        ("a ; b", "cannot read 'a ; b': unexpected ';' at character 2"),
        ("a.b", "cannot read 'a.b': unexpected '.' at character 2"),
        ("a || b", "cannot read 'a || b': unexpected '|' at character 2"),
        ("a LIKE b", "cannot read 'a LIKE b': expected an operator or the end, found 'LIKE' at character 3"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_place(text: str, reason: str) -> None:
    with pytest.raises(ExpressionError) as error:
        parse(text)
    assert str(error.value) == reason


@given(sql.expressions("T"))
def test_rebuilding_and_naming_see_every_part(text: str) -> None:
    node = parse(text)
    assert rebuild(node, lambda part: part) == node
    assert names(node) == {word for word in text.split() if word in sql.SCOPE}
    assert names(substitute(node, {"b": ONE})) == names(node) - {"b"}


def test_a_table_is_read_with_its_row_and_column() -> None:
    lookup = Lookup("t", A, Name("b"), (((1, 2), True),))
    assert children(lookup) == (A, Name("b"))
    assert children(Lookup("t", A, None, ())) == (A,)
    assert names(lookup) == {"a", "b"}
    assert substitute(lookup, {"b": TWO}) == Lookup("t", A, TWO, (((1, 2), True),))
