"""``exact rounds``: every distinct round with its ways."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from exact.cli.options import PATH, chosen_options, rule_options, shoe_options
from exact.cli.progress import Progress


@click.command(short_help="Every distinct round of a game, with its exact ways, to a file.")
@click.argument("game", default="baccarat")
@shoe_options
@rule_options
@click.option(
    "--cards",
    type=click.Choice(["value", "rank", "card"]),
    default="value",
    help="What tells two cards apart; card means rank and suit.",
)
@click.option("--format", metavar="FORMAT", help="parquet, csv, tsv or jsonl.  [default: by the extension]")
@click.option("-o", "--output", type=PATH, metavar="FILE", help="The file; without it csv, tsv or jsonl go to stdout.")
def command(
    game: str, options: tuple[str, ...], cards: str, format: str | None, output: Path | None, **shoe: Any
) -> None:
    """Write every distinct card sequence of GAME with its exact number of ways: cards, totals, outcome, ways.

    Ways count ordered deals of the longest round, so that they add up to one total: 339,400 sequences of punto banco
    from eight decks told apart by value, 1,659,001 by rank. Ways beyond 64 bits are written as texts.

    \b
    exact rounds -o rounds.parquet
    exact rounds baccarat --decks 8 --cards rank -o rounds.csv
    exact rounds mygame.toml --shoe "A=3,9=2,K=4" --format csv
    """
    from exact.errors import InputError, nearest
    from exact.forced import rule_game
    from exact.output import chosen
    from exact.shoefile import ShoeRequest
    from exact.tables.listing import FORMATS, Listing, save, write_text

    name = chosen(format, output) if format or output else "csv"
    if name not in FORMATS:
        raise InputError(f"rounds are not written as {name}; {nearest(name, FORMATS)}")
    if output is None and name == "parquet":
        raise InputError("parquet needs a file: give one with -o")
    found = rule_game(game, chosen_options(options))
    left = ShoeRequest(shoe["decks"], shoe["shoe"], shoe["shoe_file"], shoe["remove"]).shoe(found.deck)
    listing = Listing(found, left, cards)
    with Progress("rounds") as progress:
        if output is None:
            write_text(listing, name, sys.stdout.buffer, progress.add)
            sys.stdout.buffer.flush()
        else:
            number = save(listing, name, output, progress.add)
            click.echo(f"{number:,} rounds written to {output}", err=True)
