"""``exact grid``: many shoes and option values at once."""

from __future__ import annotations

from pathlib import Path

import click

from exact.cli.options import output_options
from exact.cli.progress import Progress
from exact.errors import InputError


@click.command(short_help="Every combination of some shoes and option values, in one table.")
@click.argument("game", default="baccarat")
@click.option("--decks", multiple=True, metavar="N", help="A number of decks; give it several times.")
@click.option(
    "--option",
    "-O",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    help="An option of the rules; give a name several times for several values.",
)
@click.option("--wager", "wagers", multiple=True, metavar="WAGER", help="Only these wagers.")
@output_options
def command(
    game: str, decks: tuple[str, ...], options: tuple[str, ...], wagers: tuple[str, ...], format: str | None,
    output: Path | None, digits: int,
) -> None:  # fmt: skip
    """The exact expectation of every wager of GAME for every combination of the decks and option values given.

    \b
    exact grid blackjack --decks 1 --decks 2 --decks 6 --option das=true --option das=false
    exact grid blackjack -O soft17=stand -O soft17=hit -O strategy=cdp1 -O strategy=total --wager blackjack
    exact grid baccarat --decks 6 --decks 8 --option commission=1/20 --option commission=0 --format csv
    """
    from math import prod

    from exact.grid import grid
    from exact.output import chosen, write

    chosen(format, output)
    values: dict[str, list[str]] = {}
    for text in options:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not equals or not name:
            raise InputError(f"cannot read --option {text!r}: write NAME=VALUE such as das=true")
        if value in values.setdefault(name, []):
            raise InputError(f"--option {name}={value} is given twice")
        values[name].append(value)
    if repeated := sorted({number for number in decks if decks.count(number) > 1}):
        raise InputError(f"--decks {repeated[0]} is given twice")
    total = max(len(decks), 1) * prod(map(len, values.values()))
    with Progress("combinations", total) as progress:
        report = grid(game, decks, values, wagers, progress.add)
    write(report, format, output, digits)
