"""``exact verify program``: a program under test, asked every round."""

from __future__ import annotations

from pathlib import Path

import click

from exact.cli.options import PATH, chosen_options, output_options, rule_options
from exact.cli.progress import Progress
from exact.errors import InputError


@click.command(
    short_help="A program under test: every round that it plays wrongly, and the smallest.",
    context_settings={"ignore_unknown_options": False, "allow_interspersed_args": True},
)
@click.argument("program", nargs=-1, metavar="-- COMMAND ...")
@click.option("--game", default="baccarat", help="A game by name, or a rule file.")
@click.option("--python", "function", metavar="MODULE:FUNCTION", help="A Python function instead of a command.")
@click.option("--vectors", type=PATH, metavar="FILE", help="Ask the rounds of a vector file, not every round.")
@click.option("--quick", is_flag=True, help="Ask the vectors that come with the game, not every round.")
@click.option("--first", is_flag=True, help="Stop at the smallest round that is played wrongly.")
@click.option("--timeout", type=click.FloatRange(min=0.01), default=10.0, help="Seconds that one answer may take.")
@rule_options
@output_options
@click.pass_context
def command(
    ctx: click.Context, /, program: tuple[str, ...], game: str, function: str | None, vectors: Path | None, quick: bool,
    first: bool, timeout: float, options: tuple[str, ...], format: str | None, output: Path | None, digits: int,
) -> None:  # fmt: skip
    """Ask a program every round of a game, by JSON lines over its stdin and stdout (see the README for an adapter).

    Asked are all five-card beginnings, each with both extreme last cards. Exit code: 0 right, 1 faults, 2 unusable.

    \b
    exact verify program -- python my_adapter.py
    exact verify program --quick -- node adapter.js
    exact verify program --python my_engine:play --first
    """
    from exact.forced import rule_game
    from exact.output import chosen, write
    from exact.verify.process import ProcessProgram
    from exact.verify.program import verify_program
    from exact.verify.protocol import python_program
    from exact.verify.vectorfile import rounds_of
    from exact.verify.verdict import verdict_report

    chosen(format, output)
    if bool(program) == bool(function):
        raise InputError("say what is tested: a command after --, or --python MODULE:FUNCTION")
    rules = rule_game(game, chosen_options(options))
    rounds = rounds_of(rules, vectors) if vectors or quick else None
    tested = python_program(function) if function else ProcessProgram(program, timeout)
    try:
        with Progress("rounds") as progress:
            verdict = verify_program(rules, tested, rounds, progress.add, first)
    finally:
        tested.stop()
    report, code = verdict_report(rules, verdict, function or " ".join(program))
    write(report, format, output, digits)
    ctx.exit(code)
