"""What holds for every command: help with examples that can be pasted, defaults shown, names and exit codes."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator

import click
import pytest

from exact import __version__
from exact.cli import COMMANDS, main


def commands(name: str, group: click.Group = main) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """A command with its path, and those that it holds."""
    command = group.get_command(click.Context(group), name)
    assert command is not None
    yield (name,), command
    if isinstance(command, click.Group):
        for inner in command.list_commands(click.Context(command)):
            yield from (((name, *path), found) for path, found in commands(inner, command))


@pytest.mark.parametrize("name", COMMANDS)
def test_help_has_examples_that_can_be_pasted(name: str) -> None:
    for path, command in commands(name):
        examples = [line.split() for line in re.findall(r"^ *exact .*$", command.help or "", re.MULTILINE)]
        assert any(words[1 : len(path) + 1] == list(path) for words in examples), path
        assert all(words[1] in COMMANDS for words in examples)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_has_help_and_shows_its_default(name: str) -> None:
    for path, command in commands(name):
        context = click.Context(command, parent=click.Context(main, **main.context_settings))
        for option in (param for param in command.params if isinstance(param, click.Option)):
            record = option.get_help_record(context)
            assert record is not None
            assert option.help, (path, option.name)
            if isinstance(option.default, str | int) and not option.is_flag:
                assert "[default: " in record[1], (path, option.name)


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_of_commands_says_what_the_command_says(exact, name: str) -> None:
    command = main.get_command(click.Context(main), name)
    assert command is not None
    assert command.short_help == COMMANDS[name]
    for flag in ("-h", "--help"):
        result = exact(name, flag)
        assert (result.exit_code, result.stderr) == (0, "")
        assert result.stdout.startswith(f"Usage: exact {name} ")


def test_help_lists_every_command(exact) -> None:
    result = exact("--help")
    assert result.exit_code == 0
    assert re.findall(r"^  (\w[\w-]*)  ", result.stdout.split("Commands:")[1], re.MULTILINE) == list(COMMANDS)


def test_version(exact) -> None:
    assert exact("--version").stdout == f"exact, version {__version__}\n"


def test_an_unknown_command_is_refused_with_the_nearest_name(exact) -> None:
    result = exact("compte")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.splitlines()[-1] == "Error: unknown command 'compte'; did you mean 'compute'?"


def test_help_imports_nothing_that_is_slow() -> None:
    code = (
        "import sys\nfrom exact.cli import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        "slow = {'polars', 'numpy', 'sympy', 'scipy', 'rich', 'altair', 'xlsxwriter', 'fractions'}\n"
        "print(sorted(slow & set(sys.modules)), file=sys.stderr)\n"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stderr == "[]\n"
