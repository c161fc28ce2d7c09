"""Every game that differs from a rule file by one change of its drawing rules: a cell, or a number or operator of a
condition.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from exact.plan import plan
from exact.rulefile.expression import Binary, Case, In, Literal, Lookup, Node, Unary, children, rebuild
from exact.rulefile.game import Game, show
from exact.rulefile.mutate import Cell, cells, flip

_OPERATORS = {
    "<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<"), "=": ("<>",), "<>": ("=",),
    "AND": ("OR",), "OR": ("AND",), "+": ("-",), "-": ("+",),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Mutant:
    """A game with one change, and what it is; ``cell`` where it is a cell of a table."""

    name: str
    game: Game
    cell: Cell | None = None


def mutants(game: Game) -> Iterator[Mutant]:
    """Every flipped cell, then every changed number and operator of what decides cards, totals and outcome.

    >>> from exact.games import load
    >>> names = [mutant.name for mutant in mutants(load("baccarat"))]
    >>> names[0], "step 'two-card scores': player_two >= 8 -> player_two >= 9" in names
    ('player_draws[0]', True)
    """
    for cell in cells(game):
        yield Mutant(str(cell), flip(game, cell), cell)
    shown = [name for name in game.facts if name == "outcome" or name.endswith("_total")]
    decides = plan(game, {*shown, *game.slot_columns})
    needed = {name for step in decides.steps for name, _ in step.lets}
    for place, step in enumerate(game.steps):
        if step.when is not None:
            for said, node in changes(step.when):
                yield Mutant(f"step {step.name!r}: {said}", _with(game, place, when=node))
        for at, (name, old) in enumerate(step.lets):
            if name not in needed:
                continue
            for said, node in changes(old):
                lets = (*step.lets[:at], (name, node), *step.lets[at + 1 :])
                yield Mutant(f"step {step.name!r}: {said}", _with(game, place, lets=lets))


def _with(game: Game, place: int, **changed: object) -> Game:
    step = replace(game.steps[place], **changed)  # type: ignore[arg-type]
    return replace(game, steps=(*game.steps[:place], step, *game.steps[place + 1 :]))


def changes(node: Node) -> Iterator[tuple[str, Node]]:
    """The expression with one number or operator changed, each once; the cells of its tables stay."""
    yield from ((f"{text(node)} -> {text(other)}", other) for other in _own(node))
    if isinstance(node, Lookup):
        return
    for place, part in enumerate(children(node)):
        for said, changed in changes(part) if not isinstance(part, Literal) else ():
            yield said, _replaced(node, place, changed)


def _own(node: Node) -> Iterator[Node]:
    """Changes at the top of an expression: its operator, its numbers."""
    match node:
        case Binary(op, left, right):
            yield from (Binary(other, left, right) for other in _OPERATORS.get(op, ()) if not _blind(other, right))
        case Unary("NOT", operand):
            yield operand
    for place, part in enumerate(children(node)):
        if isinstance(part, Literal) and type(part.value) is int and not isinstance(node, Lookup):
            for number in (part.value - 1, part.value + 1):
                if not (isinstance(node, Binary) and node.op == "%" and number < 1):
                    yield _replaced(node, place, Literal(number))


def _blind(op: str, right: Node) -> bool:
    return op == "-" and isinstance(right, Literal)  # changed as a number already


def _replaced(node: Node, place: int, part: Node) -> Node:
    """The node with its part at a place replaced."""
    parts = iter(part if k == place else old for k, old in enumerate(children(node)))
    return rebuild(node, lambda _: next(parts))


def text(node: Node) -> str:
    """An expression as a person writes it, shortened to what its names say.

    >>> from exact.rulefile.expression import parse
    >>> text(parse("NOT natural AND (a + b) % 10 <= 5"))
    'NOT natural AND (a + b) % 10 <= 5'
    """
    match node:
        case Literal(value):
            return "NULL" if value is None else repr(value) if isinstance(value, str) else show(value).upper()
        case Binary(op, left, right):
            return f"{_inner(left, op)} {op} {_inner(right, op)}"
        case Unary(op, operand):
            return f"{op} {_inner(operand, 'NOT')}"
        case In(operand, items):
            return f"{text(operand)} IN ({', '.join(map(text, items))})"
        case Case(branches, default):
            cases = " ".join(f"WHEN {text(c)} THEN {text(v)}" for c, v in branches)
            return f"CASE {cases} ELSE {text(default)} END"
        case Lookup(table, _, _, _):
            return table
    named = getattr(node, "name", None)
    if named:
        return str(named)
    if hasattr(node, "function"):
        return f"{node.function}({', '.join(map(text, children(node)))})"
    return f"{text(children(node)[0])} IS NULL"


def _inner(node: Node, op: str) -> str:
    loose = {
        "OR": 0,
        "AND": 1,
        "NOT": 2,
        "=": 3,
        "<>": 3,
        "<": 3,
        "<=": 3,
        ">": 3,
        ">=": 3,
        "+": 4,
        "-": 4,
        "*": 5,
        "%": 5,
    }
    if isinstance(node, Binary) and loose.get(node.op, 9) < loose.get(op, 9):
        return f"({text(node)})"
    return text(node)
