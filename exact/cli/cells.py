"""``exact cells``: what every cell of a drawing table decides."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from exact.cli.options import chosen_options, output_options, rule_options, shoe_options


@click.command(short_help="What every cell of a drawing table decides, and what the rule's choice costs.")
@click.argument("game", default="baccarat")
@click.option(
    "--wager", "wagers", multiple=True, metavar="WAGER", help="Wagers to value.  [default: player, banker, tie]"
)
@click.option("--costly", is_flag=True, help="Only the cells whose choice costs the side that it belongs to.")
@rule_options
@shoe_options
@output_options
def command(
    game: str, wagers: tuple[str, ...], costly: bool, options: tuple[str, ...], format: str | None, output: Path | None,
    digits: int, **shoe: Any,
) -> None:  # fmt: skip
    """For every cell of GAME's drawing tables: how often it is asked, each wager's value if drawn and if stood, and the
    cost.

    The cost is that of the rule's choice for the wager on the hand which draws, per unit bet in the rounds that ask the
    cell, and
    spread over all rounds.

    \b
    exact cells baccarat
    exact cells baccarat --costly --decks 6
    exact cells baccarat --wager banker --wager tie --format csv
    """
    from exact.forced import chosen_wagers, rule_game
    from exact.output import chosen, write
    from exact.shoefile import ShoeRequest
    from exact.verify.cellsheet import cells_report

    chosen(format, output)
    rules = rule_game(game, chosen_options(options))
    cards = ShoeRequest(shoe["decks"], shoe["shoe"], shoe["shoe_file"], shoe["remove"]).shoe(rules.deck)
    valued = chosen_wagers(rules, wagers, ()) if wagers else None
    write(cells_report(rules, cards, valued, costly), format, output, digits)
