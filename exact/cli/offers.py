"""``exact offers``: wagers offered in the course of a round."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from exact.cli.options import chosen_options, output_options, rule_options, shoe_options
from exact.cli.progress import Progress


@click.command(short_help="Wagers offered in the course of a round: when to take them, and the gain.")
@click.argument("game", default="insurance-baccarat")
@click.option(
    "--information",
    type=click.Choice(["totals", "cards"]),
    default="totals",
    help="What the bettor decides by: the totals shown at the offer, or every card that lies open.",
)
@shoe_options
@rule_options
@output_options
def command(
    game: str, information: str, options: tuple[str, ...], format: str | None, output: Path | None, digits: int,
    **shoe: Any,
) -> None:  # fmt: skip
    """For each state in which GAME offers a wager: whether to take it and what that is worth; and what a bettor on each
    side gains a round who takes the best offers with the largest stake. All exact.

    \b
    exact offers insurance-baccarat
    exact offers insurance-baccarat --information cards -O insurance_stake=main
    exact offers insurance-baccarat -O insurance_tie=lose -O insurance_once=true
    exact offers insurance-baccarat --decks 6 --remove "9,9,8" --format csv -o offers.csv
    """
    from exact.forced import rule_game
    from exact.offers import offers
    from exact.offers.offersheet import sheet
    from exact.output import chosen, write
    from exact.shoefile import ShoeRequest

    chosen(format, output)
    found = rule_game(game, chosen_options(options))
    cards = ShoeRequest(shoe["decks"], shoe["shoe"], shoe["shoe_file"], shoe["remove"]).shoe(found.deck)
    with Progress("sequences") as progress:
        report = sheet(offers(found, cards, information, progress.add))
    write(report, format, output, digits)
