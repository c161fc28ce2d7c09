"""One round with reasons: equal to the twin on any cards, the deciding cell named, too few and too many cards told."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exact.errors import InputError
from exact.games import load
from exact.shoe import FRENCH
from exact.trace import Trace, play
from tests.punto_banco import play_cards

BACCARAT = load("baccarat")
CARD = st.sampled_from(["".join(card) for card in FRENCH.cards])


def cards(text: str) -> list[str]:
    return text.split()


@given(st.lists(CARD, min_size=6, max_size=6))
def test_a_round_is_the_one_that_the_twin_plays(six: list[str]) -> None:
    trace, twin = play(BACCARAT, six), play_cards(six)
    assert {column: trace.row[column] for column in twin} == twin
    dealt = [card for played in trace.played for _, card in played.cards]
    assert [*dealt, *trace.unused] == six
    assert len(dealt) == twin["player_cards"] + twin["banker_cards"]


@pytest.mark.parametrize(("banker", "third"), list(product(range(8), range(10))))
def test_every_cell_of_the_third_card_table_is_named_as_it_is_printed(banker: int, third: int) -> None:
    """The Player holds 2 + 3, so that a third card is drawn."""
    card = {0: "K", 1: "A"}.get(third, str(third))
    second = {0: "K", 1: "A"}.get(banker, str(banker))
    trace = play(BACCARAT, ["2", "K", "3", second, card, "A"])
    (played,) = (p for p in trace.played if p.step.name == "banker draws")
    (cell,) = played.reason.cells
    word = BACCARAT.tables[2].words[max(0, banker - 2)][third]
    row = "0-2" if banker <= 2 else str(banker)
    assert (cell.table, cell.row, cell.column, cell.word) == ("banker_after_draw", row, str(third), word)
    assert played.held is (word == "D")


def test_a_reason_stops_where_the_condition_is_decided() -> None:
    natural, stood = play(BACCARAT, cards("9 2 K 3")), play(BACCARAT, cards("K K 7 5 9"))
    assert [p.reason.text() for p in natural.played if p.held is False] == ["natural = true", "natural = true"]
    assert [p.reason.text() for p in stood.played if p.held is not None] == [
        "natural = false; player_two = 7; 'Player', row 6-7: stand",
        "natural = false; p3 = none; banker_two = 5; 'Banker, the Player stood', row 0-5: draw",
    ]


REACH = [("A", "b1", ()), ("A A 4 A", "p3", ()), ("A A 4 A 3", "b3", ()), ("9 9 K K 2 3", None, ("2", "3"))]


@pytest.mark.parametrize(("text", "wants", "unused"), REACH)
def test_a_round_is_told_as_far_as_the_cards_reach(text: str, wants: str | None, unused: tuple[str, ...]) -> None:
    trace = play(BACCARAT, cards(text))
    assert (trace.wants, trace.unused) == (wants, unused)
    assert (trace.outcome is None) is (wants is not None)
    with pytest.raises(InputError, match=r"^too (few|many) cards: "):
        trace.complete()


def test_a_table_without_the_cell_that_is_asked_for(tmp_path: Path) -> None:
    (tmp_path / "g.toml").write_text(
        'cards.ranks = "1-3"\ncards.suits = "S"\nattribute.value.rank = { 1 = 1, 2 = 2, 3 = 3 }\n'
        '[table.t]\nrow = "a"\nwords = { D = true }\ncells.1 = "D"\n'
        '[[step]]\ndeal = "a"\n[[step]]\nname = "more"\ndraw = "b"\nwhen = "t"\n'
        "[[step]]\nlet.outcome = \"CASE WHEN b IS NULL THEN 'one' ELSE 'two' END\"\n"
    )
    game = load(str(tmp_path / "g.toml"))
    assert play(game, ["1", "3"]).complete().outcome == "two"
    message = r"^g\.toml: step 'more'\.when: 't' is NULL for a = 2; 't', row 2: no such cell$"
    with pytest.raises(InputError, match=message):
        play(game, ["2"])


def settled(trace: Trace) -> dict[str, Fraction | None]:
    return {one.wager.name: one.net for one in trace.settled}


def test_wagers_are_settled_by_the_first_line_that_holds() -> None:
    options = {"commission": "1/25", "tie_odds": "9"}
    banker = play(load("baccarat", options), cards("2 9 2 K 5 7"))
    assert settled(banker) == {
        "player": -1, "banker": Fraction(24, 25), "tie": -1, "player-pair": 11, "banker-pair": -1
    }  # fmt: skip
    tie = play(load("baccarat", options), cards("9 9 K Q"))
    assert settled(tie) == {"player": 0, "banker": 0, "tie": 9, "player-pair": -1, "banker-pair": -1}


def test_a_pair_stays_a_pair_when_a_third_card_is_drawn() -> None:
    assert settled(play(BACCARAT, cards("A 4 A 3 K")).complete())["player-pair"] == 11


def test_suits_are_needed_only_by_what_looks_at_them() -> None:
    perfect = [BACCARAT.wager("perfect-player-pair"), BACCARAT.wager("player-pair")]
    without, with_suits = play(BACCARAT, cards("9 2 9 3"), perfect), play(BACCARAT, cards("9H 2 9H 3"), perfect)
    assert settled(without) == {"perfect-player-pair": None, "player-pair": 11}
    assert without.settled[0].missing == ("p1_suit", "p2_suit")
    assert settled(with_suits) == {"perfect-player-pair": 25, "player-pair": 11}
