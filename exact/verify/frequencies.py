"""Counted outcomes against exact probabilities: chi-square, G, an exact test where small, a sequential test, returns
with intervals.

The sequential test is an e-process: the likelihood ratio of a Dirichlet mixture of all outcome probabilities against
the exact ones (Robbins 1970, the method of mixtures; for counts: Lindon and Malek 2022, "Anytime-valid inference for
multinomial count data", arXiv 2011.03567). Whenever one looks and however often, it exceeds 1/alpha with probability at
most alpha if the rules are kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import exp, lgamma, log

from exact.errors import InputError, nearest
from exact.result import Figures
from exact.rulefile.evaluate import evaluate
from exact.rulefile.game import Game, Wager

SMALL = 200  # rounds up to which every possible set of counts is listed
LEVELS = (0.90, 0.95, 0.99)


@dataclass(frozen=True, slots=True)
class CellResidual:
    """One outcome: counted, expected exactly, and the residual in standard deviations."""

    outcome: str
    counted: int
    probability: Fraction
    expected: Fraction
    residual: float


@dataclass(frozen=True, slots=True)
class Returned:
    """The return to player that a wager had in these rounds, beside the exact one; intervals by level (normal
    approximation).
    """

    wager: str
    exact: Fraction
    seen: Fraction
    intervals: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class FrequencyTest:
    """What the counts say. p-values are probabilities of counts at least so unlikely if the rules are kept.

    ``exact`` is None for many rounds. ``e_value`` is the evidence against the rules: 100 allows rejection at 1 % at any
    time.
    """

    rounds: int
    cells: tuple[CellResidual, ...]
    chi_square: float
    chi_square_p: float
    g: float
    g_p: float
    exact: Fraction | None
    e_value: float
    returns: tuple[Returned, ...]


def read_counts(game: Game, text: str) -> dict[str, int]:
    """Counts such as "player=446,banker=458,tie=96"; ``InputError`` for an unknown outcome or no whole number."""
    from exact.verify.words import outcome_words, plain_word

    words, found = outcome_words(game.outcomes), dict.fromkeys(game.outcomes, 0)
    for part in text.split(","):
        name, equals, number = (piece.strip() for piece in part.partition("="))
        word = words.get(plain_word(name))
        if not equals or word is None:
            raise InputError(f"cannot read the count {part!r}: write OUTCOME=NUMBER; {nearest(name, game.outcomes)}")
        if not number.replace("_", "").isdigit():
            raise InputError(f"the count of {name} must be a whole number from 0, not {number!r}")
        found[word] += int(number)
    return found


def judge_frequencies(game: Game, figures: Figures, counts: Mapping[str, int]) -> FrequencyTest:
    """The tests of some counts of outcomes.

    Raises ``InputError`` where nothing is counted.
    """
    from scipy.stats import chi2

    rounds = sum(counts.values())
    if not rounds:
        raise InputError("there are no counted rounds")
    probabilities = [outcome.probability for outcome in figures.outcomes]
    seen = [counts[outcome.name] for outcome in figures.outcomes]
    cells = tuple(
        CellResidual(
            o.name, n, p, rounds * p, float(n - rounds * p) / float(rounds * p * (1 - p)) ** 0.5 if 0 < p < 1 else 0.0
        )
        for o, n, p in zip(figures.outcomes, seen, probabilities, strict=True)
    )
    degrees = sum(p > 0 for p in probabilities) - 1
    chi_square = float(sum((n - rounds * p) ** 2 / (rounds * p) for n, p in zip(seen, probabilities, strict=True) if p))
    g = 2 * sum(n * log(n / float(rounds * p)) for n, p in zip(seen, probabilities, strict=True) if n and p)
    return FrequencyTest(
        rounds, cells, chi_square, float(chi2.sf(chi_square, degrees)), g, float(chi2.sf(g, degrees)),
        exact_p(seen, probabilities) if rounds <= SMALL and len(seen) == 3 else None,
        e_value(seen, [float(p) for p in probabilities]), tuple(_returns(game, figures, counts)),
    )  # fmt: skip


def exact_p(seen: Sequence[int], probabilities: Sequence[Fraction]) -> Fraction:
    """The exact multinomial test of three outcomes: the probability of all counts that are no likelier than these.

    >>> exact_p([2, 0, 0], [Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)])
    Fraction(1, 1)
    >>> exact_p([0, 2, 0], [Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)])
    Fraction(1, 8)
    """
    from math import factorial

    rounds = sum(seen)
    total = max(p.denominator for p in probabilities)
    weights = [int(p * total) for p in probabilities]
    if any(p * total != w for p, w in zip(probabilities, weights, strict=True)):
        from math import lcm

        total = lcm(*(p.denominator for p in probabilities))
        weights = [int(p * total) for p in probabilities]

    def ways(a: int, b: int) -> int:
        c = rounds - a - b
        orders = factorial(rounds) // (factorial(a) * factorial(b) * factorial(c))
        return orders * int(weights[0] ** a * weights[1] ** b * weights[2] ** c)

    limit = ways(seen[0], seen[1])
    found = (ways(a, b) for a in range(rounds + 1) for b in range(rounds + 1 - a))
    return Fraction(sum(n for n in found if n <= limit), total**rounds)


def e_value(seen: Sequence[int], probabilities: Sequence[float], prior: float = 1.0) -> float:
    """The e-process after these counts: a Dirichlet mixture (each parameter ``prior``) against the exact probabilities.

    It depends on the counts alone, and starts at 1. An outcome that cannot happen makes it infinite.

    >>> e_value([0, 0], [0.5, 0.5]), round(e_value([1, 0], [0.25, 0.75]), 10)
    (1.0, 2.0)
    """
    if any(n and not p for n, p in zip(seen, probabilities, strict=True)):
        return float("inf")
    kinds, rounds = len(seen), sum(seen)
    mixture = (
        lgamma(kinds * prior) - lgamma(kinds * prior + rounds) + sum(lgamma(prior + n) - lgamma(prior) for n in seen)
    )
    ratio = mixture - sum(n * log(p) for n, p in zip(seen, probabilities, strict=True) if n)
    return exp(ratio) if ratio < 700 else float("inf")


def _returns(game: Game, figures: Figures, counts: Mapping[str, int]) -> list[Returned]:
    """The returns of the wagers that the outcome alone decides."""
    from scipy.stats import norm

    rounds, found = sum(counts.values()), []
    for one in figures.wagers:
        wager = game.wager(one.name)
        if wager.columns() != {"outcome"}:
            continue
        nets = {outcome: _net(wager, outcome) for outcome in counts}
        mean = sum((nets[o] * n for o, n in counts.items()), Fraction(0)) / rounds
        spread = sum((nets[o] ** 2 * n for o, n in counts.items()), Fraction(0)) / rounds - mean**2
        error = (float(spread) / rounds) ** 0.5
        reach = [float(norm.ppf(0.5 + level / 2)) * error for level in LEVELS]
        found.append(
            Returned(
                one.name,
                one.return_to_player,
                1 + mean,
                tuple((float(1 + mean) - r, float(1 + mean) + r) for r in reach),
            )
        )
    return found


def _net(wager: Wager, outcome: str) -> Fraction:
    return next((line.odds for line in wager.pays if evaluate(line.when, {"outcome": outcome}) is True), Fraction(-1))
