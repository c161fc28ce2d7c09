"""Makes .venv beside the project: `setup.py ROOT NAME EXTRAS`, run by environment.sh when a stamp is not current."""

import fcntl
import os
import subprocess
import sys
import time
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def locked(folder: Path) -> Iterator[int]:
    """Holds a lock on the folder itself, which the system releases with the last process that holds it.

    The descriptor goes to pip too: if only this script is killed, the next set-up waits for its pip to end.
    """
    lock = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("another set-up is running, waiting for it")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield lock
    finally:
        os.close(lock)


def say(message: str) -> None:
    print(f"exact: {message}", file=sys.stderr, flush=True)


def installer(python: Path) -> list[str]:
    """The pip command for the environment: the pip of this Python (22.3 or newer), or one put into the environment."""
    outside = [sys.executable, "-m", "pip", "--python", str(python)]
    if subprocess.run([*outside, "--version"], capture_output=True).returncode == 0:
        return outside
    subprocess.run([python, "-m", "ensurepip"], check=True, stdout=sys.stderr)
    return [str(python), "-m", "pip"]


def set_up(root: Path, name: str, extras: str) -> None:
    """Makes or mends the environment; the stamps go first and come last, so that an interruption leaves none."""
    folder = root / ".venv"
    python = folder / "bin" / "python"
    content = f"{root}\n{(root / 'pyproject.toml').read_text()}"
    with locked(root) as lock:
        stamps = {path.name: path.read_text() for path in folder.glob("ready-*")}
        if stamps.get(f"ready-{name}") == content and python.exists():
            return  # done by the set-up that this one waited for
        start = time.monotonic()
        say(f"setting up {folder} with Python {sys.version.split()[0]}; this may take a minute")
        for stamp in stamps:
            (folder / stamp).unlink()
        if not (python.exists() and any(text.startswith(f"{root}\n") for text in stamps.values())):
            venv.create(folder, clear=True, symlinks=True)
        options = ["-qq", "--disable-pip-version-check", "--only-binary", ":all:"]
        command = [*installer(python), "install", *options, "--editable", f"{root}[{extras}]"]
        subprocess.run(command, check=True, stdout=sys.stderr, pass_fds=[lock])
        for stamp in {f"ready-{name}", "ready-use"}:  # every set-up holds what scripts/exact needs
            part = folder / f"{stamp}.part"
            part.write_text(content)
            part.replace(folder / stamp)
        say(f"ready after {time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    try:
        set_up(Path(sys.argv[1]), sys.argv[2], sys.argv[3])
    except subprocess.CalledProcessError as error:
        say(f"set-up failed: {error}; the next call starts it again")
        sys.exit(1)
    except KeyboardInterrupt:
        say("set-up interrupted; the next call starts it again")
        sys.exit(1)
