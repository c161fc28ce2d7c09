"""scripts/bench: its names, and that a limit exceeded ends with exit code 1."""

from __future__ import annotations

import importlib.util
import sys
from dataclasses import replace
from pathlib import Path

import pytest

FILE = Path(__file__).parents[1] / "scripts" / "bench.py"
spec = importlib.util.spec_from_file_location("bench", FILE)
assert spec is not None
assert spec.loader is not None
bench = importlib.util.module_from_spec(spec)
sys.modules["bench"] = bench  # dataclasses look their module up
spec.loader.exec_module(bench)


def test_an_unknown_name_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench.main(["mains"]) == 2
    assert capsys.readouterr().err.startswith("bench: no measurement 'mains'; known: main, ranks, memory, ")


@pytest.mark.parametrize(("found", "code", "mark"), [(0.25, 0, "ok"), (0.26, 1, "EXCEEDED")])
def test_limits(
    found: float, code: int, mark: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    measured = tuple(replace(m, measure=lambda: found) for m in bench.MEASUREMENTS)
    monkeypatch.setattr(bench, "MEASUREMENTS", measured)
    assert bench.main(["ranks"]) == code
    assert mark in capsys.readouterr().out


def test_peak_memory_is_measured_in_a_process_of_its_own() -> None:
    assert 1 < bench.printed("pass" + bench.PEAK) < 100  # MB of a bare Python
