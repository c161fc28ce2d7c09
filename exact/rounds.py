"""The engine: every distinct sequence of cards of a game from a shoe, each with its exact number of ways.

One cross join a card, ``ways`` multiplied by what is left of that card, rows split by the draw condition. Cards are
told apart only as far as the asked columns can see (by value for a score, by rank for a pair), and a card nobody looks
at is not dealt at all: undealt cards are exchangeable. Frames are cut before they grow, so that memory stays bounded
for any game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import perm, prod
from typing import TYPE_CHECKING

from exact.errors import InputError
from exact.plan import Deal, Dealt, Plan, Split, Work, card_classes, levels, places, plan
from exact.rulefile.evaluate import fold, integer_type, to_polars
from exact.rulefile.expression import NULL, Binary, Name, Node, children, substitute
from exact.rulefile.game import Game, Step
from exact.rulefile.meaning import Fact
from exact.shoe import Shoe

if TYPE_CHECKING:
    import polars as pl

CHUNK = 1_000_000  # rows of a frame: some 20 MB, small enough for caches; larger ones measured slower
MOST = 2_000_000_000  # sequences; more take minutes, and are refused with their number

WAYS, LEFT, CLASS, COARSER = "ways", "left of the class", "class of ", "class by "


@dataclass(frozen=True, slots=True)
class Branch:
    """Rounds in which the same slots got cards: one row a distinct sequence. ``cards`` counts the cards told apart."""

    frame: pl.DataFrame
    absent: frozenset[str]
    cards: int


class Walk:
    """One enumeration: a game, a shoe, and the columns that are wanted.

    ``weighted`` rows carry ``ways`` as 64-bit integers, which the shoe must hold (see ``fits``); otherwise every
    sequence is kept and only its cards say how many ways it has. ``dealt`` fixes cards that are known to lie in
    certain slots.

    With weights every slot has classes of its own, since two suits need not make four other cards dearer. Cards are
    dealt finest first within a step, and a slot is told apart at least as finely as any dealt after it, so that what
    is left of a class is its count less the earlier cards in it. Without weights all slots share ``classes``.
    """

    def __init__(
        self, game: Game, shoe: Shoe, wanted: Iterable[str], dealt: Sequence[Dealt] = (), weighted: bool = True
    ) -> None:
        self.game, self.shoe, self.dealt, self.weighted = game, shoe, dealt, weighted
        self.plan = plan(game, wanted, dealt)
        self.classes = card_classes(game, shoe, self.plan.attributes, dealt)
        self._places = places(self.plan)
        self._levels = levels(self.plan, self._places, weighted)
        self._told_apart = {level: card_classes(game, shoe, level, dealt) for level in self._levels.values()}
        self.kinds = {slot: self._told_apart[level] for slot, level in self._levels.items()}
        rarest = min((kind.count for kinds in self.kinds.values() for kind in kinds), default=0)
        self._scarce = not shoe.infinite and rarest < len(self.plan.slots)
        _refuse_endless(self.plan, [len(kinds) for kinds in self.kinds.values()])

    def branches(self) -> Iterator[Branch]:
        """Every distinct sequence once, in frames of bounded size; together they hold all ways."""
        import polars as pl

        start = pl.DataFrame({WAYS: pl.Series([1], dtype=pl.Int64)})
        yield from self._walk(0, Branch(start, frozenset(), 0))

    def _walk(self, at: int, branch: Branch) -> Iterator[Branch]:
        """From one place of the rules on, depth first, so that few frames are alive at once."""
        if branch.frame.is_empty():
            return
        if at == len(self._places):
            yield self._whole_deals(branch)
            return
        match self._places[at]:
            case Split(step):
                drawn, stood = self._split(step, branch)
                yield from self._walk(at + 1 + len(step.slots), stood)
                yield from self._walk(at + 1, drawn)
            case Deal(slot):
                for part in branch.frame.iter_slices(max(1, CHUNK // len(self.kinds[slot]))):
                    yield from self._walk(at + 1, self._deal(slot, replace(branch, frame=part)))
            case Work(step, live):
                yield from self._walk(at + 1, self._work(step, live, branch))

    def _split(self, step: Step, branch: Branch) -> tuple[Branch, Branch]:
        """The rounds in which the step deals, and those in which it does not; a NULL condition is an error of the
        rules.
        """
        assert step.when is not None
        mask = branch.frame.with_columns(self.expression(step.when, branch.absent).alias("when")).get_column("when")
        if mask.null_count():
            cards = self.example(branch.frame.filter(mask.is_null()))
            raise InputError(f"{self.game.file}: step {step.name!r}.when: {step.when_text!r} is NULL for {cards}")
        stood = branch.frame.filter(~mask)
        if any(known[0] in step.slots for known in self.dealt):
            stood = stood.clear()
        return (
            replace(branch, frame=branch.frame.filter(mask)),
            replace(branch, frame=stood, absent=branch.absent | set(step.slots)),
        )

    def _deal(self, slot: str, branch: Branch) -> Branch:
        """One more card: a cross join with the classes, and ways multiplied by what is left of the class."""
        import polars as pl

        earlier = [other for other in self._levels if CLASS + other in branch.frame.columns]
        frame = branch.frame.join(self._cards(slot), how="cross")
        if not self.weighted:
            return Branch(frame.drop(LEFT), branch.absent, branch.cards + 1)
        left, level = pl.col(LEFT), self._levels[slot]
        if earlier and not self.shoe.infinite:
            taken = [pl.col(self._class_column(other, level)) == pl.col(CLASS + slot) for other in earlier]
            left = left - pl.sum_horizontal([same.cast(pl.UInt8) for same in taken])
        frame = frame.with_columns(pl.col(WAYS) * left).drop(LEFT)
        return Branch(frame.filter(pl.col(WAYS) > 0) if self._scarce else frame, branch.absent, branch.cards + 1)

    def _cards(self, slot: str) -> pl.DataFrame:
        import polars as pl

        known = [card for card in self.dealt if card[0] == slot]
        kept = [kind for kind in self.kinds[slot] if all(card in kind.matches for card in known)]
        data = [pl.Series(LEFT, [kind.count if self.weighted else 0 for kind in kept], dtype=pl.Int64)]
        order = list(self._levels)
        for level in dict.fromkeys(self._levels[other] for other in order[order.index(slot) :]):
            classes = self._told_apart[level]
            places = [next(i for i, kind in enumerate(classes) if kind.holds(fine)) for fine in kept]
            narrow = pl.UInt8 if len(classes) < 256 else pl.UInt16
            data.append(pl.Series(self._class_column(slot, level), places, dtype=narrow))
        read = self.plan.wanted.union(*self.plan.live)
        for column, source in self.game.slot_columns.items():
            if source.slot == slot and column in read:
                values = [kind.attributes[source.attribute] for kind in kept]
                data.append(pl.Series(column, values, dtype=dtype(self.game.facts[column])))
        return pl.DataFrame(data)

    def _class_column(self, slot: str, level: frozenset[str]) -> str:
        """Where the class of a card lies, as a slot that is told apart by ``level`` counts it."""
        return CLASS + slot if level == self._levels[slot] else f"{COARSER}{', '.join(sorted(level))} of {slot}"

    def _work(self, step: Step, live: frozenset[str], branch: Branch) -> Branch:
        """The columns that a step works out; of all columns only those that are read later are kept."""
        frame = branch.frame
        for name, node in step.lets:
            kind = dtype(self.game.facts[name])
            frame = frame.with_columns(self.expression(node, branch.absent, kind).cast(kind).alias(name))
        kept = [name for name in frame.columns if name in live or name == WAYS or name.startswith((CLASS, COARSER))]
        return replace(branch, frame=frame.select(kept))

    def _whole_deals(self, branch: Branch) -> Branch:
        """Ways counted over deals of the game's longest length, so that every row shares one total."""
        import polars as pl

        if not self.weighted:
            return branch
        rest = undealt_orders(self.shoe, len(self.game.slots), branch.cards)
        return replace(branch, frame=branch.frame.with_columns(pl.col(WAYS) * rest))

    def expression(self, node: Node, absent: frozenset[str], result: pl.DataType | None = None) -> pl.Expr:
        """An expression over the columns of a branch, in which the cards not drawn are NULL.

        It may fold to a constant, which polars stretches to the height of a frame in ``with_columns`` and ``filter``.
        """
        import polars as pl

        undrawn = {name: NULL for name, source in self.game.slot_columns.items() if source.slot in absent}
        node = fold(substitute(node, undrawn)) if undrawn else node
        texts = _unlike(node, self.game.facts)

        def column(name: str) -> pl.Expr:
            return pl.col(name).cast(pl.String()) if name in texts else pl.col(name)

        return to_polars(node, column, result if result is None or result == pl.Enum else None)

    def example(self, frame: pl.DataFrame) -> str:
        """The columns of the first of some rounds, for a message."""
        row = frame.drop([name for name in frame.columns if name == WAYS or name.startswith((CLASS, COARSER))]).row(
            0, named=True
        )
        return ", ".join(f"{name} = {value}" for name, value in row.items()) or "every round"


def _unlike(node: Node, facts: Mapping[str, Fact]) -> frozenset[str]:
    """Text columns that are compared with one of other words, which polars does as plain texts only."""
    found = frozenset[str]().union(*(_unlike(part, facts) for part in children(node)))
    match node:
        case Binary(_, Name(left), Name(right)) if facts[left].words != facts[right].words:
            return found | {left, right}
    return found


def _refuse_endless(plan: Plan, kinds: Sequence[int]) -> None:
    if prod(kinds) > MOST:
        raise InputError(
            f"this asks for up to {prod(kinds):,} different card sequences: {len(kinds)} places, up to {max(kinds)} "
            f"kinds of cards told apart by {', '.join(sorted(plan.attributes))}. At most {MOST:,} are worked out; ask "
            "for fewer cards or attributes at once"
        )


def undealt_orders(shoe: Shoe, longest: int, cards: int) -> int:
    """In how many ways the places that a round leaves empty could be filled from what is left of the shoe."""
    return shoe.size ** (longest - cards) if shoe.infinite else perm(shoe.size - cards, longest - cards)


def fits(game: Game, shoe: Shoe) -> bool:
    """Whether all ways of this shoe fit in 64-bit integers; no sum or product of an enumeration exceeds their total.

    >>> from exact.games import load
    >>> fits(load("baccarat"), Shoe.decks(27)), fits(load("baccarat"), Shoe.decks(28))
    (True, False)
    """
    return shoe.orders(len(game.slots)) < 2**63


def check_shoe(game: Game, shoe: Shoe) -> None:
    """Refuse a shoe from which the longest round could not be completed."""
    if not shoe.infinite and shoe.size < len(game.slots):
        raise InputError(
            f"the shoe holds {shoe.size} cards, too few for a round to be completed: "
            f"{game.name} may need {len(game.slots)}"
        )


def dtype(fact: Fact) -> pl.DataType:
    """The narrowest column that holds everything a value can be; polars refuses a cast that does not fit."""
    import polars as pl

    if fact.kind == "text":
        return pl.Enum(fact.words)
    if fact.kind == "truth":
        return pl.Boolean()
    return integer_type(fact.low, fact.high)
