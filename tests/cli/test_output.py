"""Where a command writes: pure data on stdout, or a whole file in the format of its extension."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from exact.output import EXTENSIONS

ASKED = ["compute", "--shoe", "A=3,9=3,K=2", "--wager", "banker"]


@pytest.mark.parametrize(("ending", "format"), EXTENSIONS.items())
def test_the_extension_chooses_the_format(exact, ending: str, format: str) -> None:
    written = exact(*ASKED, "-o", f"result{ending}")
    assert (written.exit_code, written.stdout, written.stderr) == (0, "", "")
    assert [path.name for path in Path().iterdir()] == [f"result{ending}"]
    shown = exact(*ASKED, "--format", format)
    if format == "xlsx":  # a zip with the time of writing in it
        assert Path("result.xlsx").read_bytes()[:2] == shown.stdout_bytes[:2] == b"PK"
    else:
        assert Path(f"result{ending}").read_bytes() == shown.stdout_bytes


def test_a_format_by_name_overrules_the_extension(exact) -> None:
    assert exact(*ASKED, "--format", "json", "-o", "result.txt").exit_code == 0
    assert json.loads(Path("result.txt").read_text())["total"] == "20160"


def test_a_file_that_stands_there_is_replaced(exact) -> None:
    Path("result.csv").write_text("old")
    assert exact(*ASKED, "-o", "result.csv").exit_code == 0
    assert Path("result.csv").read_text().startswith("table,outcome,ways,")


def test_parquet_carries_the_exact_values_and_what_produced_them(exact) -> None:
    exact(*ASKED, "-o", "result.parquet")
    frame = pl.read_parquet("result.parquet").filter(pl.col("table") == "outcomes")
    assert frame["probability"].to_list() == ["7/16", "7/16", "1/8"]
    assert frame["probability_value"].to_list() == [0.4375, 0.4375, 0.125]
    assert json.loads(pl.read_parquet_metadata("result.parquet")["exact"])["shoe"]["counts"]["9"] == 3


EVERY = [
    ASKED, ["games"], ["rules"], ["deal", "baccarat", "9", "8", "K", "K"], ["compare", "--decks-b", "1"]
]  # fmt: skip


@pytest.mark.parametrize("asked", EVERY, ids=lambda asked: asked[0])
def test_stdout_is_data_that_a_program_can_read(exact, asked: list[str]) -> None:
    document = exact(*asked, "--format", "json")
    assert (document.exit_code, document.stderr) == (0, "")
    assert json.loads(document.stdout)
    lines = [json.loads(line) for line in exact(*asked, "--format", "jsonl").stdout.splitlines()]
    rows = list(csv.DictReader(io.StringIO(exact(*asked, "--format", "csv").stdout)))
    assert len(lines) == len(rows) > 1
    assert len({tuple(line) for line in lines}) == 1


@pytest.mark.parametrize(("digits", "edge"), [("0", "2e-02"), ("3", "0.022"), ("20", "0.02187500000000000000")])
def test_digits_are_those_that_people_see(exact, digits: str, edge: str) -> None:
    wagers = exact(*ASKED, "--digits", digits).stdout.split("Wagers, per unit staked\n")[1]
    assert wagers.splitlines()[2].split()[:3] == ["banker", "-7/320", edge]
    assert exact(*ASKED, "--digits", digits, "--format", "csv").stdout == exact(*ASKED, "--format", "csv").stdout


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("asked", [ASKED, ["rounds", "--shoe", "A=6"], ["rules", "--toml"]], ids=lambda asked: asked[0])
def test_a_full_disk_is_said_in_one_line(asked: list[str]) -> None:
    code = "from exact.cli import main; main(prog_name='exact')"
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([sys.executable, "-c", code, *asked], stdout=full, stderr=subprocess.PIPE, text=True)
    assert (done.returncode, done.stderr) == (2, "Error: cannot use standard output: No space left on device\n")
