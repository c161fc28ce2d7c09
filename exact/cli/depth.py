"""``exact depth``: how often wagers turn favourable."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from exact.cli.options import chosen_options, output_options, rule_options, shoe_options, wager_options
from exact.cli.progress import Progress


@click.command(short_help="How often and by how much wagers turn favourable as the shoe runs down.")
@click.argument("game", default="baccarat")
@shoe_options
@rule_options
@wager_options
@click.option("--left", metavar="N,N,...", help="Cards left.  [default: 208,104,52,26,13]")
@click.option("--cut", type=click.IntRange(0), default=14, help="In play, no round begins with so few cards left.")
@click.option("--samples", type=click.IntRange(2), default=20_000, help="Random subsets for each number of cards left.")
@click.option("--shoes", type=click.IntRange(2), default=1000, help="Whole shoes that are dealt out.")
@click.option("--seed", type=click.IntRange(0), default=1, help="Of the random numbers.")
@output_options
def command(
    game: str, options: tuple[str, ...], wagers: tuple[str, ...], wager_files: tuple[str, ...], left: str | None,
    cut: int, samples: int, shoes: int, seed: int, format: str | None, output: Path | None, digits: int, **shoe: Any,
) -> None:  # fmt: skip
    """How often and by how much each wager of GAME turns favourable: by depth, and for each shoe dealt to a cut card.

    Shoes are sampled with a seed, every one is evaluated exactly; intervals are of 95 %. By depth means uniformly
    random subsets of so many cards; in play means the start of each round of a shoe. These differ: say which one you
    quote.

    \b
    exact depth --wager tie --left 52,26
    exact depth --wager player --wager banker --cut 26 --shoes 5000 -o depth.json
    """
    from exact.output import chosen, write
    from exact.polynomial.depth_report import depth_report
    from exact.shoefile import ShoeRequest
    from exact.solvers import Question

    chosen(format, output)
    request = ShoeRequest(shoe["decks"], shoe["shoe"], shoe["shoe_file"], shoe["remove"])
    question = Question(game, request, chosen_options(options), wagers, wager_files)
    with Progress("shoes") as progress:
        report = depth_report(question, left, cut, samples, shoes, seed, progress.add)
    write(report, format, output, digits)
