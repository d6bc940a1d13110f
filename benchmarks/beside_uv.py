"""P1: the whole command against `uv pip compile` on the same packages, from a local directory, offline and warm."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from uv import find_uv_bin

from compatsolver.catalog.load import bundled
from measuring.command import GIVEN, PACKAGES, PYTHON, RESOLVE
from measuring.pairs import processes_in_turns
from measuring.report import head, show, wanted_turns
from measuring.stubs import stubs, write_wheels


def main() -> None:
    turns = wanted_turns(31)
    head("uv")
    with TemporaryDirectory() as scratch:
        root = Path(scratch)
        wheels = root / "wheels"
        wheels.mkdir()
        count = write_wheels(stubs(bundled(), PACKAGES), wheels)
        listing = root / "requirements.in"
        listing.write_text("\n".join(PACKAGES) + "\n", encoding="utf-8")
        wall, processor = processes_in_turns(RESOLVE, _compile(listing, wheels, root / "cache"), turns)
    given = f"{GIVEN}; uv: {count} stub wheels for Linux"
    goals = "must be 1.8, stretch 1.0"
    show("P1  resolve ÷ uv pip compile, wall clock", given, wall, goals=goals, unit="ms", scale=1e3)
    show("P1  the same, processor time", given, processor, goals="no goal", unit="ms", scale=1e3)


def _compile(listing: Path, wheels: Path, cache: Path) -> tuple[str, ...]:
    return (
        *(find_uv_bin(), "pip", "compile", str(listing), "--no-index", "--find-links", str(wheels), "--offline"),
        *("--cache-dir", str(cache), "--no-config", "--python", sys.executable),
        *("--python-version", PYTHON, "--python-platform", "x86_64-manylinux_2_35"),
    )


if __name__ == "__main__":
    main()
