"""``exact wagers``: what can be bet on."""

from __future__ import annotations

from pathlib import Path

import click

from exact.cli.options import chosen_options, output_options, rule_options


@click.command(short_help="The wagers of a game: what they pay when, and the source of the odds.")
@click.argument("game", default="baccarat")
@rule_options
@output_options
def command(game: str, options: tuple[str, ...], format: str | None, output: Path | None, digits: int) -> None:
    """List the wagers of GAME: when each pays what, whether it is priced unasked, and where its odds come from.

    \b
    exact wagers
    exact wagers baccarat --format json
    exact compute --wager dragon-7 --wager tiger-pair
    exact compute --wagers all
    """
    from exact.forced import rule_game
    from exact.output import chosen, write
    from exact.wagerlist import wager_list

    chosen(format, output)
    write(wager_list(rule_game(game, chosen_options(options))), format, output, digits)
