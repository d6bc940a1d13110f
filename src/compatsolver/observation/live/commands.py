"""Run a program of the machine for a limited time."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class Outcome(NamedTuple):
    """What a program printed. `status` is None where there is none, and `problem` says why: it could not be run, or
    it gave no answer in time (`timed_out`)."""

    status: int | None
    output: str = ""
    complaints: str = ""
    problem: str | None = None
    timed_out: bool = False

    @property
    def first_line(self) -> str:
        """The first line of what it printed, or the exit status where it printed nothing."""
        lines = f"{self.output}\n{self.complaints}".strip().splitlines()
        return self.problem or (lines[0].strip() if lines else f"exit status {self.status}")


def run(command: Sequence[str], patience: float, environ: Mapping[str, str]) -> Outcome:
    """Run it for at most `patience` seconds.

    A process that does not answer is killed; one that does not even die (a driver that hangs in the kernel) is left
    behind and not waited for.
    """
    from contextlib import suppress
    from subprocess import DEVNULL, PIPE, Popen, TimeoutExpired

    try:
        process = Popen(
            list(command),
            stdin=DEVNULL,
            stdout=PIPE,
            stderr=PIPE,
            encoding="utf-8",
            errors="replace",
            env={**environ, "LC_ALL": "C"},
        )
    except (OSError, ValueError) as error:
        return Outcome(None, problem=f"cannot be run: {getattr(error, 'strerror', None) or error}")
    try:
        output, complaints = process.communicate(timeout=max(patience, 0.0))
    except TimeoutExpired:
        process.kill()
        for pipe in (process.stdout, process.stderr):
            if pipe:
                pipe.close()
        with suppress(TimeoutExpired):
            process.wait(timeout=0.2)
        return Outcome(None, problem=f"no answer within {patience:.2g} s", timed_out=True)
    return Outcome(process.returncode, output, complaints)
