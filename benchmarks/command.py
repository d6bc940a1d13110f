"""P2: the whole command against an interpreter that does nothing."""

from __future__ import annotations

from measuring.command import GIVEN, RESOLVE
from measuring.pairs import PASS, processes_in_turns
from measuring.report import head, show, wanted_turns


def main() -> None:
    turns = wanted_turns(41)
    head()
    wall, processor = processes_in_turns(RESOLVE, PASS, turns)
    goals = "must be 4.5, stretch 2.6"
    show(
        "P2  python -m compatsolver resolve ÷ python -c pass, wall clock",
        GIVEN,
        wall,
        goals=goals,
        unit="ms",
        scale=1e3,
    )
    show("P2  the same, processor time", GIVEN, processor, goals="no goal", unit="ms", scale=1e3)


if __name__ == "__main__":
    main()
