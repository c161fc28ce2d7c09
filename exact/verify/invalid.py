"""Rounds that a log checker must reject, each with one fault, made from the first rounds of the rules themselves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from exact.rulefile.game import Game
from exact.trace import play
from exact.verify.columns import sides
from exact.verify.oracle import Oracle


def invalid_rounds(game: Game) -> Iterator[dict[str, Any]]:
    """Rounds as a log states them, hands and outcome, with the finding that a checker must report."""
    from exact.verify.vectors import candidates, expected

    oracle = Oracle(game)
    rounds = candidates(oracle).iter_rows(named=True)
    wanted = {"drew when it must stand", "stood when it must draw"}
    hands = sides(game)
    optional = [slot for step in game.steps if step.when is not None for slot in step.slots]
    side_of = {slot: side for side, slots in hands.items() for slot in slots}
    first = None
    for row in rounds:
        cards = oracle.texts(row)
        trace = play(game, cards, ())
        right = expected(game, trace)
        first = first or right
        for played in trace.played:
            if played.held is None or not wanted:
                continue
            fault = "stood when it must draw" if played.held else "drew when it must stand"
            slot = played.step.slots[0]
            if fault in wanted and slot in optional:
                hand = right[side_of[slot]]
                changed = hand[:-1] if played.held else [*hand, cards[-1]]
                if len(changed) <= len(hands[side_of[slot]]):
                    wanted.discard(fault)
                    yield _round({**right, side_of[slot]: changed}, hands, fault, "rule")
        if not wanted:
            break
    assert first is not None
    side = next(iter(hands))
    yield _round({**first, side: first[side][:1]}, hands, "missing card", "shape")
    yield _round({**first, side: ["1X", *first[side][1:]]}, hands, "unreadable card", "shape")
    if game.outcomes:
        other = next(word for word in game.outcomes if word != first["outcome"])
        yield _round({**first, "outcome": other}, hands, "wrong winner", "rule")
        yield _round({**first, "outcome": "nobody"}, hands, "unreadable outcome", "shape")
    for name in first:
        if name.endswith("_total"):
            yield _round({**first, name: first[name] + 1}, hands, "wrong total", "rule")


def _round(stated: dict[str, Any], hands: dict[str, tuple[str, ...]], fault: str, group: str) -> dict[str, Any]:
    kept = {
        name: value for name, value in stated.items() if name in hands or fault.startswith("wrong") or name == "outcome"
    }
    if fault in ("drew when it must stand", "stood when it must draw"):
        kept = {name: stated[name] for name in hands}
    return {"round": kept, "finding": fault, "flags": [group]}
