"""The PAR sheet of a game (probability accounting report): per wager every line's pay, ways, probability and return,
and volatility.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from exact import __version__
from exact.output.report import Column, Report, Table
from exact.result import Result
from exact.wager import WagerFigures

LEVELS = (0.90, 0.95, 0.99)
ROUNDS = (1_000, 10_000, 100_000, 1_000_000)

LINES = (
    Column("wager"), Column("condition"), Column("pays", "exact", shown="fraction"), Column("combinations", "count"),
    Column("probability", "exact", shown="value"), Column("return", "exact", shown="value"),
)  # fmt: skip
WAGERS = (
    Column("wager"), Column("rtp", "exact", shown="value"), Column("edge", "exact", shown="value"),
    Column("hit_frequency", "exact", shown="value"), Column("variance", "exact", shown="value"),
    Column("standard_deviation", "number"), *(Column(f"volatility_{level:.0%}", "number") for level in LEVELS),
)  # fmt: skip
INTERVALS = (
    Column("wager"), Column("rounds", "integer"),
    *(Column(f"{end}_{level:.0%}", "number") for level in LEVELS for end in ("low", "high")),
)  # fmt: skip


def par_sheet(result: Result) -> Report:
    """The sheet of one result. ``pays`` and ``return`` count the stake that comes back; a volatility index is z times
    the deviation.
    """
    game, figures = result.game, result.all
    heading = (
        f"PAR sheet of {game.title}, {result.shoe.describe()}: {result.total:,} ordered deals",
        "pays: returned per unit staked, the stake included; return: pays x probability, their sum is the RTP",
        "volatility index: z x standard deviation per unit bet",
        "RTP interval of n rounds: RTP -+ index / sqrt(n) (normal approximation, independent rounds)",
    )
    provenance = {
        "game": game.name, "options": game.chosen_texts(), "shoe": result.shoe.describe(), "version": __version__,
    }  # fmt: skip
    tables = (
        Table("wagers", [_wager(w) for w in figures.wagers], WAGERS, "Wagers"),
        Table("lines", [row for w in figures.wagers for row in _lines(w)], LINES, "Lines"),
        Table("intervals", [row for w in figures.wagers for row in _intervals(w)], INTERVALS, "RTP interval by rounds"),
    )
    return Report(provenance, tables, None, heading)


def _lines(wager: WagerFigures) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = [
        {"wager": wager.name, "condition": line.when, "pays": 1 + line.odds, "combinations": line.ways,
         "probability": line.probability, "return": (1 + line.odds) * line.probability}
        for line in wager.lines
    ]  # fmt: skip
    zero = rows[0]["pays"] * 0
    lost = {"wager": wager.name, "condition": "otherwise", "pays": zero, "combinations": wager.lost, "return": zero}
    return [*rows, lost | {"probability": 1 - sum((row["probability"] for row in rows), zero)}]


def _z() -> Sequence[float]:
    from scipy.stats import norm

    return [float(norm.ppf(0.5 + level / 2)) for level in LEVELS]


def _wager(wager: WagerFigures) -> dict[str, Any]:
    row: dict[str, Any] = {
        "wager": wager.name, "rtp": wager.return_to_player, "edge": wager.edge, "hit_frequency": wager.hit_frequency,
        "variance": wager.variance, "standard_deviation": wager.standard_deviation,
    }  # fmt: skip
    return row | {
        f"volatility_{level:.0%}": z * wager.standard_deviation for level, z in zip(LEVELS, _z(), strict=True)
    }


def _intervals(wager: WagerFigures) -> list[dict[str, Any]]:
    rows, rtp = [], float(wager.return_to_player)
    for rounds in ROUNDS:
        row: dict[str, Any] = {"wager": wager.name, "rounds": rounds}
        for level, z in zip(LEVELS, _z(), strict=True):
            reach = z * wager.standard_deviation / rounds**0.5
            row |= {f"low_{level:.0%}": rtp - reach, f"high_{level:.0%}": rtp + reach}
        rows.append(row)
    return rows
