"""The report of ``exact check``: how many rows end how, every difference, the misprints, what is not computed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction

from exact import __version__
from exact.output import Column, Report, Table
from exact.published import DIFFERS, Check, Finding

ENDINGS = {
    "agrees": "agrees",
    "last_digit": "last digit",
    "misprint": "misprint",
    "not_computed": "not computed",
    "differs": DIFFERS,
}
SUMMARY = (Column("file"), *(Column(name, "integer", ending) for name, ending in {"rows": "rows", **ENDINGS}.items()))
PLACE = (Column("file"), Column("line", "integer"))
DIFFERENCES = (
    *PLACE,
    Column("game"),
    Column("shoe"),
    Column("quantity"),
    Column("given"),
    Column("printed"),
    Column("should_be", title="should be"),
    Column("exact", "exact"),
    Column("why"),
    Column("label"),
    Column("source"),
)
MISPRINTS = (*PLACE, *(Column(name) for name in ("shoe", "quantity", "printed", "right", "reason", "label", "source")))
REASONS = (Column("file"), Column("rows", "integer"), Column("reason"))


def report(checked: Check) -> Report:
    """The tables of a check; those without rows are left out."""
    misprints = [_row(finding, MISPRINTS) for finding in checked.findings if finding.ending == "misprint"]
    tables = (
        Table("summary", _summary(checked), SUMMARY),
        Table("differences", [_difference(finding) for finding in checked.differences], DIFFERENCES, "Differences"),
        Table("misprints", misprints, MISPRINTS, "Recorded misprints"),
        Table("last_digit", _reasons(checked.findings, "last digit"), REASONS, "Off in the last digit"),
        Table("not_computed", _reasons(checked.findings, "not computed"), REASONS, "Not computed"),
    )
    provenance = {"version": __version__, "files": list(checked.files)}
    return Report(provenance, tuple(table for table in tables if table.rows))


def _summary(checked: Check) -> list[dict[str, object]]:
    rows = []
    for file in checked.files:
        endings = Counter(finding.ending for finding in checked.findings if finding.row.file == file)
        numbers = {name: endings[ending] for name, ending in ENDINGS.items()}
        rows.append({"file": file, "rows": endings.total(), **numbers})
    return rows


def _row(finding: Finding, columns: Iterable[Column]) -> dict[str, object]:
    """What the file says in some columns; empty where it says nothing."""
    row = finding.row
    place: dict[str, object] = {"file": row.file, "line": row.number, "shoe": _shoe(finding)}
    return {column.name: row.cells.get(column.name) or None for column in columns} | place


def _shoe(finding: Finding) -> str:
    row = finding.row
    removed = f" less {row['remove']}" if row["remove"] else ""
    return row["shoe"] + removed if row["shoe"] else f"decks {row['decks'] or '8'}{removed}"


def _difference(finding: Finding) -> dict[str, object]:
    figure = finding.figure
    exact: Fraction | None = None if figure is None or figure.root else figure.value
    said = {"should_be": finding.exact_as_printed, "exact": exact, "why": finding.why}
    return _row(finding, DIFFERENCES) | {"game": finding.row["game"] or "baccarat"} | said


def _reasons(findings: Iterable[Finding], ending: str) -> list[dict[str, object]]:
    """How many rows end so for which reason: there can be thousands, and the file says it of each."""
    reasons = Counter((finding.row.file, finding.row["reason"]) for finding in findings if finding.ending == ending)
    return [{"file": file, "rows": number, "reason": reason} for (file, reason), number in reasons.most_common()]
