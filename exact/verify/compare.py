"""One answer of a program against the rules: what it got wrong first, in the order in which a round is played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from exact.errors import InputError
from exact.rulefile.game import Game
from exact.verify.columns import sides
from exact.verify.dealt import KIND
from exact.verify.oracle import Oracle, usual_order
from exact.verify.protocol import Answer, Capabilities
from exact.verify.words import outcome_words, plain_word

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True)
class Wrong:
    """What is wrong with an answer; ``slot`` is the card that was drawn or not drawn against the rules."""

    fault: str
    expected: str
    seen: str
    slot: str = ""


class Comparison:
    """The cards of a round as the program wants them, and its answers against the rules."""

    def __init__(self, game: Game, oracle: Oracle, can: Capabilities) -> None:
        self.game, self.oracle, self.can = game, oracle, can
        self.hands = sides(game)
        self.totals = tuple(name for name in game.facts if name.endswith("_total"))
        self.words = outcome_words(game.outcomes)
        self.optional = [slot for step in game.steps if step.when is not None for slot in step.slots]
        self._names = [self._kind_names(place) for place in range(len(game.slots))]
        self._send = self._order()
        self._known: dict[tuple[bool, ...], tuple[tuple[str, tuple[int, ...]], ...]] = {}

    def _kind_names(self, place: int) -> tuple[Any, ...]:
        """How the program wants each kind of card, at a place (suits go round, so that no card comes too often)."""
        deck = self.game.deck
        match self.can.cards:
            case "rank":
                return self.oracle.labels
            case "card":
                return tuple("".join(cards[place % len(cards)]) for cards in self.oracle.cards)
            case "value":
                values = self.oracle.replay.attributes.get("value")
                if values is None:
                    raise InputError(
                        f"{self.game.name} has no card value that ranks decide; ask for cards as rank or card"
                    )
                return values
        first = int(self.can.cards[0])
        return tuple(deck.ranks.index(cards[0][0]) + first for cards in self.oracle.cards)

    def _order(self) -> tuple[int, ...]:
        """Which card of the dealing order the program gets first, second ..."""
        usual, wanted = usual_order(self.game), self.can.order or usual_order(self.game)
        places: dict[str, list[int]] = {}
        for place, letter in enumerate(usual):
            places.setdefault(letter, []).append(place)
        first = [places[letter].pop(0) for letter in wanted]
        return (*first, *range(len(usual), len(self.game.slots)))

    def named(self, played: pl.DataFrame) -> list[tuple[Any, ...]]:
        """The cards of some rounds in dealing order, in the program's notation."""
        columns = [
            [names[kind] for kind in played.get_column(place).to_list()]
            for names, place in zip(self._names, self.oracle.places, strict=True)
        ]
        return list(zip(*columns, strict=True))

    def spelt(self, cards: Sequence[str]) -> Any:
        """Cards of the deck in dealing order, in the program's notation and order."""
        if self.can.cards == "card":
            named: list[Any] = list(cards)
        else:
            kinds = [next(k for k, kind in enumerate(self.oracle.cards) if self._card(card) in kind) for card in cards]
            named = [names[kind] for names, kind in zip(self._names, kinds, strict=True)]
        if self.can.deal == "slots":
            return dict(zip(self.game.slots, named, strict=True))
        return [named[place] for place in self._send]

    def _card(self, text: str) -> tuple[str, str]:
        rank, suit = self.game.deck.parse(text)
        return rank, suit or self.game.deck.suits[0]

    def requests(self, first: int, played: pl.DataFrame) -> list[dict[str, Any]]:
        """The requests for some rounds, numbered from ``first``."""
        rounds = self.named(played)
        if self.can.deal == "slots":
            cards: list[Any] = [dict(zip(self.game.slots, round_, strict=True)) for round_ in rounds]
        else:
            cards = [[round_[place] for place in self._send] for round_ in rounds]
        bets: dict[str, Any] = {"bets": {}} if self.can.bets else {}
        return [{"do": "round", "id": number, "cards": sent} | bets for number, sent in enumerate(cards, first)]

    def rights(self, played: pl.DataFrame) -> list[dict[str, Any]]:
        """What the rules answer, in the program's notation."""
        drawn = zip(*(played.get_column(KIND + slot).is_not_null().to_list() for slot in self.game.slots), strict=True)
        worked_out = {name: played.get_column(name).to_list() for name in self.totals if name in played.columns}
        if "outcome" in played.columns:
            worked_out["outcome"] = [self.game.outcomes[place] for place in played.get_column("outcome").to_list()]
        found = []
        for number, (cards, pattern) in enumerate(zip(self.named(played), drawn, strict=True)):
            right: dict[str, Any] = {side: [cards[at] for at in places] for side, places in self._hands_of(pattern)}
            for name, values in worked_out.items():
                right[name] = values[number]
            found.append(right)
        return found

    def _hands_of(self, pattern: tuple[bool, ...]) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """Which cards of the dealing order lie in each hand, by which slots got one."""
        if pattern not in self._known:
            taken = [slot for slot, drawn in zip(self.game.slots, pattern, strict=True) if drawn]
            at = {slot: place for place, slot in enumerate(self.game.slots if self.can.deal == "slots" else taken)}
            hands = ((side, tuple(at[slot] for slot in slots if slot in taken)) for side, slots in self.hands.items())
            self._known[pattern] = tuple(hands)
        return self._known[pattern]

    def wrong(self, right: Mapping[str, Any], answer: Answer) -> Wrong | None:
        """The first thing that is wrong with an answer; None where it is right.

        Raises ``InputError`` for an answer that says nothing of a round.
        """
        said = answer.said
        if said and all(right.get(key) == value for key, value in said.items()):
            return None
        if answer.error is not None:
            return Wrong("error", _shown(right), answer.error)
        if not any(key in right for key in said):
            raise InputError(f"the program answered {dict(said)!r}: none of {', '.join(right)}")
        return self._hands(right, said) or self._values(right, said)

    def _hands(self, right: Mapping[str, Any], said: Mapping[str, Any]) -> Wrong | None:
        """A hand of the wrong size, that of the side which draws first before the other; then wrong cards."""
        for slot in self.optional:
            side = next(side for side, slots in self.hands.items() if slot in slots)
            if side in said:
                if not isinstance(said[side], int | list | tuple) or isinstance(said[side], bool):
                    return Wrong("no hand", _shown(right), f"{side} {said[side]!r}")
                seen = said[side] if isinstance(said[side], int) else len(said[side])
                if seen != len(right[side]):
                    return Wrong("drew" if seen > len(right[side]) else "stood", _shown(right), _shown(said), slot)
        for side in self.hands:
            cards = said.get(side)
            if isinstance(cards, Sequence) and [str(card).upper() for card in cards] != [
                str(c).upper() for c in right[side]
            ]:
                return Wrong("wrong card dealt", _shown(right), _shown(said))
        return None

    def _values(self, right: Mapping[str, Any], said: Mapping[str, Any]) -> Wrong | None:
        for name in self.totals:
            if name in said and said[name] != right.get(name):
                return Wrong("wrong total", _shown(right), _shown(said))
        winner = self.words.get(plain_word(str(said.get("outcome"))))
        if "outcome" in said and "outcome" in right and winner != right["outcome"]:
            return Wrong("wrong winner", _shown(right), _shown(said))
        return None

    def sizes(self, answer: Answer) -> tuple[int, ...] | None:
        """How many cards each hand got by the answer; None where it does not say."""
        found = []
        for side in self.hands:
            cards = answer.said.get(side)
            if isinstance(cards, list | tuple):
                found.append(len(cards))
            elif isinstance(cards, int):
                found.append(cards)
            else:
                return None
        return tuple(found)


def _shown(said: Mapping[str, Any]) -> str:
    parts = (
        f"{key} {' '.join(map(str, v)) if isinstance(v, Sequence) and not isinstance(v, str) else v}"
        for key, v in said.items()
    )
    return ", ".join(parts)
