"""The report of ``exact depth``."""

from __future__ import annotations

from typing import Any

from exact.answer import provenance
from exact.errors import InputError
from exact.forced import chosen_wagers, rule_game
from exact.output.report import Column, Report, Table
from exact.polynomial.compiled import compiled
from exact.polynomial.favourable import Favourable, Interval, Tell, by_depth, by_shoe
from exact.solvers import Question

USUAL = (208, 104, 52, 26, 13)


def _interval(name: str, title: str) -> tuple[Column, Column, Column]:
    return (
        Column(name, "number", title),
        Column(f"{name}_low", "number", "from"),
        Column(f"{name}_high", "number", "to"),
    )


DEPTH_COLUMNS = (
    Column("wager"), Column("left", "integer", "cards left"), Column("sampled", "integer", "shoes"),
    *_interval("share", "favourable"), *_interval("gain", "gain a round"), Column("best", "number", "best expectation"),
)  # fmt: skip
SHOE_COLUMNS = (
    Column("wager"), Column("sampled", "integer", "rounds"), *_interval("share", "favourable"),
    *_interval("rounds_favourable", "favourable rounds a shoe"), *_interval("gain", "gain a shoe"),
    Column("best", "number", "best expectation"),
)  # fmt: skip


def depth_report(
    question: Question, left: str | None, cut: int, samples: int, shoes: int, seed: int, tell: Tell | None = None
) -> Report:
    """Both tables: uniform depth, and shoes in play.

    Raises ``InputError`` for unreadable or impossible depths, an infinite shoe, and a game without wagers.
    """
    game = rule_game(question.game, question.options)
    found = compiled(game, chosen_wagers(game, question.wagers, question.wager_files))
    if all(measure.wager is None for measure in found.measures):
        raise InputError(f"{game.name} has no wagers: give one with --wager 'NAME: CONDITION pays ODDS'")
    shoe = question.shoe.shoe(game.deck)
    depths = _depths(left) if left else [n for n in USUAL if len(game.slots) <= n <= shoe.size]
    uniform = by_depth(found, shoe, depths, samples, seed, tell)
    played = by_shoe(found, shoe, cut, shoes, seed, tell)
    said = {"samples": samples, "shoes": shoes, "cut": cut, "seed": seed}
    tables = (
        Table("depth", [_row(one) for one in uniform], DEPTH_COLUMNS, "Uniform depth: random subsets of so many cards"),
        Table(
            "play", [_row(one) for one in played], SHOE_COLUMNS, f"In play: the start of each round, cut card at {cut}"
        ),
    )
    heading = (
        f"{game.title}, {shoe.describe()}", "shoes sampled, each evaluated exactly; intervals of 95 %",
        "gain: of a bettor of one unit exactly when the expectation is above 0; none met, no interval",
    )  # fmt: skip
    return Report(provenance(game, shoe) | said, tables, heading=heading)


def _depths(text: str) -> list[int]:
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isascii() and part.isdigit() for part in parts):
        raise InputError(f"--left takes numbers of cards such as 52,26, not {text!r}")
    return [int(part) for part in parts]


def _row(one: Favourable) -> dict[str, Any]:
    row: dict[str, Any] = {"wager": one.wager, "left": one.left, "sampled": one.sampled, "best": one.best}
    row |= _cells("share", one.share, one.share_interval) | _cells("gain", one.gain, one.gain_interval)
    if one.rounds is not None:
        row |= _cells("rounds_favourable", one.rounds, one.rounds_interval)
    return row


def _cells(name: str, value: float, interval: Interval | None) -> dict[str, float | None]:
    low, high = interval or (None, None)
    return {name: value, f"{name}_low": low, f"{name}_high": high}
