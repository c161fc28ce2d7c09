"""``exact readings``: what each unclear sentence of the rules is worth."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from exact.cli.options import chosen_options, output_options, rule_options, shoe_options
from exact.cli.progress import Progress


@click.command(short_help="Every reading of unclear rules changed alone, with what it changes.")
@click.argument("game", default="multicolour-baccarat")
@shoe_options
@rule_options
@output_options
def command(
    game: str, options: tuple[str, ...], format: str | None, output: Path | None, digits: int, **shoe: Any
) -> None:
    """Every option of GAME that is marked as a reading, changed alone: exact probabilities, edges and gains, and how
    far each lies from the rules as they stand.

    \b
    exact readings multicolour-baccarat
    exact readings insurance-baccarat --decks 6
    exact readings multicolour-baccarat -O equal_two=draw --format csv -o readings.csv
    """
    from exact.forced import rule_game
    from exact.output import chosen, write
    from exact.readings import readings, sheet
    from exact.shoefile import ShoeRequest

    chosen(format, output)
    picked = chosen_options(options)
    found = rule_game(game, picked)
    cards = ShoeRequest(shoe["decks"], shoe["shoe"], shoe["shoe_file"], shoe["remove"]).shoe(found.deck)
    with Progress("sequences") as progress:
        report = sheet(found, cards, readings(lambda some: rule_game(game, some), picked, cards, progress.add))
    write(report, format, output, digits)
