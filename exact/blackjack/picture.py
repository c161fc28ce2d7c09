"""A strategy chart in colours: on a terminal, and as a picture."""

from __future__ import annotations

import re
from html import escape

from exact.blackjack.chart import CODE_NAMES
from exact.errors import InputError
from exact.output.layout import terminal
from exact.output.report import Report, Table

CHARTS = ("hard", "soft", "pairs")
COLOURS = {  # fill of a cell, and the nearest of a terminal's 256 colours
    "H": ("#f4a79d", 217),
    "S": ("#f7e08b", 222),
    "Dh": ("#9fd0f5", 117),
    "Ds": ("#7fb8e6", 110),
    "Rh": ("#d9d9d9", 252),
    "Rs": ("#c4c4c4", 250),
    "P": ("#a6dba0", 151),
    "F": ("#cbb3e0", 183),
}
CELL, LEFT, TOP, GAP = 34, 56, 26, 30  # sizes in pixels


def coloured(report: Report, digits: int) -> str:
    """The report as on a terminal, with the codes of its charts in colours."""
    charts = {table.title for table in report.tables if table.name in CHARTS}
    titles = {table.title for table in report.tables}
    lines, inside = [], False
    for line in terminal(report, digits, bold=True).split("\n"):
        plain = re.sub(r"\x1b\[\d*m", "", line)
        if plain in titles:
            inside = plain in charts
        lines.append(_paint(line) if inside and "\x1b" not in line else line)
    return "\n".join(lines)


def _paint(line: str) -> str:
    codes = "|".join(sorted(CODE_NAMES, key=len, reverse=True))
    return re.sub(rf"\b({codes})\b", lambda m: f"\x1b[30;48;5;{COLOURS[m[1]][1]}m{m[1]}\x1b[0m", line)


def svg(report: Report) -> str:
    """The charts of a report as an SVG picture, with its heading.

    Raises ``InputError`` if the report has no chart.
    """
    tables = [table for table in report.tables if table.name in CHARTS]
    if not tables:
        raise InputError("there is no chart to draw: the player never has a choice")
    parts, y = [], 20
    for line in report.heading:
        parts.append(f'<text x="10" y="{y}" font-size="12">{escape(line)}</text>')
        y += 17
    for table in tables:
        parts += _grid(table, y)
        y += TOP + CELL * (len(list(table)) + 1) + GAP
    width = max(LEFT + CELL * 10 + 20, 10 + 7 * max(map(len, report.heading), default=0))
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{y}" font-family="sans-serif">'
    return "\n".join([head, '<rect width="100%" height="100%" fill="white"/>', *parts, "</svg>"]) + "\n"


def _grid(table: Table, y: int) -> list[str]:
    heads = [column.name for column in table.columns]
    parts = [f'<text x="10" y="{y + 14}" font-size="14" font-weight="bold">{escape(table.title)}</text>']
    rows = [dict(zip(heads, ["", *heads[1:]], strict=True)), *table]
    for number, row in enumerate(rows):
        top = y + TOP + CELL * number
        parts.append(_text(10, top, str(row["hand"]), "start"))
        for place, head in enumerate(heads[1:]):
            left, code = LEFT + CELL * place, str(row[head])
            if code in COLOURS and number:
                box = f'x="{left}" y="{top}" width="{CELL}" height="{CELL}"'
                parts.append(f'<rect {box} fill="{COLOURS[code][0]}" stroke="white"/>')
            parts.append(_text(left + CELL // 2, top, code, "middle"))
    return parts


def _text(x: int, top: int, text: str, anchor: str) -> str:
    return f'<text x="{x}" y="{top + CELL // 2 + 5}" font-size="13" text-anchor="{anchor}">{escape(text)}</text>'


def picture(report: Report, suffix: str) -> bytes:
    """The charts as the bytes of an .svg or .png file.

    Raises ``InputError`` where a PNG is asked for and the optional package that draws it is missing.
    """
    drawn = svg(report)
    if suffix == ".svg":
        return drawn.encode()
    try:
        from vl_convert import svg_to_png
    except ImportError:
        raise InputError('a PNG needs the optional charts: pip install "exact-shoe[charts]", or write .svg') from None
    png: bytes = svg_to_png(drawn, scale=2)
    return png
