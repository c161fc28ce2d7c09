"""What an expression can be, worked out before a card is dealt: its type, its range, whether it can be NULL.

The ranges decide two things that must never be left to luck: that no 64-bit integer can overflow, and that ``%`` is
only used where every engine agrees on it (non-negative operands). Conditions narrow what is known: inside ``CASE WHEN
s >= 0 THEN s % 10`` the ``s`` is not negative.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal as OneOf

from exact.errors import nearest
from exact.rulefile.expression import (
    COMPARISONS,
    FUNCTIONS,
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
    wrong_call,
)

WIDEST = 2**62  # every intermediate integer stays below, so that Int64 holds it with room to spare


@dataclass(frozen=True, slots=True)
class Fact:
    """What is known of a value: its kind, the range of an integer, the words of a text, and where it may be NULL."""

    kind: OneOf["truth", "integer", "text", "fraction", "null", "unknown"]
    low: int = 0
    high: int = 0
    words: tuple[str, ...] = ()
    nullable: bool = False
    always_null: bool = False


UNKNOWN = Fact("unknown", nullable=True)
TRUTH = Fact("truth")
Scope = Mapping[str, Fact]


def integer(low: int, high: int) -> Fact:
    """The fact of an integer from ``low`` to ``high``."""
    return Fact("integer", low, high)


def study(node: Node, scope: Scope, errors: list[str]) -> Fact:
    """What ``node`` can be where the columns are as in ``scope``; every fault found is added to ``errors``."""
    match node:
        case Literal(value):
            return fact_of(value)
        case Name(name):
            if name not in scope:
                errors.append(f"unknown column {name!r} here; {nearest(name, scope)}")
            return scope.get(name, UNKNOWN)
        case Binary("AND" | "OR" as op, left, right):
            return _connective(op, left, right, scope, errors)
        case Binary(op, left, right) if op in COMPARISONS:
            return _comparison(op, study(left, scope, errors), study(right, scope, errors), errors)
        case Binary(op, left, right):
            return _arithmetic(op, study(left, scope, errors), study(right, scope, errors), errors)
        case Unary("NOT", operand):
            return _expect("truth", study(operand, scope, errors), "NOT", errors)
        case Unary(_, operand):
            return _arithmetic("-", integer(0, 0), study(operand, scope, errors), errors)
        case IsNull(operand):
            study(operand, scope, errors)
            return TRUTH
        case In(operand, items):
            fact = study(operand, scope, errors)
            tests = [_comparison("=", fact, study(item, scope, errors), errors) for item in items]
            return replace(
                TRUTH, nullable=any(t.nullable for t in tests), always_null=all(t.always_null for t in tests)
            )
        case Case(branches, default):
            return _case(branches, default, scope, errors)
        case Call(function, arguments):
            return _call(function, [study(argument, scope, errors) for argument in arguments], errors)
        case Lookup(table, _, _, cells):
            keys = [study(part, scope, errors) for part in children(node)]
            for fact, axis in zip(keys, zip(*(key for key, _ in cells), strict=True), strict=False):
                _check_axis(table, fact, axis, errors)
            return replace(_join([fact_of(value) for _, value in cells], errors), nullable=True)
    raise AssertionError(node)


def fact_of(value: Value) -> Fact:
    """The fact of one constant."""
    if value is None:
        return Fact("null", nullable=True, always_null=True)
    if isinstance(value, bool):
        return TRUTH
    if isinstance(value, int):
        return integer(value, value)
    return Fact("fraction") if isinstance(value, Fraction) else Fact("text", words=(value,))


def width_of(node: Node, scope: Scope) -> int:
    """The largest size of any whole number on the way to the value of an expression, whatever its conditions say.

    >>> from exact.rulefile.expression import parse
    >>> width_of(parse("(a + b) % 10"), {"a": integer(0, 9), "b": integer(0, 9)})
    18
    """
    fact = study(node, scope, [])
    own = WIDEST if fact.kind == "unknown" and not fact.always_null else max(abs(fact.low), abs(fact.high))
    return max([own, *(width_of(part, scope) for part in children(node))])


def _expect(kind: str, fact: Fact, where: str, errors: list[str]) -> Fact:
    if fact.kind not in (kind, "null", "unknown"):
        errors.append(f"{where} needs {_a(kind)} value, not {_a(fact.kind)} one")
    return replace(TRUTH, nullable=fact.nullable, always_null=fact.always_null) if kind == "truth" else fact


def _a(kind: str) -> str:
    return f"an {kind}" if kind in ("integer", "unknown") else f"a {kind}"


def _connective(op: str, left: Node, right: Node, scope: Scope, errors: list[str]) -> Fact:
    first = _expect("truth", study(left, scope, errors), op, errors)
    second = _expect("truth", study(right, narrow(scope, left, op == "AND"), errors), op, errors)
    return replace(
        TRUTH, nullable=first.nullable or second.nullable, always_null=first.always_null and second.always_null
    )


def _comparison(op: str, left: Fact, right: Fact, errors: list[str]) -> Fact:
    kinds = {left.kind, right.kind} - {"null", "unknown"}
    if len(kinds) == 2:
        errors.append(f"{op} compares {_a(left.kind)} with {_a(right.kind)} value")
    elif op not in ("=", "<>") and kinds and kinds != {"integer"}:
        errors.append(f"{op} needs integers, not {kinds.pop()} values")
    elif kinds == {"text"} and left.words and right.words and not set(left.words) & set(right.words):
        words, asked = (left.words, right.words[0]) if len(right.words) == 1 else (right.words, left.words[0])
        errors.append(f"the text {asked!r} never occurs here; {nearest(asked, words)}")
    elif kinds == {"fraction"}:
        errors.append("a fraction can stand in odds only, not in a condition")
    return replace(TRUTH, nullable=left.nullable or right.nullable, always_null=left.always_null or right.always_null)


def _arithmetic(op: str, left: Fact, right: Fact, errors: list[str]) -> Fact:
    nullable, always = left.nullable or right.nullable, left.always_null or right.always_null
    if op == "/" or "fraction" in (left.kind, right.kind):
        errors.append("division and fractions can stand in odds only, not in a condition")
        return UNKNOWN
    for fact in (left, right):
        _expect("integer", fact, op, errors)
    if left.kind != "integer" or right.kind != "integer":
        return replace(UNKNOWN, always_null=always)
    if op == "%":
        if left.low < 0 or right.low < 1:
            errors.append(
                f"% needs a non-negative number and a positive divisor (engines differ on others); here the number is "
                f"{left.low}..{left.high} and the divisor {right.low}..{right.high}"
            )
            return UNKNOWN
        low, high = (left.low, left.high) if left.high < right.low else (0, min(left.high, right.high - 1))
    elif op == "*":
        corners = [a * b for a in (left.low, left.high) for b in (right.low, right.high)]
        low, high = min(corners), max(corners)
    elif op == "+":
        low, high = left.low + right.low, left.high + right.high
    else:
        low, high = left.low - right.high, left.high - right.low
    if max(-low, high) > WIDEST:
        errors.append(f"{op} may reach {max(-low, high)}, more than 64 bits hold")
    return Fact("integer", low, high, nullable=nullable, always_null=always)


def _case(branches: tuple[tuple[Node, Node], ...], default: Node, scope: Scope, errors: list[str]) -> Fact:
    values = []
    for condition, value in branches:
        _expect("truth", study(condition, scope, errors), "WHEN", errors)
        values.append(study(value, narrow(scope, condition, True), errors))
        scope = narrow(scope, condition, False)
    return _join([*values, study(default, scope, errors)], errors)


def _join(facts: list[Fact], errors: list[str]) -> Fact:
    kinds = {fact.kind for fact in facts} - {"null"}
    nullable, always = any(f.nullable for f in facts), all(f.always_null for f in facts)
    if "unknown" in kinds or not kinds:
        return replace(UNKNOWN, always_null=always)
    if len(kinds) > 1:
        errors.append(f"the branches are of different kinds: {', '.join(sorted(kinds))}")
        return UNKNOWN
    known = [fact for fact in facts if fact.kind != "null"]
    return Fact(
        known[0].kind,
        min(f.low for f in known),
        max(f.high for f in known),
        tuple(dict.fromkeys(word for f in known for word in f.words)),
        nullable,
        always,
    )


def _call(function: str, facts: list[Fact], errors: list[str]) -> Fact:
    least, most = FUNCTIONS.get(function, (0, 0))
    if len(facts) < least or (most is not None and len(facts) > most):
        errors.append(wrong_call(function, len(facts)))
        return UNKNOWN
    if function == "COALESCE":
        return replace(_join(facts, errors), nullable=all(f.nullable for f in facts))
    fact = _expect("integer", facts[0], function, errors)
    if fact.kind != "integer":
        return fact if fact.kind == "null" else UNKNOWN
    if function == "SIGN":
        return replace(fact, low=(fact.low > 0) - (fact.low < 0), high=(fact.high > 0) - (fact.high < 0))
    ends = sorted((abs(fact.low), abs(fact.high)))
    return replace(fact, low=0 if fact.low <= 0 <= fact.high else ends[0], high=ends[1])


def _check_axis(table: str, fact: Fact, axis: tuple[Value, ...], errors: list[str]) -> None:
    for key in dict.fromkeys(axis):
        other = fact_of(key)
        if other.kind != "null" and fact.kind not in ("unknown", "null", other.kind):
            errors.append(
                f"table {table!r}: the key {key!r} is {_a(other.kind)}, the column it is read by {_a(fact.kind)}"
            )
            return


def narrow(scope: Scope, condition: Node, truth: bool) -> Scope:
    """What is known of the columns once ``condition`` is known to be true (or not true)."""
    match condition:
        case Unary("NOT", operand) if truth:
            return narrow(scope, operand, False)
        case Binary("AND", left, right) if truth:
            return narrow(narrow(scope, left, True), right, True)
        case Binary("OR", left, right) if not truth:
            return narrow(narrow(scope, left, False), right, False)
        case IsNull(Name(name)) if name in scope and not truth:
            return {**scope, name: replace(scope[name], nullable=False)}
        case Binary(op, Name(name), Literal(value)) if (
            op in COMPARISONS and name in scope and scope[name].kind == "integer" and type(value) is int
        ):
            # "not true" of a comparison may also mean NULL, which leaves the range of the other values as it is negated
            fact = _narrow_range(scope[name], op if truth else _NEGATED[op], value)
            return {**scope, name: replace(fact, nullable=fact.nullable and not truth)}
    return scope


_NEGATED = {"=": "<>", "<>": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def _narrow_range(fact: Fact, op: str, value: int) -> Fact:
    low, high = fact.low, fact.high
    if op in ("=", ">=", ">"):
        low = max(low, value + (op == ">"))
    if op in ("=", "<=", "<"):
        high = min(high, value - (op == "<"))
    return fact if low > high else replace(fact, low=low, high=high)
