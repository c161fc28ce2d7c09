"""Vector files: written whole with their schema, read with every fault named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from exact.datafiles import data_file
from exact.errors import InputError
from exact.output import refuse_unwritable, replacing
from exact.rulefile.game import Game
from exact.verify.vectors import SCHEMA, document, rules_hash


def write_vectors(game: Game, folder: Path) -> tuple[Path, Path]:
    """Writes a game's vectors and the schema into a folder, which is made where it is not there.

    Raises ``InputError`` where it cannot be written.
    """
    refuse_unwritable(folder)
    made = document(game)
    folder.mkdir(parents=True, exist_ok=True)
    return _write(folder / f"{game.name}.json", rendered(made)), _write(folder / SCHEMA, rendered(schema()))


def rendered(value: Any) -> str:
    """A document as text, with short lists on one line."""
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"


def _write(path: Path, text: str) -> Path:
    with replacing(path) as part:
        part.write_text(text, encoding="utf-8")
    return path


def read_vectors(path: Path) -> dict[str, Any]:
    """A vector file; ``InputError`` for what is none."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise InputError(f"{path}: not JSON: {error}") from None
    missing = [key for key in schema()["required"] if not isinstance(found, dict) or key not in found]
    if missing:
        raise InputError(f"{path}: is no file of vectors, it lacks {', '.join(missing)}")
    return dict(found)


def schema() -> dict[str, Any]:
    """The JSON schema of a vector file."""
    text, texts = {"type": "string"}, {"type": "array", "items": {"type": "string"}}
    cards = texts | {"description": "in dealing order; the first `used` of them are dealt"}
    result = {"type": "object", "description": "hands by side, totals, outcome"}
    base = {"id": text, "cards": cards, "used": {"type": "integer"}, "expected": result, "flags": texts}
    vector = _object(base | {"reason": text})
    paying = _object(base | {"wager": text, "line": text, "odds": text, "returned": {"type": "object"}})
    invalid = _object({"id": text, "round": {"type": "object"}, "finding": text, "flags": texts})
    fields = {
        "schema": text, "game": text, "title": text, "generator": text, "rules_sha256": text,
        "options": {"type": "object"}, "slots": texts, "notes": {"type": "object"}, "smoke": _list(vector),
        "table": _list(vector),
        "settlement": _list(paying), "invalid": _list(invalid),
        "silent": texts | {"description": "changes that no round shows"},
        "counts": {"type": "object"}, "exhaustive": _object({"sha256": text, "rounds": text, "how": text}),
    }  # fmt: skip
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Conformance vectors of a card game",
    } | _object(fields)


def _object(fields: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


def _list(item: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": item}


def rounds_of(game: Game, path: Path | None) -> list[tuple[str, ...]]:
    """The rounds of a vector file, or of the one that comes with the game.

    Raises ``InputError`` where there is none, or where it is for other rules.
    """
    path = path or _shipped(game)
    found = read_vectors(path)
    if found["rules_sha256"] != rules_hash(game):
        raise InputError(f"{path.name}: was made for other rules than {game.name}; make it anew with exact vectors")
    return [tuple(vector["cards"]) for group in ("smoke", "table") for vector in found[group]]


def _shipped(game: Game) -> Path:
    try:
        return data_file(f"vectors/{game.name}.json")
    except FileNotFoundError:
        raise InputError(
            f"no vectors come with {game.name}: make them with exact vectors and give --vectors FILE"
        ) from None
