"""``exact sweep``: many shoes to a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from exact.cli.options import PATH, chosen_options, rule_options, shoe_options, wager_options
from exact.cli.progress import Progress


@click.command(short_help="Exact figures of many shoes, to a file: millions, in parts that survive a stop.")
@click.argument("shoes_file", metavar="[SHOES]", required=False, type=PATH)
@click.option("--game", default="baccarat", metavar="GAME", help="A game's name, or a rule file.")
@shoe_options
@rule_options
@wager_options
@click.option("--given", metavar="CONDITION", help="Only rounds that satisfy a condition over their columns.")
@click.option(
    "--remove-all", type=click.IntRange(1, 100), metavar="K", help="Every shoe that lacks K cards of the first one."
)
@click.option(
    "--random", "random", type=click.IntRange(1), metavar="ROWS", help="Random subsets of the shoe, of --left cards."
)
@click.option(
    "--left", type=click.IntRange(1), metavar="N", help="Cards left (with --random); without it every number alike."
)
@click.option(
    "--simulate", type=click.IntRange(1), metavar="SHOES", help="The start of every round of so many dealt shoes."
)
@click.option(
    "--cut", type=click.IntRange(0), default=14, help="No round begins with so few cards left (with --simulate)."
)
@click.option("--seed", type=click.IntRange(0), default=1, help="Of random numbers (with --random and --simulate).")
@click.option(
    "--log", type=PATH, metavar="FILE", help="What is left after each round of a log: a column a slot (p1, b1, ...)."
)
@click.option("--jobs", type=click.IntRange(1), metavar="N", help="Threads.  [default: one a processor]")
@click.option("-o", "--output", type=PATH, required=True, metavar="FILE", help="A .parquet or .csv file.")
def command(
    shoes_file: Path | None, game: str, options: tuple[str, ...], wagers: tuple[str, ...], wager_files: tuple[str, ...],
    given: str | None, remove_all: int | None, random: int | None, left: int | None, simulate: int | None, cut: int,
    seed: int, log: Path | None, jobs: int | None, output: Path, **shoe: Any,
) -> None:  # fmt: skip
    """Exact ways, expectations and edges of many shoes: one row a shoe.

    SHOES is a CSV or Parquet file with counts by value (0..9), by rank (A..K) or by card (AS..KC); other columns are
    carried along. Instead of it, shoes can be generated from one shoe. An interrupted sweep continues with the same
    command.

    \b
    exact sweep shoes.csv -o edges.parquet
    exact sweep --remove-all 3 --decks 8 -o removed.csv --wager tie
    exact sweep --random 1000000 --seed 7 -o random.parquet
    exact sweep --simulate 1000 --cut 14 -o rounds.parquet
    """
    from exact.errors import InputError
    from exact.forced import chosen_wagers, rule_game
    from exact.output import chosen
    from exact.polynomial.compiled import compiled
    from exact.polynomial.depletion import Logged, Simulated
    from exact.polynomial.shoes import Depleted, RemoveAll, Source
    from exact.polynomial.shoetable import ShoeTable
    from exact.polynomial.sweep import Sweep
    from exact.shoefile import ShoeRequest

    if chosen(None, output) not in ("parquet", "csv"):
        raise InputError(f"{output}: a sweep writes .parquet or .csv")
    asked = {"SHOES": shoes_file, "--remove-all": remove_all, "--random": random, "--simulate": simulate, "--log": log}
    given_ways = [name for name, value in asked.items() if value is not None]
    if len(given_ways) != 1:
        said = f"{' and '.join(given_ways)} are given" if given_ways else "nothing says which shoes"
        raise InputError(f"{said}: give one of {', '.join(asked)}")
    idle = [f"--{name.replace('_', '-')}" for name, value in shoe.items() if value is not None]
    if shoes_file is not None and idle:
        raise InputError(f"{idle[0]} is for shoes that are generated; those of {shoes_file} stand in the file")
    if left is not None and random is None:
        raise InputError("--left goes with --random")
    played = rule_game(game, chosen_options(options))
    found = compiled(played, chosen_wagers(played, wagers, wager_files), given)
    first = ShoeRequest(shoe["decks"], shoe["shoe"], shoe["shoe_file"], shoe["remove"]).shoe(played.deck)
    source: Source
    if shoes_file is not None:
        source = ShoeTable.of(shoes_file, found)
    elif log is not None:
        source = Logged.of(log, found, first)
    elif remove_all is not None:
        source = RemoveAll.of(found, first, remove_all)
    elif random is not None:
        source = Depleted.of(found, first, random, seed, left)
    else:
        source = Simulated.of(found, first, simulate or 0, cut, seed)
    sweep = Sweep(found, source, output)
    try:
        with Progress("shoes", source.rows, sweep.finished) as progress:
            rows = sweep.run(progress.add, jobs)
    except KeyboardInterrupt:
        click.echo(f"finished parts wait in {sweep.folder}; the same command continues", err=True)
        raise
    click.echo(f"{rows:,} shoes written to {output}", err=True)
