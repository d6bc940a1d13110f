"""What an installer was asked for and did not find: the release held against Python, glibc and platform."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from compatsolver.explanation.cores import independent_cores
from compatsolver.explanation.diagnosis.rulings import finding_of
from compatsolver.explanation.fixes.premises import problem_of, torch_mask
from compatsolver.model.diagnosis import CERTAIN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.explanation.fixes.stack import Stack
    from compatsolver.model.diagnosis import Finding

_TORCH = re.compile(r"torch===?(\d+(?:\.\d+)+)(?:\+(\w+))?")


def not_installable(catalog: Catalog, stack: Stack) -> Iterator[Finding]:
    """Why this machine has no wheel of the torch that was asked for; nothing where the tables have one for it."""
    for entry in stack.reading.observations:
        match = _TORCH.fullmatch(entry.value) if entry.axis == "unavailable" else None
        if match is None:
            continue
        asked = replace(stack, torch=match[1], tag=match[2], cuda=None, gpus=(), driver=None, ceiling=None, packages={})
        if torch_mask(catalog, asked):
            problem = problem_of(catalog, asked, without=frozenset())
            cores = independent_cores(problem)
            yield from (finding_of(catalog, asked, problem, cores, core, CERTAIN) for core in cores if core)
        return
