"""P3: import and catalogue against an interpreter that does nothing; the reading of the catalogue by itself."""

from __future__ import annotations

import sys

from measuring.pairs import PASS, in_turns, printed, processes_in_turns, run
from measuring.report import head, show, wanted_turns

READY = "import compatsolver; from compatsolver.catalog.load import bundled; bundled()"
READING = (
    "import compatsolver; from compatsolver.catalog.load import bundled; from time import perf_counter;"
    "start = perf_counter(); bundled(); print(perf_counter() - start)"
)


def main() -> None:
    turns = wanted_turns(41)
    head()
    wall, processor = processes_in_turns((sys.executable, "-c", READY), PASS, turns)
    goals = "must be 3.5, stretch 2.4"
    show("P3  import + catalogue ÷ python -c pass, wall clock", READY, wall, goals=goals, unit="ms", scale=1e3)
    show("P3  the same, processor time", READY, processor, goals="no goal", unit="ms", scale=1e3)
    reading = in_turns(lambda: printed((sys.executable, "-c", READING)), lambda: run(PASS).wall, turns)
    goals = "must be 3 ms where pass takes 8 ms: 0.38; stretch 1.5 ms: 0.19"
    show("P3  reading the catalogue in a fresh process ÷ pass", "bundled()", reading, goals=goals, unit="ms", scale=1e3)


if __name__ == "__main__":
    main()
