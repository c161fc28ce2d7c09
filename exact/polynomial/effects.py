"""Effects of removal: how one card gone from a shoe changes what a wager is worth, exactly.

The effect of a card is E(S - card) - E(S), where E is the expectation (net, per unit bet) of a round dealt from a
shoe S. For any kind of game the shoes are simply solved one by one: a solver gives the expectations, this module the
differences.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement

from exact.solvers import Question, Tell, solver


@dataclass(frozen=True, slots=True)
class Effects:
    """What a wager is worth from a shoe, and how that changes with cards removed; all in units of the bet.

    ``counts`` are the cards of each kind in the shoe. ``first`` holds E(S - i) - E(S) for a card of each kind,
    ``second`` E(S - i - j) - E(S - i) - E(S - j) + E(S) for pairs of kinds: what the two together do beyond each
    alone. None where the shoe lacks the cards or the wager is never offered.
    """

    name: str
    counts: Mapping[str, int]
    base: Fraction
    first: Mapping[str, Fraction | None]
    second: Mapping[tuple[str, str], Fraction | None]


def effects(question: Question, order: int = 1, tell: Tell | None = None) -> tuple[Effects, ...]:
    """The effects of removal of each wager asked for; ``order`` 2 adds those of every pair of cards.

    >>> found = effects(Question("baccarat", wagers=("tie",)))
    >>> found[0].first["K"]
    Fraction(32585047424, 63533708238975)

    Raises ``InputError`` for an infinite shoe (it never changes) and where no wager is asked for or known.
    """
    asked = solver(question.game)
    counts = asked.kinds(question)
    removals: list[tuple[str, ...]] = [(), *((kind,) for kind in counts)]
    if order > 1:
        removals += combinations_with_replacement(counts, 2)
    possible = [taken for taken in removals if all(taken.count(kind) <= counts[kind] for kind in taken)]
    found = []
    for name, values in asked.expectations(question, possible, tell).items():
        worth = dict(zip(possible, values, strict=True))
        base = worth[()]
        if base is None:
            continue
        first = {kind: _change(worth, (kind,), ()) for kind in counts}
        second = {pair: _joint(worth, pair) for pair in removals if len(pair) == 2}
        found.append(Effects(name, counts, base, first, second))
    return tuple(found)


Worth = Mapping[tuple[str, ...], Fraction | None]


def _change(worth: Worth, after: tuple[str, ...], before: tuple[str, ...]) -> Fraction | None:
    later, earlier = worth.get(after), worth.get(before)
    return None if later is None or earlier is None else later - earlier


def _joint(worth: Worth, pair: tuple[str, ...]) -> Fraction | None:
    together, alone = _change(worth, pair, pair[:1]), _change(worth, pair[1:], ())
    return None if together is None or alone is None else together - alone


@dataclass(frozen=True, slots=True)
class Tags:
    """A count: a small whole number for each kind of card, added when such a card is seen.

    ``correlation`` is Pearson's, of tags and effects over the cards of the shoe (each card one point); ``uncentred``
    is the same without subtracting means (the cosine of the two), as counts are often compared in print: they differ
    for a count that does not end at 0 when all cards are seen. ``loss`` is 1 - correlation^2: the part of the best
    linear count's variance that is lost. Correlations are None where all tags or all effects are equal.
    """

    tags: Mapping[str, int]
    balance: int
    correlation: float | None
    uncentred: float | None
    loss: Fraction | None


def judged(tags: Mapping[str, int], effects: Effects) -> Tags:
    """How well a count follows the effects of a wager.

    >>> worth = {"high": Fraction(-1, 9), "low": Fraction(2, 9)}
    >>> judged({"high": -1, "low": 2}, Effects("x", {"high": 4, "low": 2}, Fraction(0), worth, {})).loss
    Fraction(0, 1)
    """
    pairs = [
        (count, Fraction(tags[kind]), effect)
        for kind, count in effects.counts.items()
        if (effect := effects.first[kind]) is not None
    ]
    size = sum(count for count, _, _ in pairs)
    mean_tag = sum(count * tag for count, tag, _ in pairs) / Fraction(size)
    mean = sum((count * effect for count, _, effect in pairs), Fraction(0)) / size
    both, squares = _moments([(count, tag - mean_tag, effect - mean) for count, tag, effect in pairs])
    raw_both, raw_squares = _moments(pairs)
    balance = sum(count * tags[kind] for kind, count in effects.counts.items())
    loss = 1 - both**2 / squares if squares else None
    return Tags(tags, balance, _cosine(both, squares), _cosine(raw_both, raw_squares), loss)


def _cosine(both: Fraction, squares: Fraction) -> float | None:
    return float(both) / float(squares) ** 0.5 if squares else None


def _moments(pairs: Sequence[tuple[int, Fraction, Fraction]]) -> tuple[Fraction, Fraction]:
    """The sum of products of two variables, and the product of their sums of squares."""
    both = sum((count * tag * effect for count, tag, effect in pairs), Fraction(0))
    tags = sum((count * tag**2 for count, tag, _ in pairs), Fraction(0))
    return both, tags * sum((count * effect**2 for count, _, effect in pairs), Fraction(0))


def rounded(effects: Effects, most: int) -> Tags | None:
    """The best count with tags from -most to most that is the effects times a scale, rounded; None where all effects
    are 0.

    Every scale gives one of finitely many roundings; all of them are tried, and the one that loses least is kept.
    """
    known = {kind: effect for kind, effect in effects.first.items() if effect is not None}
    sizes = sorted({abs(effect) for effect in known.values() if effect})
    if not sizes:
        return None
    steps = {(2 * tag + 1) / (2 * size) for size in sizes for tag in range(most)}
    top = Fraction(2 * most + 1) / (2 * sizes[-1])
    bounds = sorted(step for step in steps if step <= top)
    middles = [(low + high) / 2 for low, high in zip(bounds, [*bounds[1:], top], strict=True) if low < high]
    found: list[Tags] = []
    for scale in middles:
        tags = {kind: round((known.get(kind) or Fraction(0)) * scale) for kind in effects.first}
        found.append(judged(tags, effects))
    return min((one for one in found if one.loss is not None), key=lambda one: one.loss or Fraction(0), default=None)
