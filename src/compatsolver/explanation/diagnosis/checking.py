"""Do pins fit a machine? The request's assumptions are held against the rules; nothing is chosen for the user."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from compatsolver.explanation.cores import independent_cores
from compatsolver.explanation.diagnosis.rulings import finding_of
from compatsolver.explanation.fixes.repairs import Broken, repairs
from compatsolver.explanation.fixes.stack import Stack
from compatsolver.model.component import NONE
from compatsolver.model.diagnosis import CERTAIN, COMPATIBLE, INCOMPATIBLE, UNDETERMINED, Diagnosis
from compatsolver.model.fix import MOST_FIXES, Fix
from compatsolver.model.observation import Reading
from compatsolver.model.resolution import Missing
from compatsolver.model.rule import Kind
from compatsolver.solver.certify import Undecided, solve
from compatsolver.solver.formulate import formulate
from compatsolver.solver.problem import Problem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.model.host import Host
    from compatsolver.model.request import Request, Requirement
    from compatsolver.model.resolution import Conflict
    from compatsolver.model.rule import Unknown
    from compatsolver.solver.problem import Assumption

_PINNED = re.compile(r"={2,3}\s*([^,+\s]+)(?:\+(\w[\w.]*))?")


def check_pins(catalog: Catalog, host: Host, request: Request) -> Diagnosis:
    """Which requirements cannot work on that machine, and why; what the catalogue does not know is listed as unread."""
    blank = Diagnosis(
        verdict=UNDETERMINED,
        catalog=catalog.identity(),
        read=_read(host, request),
        not_understood=tuple(f"{text}: not in the catalogue, not checked" for text in request.unchecked),
    )
    problem = formulate(catalog, host, request.requirements, request.cuda)
    if not isinstance(problem, Problem):
        return replace(blank, missing=_missing(problem))
    stack = stack_on(host, request.requirements)
    cores = independent_cores(problem)
    if cores:
        found = tuple(finding_of(catalog, stack, problem, cores, core, CERTAIN) for core in cores)
        return replace(blank, verdict=INCOMPATIBLE, findings=found)
    verdict = solve(problem)
    if isinstance(verdict, Undecided):
        return replace(blank, missing=_missing([rule.unknown for rule in verdict.guards if rule.unknown]))
    return replace(blank, verdict=COMPATIBLE)


def conflict_fixes(
    catalog: Catalog,
    stack: Stack,
    problem: Problem,
    cores: Sequence[tuple[Assumption, ...]],
    conflicts: Sequence[Conflict],
) -> tuple[Fix, ...]:
    """What mends a refuted request: the fixes of each independent core in turn, cheapest first."""
    each = []
    for core, conflict in zip(cores, conflicts, strict=True):
        others = tuple(other for other in cores if other is not core)
        each.append(repairs(catalog, stack, Broken(problem, core, Kind(conflict.kind), others)))
    turns = [fixes[turn] for turn in range(MOST_FIXES) for fixes in each if turn < len(fixes)]
    return tuple(dict.fromkeys(turns))[:MOST_FIXES]


def stack_on(host: Host, requirements: Sequence[Requirement]) -> Stack:
    """A host and the exact pins among some requirements, as the repairs look at them."""
    pins = {entry.name: match for entry in requirements if (match := _PINNED.fullmatch(entry.specifier.strip()))}
    torch = pins.pop("torch", None)
    return Stack(
        reading=Reading(),
        gpus=tuple(gpu for gpu in host.gpus or () if gpu.capability),
        driver=str(host.driver) if host.driver else None,
        ceiling=host.driver_cuda,
        platform=host.platform,
        python=host.python,
        glibc=host.glibc,
        torch=torch[1] if torch else None,
        tag=torch[2] if torch else None,
        cuda=NONE if torch and torch[2] == "cpu" else None,
        packages={name: match[1] for name, match in pins.items()},
    )


def _read(host: Host, request: Request) -> dict[str, object]:
    facts: dict[str, object] = {
        "gpu": [{"name": gpu.name, "compute_capability": gpu.capability} for gpu in host.gpus or ()],
        "driver": str(host.driver) if host.driver else None,
        "platform": host.platform,
        "python": str(host.python),
        "glibc": str(host.glibc) if host.glibc else None,
        "requirements": [entry.words for entry in request.requirements],
        "notes": list(request.notes),
    }
    return {name: value for name, value in facts.items() if value not in (None, [])}


def _missing(unknown: Sequence[Unknown]) -> tuple[Missing, ...]:
    return tuple(Missing(fact=entry.fact, why=entry.why, how=entry.how) for entry in dict.fromkeys(unknown))
