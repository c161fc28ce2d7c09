"""Printed figures against exact ones: every row of a file ends as agreeing, a recorded misprint, not computed, or a
difference that nobody has recorded.

A file is CSV with one row a figure. ``quantity`` and ``printed`` are needed; the other columns of ``COLUMNS`` may be
left out or empty: game baccarat, eight decks, no condition, and a claim that the figure is right.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from exact.datafiles import data_folder
from exact.errors import InputError, nearest
from exact.published.figures import Figure, Printed, Quantity
from exact.shoefile import ShoeRequest
from exact.solvers import Asked, Question, Tell, solver

COLUMNS = {
    "label": "what the source calls it",
    "game": "a game's name or rule file (default baccarat)",
    "options": "NAME=VALUE,NAME=VALUE",
    "decks": "whole decks or infinite (default 8)",
    "shoe": "counts by rank or card, instead of decks",
    "remove": "cards taken out of the shoe",
    "given": "only rounds that satisfy this condition",
    "quantity": "MEASURE(SUBJECT), such as edge(banker)",
    "printed": "the figure as it is printed",
    "unit": "what 1 of the printed figure stands for (default 1)",
    "digits": "decimal places that were computed, where the text dropped zeros",
    "standing": "agrees (default), last digit, misprint, or not computed",
    "right": "the right figure, for a misprint",
    "reason": "why it is a misprint or not computed",
    "source": "who prints it",
}
STANDINGS = ("agrees", "last digit", "misprint", "not computed")
DIFFERS = "differs"


@dataclass(frozen=True, slots=True)
class Row:
    """One printed figure and what is recorded of it; texts as they stand in the file."""

    file: str
    number: int  # line of the file, counted from 1 with the header
    cells: dict[str, str]

    def __getitem__(self, column: str) -> str:
        return self.cells[column]

    @property
    def where(self) -> str:
        """The place in its file, for messages."""
        return f"{self.file} line {self.number}"

    @property
    def standing(self) -> str:
        """What is recorded; a row that says nothing claims to be right."""
        return self["standing"] or "agrees"

    def question(self) -> Question:
        """The game, options, shoe and condition of the figure."""
        shoe = ShoeRequest(self["decks"] or None, self["shoe"] or None, None, self["remove"] or None)
        return Question(self["game"] or "baccarat", shoe, _options(self["options"]), given=self["given"] or None)


@dataclass(frozen=True, slots=True)
class Finding:
    """How a row ends: one of ``STANDINGS`` or ``DIFFERS``; the exact figure, and what is wrong in what is recorded."""

    row: Row
    ending: str
    figure: Figure | None = None
    exact_as_printed: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Check:
    """The findings of one or more files."""

    findings: tuple[Finding, ...]
    files: tuple[str, ...] = field(default=())

    @property
    def differences(self) -> tuple[Finding, ...]:
        """The rows whose figure is neither right nor a recorded misprint."""
        return tuple(finding for finding in self.findings if finding.ending == DIFFERS)


def published_files() -> tuple[Path, ...]:
    """The files of printed figures that belong to the project."""
    return tuple(sorted((data_folder() / "published").glob("*.csv")))


def read_rows(path: Path) -> list[Row]:
    """The rows of a file of printed figures.

    Raises ``InputError`` for a file that is not CSV, a missing or unknown column, an unknown standing, or a misprint
    without its right figure or reason; all rows that are wrong at once.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as lines:
            reader = csv.DictReader(lines, strict=True)
            rows = [Row(path.name, reader.line_num, dict(raw)) for raw in reader]
            header = list(reader.fieldnames or ())
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    except (csv.Error, UnicodeDecodeError) as error:
        raise InputError(f"{path}: not a CSV file: {error}") from None
    faults = [f"unknown column {name!r}; {nearest(name, COLUMNS)}" for name in header if name not in COLUMNS]
    faults += [f"the column {name} is missing" for name in ("quantity", "printed") if name not in header]
    if faults:
        raise InputError("\n".join(f"{path.name}: {fault}" for fault in faults))
    rows = [replace(row, cells={name: (row.cells.get(name) or "").strip() for name in COLUMNS}) for row in rows]
    if wrong := [f"{row.where}: {fault}" for row in rows if (fault := _fault(row))]:
        raise InputError("\n".join(wrong))
    return rows


def _fault(row: Row) -> str | None:
    if row.standing not in STANDINGS:
        return f"unknown standing {row.standing!r}; {nearest(row.standing, STANDINGS)}"
    if row.standing != "agrees" and not row["reason"]:
        return f"a row that is recorded as {row.standing} needs a reason"
    if row.standing in ("last digit", "misprint") and not row["right"]:
        return f"a row that is recorded as {row.standing} needs the right figure"
    try:
        if row.standing != "not computed":
            Quantity.parse(row["quantity"])
            Printed.parse(row["printed"], row["unit"], row["digits"])
            row.question()
        if row["right"]:
            Printed.parse(row["right"], row["unit"])
    except InputError as error:
        return str(error)
    return None


def check(paths: Sequence[Path], tell: Tell | None = None) -> Check:
    """Compares every row of some files with its exact figure.

    Raises ``InputError`` for a file that cannot be read and for quantities that cannot be worked out.
    """
    rows = [row for path in paths for row in read_rows(path)]
    figures = _figures([row for row in rows if row.standing != "not computed"], tell)
    findings = [
        Finding(row, row.standing) if (figure := figures.get((row.file, row.number))) is None else _finding(row, figure)
        for row in rows
    ]
    return Check(tuple(findings), tuple(path.name for path in paths))


def _figures(rows: Sequence[Row], tell: Tell | None) -> dict[tuple[str, int], Figure]:
    """The exact figure of every row, each kind of game asked once."""
    asked: dict[str, list[tuple[Row, int, Asked]]] = {}
    for row in rows:
        question, quantity = row.question(), Quantity.parse(row["quantity"])
        parts = [(1, question)]
        if quantity.change:
            parts.append((-1, replace(question, shoe=replace(question.shoe, remove=None))))
        for sign, part in parts:
            asked.setdefault(question.game, []).append((row, sign, Asked(part, quantity, row.where)))
    found: dict[tuple[str, int], Figure] = {}
    for game, parts_ in asked.items():
        figures = solver(game).figures([part for _, _, part in parts_], tell)
        for (row, sign, _), figure in zip(parts_, figures, strict=True):
            before = found.get((row.file, row.number))
            found[row.file, row.number] = figure if before is None else _sum(row, before, figure, sign)
    return found


def _sum(row: Row, before: Figure, figure: Figure, sign: int) -> Figure:
    if figure.root:
        raise InputError(f"{row.where}: the change of a square root is not worked out; ask for the variance")
    return Figure(before.value + sign * figure.value)


def _finding(row: Row, figure: Figure) -> Finding:
    printed = Printed.parse(row["printed"], row["unit"], row["digits"])
    agrees, ending, why = printed.is_of(figure), row.standing, ""
    if row.standing == "agrees" and not agrees:
        ending, why = DIFFERS, "the exact figure does not round to what is printed"
    elif row.standing != "agrees" and agrees:
        ending, why = DIFFERS, f"recorded as {row.standing}, but the exact figure rounds to what is printed"
    elif row["right"] and not Printed.parse(row["right"], row["unit"]).is_of(figure):
        ending, why = DIFFERS, f"the exact figure does not round to {row['right']} either, recorded as right"
    return Finding(row, ending, figure, printed.like_this(figure), why)


def _options(text: str) -> dict[str, str]:
    """The options of a row, ``commission=1/25,tie_odds=9``."""
    parts = [[word.strip() for word in part.partition("=")] for part in text.split(",") if part.strip()]
    if not all(name and equals and value for name, equals, value in parts):
        raise InputError(f"cannot read the options {text!r}: write NAME=VALUE,NAME=VALUE")
    return {name: value for name, _, value in parts}
