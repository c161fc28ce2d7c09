"""How a program under test is asked: JSON lines over stdin and stdout, or a Python function. What it may answer.

``{"do": "start", ...}`` is answered by what the program can do; each ``{"do": "round", "id": ..., "cards": [...]}`` by
the hands, the outcome and, where bets are asked, what they pay; ``{"do": "stop"}`` ends it. The README shows an adapter
of twenty lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from exact.errors import InputError
from exact.rulefile.game import Game
from exact.verify.oracle import usual_order

VERSION = 1
CARDS = ("rank", "card", "value", "1-13", "0-12")


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a program says of itself at the start.

    ``cards``: ranks ("K"), cards ("KS"), values (0) or numbers. ``order``: of the first cards ("PPBB"). ``deal``:
    "sequence", or "slots" when every place has its own card. ``bets``: the wagers that it settles. ``verb``: "round",
    or "table" for a program that knows one table only.
    """

    cards: str = "rank"
    order: str = ""
    deal: str = "sequence"
    bets: tuple[str, ...] = ()
    verb: str = "round"
    table: str = ""

    @classmethod
    def read(cls, game: Game, answer: Mapping[str, Any]) -> Capabilities:
        """From the answer to ``start``; ``InputError`` for what is not known."""
        found = {key: answer[key] for key in ("cards", "order", "deal", "verb", "table") if key in answer}
        made = cls(**found, bets=_bets(game, answer.get("bets", False)))
        usual = usual_order(game)
        if made.cards not in CARDS:
            raise InputError(f"the program asks for cards as {made.cards!r}; known: {', '.join(CARDS)}")
        if not isinstance(made.order, str) or sorted(made.order or usual) != sorted(usual):
            raise InputError(f"the program asks for the dealing order {made.order!r}; an order of {usual} is known")
        if made.deal not in ("sequence", "slots") or made.verb not in ("round", "table"):
            raise InputError(
                f"the program says deal {made.deal!r} and verb {made.verb!r}; known: sequence or slots, round or table"
            )
        if made.verb == "table" and made.table not in {table.name for table in game.tables}:
            raise InputError(
                f"the program answers for the table {made.table!r}; known: {', '.join(t.name for t in game.tables)}"
            )
        return made


def _bets(game: Game, said: object) -> tuple[str, ...]:
    """The wagers that a program settles: the usual ones for true, or those that it names."""
    if isinstance(said, bool):
        return tuple(wager.name for wager in game.wagers if not wager.extra) if said else ()
    if not isinstance(said, list | tuple):
        raise InputError(f"the program says bets {said!r}: true, false or a list of wagers is known")
    return tuple(game.wager(str(name)).name for name in said)


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer: what the program says of a round, or why it says nothing. ``broken`` ends the test."""

    said: Mapping[str, Any] = field(default_factory=dict)
    skipped: str | None = None
    error: str | None = None
    broken: str | None = None


class Program(Protocol):
    """Something that answers requests, in their order."""

    def start(self, request: Mapping[str, Any]) -> Mapping[str, Any]:
        """What it can do; ``InputError`` where it does not start."""

    def ask(self, requests: Sequence[Mapping[str, Any]]) -> Iterator[Answer]:
        """An answer a request; a broken one is the last."""

    def stop(self) -> None:
        """The end."""


def start_request(game: Game) -> dict[str, Any]:
    """The first request: the game, its options, its hands and wagers."""
    return {
        "do": "start", "protocol": VERSION, "game": game.name, "options": game.chosen_texts(),
        "slots": list(game.slots),
        "wagers": [wager.name for wager in game.wagers], "tables": [table.name for table in game.tables],
    }  # fmt: skip


def read_answer(raw: Any, identity: object) -> Answer:
    """An answer as a program gives it; one that belongs to no request is broken."""
    if not isinstance(raw, Mapping):
        return Answer(broken=f"answered {str(raw)[:80]!r}, which is no object")
    if "id" in raw and raw["id"] != identity:
        return Answer(broken=f"answered request {raw['id']!r} when {identity!r} was due")
    if "skipped" in raw:
        return Answer(skipped=str(raw["skipped"]))
    if "error" in raw:
        return Answer(error=str(raw["error"]))
    return Answer({key: value for key, value in raw.items() if key != "id"})


def python_program(name: str) -> Program:
    """A Python function ``module:function`` as a program.

    Raises ``InputError`` where it is not found.
    """
    import importlib
    import sys

    module, colon, attribute = name.partition(":")
    if not colon or not attribute:
        raise InputError(f"--python {name!r}: write MODULE:FUNCTION")
    sys.path.insert(0, "")
    try:
        function = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise InputError(f"--python {name}: {error}") from error
    finally:
        sys.path.remove("")
    if not callable(function):
        raise InputError(f"--python {name}: is no function")
    return PythonProgram(function)


class PythonProgram:
    """A function of the cards in dealing order (and of the bets, if it takes two arguments), called without a process.

    It returns what a program answers, as a mapping; its attribute ``capabilities`` may say what ``start`` would.
    """

    def __init__(self, function: Any) -> None:
        self.function = function

    def start(self, request: Mapping[str, Any]) -> Mapping[str, Any]:
        """What its attribute says."""
        return dict(getattr(self.function, "capabilities", {}))

    def ask(self, requests: Sequence[Mapping[str, Any]]) -> Iterator[Answer]:
        """An answer a request; an exception is its answer."""
        for request in requests:
            arguments = [request["row"], request.get("column")] if request["do"] == "table" else [request["cards"]]
            arguments += [request["bets"]] if "bets" in request else []
            try:
                yield read_answer(self.function(*arguments), request["id"])
            except Exception as error:  # whatever a program under test raises is its answer
                yield Answer(error=f"{type(error).__name__}: {error}")

    def stop(self) -> None:
        """A function needs no end."""
