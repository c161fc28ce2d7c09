"""A rule file as a TOML document: read, with what it extends under it, and every key checked."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from exact.errors import InputError, nearest
from exact.rulefile.shapes import KEYS, SHAPES, fits

Find = Callable[[str, Path], Path]


@dataclass(frozen=True, slots=True)
class Document:
    """The content of a rule file with what it extends under it; ``origins`` says which file each part was read from."""

    content: Mapping[str, Any]
    origins: Mapping[str, str]


class Faults:
    """Everything wrong with one file, to be said at once; ``origins`` names the file of a part read elsewhere."""

    def __init__(self, file: str, origins: Mapping[str, str] | None = None) -> None:
        self.file, self.found, self.origins = file, list[str](), origins or {}

    def add(self, key: str, reason: str) -> None:
        """One more fault, at a key; the same one is said once."""
        part = max((part for part in self.origins if key.startswith(part)), key=len, default=None)
        line = f"{self.origins[part] if part else self.file}: {key}: {reason}"
        if line not in self.found:
            self.found.append(line)

    def stop(self) -> None:
        """Raise ``InputError`` with all faults, if there are any."""
        if self.found:
            raise InputError("\n".join(self.found))

    def keys(self, kind: str, where: str, raw: Mapping[str, Any]) -> Mapping[str, Any]:
        """The table at ``where``, without the keys that its kind does not have or that hold another shape: faults."""
        kept, known = dict[str, Any](), KEYS[kind]
        for key, value in raw.items():
            place = f"{where}.{key}".lstrip(".")
            if key not in known:
                self.add(place, f"unknown key; {nearest(key, known)}")
            elif not fits(known[key], value):
                self.add(place, f"must be {SHAPES[known[key]]}")
            else:
                kept[key] = value
        return kept


def read_document(path: Path, find: Find, seen: tuple[Path, ...] = ()) -> Document:
    """The TOML of a file with what it extends merged under it and its wager files added; fractions exact.

    ``find`` turns the name of another game or file into a path.
    """
    if path.resolve() in seen:
        raise InputError(f"{path.name}: extends: the files extend each other in a circle")
    content = read_toml(path)
    _refuse_after(content, path)
    document = Document(content, dict.fromkeys(_parts(content), path.name))
    for extra in _found(content, "wagers", "names", path, find):
        more = read_toml(extra)
        if twice := sorted(part for part in _parts(more) if " " in part and part in document.origins):
            raise InputError(f"{extra.name}: {twice[0]}: {document.origins[twice[0]]} has one of this name")
        document = merge(document, more, extra)
    for under in _found(content, "extends", "text", path, find):
        base = read_document(under, find, (*seen, path.resolve()))
        merged = merge(base, document.content, path)
        document = Document(merged.content, {**merged.origins, **document.origins})
    return document


def _refuse_after(content: Mapping[str, Any], path: Path) -> None:
    """The steps of a file that extends nothing stand in their order."""
    steps = content.get("step", [])
    if "extends" not in content and fits("entries", steps):
        for item in (item for item in steps if "after" in item):
            where = f"{path.name}: step {item.get('name', '')!r}.after"
            raise InputError(f"{where}: only a file that extends another has it; put the step in its place")


def read_toml(path: Path) -> dict[str, Any]:
    """A TOML file with its decimal numbers as exact fractions; ``InputError`` where it cannot be read."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"), parse_float=Fraction)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    except ValueError as error:  # not TOML, not UTF-8, or a number that is no fraction
        raise InputError(f"{path.name}: not a TOML file: {error}") from None


def _found(content: Mapping[str, Any], key: str, shape: str, path: Path, find: Find) -> list[Path]:
    """The files named under a key."""
    if key not in content:
        return []
    if not fits(shape, content[key]):
        raise InputError(f"{path.name}: {key}: must be {SHAPES[shape]}")
    try:
        return [find(name, path) for name in ([content[key]] if isinstance(content[key], str) else content[key])]
    except InputError as error:
        raise InputError(f"{path.name}: {key}: {error}") from None


def _parts(content: Mapping[str, Any]) -> Iterator[str]:
    """The places of a file as its faults name them: "title", "option.commission", "step 'deal'"."""
    for key, value in content.items():
        yield key
        if isinstance(value, dict):
            yield from (f"{key}.{name}" for name in value)
        elif isinstance(value, list):
            yield from (f"{key} {item['name']!r}" for item in value if isinstance(item, dict) and "name" in item)


def merge(base: Document, change: Mapping[str, Any], path: Path) -> Document:
    """A document with a file on top: tables by key, steps and wagers by name (a new step may say ``after``)."""
    merged = dict(base.content)
    for key, value in change.items():
        old = merged.get(key)
        if key in ("step", "wager") and fits("entries", old) and fits("entries", value):
            merged[key] = _merge_named(old, value, f"{path.name}: {key}")
        elif isinstance(old, dict) and isinstance(value, dict) and key != "cards":
            merged[key] = {**old, **value}
        else:
            merged[key] = value
    return Document(merged, {**base.origins, **dict.fromkeys(_parts(change), path.name)})


def _merge_named(base: Any, change: Any, where: str) -> list[Any]:
    merged, old = list(base), [item.get("name") for item in base]
    for place, item in enumerate(change):
        known = [other.get("name") for other in merged]
        name, after = item.get("name"), item.get("after")
        made = "{" in str(name)  # from the rows of records: a pattern, which several wagers may share
        if name is not None and not made and any(name == other.get("name") for other in change[:place]):
            raise InputError(f"{where} {name!r}: given twice")
        if name is not None and name in old:
            merged[known.index(name)] = item
        elif after is None:
            merged.append(item)
        elif after in known:
            merged.insert(known.index(after) + 1, item)
        else:
            raise InputError(f"{where} {name!r}: after: no such step {after!r}; {nearest(str(after), map(str, known))}")
    return merged
