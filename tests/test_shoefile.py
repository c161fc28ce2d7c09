"""A shoe as people give it: texts and files, and every refusal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exact.errors import InputError
from exact.shoe import FRENCH, Shoe
from exact.shoefile import ShoeRequest, parse_counts, read_counts

FILES = {
    "a.toml": "A = 30\nK = 2\n",
    "b.toml": "[counts]\nA = 30\nK = 2\n",
    "c.json": '{"A": 30, "K": 2}',
    "d.json": '{"counts": {"A": "30", "K": 2}}',
    "e.json": '{"shoe": {"cards": 32, "counts": {"A": 30, "K": 2}}, "total": "1"}',
    "f.csv": "card,count\nA,30\nK,2\n",
    "g.csv": "rank,count\r\nA,30\r\nK,2\r\n",
    "h.csv": "\ufeffcount,card\n30,A\n2,K\n",
}


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", FILES)
def test_every_form_of_file(tmp_path: Path, name: str) -> None:
    assert read_counts(write(tmp_path, name, FILES[name])) == {"A": 30, "K": 2}


def test_suits_in_files(tmp_path: Path) -> None:
    assert read_counts(write(tmp_path, "s.csv", "rank,suit,count\nA,S,8\n10,H,7\n")) == {"AS": 8, "10H": 7}
    assert read_counts(write(tmp_path, "s.toml", "AS = 8\n10H = 7\n")) == {"AS": 8, "10H": 7}


def test_the_shoe_of_a_result_can_be_given_again(tmp_path: Path) -> None:
    shoe = Shoe.decks(8).remove("8,8,K")
    path = write(tmp_path, "r.json", json.dumps({"shoe": {"counts": shoe.counts_by("rank")}}))
    assert ShoeRequest(file=path).shoe(FRENCH).counts_by("rank") == shoe.counts_by("rank")


@given(st.dictionaries(st.sampled_from(FRENCH.ranks), st.integers(0, 10**12), min_size=1))
def test_counts_as_a_text_come_back(counts: dict[str, int]) -> None:
    assert parse_counts(", ".join(f"{rank} = {count}" for rank, count in counts.items())) == counts


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("A=-1", "--shoe: the count of 'A' must be a whole number from 0, not '-1'"),
        ("A=1.5", "--shoe: the count of 'A' must be a whole number from 0, not '1.5'"),
        ("A", "--shoe: the count of 'A' must be a whole number from 0, not ''"),
        ("A=3=4", "--shoe: the count of 'A' must be a whole number from 0, not '3=4'"),
        ("A=1,A=2", "--shoe: A is counted twice"),
        ("A=" + "9" * 5000, "--shoe: the count of 'A' must be a whole number from 0, not '" + "9" * 5000 + "'"),
    ],
)
def test_counts_in_a_text_that_are_refused(text: str, reason: str) -> None:
    with pytest.raises(InputError) as error:
        parse_counts(text)
    assert str(error.value) == reason


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("a.toml", "A = -1", "a.toml: the count of 'A' must be a whole number from 0, not '-1'"),
        ("a.toml", "A = 1.0", "a.toml: the count of 'A' must be a whole number from 0, not '1.0'"),
        ("a.toml", "A = true", "a.toml: the count of 'A' must be a whole number from 0, not 'True'"),
        ("a.toml", "A = [1]", "a.toml: the count of 'A' must be a whole number from 0, not '[1]'"),
        ("a.json", "[1, 2]", "a.json: expected a count for each card, such as A = 32"),
        ("a.json", '{"shoe": 5}', "a.json: expected a count for each card, such as A = 32"),
        ("a.json", '{"A": null}', "a.json: the count of 'A' must be a whole number from 0, not 'None'"),
        (
            "a.json",
            '{"shoe": {"counts": {"A": 4}, "infinite": true}}',
            "a.json: holds infinite decks, which no counts say: ask for --decks infinite",
        ),
        ("a.csv", "", "a.csv: a shoe in CSV has the columns card,count or rank,count or rank,suit,count"),
        ("a.csv", "A,30\n", "a.csv: a shoe in CSV has the columns card,count or rank,count or rank,suit,count"),
        ("a.csv", "card,count\nA\n", "a.csv: the count of 'A' must be a whole number from 0, not 'None'"),
        ("a.csv", "card,count\nA,1\nA,2\n", "a.csv: A is counted twice"),
        ("a.csv", "card,count\nA,1\nK,2,3\n", "a.csv: line 3 has more cells than the header has columns"),
        ("a.json", '{"A": 1, "A": 2}', "a.json: A is counted twice"),
        ("a.txt", "A = 1", "a.txt: a shoe file ends in .toml, .csv or .json"),
        ("a.toml", "A = ", "a.toml: cannot be read as toml: "),
        ("a.json", "{", "a.json: cannot be read as json: "),
    ],
)
def test_files_that_are_refused(tmp_path: Path, name: str, text: str, reason: str) -> None:
    path = write(tmp_path, name, text)
    with pytest.raises(InputError) as error:
        read_counts(path)
    assert str(error.value).replace(f"{tmp_path}/", "").startswith(reason)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.toml: cannot be read: No such file or directory"):
        read_counts(tmp_path / "none.toml")
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(InputError, match=r"folder\.csv: cannot be read: Is a directory"):
        read_counts(tmp_path / "folder.csv")
    (tmp_path / "bytes.csv").write_bytes(b"card,count\n\xff,1\n")
    with pytest.raises(InputError, match=r"bytes\.csv: cannot be read as csv: 'utf-8' codec"):
        read_counts(tmp_path / "bytes.csv")


def test_a_file_of_other_cards_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"^a\.toml: 'decks' is not a card; ranks are A 2"):
        ShoeRequest(file=write(tmp_path, "a.toml", "decks = 8\n")).shoe(FRENCH)
    with pytest.raises(InputError, match=r"^a\.toml: the shoe is empty$"):
        ShoeRequest(file=write(tmp_path, "a.toml", "")).shoe(FRENCH)


def test_what_a_request_means() -> None:
    assert ShoeRequest().shoe(FRENCH) == Shoe.decks(8)
    assert ShoeRequest().shoe(FRENCH, "6") == Shoe.decks(6)
    assert ShoeRequest(decks="2", remove="8H").shoe(FRENCH).size == 103
    assert ShoeRequest(counts="A=30,K=2", remove="A").shoe(FRENCH).counts_by("rank")["A"] == 29


@pytest.mark.parametrize(
    ("request_", "reason"),
    [
        (ShoeRequest(decks="8", counts="A=3"), "--decks and --shoe both say what the shoe is: give one of them"),
        (ShoeRequest(decks="8", counts=""), "--decks and --shoe both say what the shoe is: give one of them"),
        (
            ShoeRequest(counts="A=3", file=Path("x.csv")),
            "--shoe and --shoe-file both say what the shoe is: give one of them",
        ),
        (ShoeRequest(counts=""), "the shoe is empty"),
        (ShoeRequest(decks=""), "the number of decks must be a whole number from 1, or 'infinite', not ''"),
        (ShoeRequest(decks="infinite", remove="8"), "an infinite shoe never changes: nothing can be removed from it"),
    ],
)
def test_requests_that_are_refused(request_: ShoeRequest, reason: str) -> None:
    with pytest.raises(InputError) as error:
        request_.shoe(FRENCH)
    assert str(error.value) == reason
