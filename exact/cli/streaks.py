"""``exact streaks``: runs of one outcome, and two rounds in a row."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from exact.cli.options import chosen_options, output_options, rule_options, shoe_options


@click.command(short_help="The chance of a run of one outcome, and the exact law of two rounds in a row.")
@click.argument("game", default="baccarat")
@shoe_options
@rule_options
@click.option("--outcome", default="banker", metavar="NAME", help="The outcome that runs.")
@click.option("--neutral", default="tie", metavar="NAME", help="The outcome that is no result (a tie).")
@click.option("--length", type=click.IntRange(1), default=3, help="A run of at least so many.")
@click.option("--rounds", type=click.IntRange(1, 10_000), default=70, help="Rounds.")
@output_options
def command(
    game: str, options: tuple[str, ...], outcome: str, neutral: str, length: int, rounds: int, format: str | None,
    output: Path | None, digits: int, **shoe: Any,
) -> None:  # fmt: skip
    """The chance that independent rounds of GAME hold a run of one outcome, under each of the three models in use,
    and the exact law of two rounds dealt one after the other from one shoe, which shows how little rounds depend on
    each other.

    \b
    exact streaks --rounds 70
    exact streaks --outcome player --length 6 --rounds 81
    """
    from exact.output import chosen, write
    from exact.polynomial.streaks_report import streaks_report
    from exact.shoefile import ShoeRequest
    from exact.solvers import Question

    chosen(format, output)
    request = ShoeRequest(shoe["decks"], shoe["shoe"], shoe["shoe_file"], shoe["remove"])
    report = streaks_report(Question(game, request, chosen_options(options)), outcome, neutral, length, rounds)
    write(report, format, output, digits)
