"""``exact verify frequencies``: counted outcomes against exact probabilities."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from exact.cli.options import chosen_options, output_options, rule_options, shoe_options
from exact.errors import InputError


@click.command(short_help="Counts of outcomes, or a log's, against exact probabilities.")
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option("--counts", metavar="OUTCOME=N,...", help="Counted outcomes, instead of a log.")
@click.option("--game", default="baccarat", help="A game by name, or a rule file.")
@click.option("--column", metavar="NAME", help="The log's column of outcomes.  [default: recognised]")
@click.option(
    "--alpha", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.01, help="Level of the tests."
)
@rule_options
@shoe_options
@output_options
@click.pass_context
def command(
    ctx: click.Context, /, files: tuple[str, ...], counts: str | None, game: str, column: str | None, alpha: float,
    options: tuple[str, ...], format: str | None, output: Path | None, digits: int, **shoe: Any,
) -> None:  # fmt: skip
    """Hold counted outcomes, or those of a log, against the exact probabilities of a game.

    Exit code: 0 they agree, 1 they contradict the rules at --alpha, 2 unusable.

    \b
    exact verify frequencies --counts player=4462,banker=4586,tie=952
    exact verify frequencies rounds.csv --decks 6 --alpha 0.001
    """
    from exact.forced import rule_game
    from exact.output import chosen, write
    from exact.shoefile import ShoeRequest
    from exact.verify.counted import counted_outcomes
    from exact.verify.frequencies import judge_frequencies, read_counts
    from exact.verify.frequencysheet import frequency_report
    from exact.verify.martingale import shoe_evidence
    from exact.verify.power import every_cell, figures_of, needed_all

    chosen(format, output)
    rules = rule_game(game, chosen_options(options))
    cards = ShoeRequest(shoe["decks"], shoe["shoe"], shoe["shoe_file"], shoe["remove"]).shoe(rules.deck)
    if bool(files) == bool(counts):
        raise InputError("say what is counted: a log, or --counts OUTCOME=N,...")
    found = read_counts(rules, counts) if counts else counted_outcomes(rules, files, column)
    figures = figures_of(rules, cards)
    test = judge_frequencies(rules, figures, found)
    examples = list(every_cell(rules))[:1] + list(every_cell(rules))[-30:-29]
    faults = needed_all([(name, rules, mutant) for name, mutant in examples], cards, alpha, 0.95)
    evidence = shoe_evidence(rules, files, cards) if files else None
    report, code = frequency_report(rules, cards, test, alpha, faults, evidence)
    write(report, format, output, digits)
    ctx.exit(code)
