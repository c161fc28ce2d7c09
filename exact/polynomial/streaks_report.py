"""The report of ``exact streaks``."""

from __future__ import annotations

from exact.answer import provenance
from exact.errors import InputError, nearest
from exact.forced import rule_game
from exact.output.report import Column, Report, Table
from exact.polynomial.compiled import compiled
from exact.polynomial.streaks import run_chance, successive
from exact.solvers import Question

RUN_COLUMNS = (
    Column("model"), Column("rounds", "integer"), Column("length", "integer", "run of at least"),
    Column("probability", "exact", shown="value"),
)  # fmt: skip
NEXT_COLUMNS = (
    Column("first"), Column("second"), Column("joint", "exact", "both", "value"),
    Column("given_first", "exact", "second, given first", "value"), Column("single", "exact", "second alone", "value"),
    Column("difference", "exact", shown="value"),
)  # fmt: skip


def streaks_report(question: Question, outcome: str, neutral: str, length: int, rounds: int) -> Report:
    """Runs of ``outcome`` in independent rounds, and the law of two rounds in a row.

    Raises ``InputError`` for unknown outcomes and for a shoe that two rounds could use up.
    """
    game = rule_game(question.game, question.options)
    for name in (outcome, neutral):
        if name not in game.outcomes:
            raise InputError(f"{game.name} has no outcome {name!r}; {nearest(name, game.outcomes)}")
    found, shoe = compiled(game, []), question.shoe.shoe(game.deck)
    law = successive(found, shoe)
    win, tie = law.single[outcome], law.single[neutral]
    models = (
        (f"resolved rounds only (no {neutral} among them)", win / (1 - tie), 0 * tie),
        (f"all rounds, a {neutral} neither lengthens nor ends a run", win, tie),
        (f"all rounds, a {neutral} ends a run", win, 0 * tie),
    )
    runs = [
        {"model": said, "rounds": rounds, "length": length, "probability": run_chance(length, rounds, chance, still)}
        for said, chance, still in models
    ]
    pairs = [
        {
            "first": first, "second": second, "joint": joint, "given_first": law.given(second, first),
            "single": law.single[second], "difference": law.given(second, first) - law.single[second],
        }
        for (first, second), joint in law.joint.items() if law.single[first]
    ]  # fmt: skip
    return Report(
        provenance(game, shoe) | {"outcome": outcome, "neutral": neutral},
        (
            Table("runs", runs, RUN_COLUMNS, f"A run of {length} or more {outcome} in {rounds} independent rounds"),
            Table("successive", pairs, NEXT_COLUMNS, "Two rounds in a row from a full shoe (not independent)"),
        ),
        heading=(f"{game.title}, {shoe.describe()}",),
    )
