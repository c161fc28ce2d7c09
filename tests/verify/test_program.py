"""Programs under test: every kind of fault met in public code is caught, at the smallest input; broken programs are
reported.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import engines
import pytest
from click.testing import CliRunner

from exact.cli import main
from exact.errors import InputError
from exact.games import load
from exact.result import compute
from exact.rulefile.mutate import Cell, flip
from exact.shoe import Shoe
from exact.verify.process import ProcessProgram
from exact.verify.program import Verdict, verify_program
from exact.verify.protocol import Capabilities, PythonProgram
from exact.verify.vectorfile import rounds_of

HERE = Path(__file__).parent
GAME = load("baccarat")
RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]


def test_right_engine_passes_the_vectors() -> None:
    verdict = verify_program(GAME, PythonProgram(engines.right), rounds_of(GAME, None))
    assert verdict.asked == 102
    assert not verdict.faults


def smallest(engine: engines.Engine) -> tuple[str, ...]:
    """The first wrong input by a plain loop over five cards and both extremes."""
    for prefix in product(RANKS, repeat=5):
        for last in ("9", "10"):
            cards = (*prefix, last)
            if engine(cards) != engines.right(cards):
                return cards
    raise AssertionError


# How the fault looks at its smallest input, and the cell that decides there.
SMALLEST = {
    "ten_is_ten": ("A A A 3 10 9", "drew", "row 4, column 0: S"),
    "players_total": ("A A A 2 6 9", "stood", "row 3, column 6: D"),
    "always_true": ("A A A 4 A 9", "drew", "row 5, column 1: S"),
    "retested_natural": ("A A A A 6 9", "stood", "row 0-2, column 6: D"),
    "falls_through": ("A A A 2 8 9", "drew", "row 3, column 8: S"),
    "copied_row": ("A A A 4 4 9", "stood", "row 5, column 4: D"),
    "half_open": ("A A A 3 7 9", "stood", "row 4, column 7: D"),
    "draws_twice": ("A A 5 A A 9", "drew", "'Banker, the Player stood', row 0-5: draw"),
    "sixth_place": ("A A 5 A A 9", "wrong card dealt", ""),
}


@pytest.mark.parametrize("name", engines.FAULTY)
def test_every_kind_is_caught_at_its_smallest_input(name: str) -> None:
    engine = engines.FAULTY[name]
    cards, fault, rule = SMALLEST[name]
    found = verify_program(GAME, PythonProgram(engine), first=True).faults[0]
    assert " ".join(found.cards) == cards == " ".join(smallest(engine))
    assert found.fault == fault
    assert found.rule.endswith(rule)


@pytest.mark.parametrize("name", engines.FAULTY)
def test_the_vectors_catch_every_kind(name: str) -> None:
    assert verify_program(GAME, PythonProgram(engines.FAULTY[name]), rounds_of(GAME, None)).faults


def test_probability_and_edges_of_a_fault_are_those_of_the_mutant() -> None:
    """Over a small deck, where every round is asked: the share of rounds and the edges come from the game itself."""
    deck = load(str(HERE / "short.toml"))
    wrong = flip(deck, Cell("banker_after_draw", 1, 2))

    def play(cards: Sequence[str]) -> dict[str, object]:
        return play_short(cards, wrong)

    verdict = verify_program(deck, PythonProgram(play))
    shoe = Shoe.decks(8, deck.deck)
    reached = compute(deck, shoe, (), "banker_two = 1 AND p3 IS NOT NULL AND p3 = 2").total
    assert verdict.shows == Fraction(reached, shoe.orders(6))
    for wager, (seen, right) in verdict.edges.items():
        assert seen == compute(wrong, shoe).all.wager(wager).edge
        assert right == compute(deck, shoe).all.wager(wager).edge


def play_short(cards: Sequence[str], game: object) -> dict[str, object]:
    from exact.trace import play

    trace = play(game, cards, ())  # type: ignore[arg-type]
    dealt = {slot: card for step in trace.played for slot, card in step.cards}
    return {
        "player": [dealt[s] for s in ("p1", "p2", "p3") if s in dealt],
        "banker": [dealt[s] for s in ("b1", "b2", "b3") if s in dealt],
        "outcome": trace.outcome,
    }


@pytest.mark.parametrize(
    ("engine", "wager", "expected"),
    [
        (engines.pair_only_at_two_cards, "player-pair", "returns 12"),
        (engines.whole_units, "banker", "returns 1.95"),
        (engines.natural_tie_loses, "dragon-bonus-player", "returns 1"),
    ],
)
def test_settlement_faults(engine: engines.Engine, wager: str, expected: str) -> None:
    verdict = verify_program(GAME, PythonProgram(engine), [("A", "A", "4", "A", "3", "5")])
    assert [fault.fault for fault in verdict.faults] == ["wrong settlement"]
    assert verdict.faults[0].expected.startswith(wager)
    assert expected in verdict.faults[0].expected


@pytest.mark.parametrize("engine", [engines.settles, engines.dragon_bonus])
def test_right_settlement(engine: engines.Engine) -> None:
    verdict = verify_program(GAME, PythonProgram(engine), [("A", "A", "4", "A", "3", "5")])
    assert not verdict.faults
    assert verdict.asked > 1


def test_capabilities_of_values_slots_and_orders() -> None:
    def by_slot(cards: dict[str, int]) -> dict[str, object]:
        ranks = {value: rank for rank, value in reversed(engines.VALUES.items())}
        named = [ranks[cards[slot]] for slot in ("p1", "b1", "p2", "b2", "p3", "b3")]
        made = engines.right(named)
        if len(made["player"]) == 2 and len(made["banker"]) == 3:  # with slots the Banker's card is its own
            made = engines.answer(made["player"], [*made["banker"][:2], named[5]])
        return {"player": len(made["player"]), "banker": len(made["banker"]), "outcome": made["outcome"]}

    by_slot.capabilities = {"cards": "value", "deal": "slots"}  # type: ignore[attr-defined]
    assert not verify_program(GAME, PythonProgram(by_slot), rounds_of(GAME, None)).faults


def test_a_function_of_one_table() -> None:
    def draws(row: int, column: int) -> dict[str, bool]:
        return {"answer": engines.tableau(row, column, 0) != ((row, column) == (3, 9))}

    draws.capabilities = {"verb": "table", "table": "banker_after_draw"}  # type: ignore[attr-defined]
    verdict = verify_program(GAME, PythonProgram(draws))
    assert [(f.fault, f.rule) for f in verdict.faults] == [("wrong cell", "'Banker, the Player drew', row 3, column 9")]


def run(script: str, timeout: float = 20.0) -> Verdict:
    program = ProcessProgram([sys.executable, "-c", script], timeout)
    try:
        return verify_program(GAME, program, [("A", "A", "A", "A", "A", "A")] * 3)
    finally:
        program.stop()


START = "import sys, json, time\nprint('{}', flush=True)\nnext(sys.stdin)\n"
BROKEN = {
    "hangs": (START + "time.sleep(60)", "does not answer within 0.5 s"),
    "dies": (START + "next(sys.stdin)\nsys.exit(3)", "dies with exit code 3"),
    "killed": (START + "import os\nos.kill(os.getpid(), 9)", "dies by signal SIGKILL"),
    "garbage": (
        START + "print('hello', flush=True)\nfor line in sys.stdin: pass",
        "answered 'hello', which is no object",
    ),
    "floods": (START + "while True: sys.stdout.write('x' * 100000)", "floods stdout"),
    "wrong id": (
        START + "print(json.dumps({'id': 9}), flush=True)\nfor line in sys.stdin: pass",
        "answered request 9 when 1",
    ),
    "real-time signal": (START + "import os\nos.kill(os.getpid(), 35)", "dies by signal 35"),
    "closes stdout": (
        START + "import os\nos.close(1)\ntime.sleep(60)",
        "closes stdout and does not end within 0.5 s",
    ),
    "traceback": (START + "raise RuntimeError('no shoe')", "its last words: RuntimeError: no shoe"),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_broken_programs_are_reported_at_the_input(kind: str) -> None:
    script, expected = BROKEN[kind]
    verdict = run(script, 0.5 if kind in ("hangs", "closes stdout") else 20.0)
    assert expected in (verdict.broken or "")
    assert verdict.broken_at == ("A",) * 6


def test_programs_that_do_not_start() -> None:
    with pytest.raises(InputError, match="cannot start"):
        ProcessProgram(["./no-such-program"], 1)
    with pytest.raises(InputError, match="does not start: it dies with exit code 1"):
        run("raise SystemExit(1)")
    with pytest.raises(InputError, match="asks for cards as 'runes'"):
        run("print('{\"cards\": \"runes\"}', flush=True)\nfor line in __import__('sys').stdin: pass")


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"order": 5}, "the dealing order 5"),
        ({"bets": "yes"}, "bets 'yes'"),
        ({"bets": ["dragon-bonus"]}, "no wager 'dragon-bonus'"),
    ],
)
def test_capabilities_that_are_none(said: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Capabilities.read(GAME, said)


@pytest.mark.parametrize("hand", [None, 2.0, True, "A 4", {"a": 1}])
def test_hands_that_are_none(hand: object) -> None:
    verdict = verify_program(GAME, PythonProgram(lambda cards: engines.right(cards) | {"player": hand}), [("A",) * 6])
    assert [fault.fault for fault in verdict.faults] == ["no hand"]


def test_a_program_that_skips_everything_is_not_right() -> None:
    with pytest.raises(InputError, match="skipped all 1 rounds"):
        verify_program(GAME, PythonProgram(lambda cards: {"skipped": "busy"}), [("A",) * 6])


def adapters() -> Iterator[tuple[list[str], int]]:
    yield [sys.executable, str(HERE / "adapter.py"), "right"], 0
    yield [sys.executable, str(HERE / "adapter.py"), "falls_through"], 1
    if shutil.which("node"):  # the JavaScript adapter needs node
        yield ["node", str(HERE / "adapter.js")], 0
        yield ["node", str(HERE / "adapter.js"), "faulty"], 1


@pytest.mark.parametrize(("adapter", "code"), list(adapters()))
def test_adapters_at_the_command_line(adapter: list[str], code: int) -> None:
    result = CliRunner().invoke(main, ["verify", "program", "--quick", "--format", "json", "--", *adapter])
    assert result.exit_code == code, result.output
    assert json.loads(result.stdout)["asked"] == 102


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "say what is tested"),
        (["--python", "engines"], "write MODULE:FUNCTION"),
        (["--python", "no_such_module:play"], "No module named"),
        (["--python", "engines:play", "--vectors", "nowhere.json"], "nowhere.json: cannot be read"),
    ],
)
def test_refusals(arguments: list[str], message: str) -> None:
    result = CliRunner().invoke(main, ["verify", "program", *arguments])
    assert result.exit_code == 2
    assert message in result.stderr
