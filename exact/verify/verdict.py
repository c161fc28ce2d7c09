"""What the test of a program found, as a report."""

from __future__ import annotations

from fractions import Fraction

from exact import __version__
from exact.output.report import Column, Report, Table, decimal_text
from exact.rulefile.game import Game
from exact.verify.program import Verdict

FAULTS = (
    Column("fault"), Column("rounds", "integer"), Column("smallest"), Column("expected"), Column("seen"),
    Column("rule"), Column("source"),
)  # fmt: skip
EDGES = (Column("wager"), Column("program", "exact"), Column("rules", "exact"), Column("difference", "exact"))


def verdict_report(game: Game, verdict: Verdict, program: str) -> tuple[Report, int]:
    """The report and the exit code: 0 right, 1 wrong or broken."""
    faults = sorted(verdict.faults, key=lambda fault: _order(game, fault.cards))
    rows = [
        {"fault": f.fault, "rounds": f.count, "smallest": " ".join(f.cards), "expected": f.expected, "seen": f.seen,
         "rule": f.rule, "source": f.source}
        for f in faults
    ]  # fmt: skip
    edges = [
        {"wager": name, "program": program_, "rules": right, "difference": program_ - right}
        for name, (program_, right) in verdict.edges.items()
    ]
    tables = [Table("faults", rows, FAULTS, "Faults, the smallest input first")] if rows else []
    tables += [Table("edges", edges, EDGES, "House edge of the game that the program deals, 8 decks")] if edges else []
    provenance = {
        "game": game.name, "options": game.chosen_texts(), "version": __version__, "program": program,
        "asked": verdict.asked, "skipped": verdict.skipped, "broken": verdict.broken,
        "broken_at": " ".join(verdict.broken_at) or None,
        "shows_in": verdict.shows if verdict.faults else None,
    }  # fmt: skip
    return Report(provenance, tuple(tables), None, tuple(_heading(verdict))), int(bool(rows or verdict.broken))


def _heading(verdict: Verdict) -> list[str]:
    lines = []
    if verdict.broken:
        lines.append(f"the program {verdict.broken}, at {' '.join(verdict.broken_at)}")
    if not verdict.faults:
        lines.append(
            f"{verdict.asked:,} rounds asked, "
            + ("every answer is right" if not verdict.broken else "no wrong answer before")
        )
    else:
        count = sum(fault.count for fault in verdict.faults)
        lines.append(f"{count:,} of {verdict.asked:,} answers are wrong")
    if verdict.skipped:
        lines.append(f"{verdict.skipped:,} rounds were skipped by the program")
    if verdict.faults and verdict.shows is not None:
        lines.append(
            f"a round from 8 fresh decks shows it with probability {_both(verdict.shows)} ({verdict.shows_why})"
        )
    return lines


def _both(value: Fraction) -> str:
    return f"{decimal_text(value, 10)} = {value}"


def _order(game: Game, cards: tuple[str, ...]) -> tuple[int, ...]:
    ranks = list(game.deck.ranks)
    return tuple(ranks.index(card) if card in ranks else len(ranks) for card in cards)
