"""The games: a literal list of rule files, and the way from a name or path to a ``Game``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from exact.errors import InputError, nearest
from exact.rulefile.builder import Builder
from exact.rulefile.document import read_document
from exact.rulefile.game import Game

FOLDER = Path(__file__).parent
GAMES = ("baccarat", "bahamian-baccarat", "chemin-de-fer", "insurance-baccarat", "multicolour-baccarat")


def load(name: str, options: Mapping[str, str] | None = None, extras: bool = True) -> Game:
    """A game by its name in the list or by the path of a rule file, with options chosen.

    Without ``extras`` the wagers that are priced only when asked are left out of a built-in game, whose many side bets
    take longer to read than the rules; a user's file is always read and checked whole.

    >>> load("baccarat", {"commission": "0"}).chosen["commission"]
    Fraction(0, 1)

    Raises ``InputError`` for an unknown game (naming the nearest), an unknown option or value, and everything wrong in
    a file.
    """
    path = find(name)
    document = read_document(path, find)
    text = path.read_text(encoding="utf-8")
    built_in = name in GAMES
    builder = Builder(document, path.name, name if built_in else path.stem, text, options or {})
    return builder.build(extras or not built_in)


def find(name: str, beside: Path | None = None) -> Path:
    """The rule file of a name or path. A path in a file is read from its folder, else from this folder, so that a
    copy of a built-in file still finds what it names.
    """
    if name in GAMES:
        return FOLDER / f"{name}.toml"
    path = Path(name) if beside is None else beside.parent / name
    if path.suffix == ".toml" and path.is_file():
        return path
    if beside is not None and Path(name).name == name and (FOLDER / name).is_file():
        return FOLDER / name
    if path.suffix == ".toml" or "/" in name:
        raise InputError(f"there is no rule file {name!r}")
    raise InputError(f"unknown game {name!r}; {nearest(name, GAMES)} (or give the path of a rule file, NAME.toml)")
