"""How many rounds it takes to see that a game is dealt by other rules: by replaying cards, by outcomes, by what a wager
returns.

Replay is exact: a round shows the difference with an exact probability, and every round that does is proof. Frequencies
go by Pearson's chi-square against the non-central chi-square distribution, returns by the normal approximation of their
mean; both say so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from exact.errors import InputError
from exact.result import Figures, compute
from exact.rulefile.expression import Value
from exact.rulefile.game import Game
from exact.rulefile.mutate import Cell, cells, flip, with_cells
from exact.shoe import Shoe
from exact.verify.classes import check_comparable, shows_all
from exact.verify.readings import with_options


@dataclass(frozen=True, slots=True)
class Needed:
    """Rounds needed to tell a game from its rules; None where no number of rounds does.

    ``shows`` is the probability that a replayed round breaks the rules, ``returns`` the rounds by wager.
    """

    name: str
    shows: Fraction
    replay: int | None
    frequencies: int | None
    returns: Mapping[str, int | None]


def needed(rules: Game, dealt: Game, name: str, shoe: Shoe, alpha: float, power: float) -> Needed:
    """Rounds that show, with probability ``power``, that ``dealt`` is not ``rules``, in tests at level ``alpha``."""
    (found,) = needed_all([(name, rules, dealt)], shoe, alpha, power)
    return found


def needed_all(
    asked: Sequence[tuple[str, Game, Game]], shoe: Shoe, alpha: float, power: float,
    progress: Callable[[int], None] | None = None,
) -> list[Needed]:  # fmt: skip
    """The same for many pairs (name, rules, dealt), each game enumerated once."""
    for _, rules, dealt in asked:
        check_comparable(rules, dealt)
    known: dict[int, Figures] = {}
    for game in (game for _, *pair in asked for game in pair):
        if id(game) not in known:
            known[id(game)] = figures_of(game, shoe)
            if progress:
                progress(1)
    shown = shows_all([(rules, dealt) for _, rules, dealt in asked], shoe, progress)
    return [
        _needed(name, known[id(rules)], known[id(dealt)], how.probability, alpha, power)
        for (name, rules, dealt), how in zip(asked, shown, strict=True)
    ]


def _needed(name: str, right: Figures, wrong: Figures, shown: Fraction, alpha: float, power: float) -> Needed:
    frequencies = rounds_by_frequencies(
        [float(o.probability) for o in right.outcomes],
        [float(wrong.outcome(o.name).probability) for o in right.outcomes], alpha, power,
    )  # fmt: skip
    returns = {
        w.name: rounds_by_return(
            float(w.expectation), float(wrong.wager(w.name).expectation), float(w.variance),
            float(wrong.wager(w.name).variance), alpha, power,
        )
        for w in right.wagers
        if any(w.name == other.name for other in wrong.wagers)
    }  # fmt: skip
    return Needed(name, shown, rounds_by_replay(shown, power), frequencies, returns)


def figures_of(game: Game, shoe: Shoe) -> Figures:
    """Outcomes and the usual wagers that ranks decide."""
    wagers = [w for w in game.wagers if not w.extra and w.offered is None and _of_totals(game, w.columns())]
    return compute(game, shoe, wagers).all


def _of_totals(game: Game, columns: frozenset[str]) -> bool:
    """Whether a wager goes by what the rules work out, so that other rules can change it."""
    return bool(columns) and not columns & set(game.slot_columns)


def rounds_by_replay(shown: Fraction, power: float) -> int | None:
    """The least n with 1 - (1 - shown)^n >= power, exactly; None where it never shows.

    >>> rounds_by_replay(Fraction(1, 2), 0.95)
    5
    """
    from decimal import ROUND_CEILING, Decimal, localcontext

    if shown <= 0:
        return None
    if shown >= 1:
        return 1
    with localcontext() as context:
        context.prec = 50  # far beyond what decides which whole number is next
        miss = Decimal(1) - Decimal(shown.numerator) / Decimal(shown.denominator)
        rounds = (Decimal(1) - Decimal(str(power))).ln() / miss.ln()
        return int(rounds.to_integral_value(ROUND_CEILING))


def rounds_by_frequencies(right: Sequence[float], wrong: Sequence[float], alpha: float, power: float) -> int | None:
    """Rounds in which Pearson's chi-square test of the outcome counts sees the difference (non-central chi-square)."""
    from scipy.stats import chi2, ncx2

    effect = sum((q - p) ** 2 / p for p, q in zip(right, wrong, strict=True) if p)
    if effect < 1e-18:
        return None
    degrees = sum(p > 0 for p in right) - 1
    critical = chi2.isf(alpha, degrees)
    return _least(lambda n: float(ncx2.sf(critical, degrees, n * effect)), power)


def rounds_by_return(
    right: float, wrong: float, variance: float, other_variance: float, alpha: float, power: float
) -> int | None:
    """Rounds in which a two-sided test of a wager's mean return sees the difference (normal approximation)."""
    from math import ceil

    from scipy.stats import norm

    if abs(right - wrong) < 1e-15:
        return None
    reach = float(norm.isf(alpha / 2)) * variance**0.5 + float(norm.ppf(power)) * other_variance**0.5
    rounds: float = (reach / (right - wrong)) ** 2
    return ceil(rounds)


def _least(reached: Callable[[int], float], power: float) -> int:
    """The least whole number at which a growing power is reached."""
    high = 1
    while reached(high) < power:
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reached(middle) >= power else (middle, high)
    return high


def changed(game: Game, text: str, file: str | None = None) -> Game:
    """A game changed as a user writes it: a flipped cell, a copied row, or an option.

    ``banker_after_draw[5][4]`` flips a cell, ``banker_after_draw[5]=banker_after_draw[6]`` copies a row, ``tie_odds=9``
    sets an option.

    Raises ``InputError`` for an unknown table, cell or option.
    """
    parts = [part.strip() for part in text.split(";") if part.strip()]
    for part in parts:
        game = _changed(game, part, file)
    if not parts:
        raise InputError("say what is changed: a cell, a copied row, or an option")
    return game


def _changed(game: Game, text: str, file: str | None) -> Game:
    if match := re.fullmatch(r"(\w+)\[(\w+)\]\s*=\s*(\w+)\[(\w+)\]", text):
        to, row, source, other = match.groups()
        tables = {table.name: table for table in game.tables}
        cells_ = tables[source].cells if source in tables else {}
        copied: dict[tuple[Value, Value], Value] = {
            (_key(row), column): value for (r, column), value in cells_.items() if r == _key(other)
        }
        if not copied:
            raise InputError(f"{game.name} has no row {source}[{other}]; its tables: {', '.join(tables)}")
        return with_cells(game, to, copied)
    if match := re.fullmatch(r"(\w+)\[([^\]]+)\](?:\[([^\]]+)\])?", text):
        return flip(game, Cell(match[1], _key(match[2]), _key(match[3]) if match[3] else None))
    name, equals, value = text.partition("=")
    if equals:
        return with_options(game, {name.strip(): value.strip()}, file)
    raise InputError(
        f"cannot read the change {text!r}: write TABLE[ROW][COLUMN], TABLE[ROW]=TABLE[ROW] or OPTION=VALUE"
    )


def _key(text: str) -> int | str:
    return int(text) if re.fullmatch(r"-?\d+", text.strip()) else text.strip()


def every_cell(game: Game) -> Iterator[tuple[str, Game]]:
    """Every game with one cell of a table turned round."""
    for cell in cells(game):
        yield str(cell), flip(game, cell)
