"""``exact sheet``: the PAR sheet of a game."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from exact.cli.options import PATH, chosen_options, output_options, rule_options, shoe_options, wager_options


@click.command(short_help="The PAR sheet of a game: pays, probabilities, return, volatility.")
@click.argument("game", default="baccarat")
@click.option("--stake-engine", type=PATH, metavar="DIR", help="Write index.json, lookup tables and books (math-sdk).")
@rule_options
@shoe_options
@wager_options
@output_options
def command(
    game: str, stake_engine: Path | None, wagers: tuple[str, ...], wager_files: tuple[str, ...],
    options: tuple[str, ...],
    format: str | None, output: Path | None, digits: int, **shoe: Any,
) -> None:  # fmt: skip
    """Per wager of GAME: condition, pays, combinations, probability, return; RTP, edge, hit frequency, deviation,
    volatility.

    \b
    exact sheet baccarat -o sheet.xlsx
    exact sheet baccarat --wager tie --decks 6
    exact sheet baccarat --wager player --stake-engine folder
    """
    from exact.forced import chosen_wagers, rule_game
    from exact.output import chosen, write
    from exact.result import compute
    from exact.shoefile import ShoeRequest
    from exact.verify.parsheet import par_sheet
    from exact.verify.stakeengine import write_stake_engine

    chosen(format, output)
    rules = rule_game(game, chosen_options(options))
    cards = ShoeRequest(shoe["decks"], shoe["shoe"], shoe["shoe_file"], shoe["remove"]).shoe(rules.deck)
    result = compute(rules, cards, chosen_wagers(rules, wagers, wager_files))
    if stake_engine:
        for path in write_stake_engine(result, stake_engine):
            click.echo(path)
        return
    write(par_sheet(result), format, output, digits)
