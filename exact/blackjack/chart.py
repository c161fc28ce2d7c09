"""A strategy chart as people print it: by hard total, soft total or pair against the up card, with codes for actions.

A code is an order of wishes: ``Dh`` doubles where that is allowed and else hits, ``Rs`` surrenders or else stands,
``P`` splits. A pair without a code is played by its total, and so is every pair after a split.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from exact.blackjack.cards import RANKS, RankShoe
from exact.blackjack.hands import Hands
from exact.blackjack.player import Action, Choices, allowed_on, decisions, natural_rows, pair_rows
from exact.blackjack.rules import Rules
from exact.blackjack.solve import Solution, play_game
from exact.blackjack.table import Table, tables
from exact.errors import InputError

UPS = (*range(1, 10), 0)  # up cards as charts order them: 2 to 10, ace
HARD_TOTALS = tuple(range(4, 22))
SOFT_TOTALS = tuple(range(12, 22))

# The wishes of each code, in order; what is never refused (a stand) ends each.
CODES: Mapping[str, tuple[Action, ...]] = {
    "S": (Action.STAND, Action.HIT),
    "H": (Action.HIT, Action.STAND),
    "Dh": (Action.DOUBLE, Action.HIT, Action.STAND),
    "Ds": (Action.DOUBLE, Action.STAND, Action.HIT),
    "Rh": (Action.SURRENDER, Action.HIT, Action.STAND),
    "Rs": (Action.SURRENDER, Action.STAND, Action.HIT),
    "P": (Action.SPLIT,),
    "F": (Action.FOLD,),
}
CODE_NAMES = tuple(CODES)
OTHER_SPELLINGS = {"D": "Dh", "DD": "Dh", "R": "Rh", "SP": "P", "Y": "P"}

Key = tuple[str, int]  # ("hard", 16), ("soft", 18), ("pair", 8 as the index 7)
KEYS: tuple[Key, ...] = (
    *(("hard", total) for total in HARD_TOTALS),
    *(("soft", total) for total in SOFT_TOTALS),
    *(("pair", rank) for rank in range(10)),
)
INDEX = {key: index for index, key in enumerate(KEYS)}
NO_CODE = -1


@dataclass(frozen=True, slots=True, eq=False)
class Chart:
    """A chart: for each of ``KEYS`` and up card the index of a code in ``CODE_NAMES``, or ``NO_CODE``."""

    cells: NDArray[np.int8]

    @classmethod
    def of(cls, codes: Mapping[tuple[str, int, int], str]) -> Chart:
        """A chart of codes by kind, total or pair rank, and up card."""
        cells = np.full((len(KEYS), 10), NO_CODE, dtype=np.int8)
        for (kind, row, up), code in codes.items():
            cells[INDEX[kind, row], up] = CODE_NAMES.index(code)
        return cls(cells)

    def code(self, kind: str, row: int, up: int) -> str:
        """The code of a cell, or the empty text."""
        code = int(self.cells[INDEX[kind, row], up])
        return "" if code == NO_CODE else CODE_NAMES[code]

    def replaced(self, changes: Iterable[tuple[int, int, int]]) -> Chart:
        """The chart with cells (index in ``KEYS``, up card, code) changed."""
        cells = self.cells.copy()
        for key, up, code in changes:
            cells[key, up] = code
        return Chart(cells)


def key_text(key: Key) -> str:
    """A row of a chart in words.

    >>> key_text(("soft", 18)), key_text(("pair", 7))
    ('soft 18', '8,8')
    """
    kind, row = key
    return f"{RANKS[row]},{RANKS[row]}" if kind == "pair" else f"{kind} {row}"


def rows_of(hands: Hands) -> NDArray[np.int64]:
    """For each hand the index in ``KEYS`` of its total."""
    hard = hands.total - HARD_TOTALS[0] + INDEX["hard", HARD_TOTALS[0]]
    soft = hands.total - SOFT_TOTALS[0] + INDEX["soft", SOFT_TOTALS[0]]
    return np.where(hands.soft, soft, np.maximum(hard, 0))


def code_cells(chart: Chart, table: Table) -> Choices:
    """The code that the chart gives every hand and up card of a table."""
    codes = chart.cells[rows_of(table.hands)]
    if table.other is None:
        for row, pair in _pairs(table):
            own = chart.cells[INDEX["pair", pair]]
            codes[row] = np.where(own == NO_CODE, codes[row], own)
    return codes


def _pairs(table: Table) -> Iterator[tuple[int, int]]:
    """The row and the rank of each pair."""
    for row in np.flatnonzero(pair_rows(table, range(10))):
        yield int(row), int(table.hands.cards[row].argmax())


def actions(chart: Chart, table: Table, rules: Rules) -> Choices:
    """The action that the chart means in every cell: the first of its code's wishes that the rules allow there."""
    codes, allowed = code_cells(chart, table), allowed_on(table, rules)
    chosen = np.zeros(codes.shape, dtype=np.int8)
    for index, wishes in enumerate(CODES.values()):
        asked = codes == index
        for action in reversed(wishes):
            chosen[asked & allowed[action]] = action
    chosen[table.hands.size == 1] = np.where(allowed[Action.HIT], Action.HIT, Action.STAND)[table.hands.size == 1]
    chosen[natural_rows(table)] = Action.STAND
    return chosen


def evaluate(chart: Chart, shoe: RankShoe, rules: Rules, strategy: str) -> Solution:
    """A game played exactly as a chart says, which must have passed ``refuse_gaps``."""
    return play_game(shoe, rules, strategy, policy=lambda table: actions(chart, table, rules))


def refuse_gaps(chart: Chart, shoe: RankShoe, rules: Rules, source: str) -> None:
    """Refuses a chart that says nothing about a hand it will meet, or asks for what the rules never allow.

    Raises ``InputError`` naming the first such cell.
    """
    codes_of_split = chart.cells == CODE_NAMES.index("P")
    splits = [pair for pair in rules.split_pairs if codes_of_split[INDEX["pair", pair]].any()]
    splits = [pair for pair in splits if shoe.infinite or shoe.counts[pair] >= 2]
    met = np.zeros((len(KEYS), 10), dtype=np.bool_)
    possible = {action: met.copy() for action in Action}
    for table in tables(shoe, rules.soft17 == "hit", [None, *splits]).values():
        allowed, keys = allowed_on(table, rules), key_cells(chart, table, rules)
        decides = decisions(table, allowed)
        np.logical_or.at(met, (keys, np.arange(10)), decides)
        for action, cells in allowed.items():
            np.logical_or.at(possible[action], (keys, np.arange(10)), decides & cells)
    for key, up in np.argwhere(met):
        _refuse(chart, int(key), int(up), [action for action in Action if possible[action][key, up]], source)


def _refuse(chart: Chart, key: int, up: int, possible: list[Action], source: str) -> None:
    place = f"{key_text(KEYS[key])} against {RANKS[up]}"
    name = chart.code(*KEYS[key], up)
    if not name:
        raise InputError(f"{source}: the chart has no entry for {place}")
    if CODES[name][0] not in possible:
        known = " or ".join(code for code, wishes in CODES.items() if wishes[0] in possible)
        raise InputError(f"{source}: {name} for {place} is never possible under these rules; write {known}")


def key_cells(chart: Chart, table: Table, rules: Rules) -> NDArray[np.int64]:
    """For each hand and up card the index in ``KEYS`` of the cell that decides it."""
    keys = np.broadcast_to(rows_of(table.hands)[:, None], (len(table.hands), 10)).copy()
    if table.other is None:
        for row, pair in _pairs(table):
            forced = rules.split_or_fold and pair in rules.split_pairs
            own = (chart.cells[INDEX["pair", pair]] != NO_CODE) | forced
            keys[row] = np.where(own, INDEX["pair", pair], keys[row])
    return keys
