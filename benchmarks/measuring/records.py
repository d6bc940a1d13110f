"""Figures as lines of JSON, for the suite that runs the scripts."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import NamedTuple

VARIABLE = "COMPATSOLVER_BENCHMARK_RECORDS"
"""Names the file that a script adds its figures to; without it nothing is kept."""


class Figure(NamedTuple):
    """One ratio: what it is, its input and goals, the median of the paired ratios, and the middle half of them."""

    title: str
    given: str
    goals: str
    ratio: float
    lower: float
    upper: float
    pairs: int


def keep(figure: Figure) -> None:
    """Add a figure to the file of the suite."""
    path = os.environ.get(VARIABLE)
    if path:
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(json.dumps(figure._asdict()) + "\n")


def read_figures(path: Path) -> list[Figure]:
    """The figures that were kept, in the order they were taken."""
    return [Figure(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]
