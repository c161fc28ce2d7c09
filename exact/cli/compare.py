"""``exact compare``: two answers side by side."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from exact.cli.options import (
    PATH,
    chosen_options,
    listed,
    output_options,
    rule_options,
    shoe_options,
    wager_options,
)
from exact.cli.progress import Progress
from exact.errors import InputError

F = TypeVar("F", bound=Callable[..., Any])
SHOES = ("decks", "shoe", "shoe_file")


def side_options(function: F) -> F:
    """What one side may have of its own, handed on as ``option_a``, ``decks_b`` and so on."""
    for side in "ba":
        only = f"for {side.upper()} only"
        for option in (
            click.option(f"--given-{side}", metavar="CONDITION", help=f"--given {only}."),
            click.option(f"--remove-{side}", metavar="CARDS", help=f"--remove {only}, on top of the shared one."),
            click.option(f"--shoe-file-{side}", type=PATH, metavar="FILE", help=f"--shoe-file {only}."),
            click.option(f"--shoe-{side}", metavar="COUNTS", help=f"--shoe {only}."),
            click.option(f"--decks-{side}", metavar="N", help=f"--decks {only}."),
            click.option(f"--option-{side}", multiple=True, metavar="NAME=VALUE", help=f"--option {only}."),
        ):
            function = option(function)
    return function


@click.command(short_help="Two games, option sets or shoes side by side, with exact differences.")
@click.argument("game", metavar="A", default="baccarat")
@click.argument("other", metavar="[B]", required=False)
@side_options
@shoe_options
@rule_options
@wager_options
@click.option("--given", metavar="CONDITION", help="Only rounds that satisfy a condition over their columns.")
@click.option("--by", metavar="COLUMNS", help="Compare a breakdown too, such as player_total; blackjack: hand,up.")
@output_options
def command(
    game: str, other: str | None, wagers: tuple[str, ...], wager_files: tuple[str, ...], format: str | None,
    output: Path | None, digits: int, **asked: Any,
) -> None:  # fmt: skip
    """Set two games, rule files, option sets or shoes side by side: A, B, and the exact difference B - A.

    A and B are names from `exact games` or rule files of your own; without B both sides play A. Options hold for both
    sides, those that end in -a or -b for one: a shoe there replaces the shared one, an option is set on top.

    \b
    exact compare baccarat --option-b commission=0
    exact compare baccarat --decks-a 8 --decks-b 6
    exact compare baccarat --remove-b "9,9,9,9" --wager tie
    exact compare baccarat mygame.toml --decks 6 --format json
    exact compare blackjack --option-a strategy=cdp1 --option-b strategy=total --by hand,up
    """
    from exact.comparison import compare
    from exact.output import chosen, write
    from exact.solvers import Question, solver

    chosen(format, output)
    first, second = (
        Question(
            name, _shoe(asked, side), {**chosen_options(asked["options"]), **chosen_options(asked[f"option_{side}"])},
            wagers, wager_files, asked[f"given_{side}"] or asked["given"], by=listed(asked["by"]),
        )
        for side, name in (("a", game), ("b", other or game))
    )  # fmt: skip
    if first == second:
        raise InputError(
            "both sides are the same question: say how B differs, with another game, --option-b, --decks-b, ..."
        )
    with Progress("sequences") as progress:
        reports = [solver(question.game).compute(question, progress.add) for question in (first, second)]
    write(compare(*reports), format, output, digits)


def _shoe(asked: dict[str, Any], side: str) -> Any:
    from exact.shoefile import ShoeRequest

    own = [asked[f"{name}_{side}"] for name in SHOES]
    decks, counts, file = own if any(own) else [asked[name] for name in SHOES]
    removed = [text for text in (asked["remove"], asked[f"remove_{side}"]) if text]
    return ShoeRequest(decks, counts, file, ",".join(removed) or None)
