"""P1: the whole command against py-rattler on the same packages, as a conda channel on disk."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from compatsolver.catalog.load import bundled
from measuring.command import GIVEN, PACKAGES, RESOLVE
from measuring.pairs import processes_in_turns
from measuring.report import head, show, wanted_turns
from measuring.stubs import stubs, write_channel

SOLVE = Path(__file__).parent / "measuring" / "conda_solve.py"


def main() -> None:
    turns = wanted_turns(21)
    head("py-rattler")
    with TemporaryDirectory() as scratch:
        count = write_channel(stubs(bundled(), PACKAGES), Path(scratch))
        solve = (sys.executable, str(SOLVE), scratch, *PACKAGES)
        wall, processor = processes_in_turns(RESOLVE, solve, turns)
    given = f"{GIVEN}; py-rattler: {count} records"
    show("P1  resolve ÷ py-rattler, wall clock", given, wall, goals="no goal", unit="ms", scale=1e3)
    show("P1  the same beside py-rattler, processor time", given, processor, goals="no goal", unit="ms", scale=1e3)


if __name__ == "__main__":
    main()
