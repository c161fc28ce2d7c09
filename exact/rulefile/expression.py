"""The expression language of rule files: the part of SQL on which every engine agrees, read into a small tree.

Comparisons, ``+ - *`` and ``%``, ``AND OR NOT``, ``CASE``, ``BETWEEN``, ``IN``, ``IS NULL``, ``COALESCE``, ``ABS`` and
``SIGN``. Division and decimals are read too, since odds are fractions; conditions may not use them (see
``exact.rulefile.meaning``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from exact.errors import InputError, nearest

Value = int | str | bool | Fraction | None

FUNCTIONS = {"COALESCE": (2, None), "ABS": (1, 1), "SIGN": (1, 1)}
COMPARISONS = {"=", "<>", "<", "<=", ">", ">="}
KEYWORDS = {"AND", "OR", "NOT", "CASE", "WHEN", "THEN", "ELSE", "END", "BETWEEN", "IN", "IS", "NULL", "TRUE", "FALSE"}
_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+(?:\.\d+)?)|(?P<name>[A-Za-z_][A-Za-z_0-9]*)|(?P<text>'(?:[^']|'')*')"
    r"|(?P<mark><>|!=|<=|>=|==|[-+*/%(),=<>]))"
)


class ExpressionError(InputError):
    """An expression that cannot be read; the message shows the place."""


@dataclass(frozen=True, slots=True)
class Literal:
    """A constant; NULL is None."""

    value: Value


@dataclass(frozen=True, slots=True)
class Name:
    """A column, or an option, table or definition before they are filled in."""

    name: str


@dataclass(frozen=True, slots=True)
class Unary:
    """NOT, or the sign of a number."""

    op: str  # "NOT" or "-"
    operand: Node


@dataclass(frozen=True, slots=True)
class Binary:
    """A connective, a comparison or arithmetic."""

    op: str  # AND OR, a comparison, or + - * / %
    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class In:
    """Membership in a list."""

    operand: Node
    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class IsNull:
    """Whether a value is NULL: a card that was not drawn."""

    operand: Node


@dataclass(frozen=True, slots=True)
class Case:
    """The value of the first condition that is true, else the default."""

    branches: tuple[tuple[Node, Node], ...]
    default: Node


@dataclass(frozen=True, slots=True)
class Call:
    """A function or, before it is filled in, a definition with arguments."""

    function: str  # upper case for a built-in one, as written for a definition of the file
    arguments: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Lookup:
    """A cell of a printed table: ``cells[row, column]``, NULL where the table has no such row or column."""

    table: str
    row: Node
    column: Node | None
    cells: tuple[tuple[tuple[Value, Value], Value], ...]


Node = Literal | Name | Unary | Binary | In | IsNull | Case | Call | Lookup
TRUE, FALSE, NULL = Literal(True), Literal(False), Literal(None)


def parse(text: str) -> Node:
    """Read one expression.

    >>> parse("p1 + 2 = 5")
    Binary(op='=', left=Binary(op='+', left=Name(name='p1'), right=Literal(value=2)), right=Literal(value=5))

    Raises ``ExpressionError`` with the place where reading stopped.
    """
    return _Reader(text).whole()


class _Reader:
    """Recursive descent, one method a level of precedence."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = list(_tokens(text))
        self.at = 0

    def whole(self) -> Node:
        node = self.disjunction()
        if self.kind() != "end":
            self.fail("expected an operator or the end")
        return node

    def kind(self) -> str:
        return self.tokens[self.at][0]

    def word(self) -> str:
        return self.tokens[self.at][1]

    def fail(self, why: str) -> None:
        _, word, place = self.tokens[self.at]
        found = f"found {word!r}" if word else "the text ends"
        raise ExpressionError(f"cannot read {self.text!r}: {why}, {found} at character {place + 1}")

    def accept(self, *words: str) -> str | None:
        kind, word, _ = self.tokens[self.at]
        if word not in words or kind not in ("keyword", "mark"):
            return None
        self.at += 1
        return word

    def expect(self, word: str) -> None:
        if not self.accept(word):
            self.fail(f"expected {word}")

    def disjunction(self) -> Node:
        return self._chain(self.conjunction, "OR")

    def conjunction(self) -> Node:
        return self._chain(self.negation, "AND")

    def _chain(self, level: Callable[[], Node], *operators: str) -> Node:
        node = level()
        while op := self.accept(*operators):
            node = Binary(op, node, level())
        return node

    def negation(self) -> Node:
        return Unary("NOT", self.negation()) if self.accept("NOT") else self.comparison()

    def comparison(self) -> Node:
        node = self.addition()
        while True:
            if op := self.accept("=", "<>", "!=", "<", "<=", ">", ">="):
                node = Binary("<>" if op == "!=" else op, node, self.addition())
            elif self.accept("IS"):
                negated = self.accept("NOT")
                self.expect("NULL")
                node = Unary("NOT", IsNull(node)) if negated else IsNull(node)
            elif negated := self.accept("NOT"):
                node = Unary("NOT", self._range(node) or self._missing_range())
            elif ranged := self._range(node):
                node = ranged
            else:
                return node

    def _range(self, node: Node) -> Node | None:
        if self.accept("BETWEEN"):
            low = self.addition()
            self.expect("AND")
            return Binary("AND", Binary(">=", node, low), Binary("<=", node, self.addition()))
        if self.accept("IN"):
            self.expect("(")
            return In(node, self._list())
        return None

    def _missing_range(self) -> Node:
        self.fail("expected BETWEEN or IN after NOT")
        raise AssertionError

    def _list(self) -> tuple[Node, ...]:
        items = [self.disjunction()]
        while self.accept(","):
            items.append(self.disjunction())
        self.expect(")")
        return tuple(items)

    def addition(self) -> Node:
        return self._chain(self.product, "+", "-")

    def product(self) -> Node:
        return self._chain(self.sign, "*", "/", "%")

    def sign(self) -> Node:
        if self.accept("-"):
            operand = self.sign()
            if isinstance(operand, Literal) and isinstance(operand.value, int | Fraction):
                return Literal(-operand.value)
            return Unary("-", operand)
        return self.atom()

    def atom(self) -> Node:
        kind, word, _ = self.tokens[self.at]
        if self.accept("("):
            node = self.disjunction()
            self.expect(")")
            return node
        if self.accept("CASE"):
            return self._case()
        constant = {"NULL": NULL, "TRUE": TRUE, "FALSE": FALSE}.get(word) if kind == "keyword" else None
        if constant or kind in ("number", "text", "name"):
            self.at += 1
            return constant or self._plain(kind, word)
        self.fail("expected a value")
        raise AssertionError

    def _plain(self, kind: str, word: str) -> Node:
        if kind == "number":
            return Literal(int(word) if "." not in word else Fraction(word))
        if kind == "text":
            return Literal(word[1:-1].replace("''", "'"))
        if self.accept("("):
            return Call(word.upper() if word.upper() in FUNCTIONS else word, self._list())
        return Name(word)

    def _case(self) -> Node:
        branches = []
        while self.accept("WHEN"):
            condition = self.disjunction()
            self.expect("THEN")
            branches.append((condition, self.disjunction()))
        if not branches:
            self.fail("expected WHEN")
        default = self.disjunction() if self.accept("ELSE") else NULL
        self.expect("END")
        return Case(tuple(branches), default)


def _tokens(text: str) -> Iterator[tuple[str, str, int]]:
    place = 0
    while place < len(text.rstrip()):
        match = _TOKEN.match(text, place)
        if match is None:
            raise ExpressionError(
                f"cannot read {text!r}: unexpected {text[place:].strip()[:1]!r} at character {place + 1}"
            )
        kind, word = str(match.lastgroup), match.group().strip()
        start = match.end() - len(word)
        if word == "==":
            raise ExpressionError(f"cannot read {text!r}: equality is written = (character {start + 1})")
        if kind == "name" and word.upper() in KEYWORDS:
            kind, word = "keyword", word.upper()
        yield kind, word, start
        place = match.end()
    yield "end", "", len(text)


def wrong_call(function: str, given: int) -> str:
    """What is wrong with a call: there is no such function, or it takes other arguments."""
    if function not in FUNCTIONS:
        return f"unknown function {function!r}; {nearest(function, FUNCTIONS)}"
    least, most = FUNCTIONS[function]
    many = f"{least} or more arguments" if most is None else f"{least} argument{'s' * (least != 1)}"
    return f"{function} takes {many}, {given} given"


def children(node: Node) -> tuple[Node, ...]:
    """The direct parts of a node, in reading order."""
    match node:
        case Literal() | Name():
            return ()
        case Unary(_, operand) | IsNull(operand):
            return (operand,)
        case Binary(_, left, right):
            return (left, right)
        case In(operand, items):
            return (operand, *items)
        case Case(branches, default):
            return (*(part for branch in branches for part in branch), default)
        case Call(_, arguments):
            return arguments
        case Lookup(_, row, column, _):
            return (row,) if column is None else (row, column)
    return ()


def rebuild(node: Node, change: Callable[[Node], Node]) -> Node:
    """The same node with every direct part replaced by ``change(part)``."""
    match node:
        case Literal() | Name():
            return node
        case Unary(op, operand):
            return Unary(op, change(operand))
        case IsNull(operand):
            return IsNull(change(operand))
        case Binary(op, left, right):
            return Binary(op, change(left), change(right))
        case In(operand, items):
            return In(change(operand), tuple(change(item) for item in items))
        case Case(branches, default):
            return Case(tuple((change(c), change(v)) for c, v in branches), change(default))
        case Call(function, arguments):
            return Call(function, tuple(change(argument) for argument in arguments))
        case Lookup(table, row, column, cells):
            return Lookup(table, change(row), None if column is None else change(column), cells)
    return node


def names(node: Node) -> frozenset[str]:
    """Every column that the expression reads.

    >>> sorted(names(parse("NOT natural AND player_two <= 5")))
    ['natural', 'player_two']
    """
    if isinstance(node, Name):
        return frozenset((node.name,))
    return frozenset().union(*(names(part) for part in children(node)))


def substitute(node: Node, values: Mapping[str, Node]) -> Node:
    """The expression with names replaced by other expressions."""
    if isinstance(node, Name):
        return values.get(node.name, node)
    return rebuild(node, lambda part: substitute(part, values))
