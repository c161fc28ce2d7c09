"""Where the data that a command reads lies: `data/` of a checkout, `exact/data/` of an installed package."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def data_folder() -> Path:
    """The folder of the project's data files.

    A wheel carries the folders of `data/` that commands read as `exact/data/` (`force-include` in pyproject.toml);
    a checkout has no such folder and uses its own `data/`.

    Raises FileNotFoundError if neither exists: a broken installation, not bad input.
    """
    installed, checkout = _PACKAGE / "data", _PACKAGE.parent / "data"
    if installed.is_dir():
        return installed
    if (_PACKAGE.parent / "pyproject.toml").is_file() and checkout.is_dir():
        return checkout
    raise FileNotFoundError(f"the data of exact is missing: neither {installed} nor a checkout's data folder exists")


def data_file(name: str) -> Path:
    """The path of one data file by its name below the data folder, such as "published/baccarat.csv".

    Raises FileNotFoundError naming the path if it is not there.
    """
    path = data_folder() / name
    if not path.is_file():
        raise FileNotFoundError(f"the data file {path} is missing")
    return path
