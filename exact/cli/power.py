"""``exact power``: how many rounds show that other rules are dealt."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from exact.cli.options import chosen_options, output_options, rule_options, shoe_options
from exact.cli.progress import Progress


@click.command(short_help="How many rounds show that a table deals by other rules.")
@click.argument("game", default="baccarat")
@click.option(
    "--mutant",
    "mutants",
    multiple=True,
    metavar="CHANGE",
    help="TABLE[ROW][COLUMN], TABLE[ROW]=TABLE[ROW], OPTION=VALUE.",
)
@click.option("--against", multiple=True, metavar="GAME", help="Another game or rule file, dealt in place of GAME.")
@click.option("--readings", is_flag=True, help="Every two readings of the rules against each other.")
@click.option(
    "--alpha", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.01, help="Level of the tests."
)
@click.option(
    "--power", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.95, help="Chance to see it."
)
@rule_options
@shoe_options
@output_options
def command(
    game: str, mutants: tuple[str, ...], against: tuple[str, ...], readings: bool, alpha: float, power: float,
    options: tuple[str, ...], format: str | None, output: Path | None, digits: int, **shoe: Any,
) -> None:  # fmt: skip
    """Rounds needed to see that GAME is dealt by other rules: by replaying the cards, by outcomes, by a wager's return.

    Without --mutant every cell of every table is turned round, one at a time.

    \b
    exact power baccarat --mutant "banker_after_draw[5]=banker_after_draw[6]"
    exact power baccarat --mutant "banker_after_draw[3][8]" --alpha 0.05
    exact power multicolour-baccarat --mutant equal_two=draw
    exact power multicolour-baccarat --readings
    """
    from exact.forced import rule_game
    from exact.output import chosen, write
    from exact.shoefile import ShoeRequest
    from exact.verify.power import changed, every_cell, needed_all
    from exact.verify.powersheet import power_report
    from exact.verify.readings import pairs_of

    chosen(format, output)
    rules = rule_game(game, chosen_options(options))
    cards = ShoeRequest(shoe["decks"], shoe["shoe"], shoe["shoe_file"], shoe["remove"]).shoe(rules.deck)
    asked = [(text, rules, changed(rules, text, game)) for text in mutants]
    asked += [(name, rules, rule_game(name, {})) for name in against]
    if readings:
        asked += list(pairs_of(rules, game))
    asked = asked or [(name, rules, mutant) for name, mutant in every_cell(rules)]
    with Progress("games enumerated or replayed") as progress:
        found = needed_all(asked, cards, alpha, power, progress.add)
    write(power_report(rules, cards, found, alpha, power), format, output, digits)
