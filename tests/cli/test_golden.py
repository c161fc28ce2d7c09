"""Whole sessions: each file of ``golden`` is a command and, to the letter, what it writes to stdout."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

from exact import __version__

FOLDER = Path(__file__).parent / "golden"
SESSIONS = sorted(FOLDER.glob("*.txt"))


@pytest.mark.parametrize("session", SESSIONS, ids=[path.stem for path in SESSIONS])
def test_session(exact, session: Path) -> None:
    shutil.copy(FOLDER / "highcard.toml", "highcard.toml")
    command, _, said = session.read_text(encoding="utf-8").partition("\n")
    program, *arguments = shlex.split(command.removeprefix("$ "))
    result = exact(*arguments)
    assert (program, result.exit_code, result.stderr) == ("exact", 0, "")
    assert re.sub(rf"(?<![\d.]){re.escape(__version__)}(?![\d.])", "VERSION", result.stdout) == said
