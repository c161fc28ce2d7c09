"""An expression worked out: on one round (three-valued logic as in SQL), on constants, and as a polars expression."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import reduce
from operator import add, eq, ge, gt, le, lt, mod, mul, ne, or_, sub
from typing import TYPE_CHECKING, Any

from exact.errors import InputError
from exact.rulefile.expression import (
    COMPARISONS,
    FALSE,
    FUNCTIONS,
    NULL,
    Binary,
    Call,
    Case,
    In,
    IsNull,
    Literal,
    Lookup,
    Name,
    Node,
    Unary,
    Value,
    children,
    rebuild,
    wrong_call,
)

if TYPE_CHECKING:
    import polars as pl

# "Any" because the same operators serve numbers and polars expressions
_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "+": add, "-": sub, "*": mul, "%": mod, "=": eq, "<>": ne, "<": lt, "<=": le, ">": gt, ">=": ge,
}  # fmt: skip


def evaluate(node: Node, row: Mapping[str, Value]) -> Value:
    """The value of an expression on one round; ``None`` is SQL's NULL.

    >>> from exact.rulefile.expression import parse
    >>> evaluate(parse("p3 IS NULL OR p3 > 5"), {"p3": None})
    True
    >>> evaluate(parse("p3 > 5"), {"p3": None}) is None
    True
    """
    match node:
        case Literal(value):
            return value
        case Name(name):
            return row[name]
        case Binary("AND" | "OR" as op, left, right):
            first = evaluate(left, row)
            # the right side may hold only where the left one does: p2 > 0 AND p1 % p2 = 1
            return first if first is (op == "OR") else _connect(op, first, evaluate(right, row))
        case Binary(op, left, right):
            return _apply(op, evaluate(left, row), evaluate(right, row))
        case Unary(op, operand):
            value = evaluate(operand, row)
            return None if value is None else (not value) if op == "NOT" else _apply("-", 0, value)
        case IsNull(operand):
            return evaluate(operand, row) is None
        case In(operand, items):
            value = evaluate(operand, row)
            tests = [_apply("=", value, evaluate(item, row)) for item in items]
            return reduce(lambda a, b: _connect("OR", a, b), tests)
        case Case(branches, default):
            for condition, then in branches:
                if evaluate(condition, row) is True:
                    return evaluate(then, row)
            return evaluate(default, row)
        case Call(function, arguments):
            return _call(function, [evaluate(argument, row) for argument in arguments])
        case Lookup(_, key, column, cells):
            return dict(cells).get(lookup_key(key, column, row))
    raise AssertionError(node)


def lookup_key(key: Node, column: Node | None, row: Mapping[str, Value]) -> tuple[Value, Value]:
    """The row and column of a printed table that one round asks for."""
    return evaluate(key, row), None if column is None else evaluate(column, row)


def _connect(op: str, left: Value, right: Value) -> Value:
    decisive = op == "OR"
    if left is decisive or right is decisive:
        return decisive
    return None if left is None or right is None else not decisive


def _apply(op: str, left: Value, right: Value) -> Value:
    if left is None or right is None:
        return None
    if op == "/":
        return Fraction(left) / Fraction(right)  # odds only
    value: Value = _OPERATORS[op](left, right)
    return value


def _call(function: str, values: list[Value]) -> Value:
    least, most = FUNCTIONS.get(function, (0, 0))
    if len(values) < least or (most is not None and len(values) > most):
        raise InputError(wrong_call(function, len(values)))
    if function == "COALESCE":
        return next((value for value in values if value is not None), None)
    value = values[0]
    if value is None:
        return None
    if isinstance(value, bool | str):
        raise InputError(f"{function} needs a number, not {value!r}")
    if function == "ABS":
        return value if value >= 0 else -value
    return (value > 0) - (value < 0)


def fold(node: Node) -> Node:
    """The same expression with everything constant worked out, so that options and cards not drawn cost nothing.

    >>> from exact.rulefile.expression import parse
    >>> fold(parse("CASE WHEN 'tie' = 'tie' THEN p = b ELSE FALSE END"))
    Binary(op='=', left=Name(name='p'), right=Name(name='b'))
    """
    node = rebuild(node, fold)
    parts = children(node)
    if parts and all(isinstance(part, Literal) for part in parts):
        return Literal(evaluate(node, {}))
    match node:
        case Binary("AND" | "OR" as op, left, right):
            decisive = op == "OR"
            if _is(left, decisive) or _is(right, decisive):
                return Literal(decisive)
            if _is(left, not decisive) or _is(right, not decisive):
                return right if _is(left, not decisive) else left
        case Binary(_, left, right) if _is(left, None) or _is(right, None):
            return NULL
        case In(operand, _) if _is(operand, None):
            return NULL
        case Case(branches, default):
            return _fold_case(branches, default)
        case Call("COALESCE", (first, *others)) if _is(first, None):
            return others[0] if len(others) == 1 else fold(Call("COALESCE", tuple(others)))
    return node


def _fold_case(branches: tuple[tuple[Node, Node], ...], default: Node) -> Node:
    kept = [branch for branch in branches if not _is(branch[0], False) and not _is(branch[0], None)]
    for place, (condition, value) in enumerate(kept):
        if _is(condition, True):
            kept, default = kept[:place], value
            break
    return Case(tuple(kept), default) if kept else default


def _is(node: Node, value: bool | None) -> bool:
    """Whether a node is this very constant: in Python 1 equals True, in an expression it does not."""
    return isinstance(node, Literal) and node.value is value


def to_polars(
    node: Node,
    column: Callable[[str], pl.Expr],
    result: pl.DataType | None = None,
    width: pl.DataType | None = None,
) -> pl.Expr:
    """The expression over the columns of a data frame, of the type ``result`` where one is asked for.

    ``column(name)`` gives a stored column, which may be as narrow as Int8; every arithmetic operation widens its
    operands to Int64 first, since polars wraps without a word: an Int8 ``100 - (-33)`` is -123. A caller who knows that
    every number on the way fits (see ``exact.rulefile.meaning.width_of``) gives a narrower ``width``, which is faster.
    """
    import polars as pl

    def inner(part: Node) -> pl.Expr:
        return to_polars(part, column, None, width)

    def truth(part: Node) -> pl.Expr:
        return pl.lit(None, dtype=pl.Boolean()) if _is(part, None) else inner(part)

    def wide(part: Node) -> pl.Expr:
        return to_polars(part, column, width or pl.Int64(), width)

    match node:
        case Literal(value):
            # A bare 128 beside an Int8 column becomes an Int8 in polars' COALESCE and wraps: constants have a type too.
            typed = integer_type(value, value) if result is None and type(value) is int else result
            return pl.lit(value, dtype=typed)
        case Name(name):
            return column(name) if result is None else column(name).cast(result)
        case Unary("NOT", operand):
            return ~inner(operand)
        case Unary(_, operand):
            return -wide(operand)
        case Binary("AND", left, right):
            return truth(left) & truth(right)
        case Binary("OR", left, right):
            return truth(left) | truth(right)
        case Binary(op, left, right) if op in COMPARISONS:
            return _compare(op, left, right, column, width)
        case Binary(op, left, right):
            return _apply_columns(op, wide(left), wide(right))
        case IsNull(operand):
            return inner(operand).is_null()
        case In(operand, items):
            return reduce(or_, (_compare("=", operand, item, column, width) for item in items))
        case Case(branches, default):
            values = [(inner(condition), to_polars(value, column, result, width)) for condition, value in branches]
            return _case(values, to_polars(default, column, result, width))
        case Call("COALESCE", arguments):
            return pl.coalesce([to_polars(argument, column, result, width) for argument in arguments])
        case Call(function, (argument,)):
            return wide(argument).abs() if function == "ABS" else wide(argument).sign()
        case Lookup():
            return to_polars(fold(lookup_case(node)), column, result, width)
    raise AssertionError(node)


def integer_type(low: int, high: int) -> pl.DataType:
    """The narrowest integer column that holds everything from ``low`` to ``high``."""
    import polars as pl

    sizes = ((8, pl.Int8()), (16, pl.Int16()), (32, pl.Int32()), (64, pl.Int64()))
    return next(kind for bits, kind in sizes if -(2 ** (bits - 1)) <= low and high < 2 ** (bits - 1))


def _compare(op: str, left: Node, right: Node, column: Callable[[str], pl.Expr], width: pl.DataType | None) -> pl.Expr:
    """A comparison; texts that are worked out are compared as texts, since a column knows its own words only."""
    import polars as pl

    plain = isinstance(left, Name | Literal) and isinstance(right, Name | Literal)
    kind = pl.String() if not plain and (_is_text(left) or _is_text(right)) else None
    return _apply_columns(op, to_polars(left, column, kind, width), to_polars(right, column, kind, width))


def _is_text(node: Node) -> bool:
    """Whether an expression is seen to be a text, from the texts written in it."""
    match node:
        case Literal(value):
            return isinstance(value, str)
        case Case(branches, default):
            return any(_is_text(value) for _, value in branches) or _is_text(default)
        case Call("COALESCE", arguments):
            return any(map(_is_text, arguments))
        case Lookup(_, _, _, cells):
            return any(isinstance(value, str) for _, value in cells)
    return False


def _apply_columns(op: str, left: pl.Expr, right: pl.Expr) -> pl.Expr:
    value: pl.Expr = _OPERATORS[op](left, right)
    return value


def _case(branches: list[tuple[pl.Expr, pl.Expr]], default: pl.Expr) -> pl.Expr:
    import polars as pl

    for condition, value in reversed(branches):
        default = pl.when(condition).then(value).otherwise(default)
    return default


def lookup_case(node: Lookup) -> Node:
    """A printed table as one CASE: a branch for each different cell value, in rows and the columns that hold it."""
    branches = []
    for answer in dict.fromkeys(value for _, value in node.cells):
        by_row: dict[tuple[Value, ...], list[Value]] = {}
        for row in dict.fromkeys(key[0] for key, _ in node.cells):
            columns = tuple(key[1] for key, value in node.cells if key[0] == row and value == answer)
            if columns:
                by_row.setdefault(columns, []).append(row)
        tests = [_cells_test(node, rows, columns) for columns, rows in by_row.items()]
        branches.append((reduce(lambda a, b: Binary("OR", a, b), tests), Literal(answer)))
    return Case(tuple(branches), Literal(None))


def _cells_test(node: Lookup, rows: list[Value], columns: tuple[Value, ...]) -> Node:
    test = _member(node.row, rows)
    return test if node.column is None else Binary("AND", test, _member(node.column, columns))


def _member(key: Node, values: list[Value] | tuple[Value, ...]) -> Node:
    known = tuple(Literal(value) for value in values if value is not None)
    test: Node = In(key, known) if known else FALSE
    if None in values:
        return Binary("OR", IsNull(key), test) if known else IsNull(key)
    return test
