"""A check in a process of its own: limited in time and memory, and ended with all that it started."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import TYPE_CHECKING, Any, NamedTuple

from compatsolver.errors import InputError
from compatsolver.model.validation import COMPLETED

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import IO

RUN = Path(__file__).with_name("checks") / "run.py"
KEPT = 16_000
"""Bytes of output that are kept, from its end."""
GRACE = 5.0
"""Seconds that a child gets beyond its limit, to say itself where it hangs, and again after being asked to end."""

_OFFLINE = {"HF_HUB_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false", "PYTHONUNBUFFERED": "1"}
_CACHES = ("TORCHINDUCTOR_CACHE_DIR", "TRITON_CACHE_DIR", "TORCH_EXTENSIONS_DIR")


class Limits(NamedTuple):
    """Seconds of wall time; bytes of private memory, None for no limit."""

    seconds: float
    memory: int | None = None


class Ending(NamedTuple):
    """How a child ended: its result (None where it wrote none), in words, after how many seconds, its last output.

    `late`: it had given none when its time was up.
    """

    result: Mapping[str, Any] | None
    words: str
    seconds: float
    output: str
    late: bool = False


def most_memory() -> int | None:
    """Four fifths of this machine's memory, in bytes; None where the system does not tell."""
    with suppress(AttributeError, ValueError, OSError):
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") * 4 // 5
    return None


def run_child(python: str, settings: Mapping[str, Any], limits: Limits) -> Ending:
    """Run one check in an interpreter; raises InputError where that cannot be started."""
    with TemporaryDirectory(prefix="compatsolver-", ignore_cleanup_errors=True) as folder:
        result = Path(folder, "result.json")
        told = {**settings, "result": str(result), **limits._asdict()}
        start = time.monotonic()
        process = _started([python, str(RUN), json.dumps(told)], folder)
        output = Output(process.stdout)
        try:
            with suppress(subprocess.TimeoutExpired):
                process.wait(limits.seconds + GRACE)
        finally:
            _end(process)
        seconds = time.monotonic() - start
        found = _read(result)
        late = found is None and seconds >= limits.seconds
        words = _words(process.returncode, limits.seconds if late else None)
        return Ending(found, words, seconds, output.text(), late)


def _started(command: list[str], folder: str) -> subprocess.Popen[bytes]:
    """A process with a group of its own, so that what it starts can be ended with it."""
    beside = os.pathsep.join((os.path.dirname(command[0]), os.environ.get("PATH", "")))  # noqa: PTH120
    environment = {**os.environ, **_OFFLINE, **dict.fromkeys(_CACHES, folder), "PATH": beside}
    try:
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=environment,
            cwd=folder,
            start_new_session=True,
        )
    except OSError as error:
        raise InputError(
            f"{command[0]}: this interpreter cannot be started: {error.strerror or error}",
            hint="name the Python of the environment: --python path/to/environment/bin/python",
        ) from None


class Output:
    """Reads a stream to its end in a thread and keeps the last of it, so that a chatty child blocks on nothing."""

    def __init__(self, stream: IO[bytes] | None) -> None:
        self._kept = b""
        self._stream = stream
        self._thread = Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        assert self._stream is not None
        with suppress(OSError, ValueError):
            while chunk := os.read(self._stream.fileno(), 1 << 16):
                self._kept = (self._kept + chunk)[-KEPT:]

    def text(self) -> str:
        """What was kept; a process that got away with the stream is not waited for."""
        self._thread.join(GRACE)
        if self._stream and not self._thread.is_alive():
            self._stream.close()
        return self._kept.decode("utf-8", "replace")


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the process and its group, politely first: torchrun ends its workers when it is asked to."""
    if os.name == "nt":
        process.kill()
        process.wait()
        return
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGTERM)
        limit = time.monotonic() + GRACE
        while time.monotonic() < limit:
            process.poll()
            os.killpg(process.pid, 0)
            time.sleep(0.02)
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _read(file: Path) -> Mapping[str, Any] | None:
    try:
        result = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return result if isinstance(result, dict) and "status" in result else None


def _words(code: int, limit: float | None) -> str:
    if limit is not None:
        return f"stopped after its limit of {limit:g} s"
    if code >= 0:
        return f"exit code {code}" if code else COMPLETED
    with suppress(ValueError):
        return f"ended by {signal.Signals(-code).name}"
    return f"ended by signal {-code}"
