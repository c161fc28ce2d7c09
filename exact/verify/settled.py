"""Rounds in which each line of a wager decides: the first that an enumeration of just the cards it looks at meets."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from exact.rounds import CLASS, Branch, Walk
from exact.rulefile.game import Game, Wager
from exact.shoe import Shoe
from exact.tally import Digit
from exact.trace import LOST, play


def lines_of(game: Game, wager: Wager) -> Iterator[tuple[tuple[str, ...], Fraction, str]]:
    """For every line that can decide (and for the loss, if the bet can be lost): a round, its odds, and the line's
    condition.

    >>> from exact.games import load
    >>> game = load("baccarat")
    >>> [(" ".join(cards), str(odds)) for cards, odds, _ in lines_of(game, game.wager("tie"))]
    [('AS AS 5S 5S AS AS', '8'), ('AS AS AS 7S AS AS', '-1')]
    """
    shoe = Shoe.decks(8, game.deck)
    walk = Walk(game, shoe, wager.columns())
    digit = Digit.of_conditions(game, [line.when for line in wager.pays], f"wager {wager.name!r}", wager.offered)
    found: dict[int, tuple[str, ...]] = {}
    for branch in walk.branches():
        place = branch.frame.select(walk.expression(digit.node, branch.absent).alias("line")).get_column("line")
        if place.len() == 1 < branch.frame.height:
            place = place.new_from_index(0, branch.frame.height)
        for value in place.unique().sort().to_list():
            if value not in found and value <= len(wager.pays):
                at = int((place == value).arg_true()[0])
                found[value] = _cards(game, walk, branch, at)
        if len(found) == len(wager.pays) + 1:
            break
    for value, cards in sorted(found.items()):
        line = wager.pays[value] if value < len(wager.pays) else None
        settled = play(game, cards, [wager]).settled[0]
        assert settled.line == line, (wager.name, cards)
        yield cards, line.odds if line else LOST, line.when_text if line else ""


def _cards(game: Game, walk: Walk, branch: Branch, at: int) -> tuple[str, ...]:
    """The cards of a row in dealing order; places that nobody looks at get the first card of the deck."""
    first = game.deck.cards[0]
    row = branch.frame.row(at, named=True)
    dealt = []
    for slot in game.slots:
        number = row.get(CLASS + slot)
        if number is not None:
            wanted = walk.kinds[slot][number].attributes
            dealt.append(next(c for c in game.deck.cards if all(game.attributes[a][c] == v for a, v in wanted.items())))
        elif slot not in branch.absent:
            dealt.append(first)
    dealt += [first] * (len(game.slots) - len(dealt))
    return tuple("".join(card) for card in dealt)
