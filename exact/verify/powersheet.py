"""Rounds needed, as a report."""

from __future__ import annotations

from collections.abc import Sequence

from exact import __version__
from exact.output.report import Column, Report, Table
from exact.rulefile.game import Game
from exact.shoe import Shoe
from exact.verify.power import Needed


def power_report(game: Game, shoe: Shoe, found: Sequence[Needed], alpha: float, power: float) -> Report:
    """One row a change: how often it shows, and the rounds by each way of looking."""
    wagers = list(dict.fromkeys(name for one in found for name in one.returns))
    columns = (
        Column("change"), Column("shows_in", "exact", shown="value"), Column("replay", "integer"),
        Column("frequencies", "integer"),
        *(Column(f"return_{wager}", "integer") for wager in wagers),
    )  # fmt: skip
    rows = [
        {"change": one.name, "shows_in": one.shows, "replay": one.replay, "frequencies": one.frequencies}
        | {f"return_{wager}": rounds for wager, rounds in one.returns.items()}
        for one in found
    ]
    heading = (
        f"{game.title}, {shoe.describe()}: rounds after which a change is seen with probability {power:g}",
        "replay: exact, by the cards drawn (and the scores, where cards count otherwise and kinds of rounds are few)",
        "frequencies: chi-square test of the outcomes (non-central chi-square)",
        "return: two-sided test of the mean (normal approximation)",
        f"both tests at level {alpha:g}; empty where no number of rounds shows it",
        "rounds are taken as independent, each from a fresh shoe",
    )
    provenance = {
        "game": game.name, "options": game.chosen_texts(), "shoe": shoe.describe(), "alpha": alpha, "power": power,
        "version": __version__,
    }  # fmt: skip
    return Report(provenance, (Table("power", rows, columns, "Rounds needed"),), None, heading)
