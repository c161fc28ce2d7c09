"""``exact check``: printed figures against exact ones."""

from __future__ import annotations

from pathlib import Path

import click

from exact.cli.options import PATH, output_options
from exact.cli.progress import Progress


@click.command(short_help="Printed figures against exact ones: published tables, or your own.")
@click.argument("files", nargs=-1, type=PATH, metavar="[FILE]...")
@output_options
@click.pass_context
def command(ctx: click.Context, files: tuple[Path, ...], format: str | None, output: Path | None, digits: int) -> None:
    """Compare printed figures with exact ones: the published figures that belong to the project, or FILE.

    FILE is CSV with one row a figure: quantity and printed, and where needed game, options, decks (or shoe), remove,
    given, unit, digits, label, source. A figure agrees if the exact value rounds to it at its printed precision. A
    known fault of a source is recorded with standing misprint (or last digit), right and reason. Every other
    difference is printed with the exact value, and the command ends with exit code 1.

    \b
    exact check
    exact check claims.csv
    exact check claims.csv --format json -o differences.json

    \b
    claims.csv:  decks,quantity,printed
                 8,edge(banker),1.06%
                 6,probability(outcome = 'tie'),0.0951
                 8,edge(banker_total = 6 AND outcome = 'banker' pays 12),29.98%
    """
    from exact.output import chosen, write
    from exact.published import check, published_files
    from exact.published.findings import report

    chosen(format, output)
    with Progress("sequences") as progress:
        checked = check(files or published_files(), progress.add)
    write(report(checked), format, output, digits)
    if checked.differences:
        ctx.exit(1)
