"""Every command and file of the READMEs is run, and what they show is what comes.

A ``console`` block holds commands (``$ ...``), each with what it writes; a line of three dots stands for any lines.
A ``toml`` block is a part of the one file that the page builds up or, with ``# NAME.toml`` on top, a file of its own.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from exact.cli import COMMANDS, main

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "exact/games/README.md"]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
SCRIPTS = ("scripts/test", "scripts/bench", "pip")  # not in this process: they run it


def blocks(page: Path) -> list[tuple[str, str]]:
    """The language and text of every block of a page, in order."""
    return [(match[1], match[2]) for match in BLOCK.finditer(page.read_text(encoding="utf-8"))]


def commands(text: str) -> Iterator[tuple[str, str]]:
    """The commands of a console block, each with what it writes."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        yield command, output.rstrip("\n")


def run(command: str, shown: str) -> str:
    """What a command writes, on stdout and stderr, where it is not sent to a file."""
    if command.startswith("cat "):  # a file of the reader's: here it is
        Path(command.split()[1]).write_text(f"{shown}\n", encoding="utf-8")
        return shown
    command, _, file = command.partition(" > ")
    program, *arguments = shlex.split(command)
    assert program in ("exact", "scripts/exact"), command
    result = CliRunner().invoke(main, arguments, prog_name="exact")
    assert isinstance(result.exception, SystemExit | None), result.exception
    if file:
        Path(file).write_text(result.stdout, encoding="utf-8")
    return (result.stderr if file else result.output).rstrip("\n")


def matches(shown: str, written: str) -> bool:
    """Whether the lines are the same, where a line of three dots stands for any lines."""
    pattern = "\n".join(".*" if line == "..." else re.escape(line) for line in shown.split("\n"))
    return re.fullmatch(pattern, written, re.DOTALL) is not None


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_command_writes_what_the_page_shows(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    built, seen = "", 0
    for language, text in blocks(page):
        if language == "toml":
            name = re.match(r"# (\w+\.toml)\n", text)
            built += "" if name else text
            Path(name[1] if name else "mygame.toml").write_text(text if name else built, encoding="utf-8")
        for command, shown in commands(text) if language == "console" else ():
            if not command.startswith(SCRIPTS):
                written = run(command, shown)
                assert matches(shown, written), f"{command}\n{written}"
                seen += 1
    assert seen > 5


def test_every_block_says_what_it_is() -> None:
    assert {language for page in PAGES for language, _ in blocks(page)} <= {"console", "toml", "python", "text"}


def test_the_readme_leads_with_the_two_commands() -> None:
    first = [command for _, text in blocks(PAGES[0])[:2] for command, _ in commands(text)]
    assert first[:2] == ["scripts/exact compute --decks 8", "scripts/test"]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_shown_in_the_readme(name: str) -> None:
    consoles = [text for language, text in blocks(PAGES[0]) if language == "console"]
    shown = [command.split() for text in consoles for command, _ in commands(text)]
    assert any(words[0] in ("exact", "scripts/exact") and name in words[1:3] for words in shown)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_files_named_in_a_page_exist(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target
