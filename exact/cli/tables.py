"""``exact tables``: the published set."""

from __future__ import annotations

import re
from pathlib import Path

import click

from exact.cli.options import PATH, chosen_options, rule_options
from exact.cli.progress import Progress
from exact.errors import InputError


@click.command(short_help="The published set of tables for 1 to 12 decks, with checksums.")
@click.argument("game", default="baccarat")
@click.option("--decks", default="1-12", metavar="N-M", help="From how many decks to how many.")
@rule_options
@click.option("-o", "--output", type=PATH, required=True, metavar="FOLDER", help="The folder to write into.")
def command(game: str, decks: str, options: tuple[str, ...], output: Path) -> None:
    """Write the exact tables of GAME for several numbers of decks into a folder, as CSV and as Parquet.

    Outcomes, every wager and each of its pay lines, the breakdowns that the rule file names (joint totals, cards used),
    and the cells of its drawing tables; with the SHA-256 of every CSV file in CHECKSUMS.

    \b
    exact tables -o data/tables
    exact tables mygame.toml --decks 6-8 -o tables
    """
    from exact.forced import rule_game
    from exact.tables.tableset import save

    found = rule_game(game, chosen_options(options))
    with Progress("sequences") as progress:
        files = save(found, range_of(decks), output, progress.add)
    click.echo(f"{len(files)} files written to {output}", err=True)


def range_of(text: str) -> range:
    """``1-12`` or ``8`` as a range of numbers of decks.

    >>> range_of("6-8")
    range(6, 9)
    """
    match = re.fullmatch(r"\s*(\d+)\s*(?:-\s*(\d+)\s*)?", text)
    first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
    if not 1 <= first <= last:
        raise InputError(f"cannot read --decks {text!r}: write a number of decks such as 8, or a range such as 1-12")
    return range(first, last + 1)
