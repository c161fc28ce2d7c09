"""``exact compute``: the main job."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from exact.cli.options import (
    choice_options,
    listed,
    output_options,
    rule_options,
    shoe_options,
    wager_options,
    with_choices,
)
from exact.cli.progress import Progress


@click.command(short_help="Exact probabilities of every outcome and wager of a game.")
@click.argument("game", default="baccarat")
@shoe_options
@rule_options
@wager_options
@choice_options
@click.option("--given", metavar="CONDITION", help="Only rounds that satisfy a condition over their columns.")
@click.option("--dealt", metavar="CARDS", help='Known cards, such as "P1=8H,B1=K".')
@click.option("--by", metavar="COLUMNS", help="Break everything down by columns, such as player_total,banker_total.")
@output_options
def command(
    game: str, options: tuple[str, ...], wagers: tuple[str, ...], wager_files: tuple[str, ...], strategy: str | None,
    conditional: bool, given: str | None, dealt: str | None, by: str | None, format: str | None, output: Path | None,
    digits: int, **shoe: Any,
) -> None:  # fmt: skip
    """Exact probabilities of every outcome and wager of GAME (a name from `exact games`, or a rule file of your own).

    \b
    exact compute --decks 8
    exact compute --decks 6 --remove "8H,8,K" --option tie_odds=9
    exact compute --given "player_two = 6 AND banker_two = 0"
    exact compute --by player_total,banker_total --format csv
    exact compute --wager "lucky: banker_total = 6 AND outcome = 'banker' pays 12"
    exact compute blackjack --decks 6 --option rules=vegas-strip --strategy total
    exact compute mygame.toml --shoe "A=30,2=32,K=32" -o result.json
    """
    from exact.output import chosen, write
    from exact.shoefile import ShoeRequest
    from exact.solvers import Question, solver

    chosen(format, output)
    request = ShoeRequest(shoe["decks"], shoe["shoe"], shoe["shoe_file"], shoe["remove"])
    asked = with_choices(options, strategy, conditional, given)
    question = Question(game, request, asked["options"], wagers, wager_files, asked["given"], listed(dealt), listed(by))
    with Progress("sequences") as progress:
        report = solver(game).compute(question, progress.add)
    write(report, format, output, digits)
