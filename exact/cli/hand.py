"""``exact hand``: one hand of a game with choices."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from exact.cli.options import choice_options, output_options, rule_options, shoe_options, with_choices


@click.command(short_help="What each choice with one hand is worth, in the middle of a hand too.")
@click.argument("game")
@click.argument("hand")
@click.option("--seen", metavar="CARDS", help='Cards of other hands on the table, such as "K,5,9".')
@click.option("--split", metavar="RANK", help="The hand is one of two after splitting a pair of this rank.")
@shoe_options
@rule_options
@choice_options
@output_options
def command(
    game: str, hand: str, seen: str | None, split: str | None, options: tuple[str, ...], strategy: str | None,
    conditional: bool, format: str | None, output: Path | None, digits: int, **shoe: Any,
) -> None:  # fmt: skip
    """What each choice with HAND is worth: the player's cards, 'v' and the up card; with the dealer's distribution.

    \b
    exact hand blackjack "8,8 v 10"
    exact hand blackjack "2,3,4 v 10" --decks 1 --option rules=vegas-strip
    exact hand blackjack "10,6 v A" --option rules=atlantic-city --conditional
    exact hand blackjack "8,3 v 6" --split 8
    exact hand blackjack "A,10 v A" --seen "K,5,9" --format json
    """
    from exact.output import chosen, write
    from exact.shoefile import ShoeRequest
    from exact.solvers import Question, choosing

    chosen(format, output)
    request = ShoeRequest(shoe["decks"], shoe["shoe"], shoe["shoe_file"], shoe["remove"])
    question = Question(game, request, **with_choices(options, strategy, conditional, None))
    write(choosing(game).hand(question, hand, seen, split), format, output, digits)
