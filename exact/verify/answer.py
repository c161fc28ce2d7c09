"""What a replay found, as a report for people and programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from exact import __version__
from exact.output.report import Column, Report, Table
from exact.verify.findings import Finding, Findings, What
from exact.verify.log import LogAnswer
from exact.verify.readings import ReadingsAnswer
from exact.verify.replay import Shape

GROUPS: tuple[Shape, ...] = ("shape", "rule")
COLUMNS = (
    Column("group"), Column("finding"), Column("about"), Column("count", "integer"), Column("share", "number"),
    Column("file"), Column("line", "integer"), Column("cards"), Column("expected"), Column("seen"),
    Column("rule"), Column("source"),
)  # fmt: skip


def log_report(answer: LogAnswer, files: Sequence[str]) -> tuple[Report, int]:
    """The report and the exit code: 0 clean, 1 with findings."""
    findings, reading = answer.findings, answer.reading
    provenance = {
        "game": reading.game.name, "options": reading.game.chosen_texts(), "log": list(files), "version": __version__,
        "read_as": list(reading.said), "rounds": findings.rows, "shape_rows": findings.shape,
        "rule_rows": findings.rule, "not_checked": list(answer.skipped),
    }  # fmt: skip
    heading = (
        f"{findings.rows:,} rounds of {reading.game.name}: " + summary(findings),
        *(f"not checked: {skipped}" for skipped in answer.skipped),
    )
    tables, document = finding_tables(findings)
    return Report(provenance, tables, document, heading), int(bool(findings.found))


def finding_tables(findings: Findings) -> tuple[tuple[Table, ...], dict[str, object]]:
    """The findings of each group as a table, and all of them as a document for programs."""
    rows = {group: list(map(_row(findings), findings.of(group))) for group in GROUPS}
    tables = tuple(Table(group, rows[group], COLUMNS, _title(findings, group)) for group in GROUPS if rows[group])
    return tables, {"clean": not findings.found, **{group: [_plain(row) for row in rows[group]] for group in GROUPS}}


def _plain(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name != "group"}


def summary(findings: Findings) -> str:
    """What was found, in half a line."""
    if not findings.found:
        return "clean, every round follows the rules"
    return f"{findings.rule:,} break a rule, {findings.shape:,} are badly written"


def _title(findings: Findings, group: str) -> str:
    if group == "shape":
        return f"Shape: {findings.shape:,} rows are badly written; they say nothing about the dealing"
    return f"Rules: {findings.rule:,} rounds were dealt, scored or paid against the rules"


def _row(findings: Findings) -> Any:
    def row(pair: tuple[What, Finding]) -> dict[str, Any]:
        what, found = pair
        return {
            "group": what.group, "finding": what.fault, "about": what.about, "count": found.count,
            "share": found.count / max(findings.rows, 1), "file": found.file, "line": found.line, "cards": found.cards,
            "expected": found.expected, "seen": found.seen, "rule": what.rule, "source": what.source,
        }  # fmt: skip

    return row


def readings_report(answer: ReadingsAnswer) -> tuple[Report, int]:
    """The readings that a log agrees with; exit code 1 where it agrees with none."""
    rows = [
        {
            "reading": r.name,
            "agrees": r.count == 0,
            "rounds_against": r.count,
            "line": r.line,
            "cards": r.cards,
            "why": r.why,
        }
        for r in answer.readings
    ]
    agreeing = [r.name for r in answer.readings if r.count == 0]
    provenance = {"game": answer.game, "version": __version__, "rounds": answer.rows, "read_as": list(answer.said)}
    heading = (
        f"{answer.rows:,} rounds: " + (f"agree with {', '.join(agreeing)}" if agreeing else "agree with no reading"),
        *answer.notes,
    )
    columns = (
        Column("reading"), Column("agrees", "boolean"), Column("rounds_against", "integer"), Column("line", "integer"),
        Column("cards"), Column("why"),
    )  # fmt: skip
    return Report(provenance, (Table("readings", rows, columns, "Readings and options"),), None, heading), int(
        not agreeing
    )
