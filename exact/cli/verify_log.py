"""``exact verify log``: dealt rounds replayed by a rule file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from exact.cli.options import PATH, chosen_options, output_options, rule_options, shoe_options, wager_options
from exact.cli.progress import Progress
from exact.errors import InputError


@click.command(short_help="Dealt rounds replayed: which rows break the rules, and which are only badly written.")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--game", default="baccarat", help="A game by name, or a rule file.")
@click.option(
    "--columns", metavar="TARGET=NAME,...", help="Which column holds what, such as p1=PlayerCard1,outcome=Winner."
)
@click.option("--cards", metavar="NOTATION", help="ranks, 1-13, 0-12, 1-10 or values.  [default: recognised]")
@click.option("--order", metavar="ORDER", help="PBPB, PPBB, BPBP, BBPP or fixed.  [default: recognised]")
@click.option("--words", metavar="WORD=OUTCOME,...", help="How the log writes outcomes, such as 1=player,2=banker.")
@click.option("--strict", is_flag=True, help="Guess nothing: refuse what is not given.")
@click.option("--paid", type=click.Choice(["returned", "net"]), help="What paid columns hold.  [default: recognised]")
@click.option(
    "--rounding", type=click.Choice(["exact", "floor", "nearest"]), default="exact", help="How payments are rounded."
)
@click.option("--unit", metavar="AMOUNT", default="1", help="The smallest amount paid, for --rounding.")
@click.option("--readings", is_flag=True, help="Which readings and options of the game the log agrees with.")
@click.option("--rows", type=PATH, metavar="FILE", help="Write the rows that fail, whole, to a .csv or .parquet file.")
@click.option("--memory", metavar="SIZE", default="256MB", help="Memory for one block of text.")
@rule_options
@shoe_options
@wager_options
@output_options
@click.pass_context
def command(
    ctx: click.Context, /, files: tuple[str, ...], game: str, columns: str | None, words: str | None, readings: bool,
    rows: Path | None, memory: str, options: tuple[str, ...], format: str | None, output: Path | None, digits: int,
    **said: Any,
) -> None:  # fmt: skip
    """Replay the rounds of a log (csv, tsv, JSON, JSON lines, Parquet, folders, globs) by the rules of a game.

    Findings of shape (the log is badly written) and of rules (a round was dealt, scored or paid wrongly) are told
    apart.
    With -o findings.csv or .parquet the rows that fail are written whole. Exit code: 0 clean, 1 findings, 2 unusable.

    \b
    exact verify log rounds.csv
    exact verify log 'tables/*.parquet' --rows wrong.csv
    exact verify log rounds.csv --columns p1=PlayerCard1,p2=PlayerCard2,b1=BankerCard1,b2=BankerCard2
    exact verify log rounds.csv --strict --columns player=P,banker=B --cards ranks
    exact verify log bets.csv --rounding floor --unit 0.01
    exact verify log rounds.csv --readings
    exact verify log hands.csv --game blackjack --decks 6 --option rules=vegas-strip
    """
    from exact.output import chosen, write
    from exact.shoefile import ShoeRequest
    from exact.solvers import LogAsked, Question, solver

    if output is not None and output.suffix.lower() in (".csv", ".parquet") and format is None and not readings:
        rows, output = rows or output, None  # the rows that fail, as a table of rows is asked for
    chosen(format, output)
    shoe = ShoeRequest(said["decks"], said["shoe"], said["shoe_file"], said["remove"])
    question = Question(game, shoe, chosen_options(options), said["wagers"], said["wager_files"])
    asked = LogAsked(
        files, pairs("--columns", columns), said["cards"], said["order"], pairs("--words", words), said["strict"],
        said["paid"], said["rounding"], amount("--unit", said["unit"]), readings, rows, size("--memory", memory),
        None if format or readings else (lambda lines: click.echo("\n".join(lines), err=True)),
    )  # fmt: skip
    with Progress("rounds") as progress:
        report, code = solver(game).verify_log(question, asked, progress.add)
    write(report, format, output, digits)
    ctx.exit(code)


def pairs(option: str, text: str | None) -> dict[str, str]:
    """``"p1=PlayerCard1,b1=BankerCard1"`` as a mapping."""
    found: dict[str, str] = {}
    for part in (text or "").split(","):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not part.strip():
            continue
        if not equals or not name or not value:
            raise InputError(f"cannot read {option} {part!r}: write NAME=VALUE,NAME=VALUE")
        found[name] = value
    return found


def amount(option: str, text: str) -> Any:
    """An amount above 0 as a fraction."""
    from fractions import Fraction

    try:
        value = Fraction(text)
    except (ValueError, ZeroDivisionError):
        value = Fraction(0)
    if value <= 0:
        raise InputError(f"{option} must be an amount above 0 such as 0.01, not {text!r}")
    return value


def size(option: str, text: str) -> int:
    """``"256MB"`` in bytes."""
    import re

    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([kMG]?)i?B?\s*", text)
    value = int(float(match[1]) * {"": 1, "k": 2**10, "M": 2**20, "G": 2**30}[match[2]]) if match else 0
    if value < 2**20:
        raise InputError(f"{option} must be a size of at least 1MB such as 256MB, not {text!r}")
    return value
