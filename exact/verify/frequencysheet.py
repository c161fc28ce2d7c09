"""Counted outcomes against exact probabilities, as a report in numbers and words."""

from __future__ import annotations

from exact import __version__
from exact.output.report import Column, Report, Table
from exact.rulefile.game import Game
from exact.shoe import Shoe
from exact.verify.frequencies import LEVELS, FrequencyTest
from exact.verify.martingale import ShoeEvidence
from exact.verify.power import Needed


def frequency_report(
    game: Game,
    shoe: Shoe,
    test: FrequencyTest,
    alpha: float,
    faults: list[Needed],
    by_shoe: ShoeEvidence | None = None,
) -> tuple[Report, int]:
    """The report, and exit code 1 where the counts contradict the rules at level ``alpha``."""
    cells = [
        {
            "outcome": c.outcome,
            "counted": c.counted,
            "expected": c.expected,
            "probability": c.probability,
            "residual": c.residual,
        }
        for c in test.cells
    ]
    tests = [
        {"test": "chi-square", "statistic": test.chi_square, "p": test.chi_square_p},
        {"test": "G", "statistic": test.g, "p": test.g_p},
    ]
    if test.exact is not None:
        tests.append({"test": "exact multinomial", "statistic": None, "p": float(test.exact)})
    returns = []
    for one in test.returns:
        row: dict[str, object] = {"wager": one.wager, "exact": one.exact, "seen": one.seen}
        for level, (low, high) in zip(LEVELS, one.intervals, strict=True):
            row |= {f"low_{level:.0%}": low, f"high_{level:.0%}": high}
        returns.append(row)
    limits = [Column(f"{end}_{level:.0%}", "number") for level in LEVELS for end in ("low", "high")]
    tables = (
        Table("outcomes", cells, (
            Column("outcome"), Column("counted", "integer"), Column("expected", "exact", shown="value"),
            Column("probability", "exact", shown="value"), Column("residual", "number"),
        ), "Outcomes"),
        Table("tests", tests, (Column("test"), Column("statistic", "number"), Column("p", "number")), "Tests"),
        Table("returns", returns, (
            Column("wager"), Column("exact", "exact", shown="value"), Column("seen", "exact", shown="value"), *limits,
        ),
              "Return to player"),
    )  # fmt: skip
    wrong = min(test.chi_square_p, float(test.exact) if test.exact is not None else 1.0) < alpha
    provenance = {
        "game": game.name, "options": game.chosen_texts(), "shoe": shoe.describe(), "version": __version__,
        "rounds": test.rounds, "alpha": alpha, "e_value": test.e_value, "contradicted": wrong,
        "e_value_by_shoe": by_shoe.e_value if by_shoe else None,
    }  # fmt: skip
    return Report(provenance, tables, None, tuple(_words(test, alpha, wrong, faults, by_shoe))), int(wrong)


def _words(
    test: FrequencyTest, alpha: float, wrong: bool, faults: list[Needed], by_shoe: ShoeEvidence | None
) -> list[str]:
    said = "contradict the rules" if wrong else "agree with the rules"
    lines = [
        f"{test.rounds:,} rounds: the counts {said} at level {alpha:g} (chi-square, p = {test.chi_square_p:.4g})",
    ]
    verdict = "enough to reject the rules" if test.e_value >= 1 / alpha else "not enough to reject the rules"
    takes = f"it takes {1 / alpha:g}"
    lines.append(
        f"sequential test, valid at any time: e-value {test.e_value:.4g}, {verdict} ({takes}); an e-process "
        "by a Dirichlet mixture (Robbins 1970; Lindon and Malek 2022)"
    )
    lines.append(
        "taken for granted: rounds as if each came from a fresh shoe and independent; rounds of one shoe are "
        "exchangeable only, which all of these tests leave out of account"
    )
    if by_shoe:
        lines.append(
            "with the cards gone from each shoe taken into account (exact chances, a martingale): "
            f"e-value {by_shoe.e_value:.4g} after {by_shoe.rounds:,} rounds; an e-process by betting "
            "(Shafer 2021; Ramdas et al. 2023)"
        )
    for fault in faults:
        rounds = "no number of rounds" if fault.frequencies is None else f"{fault.frequencies:,} rounds"
        by_cards = f"{fault.replay or 0:,} by replaying cards"
        lines.append(f"a fault such as {fault.name} needs {rounds} to be seen in outcomes, {by_cards}")
    return lines
