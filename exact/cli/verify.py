"""``exact verify``: other people's logs, programs and frequencies against a rule file."""

from __future__ import annotations

from importlib import import_module

import click

from exact.errors import nearest

SUBCOMMANDS = {
    "log": "Dealt rounds replayed: which rows break the rules, and which are only badly written.",
    "program": "A program under test: every round that it plays wrongly, and the smallest.",
    "frequencies": "Counts of outcomes, or a log's, against exact probabilities.",
}


class Subcommands(click.Group):
    """The subcommands, imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Every subcommand."""
        return list(SUBCOMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The subcommand of a name."""
        if cmd_name not in SUBCOMMANDS:
            if not cmd_name.startswith("-"):
                ctx.fail(f"unknown command {cmd_name!r}; {nearest(cmd_name, SUBCOMMANDS)}")
            return None
        command: click.Command = import_module(f"exact.cli.verify_{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of subcommands, without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl(list(SUBCOMMANDS.items()))


@click.group(cls=Subcommands, short_help="Other people's logs, programs and frequencies against the rules.")
def command() -> None:
    """Hold dealt rounds, a program or counted outcomes against the rules of a game.

    \b
    exact verify log rounds.csv
    exact verify program -- python my_engine.py
    exact verify frequencies --counts player=446247,banker=458597,tie=95156
    """
