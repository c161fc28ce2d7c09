"""The formats for people: aligned text, markdown, latex and html; the tables of a report one after another."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from html import escape

from exact.output.report import Column, Formula, Report, Row, Table, cell, decimal_text, flat_items, fraction_text

Grid = tuple[list[str], list[bool], list[list[str]]]  # headers, whether a column is numeric, lines of cells


def grid(table: Table, digits: int) -> Grid:
    """What people see of a table: an exact column is its fraction, its decimal of ``digits`` places, or both."""
    headers, numeric = [], []
    for column in table.columns:
        titles = _titles(column)
        headers += titles
        numeric += [column.kind not in ("text", "boolean")] * len(titles)
    return (
        headers,
        numeric,
        [[text for column in table.columns for text in _texts(column, row, digits)] for row in table],
    )


def _titles(column: Column) -> list[str]:
    title = column.title or column.name.replace("_", " ")
    return [title, "value"] if column.kind == "exact" and column.shown == "both" else [title]


def _texts(column: Column, row: Row, digits: int) -> list[str]:
    value = row.get(column.name)
    if column.kind == "exact" and isinstance(value, Fraction | int):
        texts = {"fraction": [fraction_text(value)], "value": [decimal_text(value, digits)]}
        return texts.get(column.shown, texts["fraction"] + texts["value"])
    if column.kind == "number" and isinstance(value, float | int):
        return [decimal_text(value, digits)]
    return [cell(value)] * len(_titles(column))


def provenance_lines(report: Report) -> list[tuple[str, str]]:
    """What produced the report, by name; what was not given (a condition, say) is left out."""
    pairs = [pair for name, value in report.provenance.items() for pair in flat_items(name, value)]
    return [(name.replace("_", " "), text) for name, text in pairs if text]


def terminal(report: Report, digits: int, bold: bool = False) -> str:
    """Aligned columns, numbers to the right, as wide as the values are; ``bold`` marks headings for a terminal."""
    mark: Callable[[str], str] = (lambda line: f"\x1b[1m{line}\x1b[0m") if bold else (lambda line: line)
    blocks = [[mark(line) for line in report.heading]] if report.heading else []
    for table in report.tables:
        headers, numeric, lines = grid(table, digits)
        widths = [max(map(len, column)) for column in zip(headers, *lines, strict=True)]
        aligned = [
            "  ".join(
                text.rjust(width) if right else text.ljust(width)
                for text, width, right in zip(line, widths, numeric, strict=True)
            )
            for line in (headers, ["-" * width for width in widths], *lines)
        ]
        title = [mark(table.title)] if table.title else []
        blocks.append([*title, *(line.rstrip() for line in aligned)])
    blocks.append([f"{name}: {text}" for name, text in provenance_lines(report)])
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"


def markdown(report: Report, digits: int) -> str:
    """Tables with pipes, as most renderers read them."""

    def line(cells: list[str]) -> str:
        return f"| {' | '.join(cells)} |"

    blocks = [escaped(text, MARKDOWN) for text in report.heading]
    for table in report.tables:
        headers, numeric, lines = grid(table, digits)
        if table.title:
            blocks.append(f"**{escaped(table.title, MARKDOWN)}**")
        rule = line(["---:" if right else ":---" for right in numeric])
        rows = [line([escaped(text, MARKDOWN) for text in cells]) for cells in (headers, *lines)]
        blocks.append("\n".join([rows[0], rule, *rows[1:]]))
    blocks.append("\n".join(f"- {escaped(f'{name}: {text}', MARKDOWN)}" for name, text in provenance_lines(report)))
    return "\n\n".join(block for block in blocks if block) + "\n"


def latex(report: Report, digits: int) -> str:
    r"""A fragment to be read with \input: one tabular a table, no package needed."""
    blocks = [escaped(text, LATEX) for text in report.heading]
    for table in report.tables:
        headers, numeric, lines = grid(table, digits)
        rows = [" & ".join(map(_latex_cell, cells)) + r" \\" for cells in (headers, *lines)]
        begin = rf"\begin{{tabular}}{{{''.join('r' if right else 'l' for right in numeric)}}}"
        title = [rf"\textbf{{{escaped(table.title, LATEX)}}}", ""] if table.title else []
        blocks.append("\n".join([*title, begin, r"\hline", rows[0], r"\hline", *rows[1:], r"\hline", r"\end{tabular}"]))
    blocks.append("\n".join(escaped(f"{name}: {text}", LATEX) + r"\par" for name, text in provenance_lines(report)))
    return "\n\n".join(block for block in blocks if block) + "\n"


def _latex_cell(text: str) -> str:
    return f"${text.latex}$" if isinstance(text, Formula) else escaped(text, LATEX)


def html(report: Report, digits: int) -> str:
    """A whole page that needs nothing else."""
    body = [f"<p>{escape(text)}</p>" for text in report.heading]
    for table in report.tables:
        headers, numeric, lines = grid(table, digits)
        body.append("<table>")
        body += [f"<caption>{escape(table.title)}</caption>"] if table.title else []
        body.append("<thead>" + _html_row(headers, numeric, "th") + "</thead>")
        body += ["<tbody>", *(_html_row(line, numeric, "td") for line in lines), "</tbody>", "</table>"]
    pairs = [f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in provenance_lines(report)]
    body += ["<dl>", *pairs, "</dl>"] if pairs else []
    title = escape(next(iter(report.heading), "exact"))
    style = "table{border-collapse:collapse}th,td{padding:.2em .6em;text-align:left}.n{text-align:right}"
    head = f'<head><meta charset="utf-8"><title>{title}</title><style>{style}</style></head>'
    return "\n".join(["<!DOCTYPE html>", '<html lang="en">', head, "<body>", *body, "</body>", "</html>"]) + "\n"


def _html_row(cells: list[str], numeric: list[bool], tag: str) -> str:
    number = ' class="n"'
    return (
        "<tr>"
        + "".join(
            f"<{tag}{number if right else ''}>{escape(text)}</{tag}>"
            for text, right in zip(cells, numeric, strict=True)
        )
        + "</tr>"
    )


MARKDOWN = {character: f"\\{character}" for character in "\\`*_[]<>|~$#"} | {"&": "&amp;", "\n": " "}
LATEX = {character: f"\\{character}" for character in "&%$#_{}"} | {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "\n": " ",
    "♠": r"$\spadesuit$",
    "♥": r"$\heartsuit$",
    "♦": r"$\diamondsuit$",
    "♣": r"$\clubsuit$",
}


def escaped(text: str, signs: Mapping[str, str]) -> str:
    """The text with each sign that means something in the format replaced.

    >>> escaped("win | lose 5%", MARKDOWN), escaped("win | lose 5%", LATEX)
    ('win \\\\| lose 5%', 'win \\\\textbar{} lose 5\\\\%')
    """
    return "".join(signs.get(character, character) for character in text)
