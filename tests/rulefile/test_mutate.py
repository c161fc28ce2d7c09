"""Every cell of the drawing tables by name; a cell turned round is seen by its own test only, and in the counts."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from exact.errors import InputError
from exact.games import load
from exact.result import compute
from exact.rulefile.evaluate import evaluate
from exact.rulefile.game import Game
from exact.rulefile.mutate import Cell, cells, flip, with_cells
from exact.shoe import Shoe
from exact.trace import play
from tests.punto_banco import play as play_by_hand

GAME = load("baccarat")
CELLS = list(cells(GAME))
IDS = list(map(str, CELLS))


def draws(game: Game, cell: Cell) -> bool:
    """Whether the hand that the cell speaks of draws, where nobody has a natural."""
    player = cell.table == "player_draws"
    row = {"natural": False, "player_two" if player else "banker_two": cell.row, "p3": cell.column}
    step = next(step for step in game.steps if step.slots == (("p3",) if player else ("b3",)))
    assert step.when is not None
    return evaluate(step.when, row) is True


def should_draw(cell: Cell) -> bool:
    """The same by the plain ifs of the tests: a round of six values that reads the cell."""
    row, third = int(str(cell.row)), int(str(cell.column or 0))
    if cell.table == "player_draws":
        return play_by_hand((row, 0, 0, 0, 0, 0))[0] is not None
    player = 6 if cell.column is None else 0
    return play_by_hand((player, row, 0, 0, third, 0))[1] is not None


def test_the_tables_have_these_cells() -> None:
    """8 of the Player, 8 of the Banker after a stand, 80 after a draw: nothing is untested below."""
    assert Counter(cell.table for cell in CELLS) == {
        "player_draws": 8, "banker_after_stand": 8, "banker_after_draw": 80,
    }  # fmt: skip


@pytest.mark.parametrize("cell", CELLS, ids=IDS)
def test_cell(cell: Cell) -> None:
    assert draws(GAME, cell) is should_draw(cell)


@pytest.mark.parametrize("cell", CELLS, ids=IDS)
def test_a_flipped_cell_fails_exactly_its_own_test(cell: Cell) -> None:
    wrong = flip(GAME, cell)
    assert [str(other) for other in CELLS if draws(wrong, other) is not should_draw(other)] == [str(cell)]


@cache
def outcomes(game_of: Cell | None) -> tuple[int, ...]:
    game = GAME if game_of is None else flip(GAME, game_of)
    return tuple(outcome.ways for outcome in compute(game, Shoe.decks(1), []).all.outcomes)


@pytest.mark.parametrize("cell", CELLS, ids=IDS)
def test_a_flipped_cell_changes_the_counts(cell: Cell) -> None:
    assert sum(outcomes(cell)) == sum(outcomes(None))
    assert outcomes(cell) != outcomes(None)


def test_flipping_twice_is_the_game() -> None:
    cell = Cell("banker_after_draw", 6, 7)
    again = flip(flip(GAME, cell), cell)
    assert (again.steps, again.wagers, again.macros) == (GAME.steps, GAME.wagers, GAME.macros)
    assert [table.cells for table in again.tables] == [table.cells for table in GAME.tables]
    assert flip(GAME, cell).steps != GAME.steps


def test_a_flipped_table_is_printed_as_it_is_read() -> None:
    """The row 0-2 falls apart where one of its cells changes, and a trace says the word that decided."""
    wrong = flip(GAME, Cell("banker_after_draw", 1, 4))
    printed = next(table for table in wrong.tables if table.name == "banker_after_draw")
    assert printed.row_labels == ("0", "1", "2", "3", "4", "5", "6", "7")
    assert "".join(printed.words[1]) == "DDDDSDDDDD"
    assert "".join(printed.words[0]) == "D" * 10
    decided = play(wrong, ["2", "A", "K", "K", "4"]).played[3]
    assert decided.held is False
    assert decided.reason.cells[0].text() == "'Banker, the Player drew', row 1, column 4: S"
    alone = flip(GAME, Cell("player_draws", 5, None)).tables[0]
    assert (alone.column_labels, alone.words[5]) == (("",), ("stand",))


def test_several_cells_at_once() -> None:
    """Row 5 copied from row 6, a fault seen in public: it shows in 0.0090 of rounds of 8 decks."""
    six = {column: GAME.tables[2].cells[6, column] for column in range(10)}
    wrong = with_cells(GAME, "banker_after_draw", {(5, column): word for column, word in six.items()})
    changed = [cell for cell in CELLS if draws(wrong, cell) is not should_draw(cell)]
    assert list(map(str, changed)) == ["banker_after_draw[5][4]", "banker_after_draw[5][5]"]
    rounds = compute(
        GAME, Shoe.decks(8), [], given="NOT natural AND banker_two = 5 AND p3 IS NOT NULL AND p3 IN (4, 5)"
    )
    assert f"{rounds.all.ways / Shoe.decks(8).orders(6):.4f}" == "0.0090"


@pytest.mark.parametrize(
    ("table", "change", "reason"),
    [
        ("banker_after", {}, "baccarat has no table 'banker_after'; did you mean 'banker_after_draw'?"),
        ("player_draws", {(8, None): True}, "baccarat has no cell player_draws[8]"),
        ("banker_after_draw", {(3, 10): True}, "baccarat has no cell banker_after_draw[3][10]"),
        ("player_draws", {(5, None): "hit"}, "'hit' is no value of the table 'player_draws'"),
    ],
)
def test_changes_that_are_refused(table: str, change: dict[tuple[int, int | None], bool | str], reason: str) -> None:
    with pytest.raises(InputError) as error:
        with_cells(GAME, table, change)  # type: ignore[arg-type]
    assert str(error.value) == reason


def test_only_yes_and_no_can_be_flipped() -> None:
    with pytest.raises(InputError, match=r"baccarat has no cell player_draws\[9\] that says yes or no"):
        flip(GAME, Cell("player_draws", 9, None))
