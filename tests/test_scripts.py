"""The first-use set-up of scripts/exact on a small stand-in project: same scripts, an own build backend, no network."""

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parents[1] / "scripts"

PYPROJECT = """
[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]
[project]
name = "stand-in"
version = "1"
"""
PROGRAM = """
import sys

def main():
    print(sys.argv[1:])
    return 7
"""
BACKEND = """
import time
from pathlib import Path
from zipfile import ZipFile

HERE = Path(__file__).parent

def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    (HERE / "building").touch()
    while (HERE / "slow").exists():
        time.sleep(0.01)
    if (HERE / "broken").exists():
        raise SystemExit("the backend is broken")
    info = "stand_in-1.dist-info"
    with ZipFile(Path(wheel_directory) / "stand_in-1-py3-none-any.whl", "w") as wheel:
        wheel.writestr("stand_in.pth", str(HERE))
        extras = "Provides-Extra: charts\\nProvides-Extra: dev\\n"
        wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\\nName: stand-in\\nVersion: 1\\n{extras}")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        wheel.writestr(f"{info}/entry_points.txt", "[console_scripts]\\nexact = program:main\\n")
        wheel.writestr(f"{info}/RECORD", "")
    return "stand_in-1-py3-none-any.whl"
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "a project"  # a space, as in many a home folder
    (root / "scripts").mkdir(parents=True)
    for name in ("exact", "test", "environment.sh", "setup.py"):
        shutil.copy(SCRIPTS / name, root / "scripts" / name)
    (root / "pyproject.toml").write_text(PYPROJECT)
    (root / "backend.py").write_text(BACKEND)
    (root / "program.py").write_text(PROGRAM)
    return root


def start(project: Path, *arguments: str) -> "subprocess.Popen[str]":
    command = [str(project / "scripts" / "exact"), *arguments]
    return subprocess.Popen(command, stdout=-1, stderr=-1, text=True, cwd=project.parent, start_new_session=True)


def run(project: Path, *arguments: str) -> tuple[int, str, str]:
    process = start(project, *arguments)
    out, err = process.communicate(timeout=120)
    return process.returncode, out, err


def wait_for(path: Path) -> None:
    deadline = time.monotonic() + 60
    while not path.exists():
        assert time.monotonic() < deadline, f"{path} never came"
        time.sleep(0.01)


def test_first_use_sets_up_and_later_use_says_nothing(project: Path) -> None:
    code, out, err = run(project, "compute", "a b", "")
    assert (code, out) == (7, "['compute', 'a b', '']\n")
    assert f"exact: setting up {project}/.venv with Python 3." in err
    assert "exact: ready after " in err
    assert run(project, "x") == (7, "['x']\n", "")

    link = project.parent / "link"
    link.symlink_to(project / "scripts" / "exact")
    linked = subprocess.run([link, "y"], capture_output=True, text=True, cwd="/")
    assert (linked.returncode, linked.stdout, linked.stderr) == (7, "['y']\n", "")

    def fastest(command: Path) -> float:
        times = []
        for _ in range(15):
            begin = time.perf_counter()
            subprocess.run([command], capture_output=True)
            times.append(time.perf_counter() - begin)
        return min(times)  # the least disturbed of them: other processes only ever add

    assert fastest(project / "scripts" / "exact") - fastest(project / ".venv" / "bin" / "exact") < 0.05


def test_new_dependencies_and_a_new_place_set_up_again(project: Path) -> None:
    run(project)
    (project / "pyproject.toml").write_text(PYPROJECT + "# changed\n")
    assert "exact: setting up" in run(project)[2]
    assert run(project)[2] == ""
    moved = project.rename(project.parent / "moved")
    code, out, err = run(moved, "z")
    assert (code, out) == (7, "['z']\n")
    assert f"exact: setting up {moved}/.venv" in err


@pytest.mark.parametrize("blow", [signal.SIGKILL, signal.SIGINT])
def test_an_interrupted_set_up_is_repaired_by_the_next_call(project: Path, blow: signal.Signals) -> None:
    (project / "slow").touch()
    process = start(project)
    wait_for(project / "building")
    os.killpg(process.pid, blow)
    out, _ = process.communicate(timeout=60)
    assert (process.returncode != 7, out) == (True, "")
    (project / "slow").unlink()
    shutil.rmtree(project / ".venv" / "lib")  # whatever was half done
    code, out, err = run(project, "again")
    assert (code, out) == (7, "['again']\n")
    assert "exact: setting up" in err


def test_a_failed_set_up_says_so_and_the_next_call_repairs_it(project: Path) -> None:
    (project / "broken").touch()
    code, out, err = run(project)
    assert (code, out) == (1, "")
    assert "the backend is broken" in err
    assert "exact: set-up failed: " in err
    (project / "broken").unlink()
    assert run(project, "x")[:2] == (7, "['x']\n")


def test_calls_at_once_set_up_once(project: Path) -> None:
    (project / "slow").touch()
    first = start(project, "first")
    wait_for(project / "building")
    second = start(project, "second")
    assert second.stderr
    assert second.stderr.readline() == "exact: another set-up is running, waiting for it\n"
    (project / "slow").unlink()
    out, err = first.communicate(timeout=60)
    assert (out, err.count("ready after")) == ("['first']\n", 1)
    assert second.communicate(timeout=60) == ("['second']\n", "")


def test_without_python_the_message_says_what_is_needed(project: Path, tmp_path: Path) -> None:
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("bash", "readlink"):
        (programs / name).symlink_to(shutil.which(name) or name)
    old = programs / "python3"
    old.write_text("#!/bin/sh\nexit 1\n")  # a Python that is too old says no
    old.chmod(0o755)
    command = ["bash", str(project / "scripts" / "exact")]
    done = subprocess.run(command, capture_output=True, text=True, env={"PATH": str(programs)})
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "exact: no usable Python found: "
        "python3.13, python3.12, python3.11 or python3 (3.11 or newer) with pip is needed\n"
    )
    assert not (project / ".venv").exists()
