"""``exact effects``: effects of removal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from exact.cli.options import chosen_options, output_options, rule_options, shoe_options, wager_options
from exact.cli.progress import Progress


@click.command(short_help="What each card removed does to each wager, exactly, and the counts made from it.")
@click.argument("game", default="baccarat")
@shoe_options
@rule_options
@wager_options
@click.option("--given", metavar="CONDITION", help="Only rounds that satisfy a condition over their columns.")
@click.option("--order", type=click.IntRange(1, 2), default=1, help="2: also what every two cards do together.")
@click.option("--tags", multiple=True, metavar="NAME:TAGS", help='A count to judge, such as "mine:A=-1,4=-2,9=1".')
@output_options
def command(
    game: str, options: tuple[str, ...], wagers: tuple[str, ...], wager_files: tuple[str, ...], given: str | None,
    order: int, tags: tuple[str, ...], format: str | None, output: Path | None, digits: int, **shoe: Any,
) -> None:  # fmt: skip
    """How the expectation of each wager of GAME changes when one card is removed from a shoe, as exact fractions.

    With the best linear count, its small-integer roundings, and how much of the truth it sees by cards left.

    \b
    exact effects baccarat --decks 8 --wager banker
    exact effects baccarat --wager tie --order 2 --format csv
    exact effects baccarat --wager player --tags "mine:A=-1,2=-1,3=-1,4=-2,6=2,7=1,8=1"
    """
    from exact.errors import InputError
    from exact.output import chosen, write
    from exact.polynomial.effects_report import effects_report
    from exact.shoefile import ShoeRequest
    from exact.solvers import Question

    chosen(format, output)
    named = {}
    for text in tags:
        name, colon, values = text.partition(":")
        if not colon or not name.strip():
            raise InputError(f"cannot read --tags {text!r}: write NAME:CARD=TAG,CARD=TAG such as mine:A=-1,9=1")
        named[name.strip()] = values
    request = ShoeRequest(shoe["decks"], shoe["shoe"], shoe["shoe_file"], shoe["remove"])
    question = Question(game, request, chosen_options(options), wagers, wager_files, given)
    with Progress("shoes") as progress:
        report = effects_report(question, order, named, progress.add)
    write(report, format, output, digits)
