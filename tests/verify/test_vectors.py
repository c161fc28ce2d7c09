"""Conformance vectors: current, small, and catching every single change of the rules that any round shows."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import engines
import pytest
from click.testing import CliRunner

from exact.cli import main
from exact.games import GAMES, load
from exact.trace import play
from exact.verify.log import LogRequest, replay_log
from exact.verify.mutants import mutants
from exact.verify.oracle import Oracle
from exact.verify.vectorfile import rendered, schema
from exact.verify.vectors import SCHEMA, differing, document, exhaustive

FOLDER = Path(__file__).parents[2] / "data" / "vectors"
FILES = sorted(path.stem for path in FOLDER.glob("*.json") if path.name != SCHEMA)


def read(game: str) -> dict:  # type: ignore[type-arg]
    return json.loads((FOLDER / f"{game}.json").read_text(encoding="utf-8"))


def test_every_game_has_vectors() -> None:
    assert sorted(GAMES) == FILES
    assert (FOLDER / SCHEMA).read_text(encoding="utf-8") == rendered(schema())


@pytest.mark.parametrize("name", FILES)
def test_vectors_are_for_these_rules_and_complete(name: str) -> None:
    found = read(name)
    assert set(found) == set(schema()["required"])
    assert 5 <= len(found["smoke"]) <= 15
    assert len(found["table"]) <= 120


@pytest.mark.parametrize("name", FILES)
def test_vectors_hold(name: str) -> None:
    game, found = load(name), read(name)
    for vector in (*found["smoke"], *found["table"]):
        trace = play(game, vector["cards"], ())
        dealt = {slot: card for step in trace.played for slot, card in step.cards}
        assert vector["expected"]["player"] == [dealt[s] for s in ("p1", "p2", "p3") if s in dealt]
        assert vector["expected"]["banker"] == [dealt[s] for s in ("b1", "b2", "b3") if s in dealt]
        assert vector["expected"]["outcome"] == trace.outcome
        assert vector["used"] == len(dealt)
    for vector in found["settlement"]:
        (settled,) = play(game, vector["cards"], [game.wager(vector["wager"])]).settled
        assert settled.net == Fraction(vector["odds"])
        assert Fraction(vector["returned"]["25"]) == 25 * (1 + settled.net)


@pytest.mark.parametrize("name", FILES)
def test_every_line_of_every_wager_is_among_them(name: str) -> None:
    game, found = load(name), read(name)
    lines = {(v["wager"], v["line"]) for v in found["settlement"]}
    for wager in game.wagers:
        assert any(w == wager.name for w, _ in lines), wager.name


@pytest.mark.parametrize("name", FILES)
def test_every_change_is_caught(name: str) -> None:
    """Proved by mutation: each flipped cell, changed number and operator is seen by a vector, but for the silent ones
    named.
    """
    game, found = load(name), read(name)
    oracle = Oracle(game)
    rounds = oracle.frame([vector["cards"] for vector in found["table"]])
    right = oracle.play(rounds)
    missed = [mutant.name for mutant in mutants(game) if not differing(oracle, right, mutant.game, rounds).any()]
    assert missed == found["silent"]


@pytest.mark.parametrize("name", [name for name in FILES if name != "multicolour-baccarat"])
def test_the_files_are_made_anew_as_they_stand(name: str) -> None:
    """Whole, byte by byte. Multi-colour baccarat has 22 kinds of cards and takes half a minute: it is held to its rules
    by the tests above.
    """
    assert rendered(document(load(name))) == (FOLDER / f"{name}.json").read_text(encoding="utf-8")


def test_the_exhaustive_set_is_what_its_text_says() -> None:
    """The SHA-256 of 742,586 lines made by a straight-line engine."""
    import hashlib
    from itertools import product

    ranks = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
    digest = hashlib.sha256()
    for prefix in product(ranks, repeat=5):
        for last in ("9", "10"):
            made = engines.right([*prefix, last])
            line = (
                f"{' '.join(prefix)} {last}|{' '.join(made['player'])}|{' '.join(made['banker'])}|{made['outcome']}\n"
            )
            digest.update(line.encode())
    assert digest.hexdigest() == read("baccarat")["exhaustive"]["sha256"] == exhaustive(load("baccarat"))["sha256"]


@pytest.mark.parametrize("name", FILES)
def test_a_log_checker_rejects_the_invalid_rounds(name: str, tmp_path: Path) -> None:
    game = load(name)
    for vector in read(name)["invalid"]:
        path = tmp_path / "log.jsonl"
        path.write_text(json.dumps(vector["round"]) + "\n")
        answer = replay_log(game, [str(path)], LogRequest(cards="ranks"))
        assert [what.fault for what in answer.findings.found] == [vector["finding"]], vector


def test_the_command_writes_file_and_schema(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["vectors", str(Path(__file__).parent / "short.toml"), "-o", str(tmp_path)])
    assert result.exit_code == 0, result.output
    made = json.loads((tmp_path / "short.json").read_text())
    assert made["exhaustive"]["rounds"] == str(4**5 * 2)
    assert made["silent"] == [  # 3 never comes there with a drawn card, and without one it stands either way
        "step 'banker draws': banker_two < 3 -> banker_two <= 3",
        "step 'banker draws': banker_two < 3 -> banker_two < 4",
    ]
    new = tmp_path / "new" / "folder"
    rules = str(Path(__file__).parent / "short.toml")
    assert CliRunner().invoke(main, ["vectors", rules, "-o", str(new)]).exit_code == 0
    assert (new / "short.json").read_bytes() == (tmp_path / "short.json").read_bytes()
    refused = CliRunner().invoke(main, ["vectors", rules, "-o", str(tmp_path / "short.json" / "x")])
    assert refused.exit_code == 2
    assert "is no folder" in refused.stderr
