"""A program under test as a process: asked in batches, and never trusted to answer, to end, or to be quiet."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from time import monotonic
from typing import Any

from exact.errors import InputError
from exact.verify.protocol import Answer, read_answer

FLOOD = 2**20  # bytes of one answer, or more output than was asked for
_READ = 2**16


class ProcessProgram:
    """A command that reads requests from stdin and answers on stdout, one JSON object a line.

    ``timeout`` is how many seconds it may take for one answer. What it writes on stderr is kept for the report.
    """

    def __init__(self, command: Sequence[str], timeout: float) -> None:
        self.timeout, self.waiting = timeout, b""
        try:
            self.process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
            )
        except OSError as error:
            raise InputError(f"cannot start {' '.join(command)!r}: {error.strerror}") from error
        streams = [stream for stream in (self.process.stdin, self.process.stdout, self.process.stderr) if stream]
        self.stdin, self.stdout, self.stderr = streams
        self.complaints = b""
        self.selector = selectors.DefaultSelector()
        for stream in (self.stdin, self.stdout, self.stderr):
            os.set_blocking(stream.fileno(), False)
        self.selector.register(self.stdout, selectors.EVENT_READ, "stdout")
        self.selector.register(self.stderr, selectors.EVENT_READ, "stderr")

    def start(self, request: Mapping[str, Any]) -> Mapping[str, Any]:
        """What it can do; ``InputError`` where it does not say."""
        lines = list(self._exchange([request]))
        if isinstance(lines[0], Answer):
            raise InputError(f"the program does not start: it {lines[0].broken}{self._stderr()}")
        answer = read_answer(_parsed(lines[0]), None)
        if answer.broken or answer.error:
            raise InputError(f"the program does not start: it {answer.broken or answer.error}{self._stderr()}")
        return answer.said

    def ask(self, requests: Sequence[Mapping[str, Any]]) -> Iterator[Answer]:
        """An answer a request, in order; the first that is broken is the last."""
        lines = self._exchange(requests)
        for request, line in zip(requests, lines, strict=False):
            answer = line if isinstance(line, Answer) else read_answer(_parsed(line), request["id"])
            if answer.broken:
                yield Answer(broken=answer.broken + self._stderr())
                return
            yield answer

    def _exchange(self, requests: Sequence[Mapping[str, Any]]) -> Iterator[bytes | Answer]:
        """Write the requests while reading as many lines; an ``Answer`` in place of a line says what went wrong."""
        out = b"".join(json.dumps(request, ensure_ascii=False).encode() + b"\n" for request in requests)
        given, last = 0, monotonic()
        self.selector.register(self.stdin, selectors.EVENT_WRITE, "stdin")
        try:
            while given < len(requests):
                line, newline, rest = self.waiting.partition(b"\n")
                if newline:
                    self.waiting, given, last = rest, given + 1, monotonic()
                    yield line
                    continue
                if len(self.waiting) > FLOOD:
                    yield Answer(broken=f"floods stdout: {FLOOD:,} bytes without the end of an answer")
                    return
                out, wrong = self._step(out, self.timeout - (monotonic() - last))
                if wrong:
                    yield Answer(broken=wrong)
                    return
            if len(self.waiting) > FLOOD:
                yield Answer(broken="floods stdout: it writes more lines than it is asked for")
        finally:
            with contextlib.suppress(KeyError):
                self.selector.unregister(self.stdin)

    def _step(self, out: bytes, left: float) -> tuple[bytes, str | None]:
        """Whatever can be done now: some bytes written or read; and what is wrong, if it is."""
        if left <= 0:
            return out, f"does not answer within {self.timeout:g} s"
        for key, _ in self.selector.select(left):
            if key.data == "stdin":
                out = self._write(out)
            else:
                data = os.read(key.fd, _READ)
                if key.data == "stderr":
                    self.complaints = (self.complaints + data)[-4000:]
                    if not data:
                        self.selector.unregister(self.stderr)
                elif data:
                    self.waiting += data
                else:
                    return out, self._died(left)
        return out, None

    def _write(self, out: bytes) -> bytes:
        try:
            out = out[os.write(self.stdin.fileno(), out[:_READ]) :] if out else out
        except BlockingIOError:
            return out
        except OSError:
            out = b""  # it no longer reads; its death or silence is seen where it should answer
        if not out:
            self.selector.unregister(self.stdin)
        return out

    def _died(self, left: float) -> str:
        try:
            code = self.process.wait(left)
        except subprocess.TimeoutExpired:
            return f"closes stdout and does not end within {self.timeout:g} s"
        with contextlib.suppress(OSError):
            self.complaints = (self.complaints + (self.stderr.read() or b""))[-4000:]
        return f"dies with exit code {code}" if code >= 0 else f"dies by signal {_signal(-code)}"

    def _stderr(self) -> str:
        lines = self.complaints.decode("utf-8", "replace").strip().splitlines()
        return f"; its last words: {lines[-1][:200]}" if lines else ""

    def stop(self) -> None:
        """Ask it to stop; end it and whatever it started where it does not."""
        with contextlib.suppress(OSError, ValueError):
            os.write(self.stdin.fileno(), b'{"do": "stop"}\n')
        with contextlib.suppress(OSError):
            self.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(min(1.0, self.timeout))
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        for stream in (self.stdout, self.stderr):
            stream.close()
        self.selector.close()


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:  # a real-time signal, which has no name
        return str(number)


def _parsed(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return line.decode("utf-8", "replace")
