"""The chart in colours: the text is the same, every code is painted, the picture has a cell for each code."""

import re

import pytest

from exact.blackjack.chart import CODE_NAMES
from exact.blackjack.picture import COLOURS, coloured, svg
from exact.errors import InputError
from exact.output.layout import terminal
from exact.output.report import Report
from exact.shoefile import ShoeRequest
from exact.solvers import Question, choosing


@pytest.fixture(scope="module")
def report():
    return choosing("blackjack").strategy(Question("blackjack", ShoeRequest(decks="1")), 3)


def codes(report):
    tables = [table for table in report.tables if table.name in ("hard", "soft", "pairs")]
    return [row[c.name] for table in tables for row in table for c in table.columns[1:] if row[c.name]]


def test_colours_change_no_character(report):
    painted = coloured(report, 8)
    plain = re.sub(r"\x1b\[[\d;]*m", "", painted)
    assert plain == re.sub(r"\x1b\[\d*m", "", terminal(report, 8, bold=True))
    assert len(re.findall(r"\x1b\[30;48;5;\d+m", painted)) == len(codes(report))


def test_every_code_has_its_colour():
    assert set(COLOURS) == set(CODE_NAMES)
    assert (
        len({fill for fill, _ in COLOURS.values()})
        == len({number for _, number in COLOURS.values()})
        == len(CODE_NAMES)
    )


def test_the_picture_has_a_cell_for_each_code(report):
    drawn = svg(report)
    fills = re.findall(r'<rect x="\d+" y="\d+" width="\d+" height="\d+" fill="(#\w+)"', drawn)
    assert fills == [COLOURS[code][0] for code in codes(report)]
    assert drawn.startswith("<svg ")
    assert drawn.endswith("</svg>\n")


def test_no_chart_no_picture():
    with pytest.raises(InputError, match="there is no chart to draw"):
        svg(Report({}, ()))
