"""How a benchmark prints: the machine and the versions once, then a block per figure.

Each figure is kept as well where the suite asks for it.
"""

from __future__ import annotations

import platform
import sys
from argparse import ArgumentParser
from importlib.metadata import version
from os import cpu_count
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from compatsolver.catalog.load import bundled
from measuring.records import Figure, keep

if TYPE_CHECKING:
    from measuring.pairs import Pairs

_MARGIN = 12


def wanted_turns(default: int) -> int:
    """How often to measure, from the command line."""
    parser = ArgumentParser(description=sys.modules["__main__"].__doc__)
    parser.add_argument("--turns", type=int, default=default, help="how often subject and peer take turns")
    turns: int = parser.parse_args().turns
    return turns


def head(*others: str) -> None:
    """The machine, and the versions of what ran: the interpreter, this package, its catalogue, and other packages."""
    line("machine", machine())
    line("versions", ", ".join(versions(*others)))


def machine() -> str:
    """The system, the processor and the number of its cores."""
    return f"{platform.system()}, {_processor()}, {cpu_count()} cores"


def versions(*others: str) -> list[str]:
    """The interpreter, this package, some others, and the catalogue."""
    catalog = bundled()
    return [
        f"{platform.python_implementation()} {platform.python_version()}",
        *(f"{name} {version(name)}" for name in ("compatsolver", *others)),
        f"catalogue {catalog.version} (digest {catalog.digest[:12]})",
    ]


def show(title: str, given: str, pairs: Pairs, *, goals: str, unit: str, scale: float = 1.0) -> None:
    """One figure: what it is, its input, the median ratio with its spread, and what it consists of."""
    lower, upper = pairs.quartiles
    print(f"\n{title}")
    line("input", given)
    line("ratio", f"{pairs.ratio:.2f}; half of {len(pairs.subject)} pairs in {lower:.2f} to {upper:.2f} ({goals})")
    line("from", f"{median(pairs.subject) * scale:.3g} {unit} and {median(pairs.peer) * scale:.3g} {unit}")
    keep(Figure(title, given, goals, pairs.ratio, lower, upper, len(pairs.subject)))


def line(label: str, text: str) -> None:
    """One labelled line."""
    print(f"{label:<{_MARGIN}}{text}")


def _processor() -> str:
    try:
        described = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return platform.processor() or platform.machine()
    models = [entry.partition(":")[2].strip() for entry in described.splitlines() if entry.startswith("model name")]
    return models[0] if models else platform.machine()
