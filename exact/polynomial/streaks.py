"""Runs of one outcome in independent rounds; and two rounds in a row from one shoe, which are not independent."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import lcm, perm, prod
from typing import TYPE_CHECKING, Any

from exact.errors import InputError
from exact.polynomial import Polynomial
from exact.polynomial.compiled import Compiled
from exact.polynomial.linear import MOST_TERMS
from exact.shoe import Shoe

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]


def run_chance(length: int, rounds: int, win: Fraction, neutral: Fraction = Fraction(0)) -> Fraction:
    """The probability that ``rounds`` independent rounds hold a run of at least ``length`` of one outcome.

    ``win`` is the probability of the outcome, ``neutral`` that of a round that neither lengthens nor ends a run (a
    tie, if it is ignored); any other round ends it.

    >>> run_chance(2, 3, Fraction(1, 2))
    Fraction(3, 8)

    Raises ``InputError`` for impossible probabilities or numbers.
    """
    if length < 1 or rounds < 0 or win < 0 or neutral < 0 or win + neutral > 1:
        raise InputError(
            "a run has a length from 1, in rounds from 0, with probabilities from 0 that add up to at most 1"
        )
    unit = lcm(win.denominator, neutral.denominator)
    wins, stays = int(win * unit), int(neutral * unit)
    running, done = [1] + [0] * (length - 1), 0  # integers over unit^round: by the length of the run at the end
    for _ in range(rounds):
        done = done * unit + running[-1] * wins
        broken = sum(running) * (unit - wins - stays)
        running = [before * wins + same * stays for before, same in zip([0, *running[:-1]], running, strict=True)]
        running[0] += broken
    return Fraction(done, unit**rounds)


@dataclass(frozen=True, slots=True)
class Successive:
    """Two rounds in a row from one shoe: joint probabilities by both outcomes, and those of one round."""

    single: dict[str, Fraction]
    joint: dict[tuple[str, str], Fraction]

    def given(self, second: str, first: str) -> Fraction:
        """The probability of an outcome of the second round, given the first round's."""
        return self.joint[first, second] / self.single[first]


def successive(compiled: Compiled, shoe: Shoe) -> Successive:
    """The exact law of the outcomes of two rounds dealt one after the other from a full shoe.

    For every multiset of cards that the first round can use, the second is dealt from what is left.

    >>> from exact.polynomial.compiled import compiled
    >>> from exact.games import load
    >>> round(float(successive(compiled(load("baccarat"), []), Shoe.decks(8)).given("banker", "banker")), 8)
    0.45859625

    Raises ``InputError`` where the shoe could run out, for games without outcomes, and where too many shoes would have
    to be evaluated.
    """
    game = compiled.game
    if not game.outcomes or compiled.measures[0].wager is not None:
        raise InputError(f"{game.name} has no column 'outcome': there is no law of outcomes")
    place, digit = compiled.places[0]
    polynomial = compiled.parts[place]
    longest = polynomial.longest
    if shoe.infinite or shoe.size < 2 * longest:
        held = "infinitely many" if shoe.infinite else shoe.size
        raise InputError(
            f"two rounds in a row need a finite shoe of {2 * longest} cards or more; this one holds {held}"
        )
    if polynomial.multisets**2 > MOST_TERMS:
        raise InputError(
            f"the law of two rounds in a row would need {polynomial.multisets:,} shoes, one for each hand of cards "
            f"that the first round of {game.name} can use: too many here"
        )
    rows, joint = polynomial.digit(digit), {(a, b): Fraction(0) for a in game.outcomes for b in game.outcomes}
    for cards, first, second in _rounds(polynomial, shoe):
        total = perm(shoe.size, cards) * perm(shoe.size - cards, longest)
        for one, other in joint:
            if one in rows and other in rows:
                joint[one, other] += Fraction(int((first[rows[one]] * second[rows[other]]).sum()), total)
    single = {a: sum((joint[a, b] for b in game.outcomes), Fraction(0)) for a in game.outcomes}
    return Successive(single, joint)


def _rounds(polynomial: Polynomial, shoe: Shoe) -> Iterator[tuple[int, Array, Array]]:
    """For each number of cards that a first round can use: the ways of each answer by the multiset it uses, and the
    ways of each answer of a second round dealt from what is left (both answers x multisets, Python integers).
    """
    import numpy as np

    counts = np.array(polynomial.counts(shoe), dtype=np.int64)
    used = polynomial.drawn.sum(axis=1)
    for cards in np.unique(used):
        chosen = np.flatnonzero((used == cards) & (polynomial.drawn <= counts).all(axis=1))
        drawn = polynomial.drawn[chosen].astype(np.int64)
        orders = np.array([prod(map(perm, counts.tolist(), row)) for row in drawn.tolist()], dtype=object)
        yield (
            int(cards),
            polynomial.coefficients[:, chosen] * orders,
            polynomial.blocks.at(counts - drawn).astype(object),
        )
