"""Options that several commands share, each group of them one decorator."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from exact.errors import InputError

F = TypeVar("F", bound=Callable[..., Any])
PATH = click.Path(path_type=Path)


def shoe_options(function: F) -> F:
    """--decks, --shoe, --shoe-file and --remove, handed on as ``decks``, ``shoe``, ``shoe_file`` and ``remove``."""
    for option in (
        click.option("--remove", metavar="CARDS", help='Cards taken out of it, such as "8H,8,K".'),
        click.option("--shoe-file", type=PATH, metavar="FILE", help="A shoe from a TOML, CSV or JSON file."),
        click.option("--shoe", metavar="COUNTS", help='A shoe by rank ("A=30,2=32,...") or by card ("AS=8,...").'),
        click.option("--decks", metavar="N", help="Whole decks, or 'infinite' (with replacement).  [default: 8]"),
    ):
        function = option(function)
    return function


def rule_options(function: F) -> F:
    """--option, handed on as ``options``: texts NAME=VALUE."""
    return click.option(
        "--option",
        "-O",
        "options",
        multiple=True,
        metavar="NAME=VALUE",
        help="Choose an option of the rules (see exact rules).",
    )(function)


def wager_options(function: F) -> F:
    """--wager and --wagers, handed on as ``wagers`` and ``wager_files``."""
    for option in (
        click.option(
            "--wagers", "wager_files", multiple=True, metavar="FILE",
            help="Wagers from a TOML file, or 'all' that the game has.",
        ),
        click.option(
            "--wager", "wagers", multiple=True, metavar="WAGER",
            help="A wager by name, or 'NAME: CONDITION pays ODDS; ...'.",
        ),
    ):  # fmt: skip
        function = option(function)
    return function


def choice_options(function: F) -> F:
    """--strategy and --conditional, of games with choices, handed on as ``strategy`` and ``conditional``."""
    for option in (
        click.option(
            "--conditional", is_flag=True, help="Blackjack with a peek: values given no dealer blackjack."
        ),
        click.option(
            "--strategy", metavar="CLASS|FILE",
            help="Of a game with choices: how it is played. Blackjack: cdp1, cdz-, total, or a chart (.csv, .toml).",
        ),
    ):  # fmt: skip
        function = option(function)
    return function


def with_choices(
    options: tuple[str, ...], strategy: str | None, conditional: bool, given: str | None
) -> dict[str, Any]:
    """The options and the condition of a question, the choice of a strategy and of a condition among them."""
    if conditional and given:
        raise InputError("--conditional and --given both say which rounds are meant: give one of them")
    chosen = chosen_options((*options, *([f"strategy={strategy}"] if strategy is not None else ())))
    return {"options": chosen, "given": "no dealer blackjack" if conditional else given}


def output_options(function: F) -> F:
    """--format, -o and --digits, handed on as ``format``, ``output`` and ``digits``."""
    for option in (
        click.option("--digits", type=click.IntRange(0, 100), default=8, help="Decimal places shown to people."),
        click.option("-o", "--output", type=PATH, metavar="FILE", help="Write to a file (format by its extension)."),
        click.option(
            "--format", metavar="FORMAT",
            help="table, json, jsonl, csv, tsv, markdown, latex, html, parquet or xlsx.  [default: table]",
        ),
    ):  # fmt: skip
        function = option(function)
    return function


def listed(text: str | None) -> tuple[str, ...]:
    """The parts of a text with commas.

    >>> listed("hand, up"), listed(None)
    (('hand', 'up'), ())
    """
    return tuple(part.strip() for part in (text or "").split(",") if part.strip())


def chosen_options(texts: tuple[str, ...]) -> dict[str, str]:
    """``("commission=0",)`` as a mapping; ``InputError`` for what is not NAME=VALUE or is given twice."""
    chosen: dict[str, str] = {}
    for text in texts:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not equals or not name:
            raise InputError(f"cannot read --option {text!r}: write NAME=VALUE such as commission=0")
        if name in chosen:
            raise InputError(f"--option {name} is given twice")
        chosen[name] = value
    return chosen
