"""Expressions in the words of a game: definitions and options filled in, checked against the columns known there."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

from exact.errors import InputError
from exact.rulefile.document import Faults
from exact.rulefile.evaluate import fold
from exact.rulefile.expression import (
    Call,
    ExpressionError,
    Literal,
    Name,
    Node,
    Value,
    names,
    parse,
    rebuild,
    substitute,
)
from exact.rulefile.game import Game
from exact.rulefile.meaning import Scope, fact_of, study

Macros = Mapping[str, tuple[tuple[str, ...], Node]]
Moments = Mapping[str, tuple[Scope, tuple[str, ...]]]


class Reader:
    """Reads texts for one game: ``macros`` are its tables and definitions, ``constants`` its options, ``later`` the
    slots that are not dealt yet, each with the step that deals it.
    """

    def __init__(self, faults: Faults, macros: Macros, constants: Mapping[str, Value]) -> None:
        self.faults, self.macros = faults, macros
        self.constants: dict[str, Node] = {name: Literal(_plain(value)) for name, value in constants.items()}
        self.later: dict[str, str] = {}
        self.moments: Moments = {}

    def parse_text(self, where: str, text: str) -> Node:
        """The tree of a text; a fault and NULL where it cannot be read."""
        try:
            return parse(text)
        except ExpressionError as error:
            self.faults.add(where, str(error))
            return Literal(None)

    def read(self, where: str, text: str, scope: Scope, want: str | None = None) -> Node:
        """An expression with definitions and options filled in, checked against the columns known at its place."""
        before = len(self.faults.found)
        node = self.parse_text(where, text)
        if len(self.faults.found) > before:
            return node
        try:
            node = fold(substitute(expand(node, self.macros), self.constants))
        except (InputError, TypeError, ZeroDivisionError) as error:
            self.faults.add(where, f"{text!r}: {error}")
            return node
        errors: list[str] = []
        fact = study(node, scope, errors)
        if want and not errors and fact.kind not in (want, "unknown"):
            errors.append(f"must be {want} valued (true or false), but it is {fact.kind}")
        for name in sorted(names(node)):
            if want and name in scope and scope[name].nullable and scope[name].kind != "unknown" and not errors:
                study_null = study(node, {**scope, name: fact_of(None)}, [])
                if study_null.always_null:
                    errors.append(f"is NULL whenever {name} is (a card not drawn); say what then, with {name} IS NULL")
        for reason in errors:
            self.faults.add(where, f"{text!r}: {self._not_yet(reason)}")
        return node

    def check(self, where: str, node: Node, scope: Scope) -> None:
        """Report every name that a table or definition reads and that is neither a column nor an option."""
        errors: list[str] = []
        try:
            study(substitute(expand(node, self.macros), self.constants), scope, errors)
        except InputError as error:
            self.faults.add(where, str(error))
        for unknown in (reason for reason in errors if reason.startswith("unknown")):
            self.faults.add(where, unknown)

    def _not_yet(self, error: str) -> str:
        match = re.match(r"unknown column '(\w+)'", error)
        slot = match and next((s for s in self.later if match[1] == s or match[1].startswith(f"{s}_")), None)
        return f"{match[1]} is not known yet: {slot} is dealt in step {self.later[slot]!r}" if match and slot else error

    def constant(self, where: str, text: str) -> Value:
        """What a text without columns is worth with the options chosen; None where it is no constant."""
        try:
            node = fold(substitute(expand(self.parse_text(where, text), self.macros), self.constants))
        except (InputError, ZeroDivisionError, TypeError):
            return None
        return node.value if isinstance(node, Literal) else None


def read_condition(game: Game, text: str, where: str) -> Node:
    """A condition over the columns of a game's rounds, as a user writes it.

    >>> from exact.games import load
    >>> read_condition(load("baccarat"), "player_two = 6", "--given")
    Binary(op='=', left=Name(name='player_two'), right=Literal(value=6))

    Raises ``InputError`` for an unknown column, a text that cannot be read, or one that is not true or false.
    """
    faults = Faults(game.name)
    node = Reader(faults, game.macros, game.chosen).read(where, text, game.facts, "truth")
    faults.stop()
    return node


def expand(node: Node, macros: Macros, depth: int = 0) -> Node:
    """The expression with tables and definitions in place of their names."""
    if depth > 20:
        raise InputError("the definitions refer to each other in a circle")
    if isinstance(node, Name) and node.name in macros and not macros[node.name][0]:
        return expand(macros[node.name][1], macros, depth + 1)
    node = rebuild(node, lambda part: expand(part, macros, depth))
    if isinstance(node, Call) and node.function in macros:
        arguments, body = macros[node.function]
        if len(arguments) != len(node.arguments):
            raise InputError(f"{node.function} takes {len(arguments)} arguments, {len(node.arguments)} given")
        return substitute(expand(body, macros, depth + 1), dict(zip(arguments, node.arguments, strict=True)))
    return node


def _plain(value: Value) -> Value:
    """A whole fraction as an integer, so that it can stand in a condition."""
    return int(value) if isinstance(value, Fraction) and value.denominator == 1 else value
