"""Which reading of the rules a log was dealt by: replayed under every combination of the options that change who
draws or wins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING

from exact.errors import InputError
from exact.games import load
from exact.rulefile.expression import Node
from exact.rulefile.game import Game, Option, show

if TYPE_CHECKING:
    from exact.verify.log import LogRequest

MOST = 256  # combinations of options that are tried


@dataclass(frozen=True, slots=True)
class ReadingFound:
    """One combination of options: how many rounds speak against it, and the first that does."""

    name: str
    count: int
    line: int | None = None
    cards: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class ReadingsAnswer:
    """Every combination that was tried, those that agree first."""

    game: str
    rows: int
    said: tuple[str, ...]
    readings: tuple[ReadingFound, ...]
    notes: tuple[str, ...]


def rules_of(game: Game) -> tuple[Node | None, ...]:
    """Everything that decides how a round is played: two games with the same deal alike."""
    return tuple(node for step in game.steps for node in (step.when, *(node for _, node in step.lets)))


def readings(game: Game, only_single: bool = False, file: str | None = None) -> Iterator[tuple[str, Game]]:
    """The games that arise from every combination of options that change the play of a round, each once, by name.

    With ``only_single`` at most one option differs from what is chosen.

    Raises ``InputError`` where there are more than can be tried.
    """
    asked = [option for option in game.options if _plays(game, option, file)]
    combinations = 1
    for option in asked:
        combinations *= len(_values(option))
    if combinations > MOST:
        raise InputError(
            f"{game.name} has {combinations:,} combinations of {', '.join(o.name for o in asked)}; at "
            f"most {MOST} are tried"
        )
    seen: dict[object, str] = {}
    for values in product(*(_values(option) for option in asked)):
        chosen = {option.name: value for option, value in zip(asked, values, strict=True)}
        if only_single and sum(value != show(game.chosen[name]) for name, value in chosen.items()) > 1:
            continue
        other = with_options(game, chosen, file)
        key = (rules_of(other), tuple(other.attributes.get("value", {}).items()))
        if key not in seen:
            other_than = (f"{k}={v}" for k, v in chosen.items() if not only_single or v != show(game.chosen[k]))
            name = ", ".join(other_than) or "the rules as they are"
            seen[key] = name
            yield name, other


def with_options(game: Game, chosen: dict[str, str], file: str | None = None) -> Game:
    """The same game with some options chosen otherwise; ``file`` is its rule file, where it is not built in."""
    texts = {name: show(value) for name, value in game.chosen.items()} | chosen
    return load(file or game.name, texts)


def _values(option: Option) -> tuple[str, ...]:
    if option.kind == "truth":
        return ("true", "false")
    return tuple(show(value) for value in option.values)


def _plays(game: Game, option: Option, file: str | None) -> bool:
    """Whether some value of an option changes how a round is played."""
    base = (rules_of(game), game.attributes)
    for value in _values(option):
        other = with_options(game, {option.name: value}, file)
        if (rules_of(other), other.attributes) != base:
            return True
    return False


def log_readings(
    game: Game,
    paths: Sequence[str],
    request: LogRequest,
    progress: Callable[[int], None] | None = None,
    file: str | None = None,
) -> ReadingsAnswer:
    """The readings that a log agrees with, and for each other one the first round that excludes it."""
    from exact.verify.log import replay_log

    found, rows, said = list[ReadingFound](), 0, tuple[str, ...]()
    for name, other in readings(game, False, file):
        answer = replay_log(other, paths, replace(request, settle=False), None, progress)
        rows, said = answer.findings.rows, answer.reading.said
        against = answer.findings.of("rule")
        if not against:
            found.append(ReadingFound(name, 0))
            continue
        what, first = min(against, key=lambda pair: pair[1].line)
        why = f"{what.fault}: {what.rule or what.about} (expected {first.expected}, seen {first.seen})"
        found.append(ReadingFound(name, answer.findings.rule, first.line, first.cards, why))
    agreeing = [r for r in found if not r.count]
    notes = ("more rounds are needed to tell these apart: exact power says how many",) if len(agreeing) > 1 else ()
    return ReadingsAnswer(game.name, rows, said, tuple(sorted(found, key=lambda r: r.count)), notes)


def pairs_of(game: Game, file: str | None = None) -> Iterator[tuple[str, Game, Game]]:
    """Every two readings of the rules, one dealt and the other taken for the rule.

    Raises ``InputError`` where there is only one.
    """
    found = [(name, other) for name, other in readings(game, True, file)]
    if len(found) == 1:
        raise InputError(f"no option of {game.name} changes how a round is played: there is one reading")
    for place, (name, one) in enumerate(found):
        for other_name, other in found[place + 1 :]:
            yield f"{name} | {other_name}", one, other
