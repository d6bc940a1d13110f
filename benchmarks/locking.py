"""P10: a full lock from the package index against `uv pip compile` on the same request, cold, and warm and offline.

It needs the network, and it is the default build of torch that is locked, because both find that on the default index.
uv is told which interpreter to use: looking for one takes it longer than the rest where pyenv's shims are on PATH.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from uv import find_uv_bin

from compatsolver.catalog.load import bundled
from compatsolver.index.settings import default_index
from measuring.command import PACKAGES
from measuring.pairs import Pairs, run
from measuring.report import head, show, wanted_turns

if TYPE_CHECKING:
    from collections.abc import Sequence

    from measuring.pairs import Usage

PYTHON = "3.12"
TARGET = ("--gpu", "RTX 4090", "--driver", "580.65.06", "--python", PYTHON, "--platform", "linux-x86_64")
COLD_TURNS = 5


def main() -> None:
    turns = wanted_turns(11)
    head("uv")
    request = (f"torch=={_default_build()}", *PACKAGES[1:])
    given = f"{' '.join(request)}; RTX 4090, driver 580.65.06, Python {PYTHON}, Linux, glibc 2.35"
    with TemporaryDirectory() as scratch:
        root = Path(scratch)
        (root / "requirements.in").write_text("\n".join(request) + "\n", encoding="utf-8")
        ours, theirs = _ours(request, root), _theirs(root)
        cold = [(_cold(ours, root / "ours"), _cold(theirs, root / "theirs")) for _ in range(min(turns, COLD_TURNS) + 1)]
        warm = [(run((*ours, "--offline")), run((*theirs, "--offline"))) for _ in range(turns + 1)]
    _show("cold", given, cold[1:], "must be 1.8, stretch 1.0")
    _show("warm, offline", given, warm[1:], "must be 1.2, stretch 0.6")


def _default_build() -> str:
    """The newest torch whose default build the driver of the target runs natively."""
    catalog = bundled()
    candidates = enumerate(catalog.components["torch"].candidates)
    return next(
        row.version
        for position, row in candidates
        if row.platform == "linux-x86_64" and row.build == "cu130" and catalog.build(position).default_index
    )


def _ours(request: Sequence[str], root: Path) -> tuple[str, ...]:
    os.environ["XDG_CACHE_HOME"] = str(root / "ours")  # a benchmark's processes have none of our own variables
    index = ("--index-url", default_index(), "--output", str(root / "pylock.toml"))
    return (sys.executable, "-m", "compatsolver", "lock", *request, *TARGET, "--glibc", "2.35", *index)


def _theirs(root: Path) -> tuple[str, ...]:
    return (
        *(find_uv_bin(), "pip", "compile", str(root / "requirements.in"), "--quiet", "--no-config"),
        *("--python", sys.executable),
        *("--generate-hashes", "--default-index", default_index(), "--cache-dir", str(root / "theirs")),
        *("--python-version", PYTHON, "--python-platform", "x86_64-manylinux_2_35"),
        *("--output-file", str(root / "uv.txt")),
    )


def _cold(line: Sequence[str], cache: Path) -> Usage:
    shutil.rmtree(cache, ignore_errors=True)
    (cache.parent / "uv.txt").unlink(missing_ok=True)  # uv prefers the versions that are in its output
    return run(line)


def _show(what: str, given: str, runs: Sequence[tuple[Usage, Usage]], goals: str) -> None:
    wall = Pairs(tuple(ours.wall for ours, _ in runs), tuple(theirs.wall for _, theirs in runs))
    processor = Pairs(tuple(ours.processor for ours, _ in runs), tuple(theirs.processor for _, theirs in runs))
    show(f"P10  lock ÷ uv pip compile, {what}, wall clock", given, wall, goals=goals, unit="s")
    show("P10  the same, processor time", given, processor, goals="no goal", unit="s")


if __name__ == "__main__":
    main()
