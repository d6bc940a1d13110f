"""Standard output for results, standard error for messages, and what can go wrong with either."""

from __future__ import annotations

import errno
import io
import os
import sys
import time
from contextlib import suppress

from compatsolver.errors import ProbeError

_LINE = 78
_LINE_LASTS = 0.1


def prepare_streams() -> None:
    """UTF-8 on Windows, whose redirected streams have a code page; elsewhere the locale's, `?` for what it lacks."""
    encoding = "utf-8" if os.name == "nt" else None
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding=encoding, errors="replace")


def emit(text: str) -> None:
    """Write a result to standard output, all of it before this returns.

    Raises BrokenPipeError where the reader went away and ProbeError where the device refuses (a full disk).
    """
    if sys.stdout is None:  # closed by the caller, who wants the exit code alone
        return
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as error:
        _abandon_stdout()
        if error.errno in (errno.EPIPE, errno.EINVAL):  # EINVAL is how Windows says it
            raise BrokenPipeError from None
        raise ProbeError(f"standard output cannot be written: {error.strerror}") from error


def say(text: str) -> None:
    """Write a message to standard error; where that is closed there is nobody to tell."""
    if sys.stderr is not None:
        with suppress(OSError):
            sys.stderr.write(text)
            sys.stderr.flush()


class Progress:
    """One line on standard error that says what is being done, in place of the one before; none but on a terminal."""

    def __init__(self) -> None:
        self._shown = sys.stderr is not None and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self._since = 0.0

    def __call__(self, words: str) -> None:
        """Show some words, at most ten times a second."""
        now = time.monotonic()
        if self._shown and now - self._since > _LINE_LASTS:
            self._since = now
            say(f"\r\x1b[K{words[:_LINE]}")

    def close(self) -> None:
        """Take the line away."""
        if self._shown:
            say("\r\x1b[K")


def wants_colour() -> bool:
    """Whether standard output is a terminal that shows colour. Not on Windows: older consoles print the codes."""
    terminal = sys.stdout is not None and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    return terminal and not os.environ.get("NO_COLOR") and os.name != "nt"


def _abandon_stdout() -> None:
    """Point the descriptor at nothing, or the interpreter's own flush at exit would fail again and change the code."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
