"""Printed quantities of blackjack: what ``stand(8,8 v 10)``, ``dealer(17 v A)`` or ``penalty(10,10)`` stand for."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from exact.blackjack.bets import PAIR_PAYS, insurance, insurance_value, pair_ways, perfect_pairs
from exact.blackjack.cards import ACE, TEN, RankShoe, parse_query, rank_index
from exact.blackjack.dealer import dealer_distribution
from exact.blackjack.player import Action
from exact.blackjack.query import worth_of
from exact.blackjack.rules import Rules
from exact.blackjack.solve import Solution
from exact.errors import InputError, nearest
from exact.published.figures import Figure, Quantity
from exact.shoe import Shoe
from exact.wager import WagerFigures

OF_HANDS: Mapping[str, Action] = {action.name.lower(): action for action in Action}
OF_WAGERS = ("expectation", "edge", "hit_frequency", "variance", "offered")
OF_PAIRS = ("probability", "ways", "contribution")
MEASURES = (*OF_HANDS, *OF_WAGERS, *OF_PAIRS, "dealer", "penalty")
PAIRS = ("player_pair", "dealer_pair")


def needs_solution(quantity: Quantity) -> bool:
    """Whether the whole game must be solved for a quantity.

    >>> needs_solution(Quantity("stand", "8,8 v 10")), needs_solution(Quantity("dealer", "17 v A"))
    (True, False)
    """
    return quantity.measure in OF_HANDS or quantity.subject == "blackjack"


def measure(quantity: Quantity, shoe: Shoe, rules: Rules, solution: Solution | None, conditional: bool) -> Figure:
    """The exact figure of a quantity.

    ``stand``, ``hit``, ``double``, ``split``, ``surrender``, ``fold`` of HAND v UP; ``dealer`` of END v UP (17 to 21,
    blackjack, bust); ``expectation``, ``edge``, ... of blackjack, player_pair, dealer_pair (with ``pays 25/12/6``) and
    insurance; ``probability``, ``ways`` (of two cards, whatever their order) and ``contribution`` of a kind of pair,
    "no pair" or "all"; ``penalty`` of insuring half the bet always ("insurance") or with one hand ("10,10").

    Raises ``InputError`` for anything else.
    """
    name, subject = quantity.measure, quantity.subject
    if name in OF_HANDS:
        assert solution is not None
        return _hand(solution, OF_HANDS[name], subject, conditional)
    if name == "dealer":
        return Figure(_dealer(RankShoe.of(shoe), rules, subject))
    if name in OF_WAGERS:
        return Figure(_wager(name, subject, shoe, solution, conditional))
    if name in OF_PAIRS:
        return Figure(_pair(name, subject, shoe))
    if name == "penalty":
        return Figure(penalty(subject, RankShoe.of(shoe)))
    raise InputError(f"blackjack has no measure {name!r}; {nearest(name, MEASURES)}")


def _hand(solution: Solution, action: Action, subject: str, conditional: bool) -> Figure:
    worth, _ = worth_of(solution, parse_query(subject), None, conditional)
    if action not in worth:
        raise InputError(f"{action.name.lower()} is not possible with {subject} under these rules")
    return Figure(worth[action])


def _dealer(shoe: RankShoe, rules: Rules, subject: str) -> Fraction:
    end, _, up = subject.partition(" v ")
    found = dealer_distribution(shoe, (0,) * 10, rank_index(up), rules.soft17 == "hit")
    if end not in found:
        raise InputError(f"a dealer does not end on {end!r}; {nearest(end, found)}")
    return found[end]


def _wager(name: str, subject: str, shoe: Shoe, solution: Solution | None, conditional: bool) -> Fraction:
    if subject == "blackjack" and name in ("expectation", "edge"):
        assert solution is not None
        value = solution.conditional if conditional else solution.expectation
        return value if name == "expectation" else -value
    bet, _, pays = subject.partition(" pays ")
    figures: WagerFigures | None = None
    if bet in PAIRS:
        figures = perfect_pairs(shoe, bet, _pays(pays) if pays else PAIR_PAYS)
    elif bet == "insurance":
        figures = insurance(RankShoe.of(shoe))
    if figures is None:
        raise InputError(f"blackjack has no {name} of {subject!r}; {nearest(bet, (*PAIRS, 'insurance', 'blackjack'))}")
    found: Fraction = getattr(figures, name)
    return found


def _pays(text: str) -> Mapping[str, int]:
    parts = text.split("/")
    if len(parts) != len(PAIR_PAYS) or not all(part.isdigit() for part in parts):
        raise InputError(f"write what perfect, coloured and mixed pairs pay as 25/12/6, not {text!r}")
    return dict(zip(PAIR_PAYS, map(int, parts), strict=True))


def _pair(name: str, subject: str, shoe: Shoe) -> Fraction:
    ways, total = pair_ways(shoe)
    counted = ways | {"no pair": total - sum(ways.values()), "all": total}
    if subject not in counted:
        raise InputError(f"unknown kind of pair {subject!r}; {nearest(subject, counted)}")
    if name == "ways":
        return Fraction(counted[subject], 2)
    pays = {**PAIR_PAYS, "no pair": -1}
    if name == "contribution" and subject == "all":
        return perfect_pairs(shoe).expectation
    return Fraction(counted[subject], total) * (pays[subject] if name == "contribution" else 1)


def penalty(subject: str, shoe: RankShoe) -> Fraction:
    """What it costs a round, in bets, to insure half the bet always ("insurance") or with one hand ("10,10").

    >>> penalty("insurance", RankShoe((24,) * 9 + (96,)))
    Fraction(23, 8086)
    """
    half = Fraction(1, 2)
    if subject == "insurance":
        figures = insurance(shoe)
        return figures.edge * figures.offered * half if figures else Fraction(0)
    first, second = parse_query(f"{subject} v A").hand
    left, likely = list(shoe.counts), Fraction(1 if first == second else 2)
    for card in (first, second, ACE):
        likely *= Fraction(left[card], sum(left))
        left[card] -= 1
    return -likely * insurance_value(left[TEN], sum(left)) * half
