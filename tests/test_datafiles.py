"""The data folder in a checkout and in an installed package."""

from pathlib import Path

import pytest

from exact import datafiles


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "exact"
    folder.mkdir()
    monkeypatch.setattr(datafiles, "_PACKAGE", folder)
    return folder


def test_a_checkout_uses_its_own_data(package: Path) -> None:
    (package.parent / "data").mkdir()
    (package.parent / "pyproject.toml").touch()
    assert datafiles.data_folder() == package.parent / "data"


def test_an_installed_package_uses_the_data_inside(package: Path) -> None:
    (package / "data" / "published").mkdir(parents=True)
    (package.parent / "data").mkdir()
    figures = package / "data" / "published" / "figures.csv"
    figures.touch()
    assert datafiles.data_file("published/figures.csv") == figures


def test_a_stranger_s_data_folder_beside_an_installed_package_is_left_alone(package: Path) -> None:
    (package.parent / "data").mkdir()
    with pytest.raises(FileNotFoundError, match="the data of exact is missing"):
        datafiles.data_folder()


def test_a_missing_file_is_named(package: Path) -> None:
    (package / "data").mkdir()
    with pytest.raises(FileNotFoundError, match=r"data/published/figures.csv is missing"):
        datafiles.data_file("published/figures.csv")
