"""What a command found, before it has a format: columns, tables, the report, and how its exact values are written."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import polars as pl

Kind = Literal["text", "boolean", "integer", "count", "exact", "number"]
Row = Mapping[str, object]

LARGEST_SAFE = 2**53  # beyond it a JSON reader that knows only doubles changes an integer without a word


class Count(int):
    """A number of ways: an ``int`` that is written as text in JSON, whatever its size.

    >>> plain({"total": Count(4998398275503360), "edge": Fraction(-19, 311), "decks": 8})
    {'total': '4998398275503360', 'edge': '-19/311', 'decks': 8}
    """


class Formula(str):
    """A formula as text, which knows how LaTeX sets it."""

    __slots__ = ("latex",)
    latex: str

    @classmethod
    def of(cls, text: str, latex: str) -> "Formula":
        """A formula from its two spellings."""
        formula = cls(text)
        formula.latex = latex
        return formula


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table and the type of all its values (None is a missing value in any of them).

    ``text`` str; ``boolean`` bool; ``integer`` a small int that programs may read as a number; ``count`` an int of any
    size; ``exact`` a Fraction (or int); ``number`` a float, for what is not rational. ``title`` is the name for people.
    ``shown`` says how people see an exact value: as the fraction, as its decimal value, or as both side by side.
    """

    name: str
    kind: Kind = "text"
    title: str = ""
    shown: Literal["both", "fraction", "value"] = "both"


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of one shape: each a mapping from column names to values; a name that a row lacks is a missing value.

    Millions of rows come as a polars data frame, whose columns hold what ``columns`` says (none of them exact).
    """

    name: str
    rows: "Sequence[Row] | pl.DataFrame"
    columns: tuple[Column, ...]
    title: str = ""

    def __post_init__(self) -> None:
        names = ["table", *(name for column in self.columns for name, _ in flat_columns(column))]
        if repeated := {name for name in names if names.count(name) > 1}:
            raise ValueError(f"table {self.name!r} has columns of one name: {', '.join(sorted(repeated))}")
        if not isinstance(self.rows, Sequence) and any(column.kind == "exact" for column in self.columns):
            raise ValueError(f"table {self.name!r} is a data frame, which holds no exact values: give them as rows")

    def __iter__(self) -> Iterator[Row]:
        """The rows one by one, wherever they are."""
        return iter(self.rows) if isinstance(self.rows, Sequence) else self.rows.iter_rows(named=True)


@dataclass(frozen=True, slots=True)
class Report:
    """What a command found, with everything that produced it.

    ``provenance``: game, version, options, shoe, condition. ``tables``: the rows. ``document``: what json writes after
    the provenance; without one, each table as a list of its rows. ``heading``: lines for people above the tables.
    """

    provenance: Mapping[str, object]
    tables: tuple[Table, ...]
    document: Mapping[str, object] | None = None
    heading: tuple[str, ...] = ()


def flat_columns(column: Column) -> list[tuple[str, Kind]]:
    """The columns that a column becomes in a file, each with the kind of its values: text for counts and fractions."""
    if column.kind == "exact":
        return [(column.name, "text"), (f"{column.name}_value", "number")]
    return [(column.name, "text" if column.kind == "count" else column.kind)]


def fraction_text(value: Fraction | int) -> str:
    """An exact value as "n/d" in lowest terms, always with its denominator.

    >>> fraction_text(Fraction(-38, 622)), fraction_text(0)
    ('-19/311', '0/1')
    """
    return f"{value.numerator}/{value.denominator}"


def decimal_text(value: Fraction | int | float, digits: int) -> str:
    """A value rounded half to even to ``digits`` decimal places; what is not 0 but would print as 0 gets an exponent.

    >>> decimal_text(Fraction(-19, 311), 8), decimal_text(Fraction(1, 3), 20), decimal_text(Fraction(1, 10**12), 8)
    ('-0.06109325', '0.33333333333333333333', '1.00000000e-12')
    """
    if isinstance(value, float) and value - value != 0:  # infinite or no number
        return str(value)
    scaled = round(Fraction(value) * 10**digits)
    if scaled == 0 and value != 0:
        return f"{float(value):.{digits}e}"
    whole, rest = divmod(abs(scaled), 10**digits)
    return ("-" if scaled < 0 else "") + (f"{whole}.{rest:0{digits}}" if digits else str(whole))


def plain(value: object) -> Any:
    """A value as JSON knows it, inside mappings and sequences too: a Fraction as "n/d", a Count as text.

    Raises ValueError for a plain int that a JSON reader could change (it should be a Count), TypeError for other types.
    """
    match value:
        case None | bool() | str() | float():
            return value
        case Count():
            return str(int(value))
        case int():
            if abs(value) > LARGEST_SAFE:
                raise ValueError(f"{value} is too large for a JSON number: make it a Count")
            return int(value)
        case Fraction():
            return fraction_text(value)
        case Mapping():
            return {str(key): plain(item) for key, item in value.items()}
        case Sequence():
            return [plain(item) for item in value]
    raise TypeError(f"{type(value).__name__} has no place in a report: {value!r}")


def flat_items(name: str, value: object) -> Iterator[tuple[str, str]]:
    """One provenance entry as text: a mapping as "A=32,2=32" (so --shoe reads it), a nested one entry by entry."""
    if isinstance(value, Mapping) and any(isinstance(item, Mapping) for item in value.values()):
        for key, item in value.items():
            yield from flat_items(f"{name}_{key}", item)
    elif isinstance(value, Mapping):
        yield name, ",".join(f"{key}={cell(item)}" for key, item in value.items())
    else:
        yield name, cell(value)


def cell(value: object) -> str:
    """A value as text: empty where it is missing, a sequence with commas.

    >>> cell(None), cell(True), cell(2**70), cell([Fraction(1, 2), 0.1])
    ('', 'true', '1180591620717411303424', '1/2,0.1')
    """
    if value is None:
        return ""
    if isinstance(value, Formula):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ",".join(map(cell, value))
    return str(plain(value))
