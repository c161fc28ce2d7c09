"""Writes the polynomials of the built-in games and their usual wagers to exact/games/compiled, nothing else there."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from exact.games import GAMES, load
from exact.polynomial import store
from exact.polynomial.compiled import compiled


def main() -> None:
    """Compile every game afresh into a folder that then takes the place of the old one."""
    shipped = store.SHIPPED
    with TemporaryDirectory(dir=shipped.parent, prefix=".compiled-") as name:
        fresh = Path(name)
        os.environ["EXACT_CACHE"] = name
        store.SHIPPED = fresh  # what was shipped before is not believed
        for game in GAMES:
            parts = compiled(load(game)).parts
            print(f"{game}: {', '.join(f'{part.multisets:,} multisets' for part in parts)}")
        shutil.rmtree(shipped, ignore_errors=True)
        shutil.copytree(fresh, shipped)
        shipped.chmod(0o755)


if __name__ == "__main__":
    main()
