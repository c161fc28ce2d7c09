"""``exact rules``: what exactly is computed."""

from __future__ import annotations

from pathlib import Path

import click

from exact.cli.options import chosen_options, output_options, rule_options
from exact.errors import InputError


@click.command(short_help="The rules of a game as it computes with them: tables, options, wagers, sources.")
@click.argument("game", default="baccarat")
@click.option("--toml", is_flag=True, help="The rule file itself, to start one of your own.")
@rule_options
@output_options
def command(
    game: str, toml: bool, options: tuple[str, ...], format: str | None, output: Path | None, digits: int
) -> None:
    """The rules of GAME as it computes with them: steps, tables, options, wagers, and where each comes from.

    \b
    exact rules baccarat
    exact rules baccarat --option tie_odds=9
    exact rules baccarat --format markdown
    exact rules baccarat --toml > mygame.toml
    """
    from exact.output import chosen, write
    from exact.solvers import Question, solver

    if toml:
        if format or output or options:
            raise InputError("--toml prints the file as it is: no --option, --format or -o with it")
        click.echo(solver(game).rule_file(game), nl=False)
        return
    chosen(format, output)
    write(solver(game).rules(Question(game, options=chosen_options(options))), format, output, digits)
