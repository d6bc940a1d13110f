"""Subject and peer take turns, so that a slow moment of the machine strikes both; each turn gives one ratio."""

from __future__ import annotations

import os
import subprocess
import sys
from statistics import median, quantiles
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

WARM_UPS = 2
PASS = (sys.executable, "-c", "pass")
"""The peer of a whole process: an interpreter that does nothing."""

# Both change what is measured: without bytecode every run compiles, and unbuffered output is another program.
_UNWANTED = ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED")

_SMALL_PARENT = """
import os, sys
silent = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=silent)
_, status, usage = os.wait4(child, 0)
print(usage.ru_maxrss)
sys.exit(os.waitstatus_to_exitcode(status))
"""


class Usage(NamedTuple):
    """What one process took, in seconds: from start to end, and of the processor."""

    wall: float
    processor: float


class Pairs(NamedTuple):
    """Figures of subject and peer, turn by turn, in one unit."""

    subject: tuple[float, ...]
    peer: tuple[float, ...]

    @property
    def ratios(self) -> list[float]:
        """The ratio of each turn."""
        return [subject / peer for subject, peer in zip(self.subject, self.peer, strict=True)]

    @property
    def ratio(self) -> float:
        """The median of the ratios."""
        return median(self.ratios)

    @property
    def quartiles(self) -> tuple[float, float]:
        """Between which half of the ratios lie."""
        lower, _, upper = quantiles(self.ratios, n=4)
        return lower, upper


def in_turns(subject: Callable[[], float], peer: Callable[[], float], turns: int) -> Pairs:
    """Take both figures `turns` times, warm-ups not counted."""
    figures = [(subject(), peer()) for _ in range(WARM_UPS + turns)][WARM_UPS:]
    return Pairs(tuple(ours for ours, _ in figures), tuple(theirs for _, theirs in figures))


def processes_in_turns(subject: Sequence[str], peer: Sequence[str], turns: int) -> tuple[Pairs, Pairs]:
    """Run two command lines in turns; gives their wall-clock and their processor seconds."""
    runs = [(run(subject), run(peer)) for _ in range(WARM_UPS + turns)][WARM_UPS:]
    wall = Pairs(tuple(ours.wall for ours, _ in runs), tuple(theirs.wall for _, theirs in runs))
    processor = Pairs(tuple(ours.processor for ours, _ in runs), tuple(theirs.processor for _, theirs in runs))
    return wall, processor


def best_of(turns: int, task: Callable[[], object]) -> float:
    """The shortest of some runs, in seconds."""
    best = float("inf")
    for _ in range(turns):
        start = perf_counter()
        task()
        best = min(best, perf_counter() - start)
    return best


def run(line: Sequence[str]) -> Usage:
    """Run a command line to its end, its output dropped; raises CalledProcessError where it fails."""
    start = perf_counter()
    process = subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=_environment())
    _, status, usage = os.wait4(process.pid, 0)
    wall = perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, line)
    return Usage(wall, usage.ru_utime + usage.ru_stime)


def printed(line: Sequence[str]) -> float:
    """The number that a command line prints."""
    return float(subprocess.run(line, check=True, capture_output=True, env=_environment()).stdout)


def peak_memory(line: Sequence[str]) -> float:
    """The largest resident set of a command line, as the system counts it (KiB on Linux).

    A new process inherits the peak of the one that started it. So that is an interpreter smaller than any subject.
    """
    return printed((sys.executable, "-I", "-S", "-c", _SMALL_PARENT, *line))


def _environment() -> Mapping[str, str]:
    return {
        name: value
        for name, value in os.environ.items()
        if name not in _UNWANTED and not name.startswith("COMPATSOLVER_")
    }
