"""Compiled polynomials kept in files: in the user's cache folder, and with the package for the built-in games.

A file is believed only if it says it belongs to these very rules, questions and program version, and if its checksum
holds; otherwise the polynomial is compiled again and the file replaced.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from exact import __version__
from exact.polynomial import Polynomial, compile_digits
from exact.rulefile.expression import Node
from exact.rulefile.game import Game
from exact.tally import Digit

FORMAT = 1
SHIPPED = Path(__file__).parents[1] / "games" / "compiled"


def cache_folder() -> Path:
    """Where compiled games are kept: EXACT_CACHE, or the folder that the system has for it."""
    if chosen := os.environ.get("EXACT_CACHE"):
        return Path(chosen)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "exact" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "exact"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "exact"


def kept(game: Game, digits: Sequence[Digit], condition: Node | None) -> Polynomial:
    """The polynomial of some digits under a condition: read back where it is kept, else compiled and kept."""
    mark = _mark(game, digits, condition)
    for folder in (SHIPPED, cache_folder()):
        found = _read(folder / f"{mark}.npz", mark)
        if found:
            return found
    polynomial = compile_digits(game, digits, condition)
    try:
        cache_folder().mkdir(parents=True, exist_ok=True)
        save(polynomial, cache_folder() / f"{mark}.npz", mark)
    except OSError:  # a folder that cannot be written only costs time
        pass
    return polynomial


def _mark(game: Game, digits: Sequence[Digit], condition: Node | None) -> str:
    """The identity of a polynomial: the rules as they were read, what is asked, and the program."""
    rules = game.deck, sorted((name, list(values.items())) for name, values in game.attributes.items()), game.steps
    asked = [(digit.node, digit.values, digit.unsure) for digit in digits], condition
    columns = sorted(game.slot_columns.items()), sorted(game.facts.items())
    return sha256(repr((FORMAT, __version__, rules, columns, asked)).encode()).hexdigest()[:40]


def save(polynomial: Polynomial, path: Path, mark: str) -> None:
    """Write a polynomial whole or not at all."""
    import numpy as np

    header = {"mark": mark, "classes": polynomial.classes, "longest": polynomial.longest, "columns": polynomial.columns}
    text = json.dumps(header | {"checksum": _checksum(polynomial)}).encode()
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as file:
            np.savez_compressed(
                file, drawn=polynomial.drawn, coefficients=polynomial.coefficients, header=np.frombuffer(text, np.uint8)
            )
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _read(path: Path, mark: str) -> Polynomial | None:
    """A polynomial from its file; None where there is none, or where anything in it is not as it must be."""
    import numpy as np

    try:
        with path.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
            header = json.loads(file["header"].tobytes())
            classes = tuple(tuple((rank, suit) for rank, suit in cards) for cards in header["classes"])
            columns = tuple((place, value) for place, value in header["columns"])
            polynomial = Polynomial(classes, header["longest"], columns, file["drawn"], file["coefficients"])
            whole = header["mark"] == mark and header["checksum"] == _checksum(polynomial)
    except Exception:  # whatever a damaged archive makes its readers raise, it is compiled again
        return None
    return polynomial if whole else None


def _checksum(polynomial: Polynomial) -> str:
    drawn, coefficients = polynomial.drawn, polynomial.coefficients
    said = polynomial.classes, polynomial.longest, polynomial.columns, drawn.shape, coefficients.shape
    types = f"{drawn.dtype} {coefficients.dtype} {said!r}"
    return sha256(types.encode() + drawn.tobytes() + coefficients.tobytes()).hexdigest()
