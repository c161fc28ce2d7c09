"""A rule file as a TOML document: read, with what it extends under it, and every key checked."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from exact.errors import InputError, nearest

KEYS = {
    "": "title summary extends sources cards attribute option define table records step wager wagers",
    "cards": "ranks suits groups",
    "attribute": "rank suit is source",
    "option": "default values least most meaning source reading assumed",
    "table": "title arguments row column columns words cells source",
    "records": "title header rows source",
    "step": "name deal draw when let source after",
    "wager": "name title pays offered source assumed extra each",
    "pays": "when odds",
}  # fmt: skip
Find = Callable[[str, Path], Path]


class Faults:
    """Everything wrong with one file, so that it can be said at once."""

    def __init__(self, file: str) -> None:
        self.file, self.found = file, list[str]()

    def add(self, key: str, reason: str) -> None:
        """One more fault, at a key; the same one is said once."""
        line = f"{self.file}: {key}: {reason}"
        if line not in self.found:
            self.found.append(line)

    def stop(self) -> None:
        """Raise ``InputError`` with all faults, if there are any."""
        if self.found:
            raise InputError("\n".join(self.found))

    def keys(self, kind: str, where: str, raw: object) -> Mapping[str, Any]:
        """The table at ``where``, with every key that its kind does not have reported."""
        if not isinstance(raw, Mapping):
            self.add(where, "must be a table")
            return {}
        known = KEYS[kind].split()
        for key in raw:
            if key not in known:
                self.add(f"{where}.{key}".lstrip("."), f"unknown key; {nearest(key, known)}")
        return raw


def read_document(path: Path, find: Find, seen: tuple[Path, ...] = ()) -> dict[str, Any]:
    """The TOML of a file with what it extends merged under it and its wager files added; fractions exact.

    ``find`` turns the name of another game or file into a path.
    """
    if path in seen:
        raise InputError(f"{path.name}: extends: the files extend each other in a circle")
    try:
        text = path.read_text(encoding="utf-8")
        document = tomllib.loads(text, parse_float=Fraction)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path.name}: not a TOML file: {error}") from None
    for name in _listed(document, "wagers", path):
        extra = tomllib.loads(find(name, path).read_text(encoding="utf-8"), parse_float=Fraction)
        document = merge({key: document[key] for key in document}, extra, path)
    if "extends" in document:
        document = merge(read_document(find(str(document["extends"]), path), find, (*seen, path)), document, path)
    return document


def _listed(document: Mapping[str, Any], key: str, path: Path) -> list[str]:
    names_ = document.get(key, [])
    if not isinstance(names_, list) or not all(isinstance(name, str) for name in names_):
        raise InputError(f"{path.name}: {key}: must be a list of file names")
    return names_


def merge(base: Mapping[str, Any], change: Mapping[str, Any], path: Path) -> dict[str, Any]:
    """A document with another on top: tables by key, steps and wagers by name (a new step may say ``after``)."""
    merged = dict(base)
    for key, value in change.items():
        old = merged.get(key)
        if key in ("step", "wager") and isinstance(old, list) and isinstance(value, list):
            merged[key] = _merge_named(old, value, f"{path.name}: {key}")
        elif isinstance(old, Mapping) and isinstance(value, Mapping) and key not in ("cells", "cards", "words"):
            merged[key] = {**old, **value}
        else:
            merged[key] = value
    return merged


def _merge_named(base: list[Any], change: list[Any], where: str) -> list[Any]:
    merged = list(base)
    for item in change:
        known = [other.get("name") for other in merged]
        name, after = item.get("name"), item.get("after")
        if name in known:
            merged[known.index(name)] = item
        elif after is None:
            merged.append(item)
        elif after in known:
            merged.insert(known.index(after) + 1, item)
        else:
            raise InputError(f"{where} {name!r}: after: no such step {after!r}; {nearest(str(after), map(str, known))}")
    return merged
