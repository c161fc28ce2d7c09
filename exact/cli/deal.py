"""``exact deal``: one round, step by step."""

from __future__ import annotations

from pathlib import Path

import click

from exact.cli.options import chosen_options, output_options, rule_options, wager_options


@click.command(
    short_help="One round played by the rules, with the reason of every step.",
    context_settings={"ignore_unknown_options": True},  # a card may be called -3W
)
@click.argument("game")
@click.argument("cards", metavar="CARD...", nargs=-1, required=True)
@rule_options
@wager_options
@output_options
def command(
    game: str, cards: tuple[str, ...], options: tuple[str, ...], wagers: tuple[str, ...],
    wager_files: tuple[str, ...], format: str | None, output: Path | None, digits: int,
) -> None:  # fmt: skip
    """Play one round of GAME and say at each step which condition and which cell of which table decided.

    The cards are given in dealing order: the next card goes to the next place that draws. A suit is needed only by what
    looks at suits.

    \b
    exact deal baccarat A A 4 A 3 5
    exact deal baccarat 9H KS 4H 5D --format json
    exact deal baccarat A A 4 A 3 5 --wager "six: banker_total = 6 pays 12"
    """
    from exact.output import chosen, write
    from exact.solvers import Question, solver

    if unknown := next((card for card in cards if card.startswith("--")), None):
        raise click.NoSuchOption(unknown)
    chosen(format, output)
    question = Question(game, options=chosen_options(options), wagers=wagers, wager_files=wager_files)
    write(solver(game).deal(question, cards), format, output, digits)
