"""P1: the whole command against `pip install --dry-run` on the same packages, from a local directory."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from compatsolver.catalog.load import bundled
from measuring.command import GIVEN, PACKAGES, PYTHON, RESOLVE
from measuring.pairs import processes_in_turns
from measuring.report import head, show, wanted_turns
from measuring.stubs import stubs, write_wheels


def main() -> None:
    turns = wanted_turns(11)
    head("pip")
    os.environ["PIP_CONFIG_FILE"] = os.devnull  # what this machine tells pip to hold back would be another question
    with TemporaryDirectory() as scratch:
        count = write_wheels(stubs(bundled(), PACKAGES), Path(scratch))
        wall, processor = processes_in_turns(RESOLVE, _install(scratch), turns)
    given = f"{GIVEN}; pip: {count} stub wheels for Linux"
    show("P1  resolve ÷ pip install --dry-run, wall clock", given, wall, goals="no goal", unit="ms", scale=1e3)
    show("P1  the same beside pip, processor time", given, processor, goals="no goal", unit="ms", scale=1e3)


def _install(wheels: str) -> tuple[str, ...]:
    return (
        *(sys.executable, "-m", "pip", "--isolated", "install", "--dry-run", "--ignore-installed"),
        *("--no-index", "--find-links", wheels, "--only-binary", ":all:", "--python-version", PYTHON),
        *("--target", f"{wheels}/nowhere", *PACKAGES),
    )


if __name__ == "__main__":
    main()
