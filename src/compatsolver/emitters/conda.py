"""`environment.yml` for conda: Python from conda, the stack in its pip section.

torch's wheels bring their own CUDA libraries. A second set from a channel would lie beside them in the environment, and
which of the two is loaded would depend on the order of imports.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from compatsolver.emitters.locked import comments, only_python, opening
from compatsolver.emitters.requirements import hashed_line, sources

if TYPE_CHECKING:
    from collections.abc import Mapping

    from compatsolver.model.lock import Lock

NAME = "environment.yml"
WHY = (
    "Python comes from conda and the stack from wheels: these bring their own CUDA libraries,",
    "and a second set from a channel would shadow them. Add no cudatoolkit, cudnn or nccl here.",
    f"Create it with: conda env create --file {NAME}",
)


def render(lock: Lock) -> Mapping[str, str]:
    """The file; raises InputError where the lock is for several Pythons."""
    entries = [*sources(lock.packages), *(hashed_line(package, join=" ") for package in lock.packages)]
    lines = [
        "name: locked-environment",
        "channels: [conda-forge, nodefaults]",
        "dependencies:",
        *(f"- {spec}" for spec in python_specs(only_python(lock, NAME))),
        "- pip",
        "- pip:",
        *(f"  - {json.dumps(entry, ensure_ascii=False)}" for entry in entries),
    ]
    return {NAME: "\n".join((comments((*opening(lock), *WHY)), *lines, ""))}


def cannot_express(lock: Lock) -> tuple[str, ...]:
    """What conda does not hold to."""
    lost = [
        "the build of Python: conda takes the newest patch release of the channel",
        "platform, GPU and driver are comments: nothing keeps the file from another machine",
    ]
    if any(package.index for package in lock.packages):
        lost.append("which index a package comes from: the hashes alone tell the files apart")
    return tuple(lost)


def python_specs(python: str) -> tuple[str, ...]:
    """A Python in conda's terms; the free-threaded build is a package of its own on conda-forge."""
    version = python.rstrip("t")
    return (f"python={version}", *(("python-freethreading",) if python.endswith("t") else ()))
