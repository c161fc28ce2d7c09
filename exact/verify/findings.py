"""What a replay finds, added up: shape findings and rule findings apart, each with how often, where first, expected,
seen and why.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from exact.rulefile.expression import names
from exact.trace import reason, said
from exact.verify.columns import sides
from exact.verify.dealt import KIND
from exact.verify.replay import FAULTS, STATED, Check, Replay, Shape
from exact.verify.settle import NAMED, SCALE
from exact.verify.source import LINE, Block

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True)
class What:
    """One kind of finding: what is wrong, about what, by which cell of the rules, and what was expected and seen."""

    group: Shape
    fault: str
    about: str
    rule: str = ""
    source: str = ""


@dataclass(slots=True)
class Finding:
    """How often a kind of finding occurs, and its first row."""

    count: int
    file: str
    line: int
    cards: str = ""
    expected: str = ""
    seen: str = ""


@dataclass(slots=True)
class Findings:
    """All findings of a log. ``rows`` were read, ``shape`` and ``rule`` of them have findings of that group."""

    rows: int = 0
    shape: int = 0
    rule: int = 0
    found: dict[What, Finding] = field(default_factory=dict)

    def add(self, what: What, finding: Finding) -> None:
        """One more group of rows with the same finding; the first rows come first."""
        if what in self.found:
            self.found[what].count += finding.count
        else:
            self.found[what] = finding

    def of(self, group: Shape) -> list[tuple[What, Finding]]:
        """The findings of a group, the most frequent first."""
        chosen = [(what, finding) for what, finding in self.found.items() if what.group == group]
        return sorted(chosen, key=lambda pair: (-pair[1].count, pair[1].line))


def collect(replay: Replay, block: Block, faulty: pl.DataFrame, findings: Findings) -> None:
    """Add the findings of one block's faulty rows."""
    import polars as pl

    findings.rows += block.rows + len(block.unreadable)
    for line, why, text in block.unreadable:
        findings.add(What("shape", "unreadable row", why), Finding(1, block.file, line, seen=text))
    shape, rule = replay.bits("shape"), replay.bits("rule")
    sound = faulty.filter((pl.col(FAULTS) & shape == 0) | (pl.col(FAULTS) & replay.stale != 0))
    findings.shape += len(block.unreadable) + faulty.filter(pl.col(FAULTS) & shape != 0).height
    findings.rule += sound.filter(pl.col(FAULTS) & rule != 0).height
    if replay.settlement:
        sound = sound.with_columns(replay.settlement.payments(replay.known, replay.expression))
    faulty, sound = replay.spelt(faulty), replay.spelt(sound)
    earlier = 0
    for place, check in enumerate(replay.checks):
        rows = faulty if check.group == "shape" else sound
        rows = rows.filter(
            (pl.col(FAULTS) & (1 << place) != 0) & (pl.col(FAULTS) & (earlier if check.step else 0) == 0)
        )
        if check.group == "rule" and check.step:
            earlier |= 1 << place  # what follows a wrong draw is not judged by the table again
        if not rows.is_empty():
            for what, finding in _groups(replay, check, rows):
                finding.file = block.file
                findings.add(what, finding)


def _groups(replay: Replay, check: Check, rows: pl.DataFrame) -> Iterator[tuple[What, Finding]]:
    """Rows with one fault, by what decides it."""
    import polars as pl

    by = _deciding(replay, check)
    if not by:
        yield _finding(replay, check, rows.row(0, named=True), rows.height)
        return
    counted = rows.group_by(by, maintain_order=True).agg(pl.len().alias("count of rows"), pl.all().exclude(by).first())
    for row in counted.iter_rows(named=True):
        yield _finding(replay, check, row, row["count of rows"])


def _deciding(replay: Replay, check: Check) -> list[str]:
    if check.step and check.step.when is not None:
        return sorted(names(check.step.when))
    if check.about == "the bet":
        return [NAMED]
    if check.about == "outcome" and check.group == "rule":
        return ["outcome", STATED + "outcome"]
    return []


def _finding(replay: Replay, check: Check, row: Mapping[str, Any], count: int) -> tuple[What, Finding]:
    expected, seen, rule, source = "", "", "", replay.source_of(check)
    if check.fault in ("drew when it must stand", "stood when it must draw") and check.step and check.step.when:
        why = reason(replay.game, check.step.when, row)
        rule = "; ".join(cell.text() for cell in why.cells) or why.text()
        source = "; ".join(dict.fromkeys(cell.source for cell in why.cells if cell.source)) or source
        expected, seen = ("stand", "draw") if check.fault.startswith("drew") else ("draw", "stand")
    elif check.fault == "wrong settlement" and replay.settlement:
        expected, seen = _money(row[f"due {check.about}"]), _money(row[f"paid {check.about}"])
        wagers = {wager.name: wager for wager in replay.settlement.wagers}
        wager = replay.settlement.wagers[row[NAMED]] if check.about == "the bet" else wagers[check.about]
        return What(check.group, check.fault, wager.name, wager.title, wager.source), Finding(
            count, "", row[LINE], cards_text(replay, row), expected, seen
        )
    elif STATED + check.about in row and check.group == "rule":
        expected, seen = said(row[check.about]), said(row[STATED + check.about])
    about = (
        check.about
        if check.about != "outcome"
        else f"outcome {expected or 'unreadable'}" + (f", stated {seen}" if seen else "")
    )
    what = What(check.group, check.fault, about, rule, source)
    return what, Finding(count, "", row[LINE], cards_text(replay, row), expected, seen)


def _money(value: int | None) -> str:
    return "" if value is None else f"{value / SCALE:g}"


def cards_text(replay: Replay, row: Mapping[str, Any]) -> str:
    """The cards of a row, hand by hand; "?" is one that cannot be read or is missing."""
    labels = replay.reading.notation.labels
    parts = []
    for side, slots in sides(replay.game).items():
        kinds = [row.get(KIND + slot) for slot in slots]
        while kinds and kinds[-1] is None:
            kinds.pop()
        parts.append(f"{side} {' '.join('?' if kind is None or kind < 0 else labels[kind] for kind in kinds)}")
    return ", ".join(parts)
