"""``exact strategy``: the best choices of a game as a chart."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from exact.cli.options import choice_options, output_options, rule_options, shoe_options, with_choices
from exact.errors import InputError

PICTURES = (".svg", ".png")


@click.command(short_help="The strategy chart of a game with choices, and where the cards decide otherwise.")
@click.argument("game", default="blackjack")
@click.option("--exceptions", default="12", metavar="N", help="How many exceptions to list, or 'all'.")
@shoe_options
@rule_options
@choice_options
@output_options
def command(
    game: str, exceptions: str, options: tuple[str, ...], strategy: str | None, conditional: bool,
    format: str | None, output: Path | None, digits: int, **shoe: Any,
) -> None:  # fmt: skip
    """The chart of GAME: hard and soft totals and pairs against the up card, the best one by total.

    With it: the hands whose cards decide otherwise than their total and what each is worth, and what common advice
    costs. The CSV of a chart can be given back with --strategy, here and to `exact compute`.

    \b
    exact strategy blackjack --decks 6
    exact strategy blackjack --option rules=vegas-strip -o chart.csv
    exact strategy blackjack --strategy chart.csv --exceptions all
    exact strategy blackjack --option soft17=hit -o chart.svg
    """
    from exact.output import chosen, save, write
    from exact.shoefile import ShoeRequest
    from exact.solvers import Question, choosing

    picture = output is not None and output.suffix.lower() in PICTURES and format is None
    if not picture:
        chosen(format, output)
    if exceptions != "all" and not exceptions.isdigit():
        raise InputError(f"--exceptions takes a whole number or 'all', not {exceptions!r}")
    request = ShoeRequest(shoe["decks"], shoe["shoe"], shoe["shoe_file"], shoe["remove"])
    question = Question(game, request, **with_choices(options, strategy, conditional, None))
    found = choosing(game)
    report = found.strategy(question, None if exceptions == "all" else int(exceptions))
    if picture and output is not None:
        save(output, found.picture(report, output.suffix.lower()))
    elif output is None and format is None and sys.stdout.isatty():
        click.echo(found.coloured(report, digits), nl=False)
    else:
        write(report, format, output, digits)
