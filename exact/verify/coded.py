"""Expressions over texts as expressions over small numbers: every text column holds the place of its word, which is far
faster.

>>> from exact.rulefile.expression import parse
>>> from exact.games import load
>>> coded(parse("outcome = 'tie'"), load("baccarat").facts)
Binary(op='=', left=Name(name='outcome'), right=Literal(value=2))
"""

from __future__ import annotations

from exact.rulefile.evaluate import fold, lookup_case
from exact.rulefile.expression import Binary, Call, Case, In, Literal, Lookup, Name, Node, rebuild
from exact.rulefile.meaning import Scope, study

Words = tuple[str, ...]


def coded(node: Node, facts: Scope) -> Node:
    """The same condition or number, with texts compared by place."""
    match node:
        case Binary("=" | "<>" as op, left, right) if words := _words(facts, left, right):
            return Binary(op, placed(left, words, facts), placed(right, words, facts))
        case In(operand, items) if words := _words(facts, operand, *items):
            return In(placed(operand, words, facts), tuple(placed(item, words, facts) for item in items))
        case Lookup(_, _, _, cells) if any(isinstance(part, str) for key, _ in cells for part in key):
            return coded(fold(lookup_case(node)), facts)
    return rebuild(node, lambda part: coded(part, facts))


def placed(node: Node, words: Words, facts: Scope) -> Node:
    """A text as its place among ``words``, which hold every text that it can be."""
    match node:
        case Literal(str() as word):
            return Literal(words.index(word))
        case Name(name):
            own = facts[name].words
            if own == words:
                return node
            branches = (
                (Binary("=", node, Literal(place)), Literal(words.index(word))) for place, word in enumerate(own)
            )
            return Case(tuple(branches), Literal(None))
        case Case(branches, default):
            made = tuple((coded(condition, facts), placed(value, words, facts)) for condition, value in branches)
            return Case(made, placed(default, words, facts))
        case Call("COALESCE", arguments):
            return Call("COALESCE", tuple(placed(argument, words, facts) for argument in arguments))
        case Lookup():
            return placed(fold(lookup_case(node)), words, facts)
    return node


def _words(facts: Scope, *nodes: Node) -> Words:
    """All texts that some expressions can be; none where they are not texts."""
    found = [study(node, facts, []) for node in nodes]
    texts = [word for fact in found if fact.kind == "text" for word in fact.words]
    first = next((fact.words for fact in found if set(fact.words) == set(texts)), tuple(dict.fromkeys(texts)))
    return first if texts else ()
