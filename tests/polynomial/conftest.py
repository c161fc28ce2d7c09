"""Compiled games of these tests are kept in a folder of their own."""

from __future__ import annotations

import pytest

from exact.games import load
from exact.polynomial.compiled import Compiled, compiled


@pytest.fixture(scope="session", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> object:
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EXACT_CACHE", str(folder))
        yield folder


@pytest.fixture(scope="session")
def baccarat(cache: object) -> Compiled:
    """Punto banco with its usual wagers."""
    return compiled(load("baccarat"))


@pytest.fixture(scope="session")
def main_bets(cache: object) -> Compiled:
    """Player, Banker and Tie, which see values only."""
    game = load("baccarat")
    return compiled(game, [game.wager(name) for name in ("player", "banker", "tie")])
