"""``exact formula``: closed forms."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import click

from exact.cli.options import chosen_options, output_options, rule_options, wager_options


@click.command(short_help="Probabilities and edges as formulas in the number of decks, or in the counts of a shoe.")
@click.argument("game", default="baccarat")
@rule_options
@click.option("--outcome", "outcomes", multiple=True, metavar="NAME", help="Only this outcome (may be repeated).")
@wager_options
@click.option("--given", metavar="CONDITION", help="Only rounds that satisfy a condition over their columns.")
@click.option("--remove", metavar="CARDS", help='Cards taken out of every shoe, such as "8H,8,K".')
@click.option(
    "--in", "shape", type=click.Choice(["decks", "counts", "multisets"]), default="decks",
    help="In the number of decks; in the counts of the cards; or the compiled coefficients by card multiset.",
)  # fmt: skip
@click.option("--cross", metavar="VALUE", help="Also the numbers of decks at which a figure is this (1/100, 0.0123).")
@output_options
def command(
    game: str, options: tuple[str, ...], outcomes: tuple[str, ...], wagers: tuple[str, ...],
    wager_files: tuple[str, ...], given: str | None, remove: str | None, shape: str, cross: str | None,
    format: str | None, output: Path | None, digits: int,
) -> None:  # fmt: skip
    """Probabilities of outcomes and edges of wagers of GAME as exact formulas in the number of decks d.

    With the limit of infinitely many decks, the first correction in 1/d, and where the figure rises or falls.

    \b
    exact formula baccarat
    exact formula --outcome banker --format latex
    exact formula --wager banker --cross 0.0106
    exact formula --outcome tie --in counts -o tie.parquet
    """
    from exact.errors import InputError
    from exact.output import chosen, write
    from exact.polynomial.formulas import formula_report
    from exact.shoefile import ShoeRequest
    from exact.solvers import Question

    chosen(format, output)
    try:
        value = None if cross is None else Fraction(cross)
    except (ValueError, ZeroDivisionError):
        raise InputError(f"--cross takes a fraction or a decimal number such as 1/100, not {cross!r}") from None
    question = Question(
        game, ShoeRequest(remove=remove), chosen_options(options), wagers, wager_files, given
    )  # fmt: skip
    write(formula_report(question, outcomes, shape, value), format, output, digits)
