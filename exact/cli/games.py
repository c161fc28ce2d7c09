"""``exact games``: what is built in."""

from __future__ import annotations

from pathlib import Path

import click

from exact.cli.options import output_options


@click.command(short_help="The games that are built in.")
@output_options
def command(format: str | None, output: Path | None, digits: int) -> None:
    """Every game that is built in: its name, what it is, and how many options its rules have.

    \b
    exact games
    exact games --format json
    """
    from exact import __version__
    from exact.games import GAMES
    from exact.output import Column, Report, Table, chosen, write
    from exact.solvers import WITH_CHOICES, solver

    chosen(format, output)
    found = [solver(name).about(name) for name in (*GAMES, *WITH_CHOICES)]
    rows = [
        {"game": a.name, "title": a.title, "kind": a.kind, "options": a.options, "summary": a.summary} for a in found
    ]
    columns = (Column("game"), Column("title"), Column("kind"), Column("options", "integer"), Column("summary"))
    write(Report({"version": __version__}, (Table("games", rows, columns),)), format, output, digits)
