"""Compiled games on disk: believed only when everything about them is right."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from exact.games import GAMES, load
from exact.polynomial import Polynomial, compile_digits, store
from exact.polynomial.compiled import Compiled, compiled
from exact.shoe import Shoe

TIE = 475627426473216


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("EXACT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(store, "SHIPPED", tmp_path / "none")
    return tmp_path / "cache"


def ask() -> int:
    return compiled(load("baccarat"), []).figures(Shoe.decks(8)).outcome("tie").ways


def test_kept_and_read_back(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert ask() == TIE
    assert len(list(folder.iterdir())) == 1
    monkeypatch.setattr(store, "compile_digits", lambda *_: pytest.fail("compiled again"))
    assert ask() == TIE


def changed(path: Path, **arrays: np.ndarray) -> None:
    with np.load(path) as file:
        whole = dict(file) | arrays
    np.savez_compressed(path, **whole)


def test_what_is_not_right_is_compiled_again(folder: Path) -> None:
    ask()
    path = next(folder.iterdir())
    good = path.read_bytes()
    with np.load(path) as file:
        coefficients, header = file["coefficients"], json.loads(file["header"].tobytes())
    damages = {
        "empty": lambda: path.write_bytes(b""),
        "cut": lambda: path.write_bytes(good[: len(good) // 2]),
        "garbage": lambda: path.write_bytes(b"PK\x03\x04" + bytes(999)),
        "a coefficient": lambda: changed(
            path, coefficients=coefficients + (np.arange(coefficients.size) == 7).reshape(coefficients.shape)
        ),
        "another mark": lambda: changed(
            path, header=np.frombuffer(json.dumps(header | {"mark": "0"}).encode(), np.uint8)
        ),
        "another longest": lambda: changed(
            path, header=np.frombuffer(json.dumps(header | {"longest": 7}).encode(), np.uint8)
        ),
        "no header": lambda: changed(path, header=np.zeros(0, np.uint8)),
    }
    for damage in damages.values():
        path.write_bytes(good)
        damage()
        assert ask() == TIE
        assert store._read(path, path.stem) is not None, "replaced by a whole one"


def test_rules_and_version_decide_the_mark(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled(load("baccarat"), [])
    compiled(load("bahamian-baccarat"), [])
    assert len(list(folder.iterdir())) == 2
    compiled(load("baccarat", {"tie_odds": "9"}), [])
    assert len(list(folder.iterdir())) == 2, "odds change no coefficient"
    monkeypatch.setattr(store, "__version__", "another")
    compiled(load("baccarat"), [])
    assert len(list(folder.iterdir())) == 3


def test_a_folder_that_cannot_be_written_costs_time_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("EXACT_CACHE", str(tmp_path / "file" / "below"))
    monkeypatch.setattr(store, "SHIPPED", tmp_path)
    assert ask() == TIE


def same(one: Polynomial, other: Polynomial) -> bool:
    return (
        (one.classes, one.longest, one.columns) == (other.classes, other.longest, other.columns)
        and np.array_equal(one.drawn, other.drawn)
        and np.array_equal(one.coefficients, other.coefficients)
    )


def shipped(game: str, monkeypatch: pytest.MonkeyPatch) -> Compiled:
    """The game compiled without compiling: everything must come with the package."""
    with monkeypatch.context() as patch:
        patch.setattr(
            store, "compile_digits", lambda *_: pytest.fail(f"{game} is not shipped as it is: run scripts/compile")
        )
        return compiled(load(game))


@pytest.mark.parametrize("game", GAMES)
def test_built_in_games_come_ready(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXACT_CACHE", "/nowhere")
    assert shipped(game, monkeypatch).parts


def test_what_is_shipped_is_what_would_be_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    found = shipped("baccarat", monkeypatch)
    for number, part in enumerate(found.parts):
        digits = [m.digit for m, (place, _) in zip(found.measures, found.places, strict=True) if place == number]
        assert same(part, compile_digits(found.game, digits))
