"""The command line: one group, one short module a command, loaded only when it is called so that ``exact --help`` is
quick.
"""

from __future__ import annotations

import errno
import os
from importlib import import_module
from typing import Any

import click

from exact import __version__
from exact.errors import InputError, nearest

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # small products: numpy's threads only wait

COMMANDS = {
    "compute": "Exact probabilities of every outcome and wager of a game.",
    "games": "The games that are built in.",
    "rules": "The rules of a game as it computes with them: tables, options, wagers, sources.",
    "deal": "One round played by the rules, with the reason of every step.",
    "hand": "What each choice with one hand is worth, in the middle of a hand too.",
    "strategy": "The strategy chart of a game with choices, and where the cards decide otherwise.",
    "compare": "Two games, option sets or shoes side by side, with exact differences.",
    "grid": "Every combination of some shoes and option values, in one table.",
    "wagers": "The wagers of a game: what they pay when, and the source of the odds.",
    "rounds": "Every distinct round of a game, with its exact ways, to a file.",
    "tables": "The published set of tables for 1 to 12 decks, with checksums.",
    "check": "Printed figures against exact ones: published tables, or your own.",
    "offers": "Wagers offered in the course of a round: when to take them, and the gain.",
    "readings": "Every reading of unclear rules changed alone, with what it changes.",
    "formula": "Probabilities and edges as formulas in the number of decks, or in the counts of a shoe.",
    "effects": "What each card removed does to each wager, exactly, and the counts made from it.",
    "vectors": "Conformance vectors of a game for implementations in any language.",
    "sweep": "Exact figures of many shoes, to a file: millions, in parts that survive a stop.",
    "depth": "How often and by how much wagers turn favourable as the shoe runs down.",
    "streaks": "The chance of a run of one outcome, and the exact law of two rounds in a row.",
    "power": "How many rounds show that a table deals by other rules.",
    "cells": "What every cell of a drawing table decides, and what the rule's choice costs.",
    "sheet": "The PAR sheet of a game: pays, probabilities, return, volatility.",
    "verify": "Other people's logs, programs and frequencies against the rules.",
}


class Commands(click.Group):
    """A group that knows its commands by name and one line of help, and imports the one that is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Every command, in the order in which a newcomer meets them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name, imported now."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"exact.cli.{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does it, with the nearest name for an unknown one."""
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            ctx.fail(f"unknown command {args[0]!r}; {nearest(args[0], COMMANDS)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; bad input and a full disk end with exit code 2 and one message."""
        try:
            return super().invoke(ctx)
        except InputError as error:
            for line in str(error).splitlines():
                click.echo(f"Error: {line}", err=True)
            ctx.exit(2)
        except OSError as error:
            if error.errno == errno.EPIPE:  # the reader has gone: click ends quietly
                raise
            click.echo(f"Error: cannot use {error.filename or 'standard output'}: {error.strerror}", err=True)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what is left in its buffer would fail again at the end
            ctx.exit(2)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "show_default": True})
@click.version_option(__version__, prog_name="exact")
def main() -> None:
    """Exact probabilities of casino card games: every card sequence is counted, nothing is sampled.

    \b
    exact compute --decks 8                    punto banco: every outcome and wager
    exact compute --given "player_two = 6"     in the middle of a hand
    exact rules baccarat                       what exactly is computed
    """
