"""``exact vectors``: conformance vectors of a game for implementations in any language."""

from __future__ import annotations

from pathlib import Path

import click

from exact.cli.options import PATH, chosen_options, rule_options


@click.command(short_help="Conformance vectors of a game for implementations in any language.")
@click.argument("game", default="baccarat")
@rule_options
@click.option("-o", "--output", type=PATH, default=Path(), metavar="DIR", help="The folder to write to.")
def command(game: str, options: tuple[str, ...], output: Path) -> None:
    """Write GAME.json with its schema: rounds that catch every single wrong cell or condition, settlements, invalid
    rounds.

    \b
    exact vectors baccarat -o vectors
    exact vectors mygame.toml -o vectors
    """
    from exact.forced import rule_game
    from exact.verify.vectorfile import write_vectors

    for path in write_vectors(rule_game(game, chosen_options(options)), output):
        click.echo(path)
