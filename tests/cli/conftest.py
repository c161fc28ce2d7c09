"""The command line in process: what it writes where, and how it ends."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from exact.cli import main

Exact = Callable[..., Result]


@pytest.fixture
def exact(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Exact:
    """Runs ``exact ARGUMENTS`` in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: CliRunner().invoke(main, list(map(str, arguments)), prog_name="exact")
