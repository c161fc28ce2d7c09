"""How often and by how much wagers turn favourable as a shoe runs down.

Shoes are sampled with a seed, each is evaluated exactly, and every mean comes with an interval. Two questions that
are often mixed up are kept apart: a uniformly random subset of n cards (uniform depth), and the start of a round in
play (n is then whatever the rounds before have left, and a shoe has several dozen of them, which belong together).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

from exact.errors import InputError
from exact.polynomial.compiled import Compiled
from exact.polynomial.depletion import starts
from exact.polynomial.shoes import refuse_infinite
from exact.shoe import Shoe

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

Interval = tuple[float, float]
Tell = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Favourable:
    """A wager over sampled shoes, in units of the bet, with 95 % intervals.

    By depth (``left`` cards): ``share`` of the shoes in which the expectation is above 0, ``gain`` the mean of
    max(expectation, 0), which a bettor makes a round who bets one unit whenever it is. By shoe (``left`` None):
    ``rounds`` favourable rounds a shoe and ``gain`` a shoe. ``best`` is the largest expectation met. An interval is
    None where nothing favourable was met: these samples cannot say how much there is.
    """

    wager: str
    left: int | None
    sampled: int
    share: float
    share_interval: Interval | None
    gain: float
    gain_interval: Interval | None
    best: float
    rounds: float | None = None
    rounds_interval: Interval | None = None


def by_depth(
    compiled: Compiled, shoe: Shoe, depths: Sequence[int], shoes: int, seed: int, tell: Tell | None = None
) -> tuple[Favourable, ...]:
    """Uniformly random subsets of each number of cards left, ``shoes`` of each.

    Raises ``InputError`` for an infinite shoe and for depths at which no round can be dealt.
    """
    import numpy as np

    refuse_infinite(shoe)
    least = len(compiled.game.slots)
    found: list[Favourable] = []
    for left in depths:
        if not least <= left <= shoe.size:
            raise InputError(f"{left} cards left: a round needs {least}, and the shoe holds {shoe.size}")
        random = np.random.default_rng([seed, left])
        counts = random.multivariate_hypergeometric(compiled.counting.counts(shoe), left, shoes).astype(np.int64)
        for name, worth in _worth(compiled, counts).items():
            above = worth > 0
            gain = np.where(above, worth, 0.0)
            share = float(above.mean())
            found.append(
                Favourable(
                    name,
                    left,
                    shoes,
                    share,
                    _wilson(share, shoes),
                    float(gain.mean()),
                    _normal(gain),
                    float(worth.max()),
                )
            )
        if tell:
            tell(shoes)
    return tuple(found)


def by_shoe(
    compiled: Compiled, shoe: Shoe, cut: int, shoes: int, seed: int, tell: Tell | None = None
) -> tuple[Favourable, ...]:
    """Whole shoes in play: the start of every round that begins with more than ``cut`` cards left.

    Raises ``InputError`` for an infinite shoe, and where not even the first round begins.
    """
    import numpy as np

    refuse_infinite(shoe)
    names = [m.wager.name for m in compiled.measures if m.wager]
    rounds, gain = ({name: np.zeros(shoes) for name in names} for _ in range(2))
    best, begun = dict.fromkeys(names, -np.inf), 0
    for numbers, counts in starts(compiled, shoe, shoes, cut, seed):
        begun += len(numbers)
        for name, worth in _worth(compiled, counts).items():
            rounds[name][numbers] += worth > 0
            gain[name][numbers] += np.where(worth > 0, worth, 0.0)
            best[name] = max(best[name], float(worth.max()))
        if tell:
            tell(len(numbers))
    if not begun:
        raise InputError(f"no round begins: the shoe holds {shoe.size} cards, the cut card leaves {cut}")
    found = []
    for name in names:
        good, interval = float(rounds[name].mean()), _normal(rounds[name])
        share, per_round = good * shoes / begun, interval and (interval[0] * shoes / begun, interval[1] * shoes / begun)
        mean = float(gain[name].mean())
        found.append(
            Favourable(name, None, begun, share, per_round, mean, _normal(gain[name]), best[name], good, interval)
        )
    return tuple(found)


def _worth(compiled: Compiled, counts: Array) -> dict[str, Array]:
    """Each wager's expectation in every shoe, -inf where it is not offered.

    The exact numerator and denominator are rounded to doubles and divided, for means over sampled shoes; the sign,
    which says whether a bet is favourable, is exact.
    """
    import numpy as np

    many = compiled.at_many(counts)
    found = {}
    for place, measure in enumerate(compiled.measures):
        if measure.wager:
            net, offered = (part.astype(np.float64) for part in many.expectation(place))
            found[measure.wager.name] = np.divide(net, offered, out=np.full(len(net), -np.inf), where=offered > 0)
    return found


def _normal(values: Array) -> Interval | None:
    """The 95 % interval of a mean by the central limit theorem, of values from 0; None where all of them are 0."""
    mean, z = float(values.mean()), NormalDist().inv_cdf(0.975)
    half = z * float(values.std(ddof=1)) / len(values) ** 0.5 if len(values) > 1 else float("inf")
    return (max(0.0, mean - half), mean + half) if mean else None


def _wilson(share: float, number: int) -> Interval:
    """A share's 95 % interval that holds for shares near 0 too (E. B. Wilson, 1927)."""
    z = NormalDist().inv_cdf(0.975)
    middle = (share + z * z / (2 * number)) / (1 + z * z / number)
    half = z / (1 + z * z / number) * (share * (1 - share) / number + z * z / (4 * number**2)) ** 0.5
    return max(0.0, middle - half), min(1.0, middle + half)
