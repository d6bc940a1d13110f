"""The answer to a request: the problem stated, solved as the policy wants it, and the outcome told."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from compatsolver.emitters import pip, uv
from compatsolver.explanation import notes as remarks
from compatsolver.explanation.reasons import because, conditions
from compatsolver.model.component import NONE
from compatsolver.model.resolution import CONFLICT, RESOLVED, UNDETERMINED, Missing, Pin, Resolution, Runtime
from compatsolver.solver.certify import Impossible, Solved, solve
from compatsolver.solver.formulate import formulate
from compatsolver.solver.policy import newest
from compatsolver.solver.problem import Problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from compatsolver.catalog.catalogue import Build, Catalog
    from compatsolver.model.host import Host
    from compatsolver.model.request import Request, Target
    from compatsolver.model.rule import Unknown
    from compatsolver.solver.certify import Undecided


_CPU_PIN = re.compile(r"==[^,]*\+cpu\b", re.IGNORECASE)


def answer(catalog: Catalog, host: Host, request: Request, today: str) -> Resolution:
    """Answer a request with whatever verdict it has; `today` (ISO 8601) is when the catalogue's age is judged.

    `host` is what the catalogue understands of the request's target.
    """
    said = [*request.target.remarks, *request.notes]
    if asks_for_cpu(request):
        said += ["a CPU build was asked for: the GPU will not be used"] if host.gpus else []
        host = host._replace(gpus=())
    blank = Resolution(
        verdict=UNDETERMINED,
        catalog=catalog.identity(),
        target=_target_words(catalog, request.target, host),
        assumed={axis: str(getattr(request.target, axis)) for axis in host.assumed},
        notes=(*said, *remarks.age(catalog, today)),
    )
    problem = formulate(catalog, host, request.requirements, request.cuda)
    if not isinstance(problem, Problem):
        return blank._replace(missing=_missing(problem))
    problem, verdict = _solved(catalog, host, request, problem)
    if isinstance(verdict, Impossible):
        return _refuted(catalog, request, host, problem, blank)
    if not isinstance(verdict, Solved):
        return blank._replace(missing=_missing([rule.unknown for rule in verdict.guards if rule.unknown]))
    return _resolved(catalog, request, host, problem, verdict, blank)


def _solved(
    catalog: Catalog, host: Host, request: Request, problem: Problem
) -> tuple[Problem, Solved | Undecided | Impossible]:
    """Solve as the policy wants it; under `closest` the installed packages have a place in the problem if they can."""
    if request.policy == "newest":
        ranking = newest(catalog, host, problem.layout)
        return problem, solve(problem, first=problem.layout.packages, ranking=ranking)
    if request.policy == "conservative":
        from compatsolver.solver.conservative import conservative

        ranking = conservative(catalog, host, problem.layout)
        return problem, solve(problem, first=problem.layout.packages, ranking=ranking)
    from compatsolver.explanation.changes import on_components
    from compatsolver.solver.closest import solve_closest

    installed = on_components(catalog, request)
    wider = formulate(catalog, host, request.requirements, request.cuda, beside=installed)
    if isinstance(wider, Problem):
        verdict = solve_closest(catalog, host, wider, installed)
        if isinstance(verdict, Solved):
            return wider, verdict
    return problem, solve_closest(catalog, host, problem, installed)


def _refuted(catalog: Catalog, request: Request, host: Host, problem: Problem, blank: Resolution) -> Resolution:
    """The proof and the fixes, or what is not known before there is one; imported only where something is refuted."""
    from compatsolver.explanation.conflicts import explain_conflicts
    from compatsolver.explanation.cores import independent_cores
    from compatsolver.explanation.diagnosis.checking import conflict_fixes, stack_on
    from compatsolver.solver.earlier import may_predate

    earlier = may_predate(catalog, host, request.requirements, request.cuda, problem)
    if earlier:
        return blank._replace(missing=_missing([earlier]))
    cores = independent_cores(problem)
    conflicts = explain_conflicts(catalog, problem, cores)
    fixes = conflict_fixes(catalog, stack_on(host, request.requirements), problem, cores, conflicts)
    return blank._replace(verdict=CONFLICT, conflicts=conflicts, fixes=fixes)


def asks_for_cpu(request: Request) -> bool:
    """Whether a request names a CPU build, which leaves the GPUs of its target aside."""
    local = any(_CPU_PIN.search(entry.specifier) for entry in request.requirements)
    return local or request.cuda in (NONE, "cpu")


def _missing(unknown: Sequence[Unknown]) -> tuple[Missing, ...]:
    return tuple(Missing(fact=entry.fact, why=entry.why, how=entry.how) for entry in dict.fromkeys(unknown))


def _target_words(catalog: Catalog, target: Target, host: Host) -> dict[str, Any]:
    branch = catalog.branch_of(host.driver.major) if host.driver else None
    gpus = None
    if host.gpus is not None:
        gpus = [
            {
                "name": gpu.name,
                "compute_capability": gpu.capability or None,
                "architecture": catalog.architectures.get(gpu.capability),
            }
            for gpu in host.gpus
        ]
    return {
        "gpu": gpus,
        "driver": str(host.driver) if host.driver else None,
        "driver_branch": branch.name if branch else None,
        "python": str(host.python),
        "platform": target.platform,
        "glibc": str(host.glibc) if host.glibc else None,
        "wsl": target.wsl,
        "container": target.container,
    }


def _resolved(
    catalog: Catalog,
    request: Request,
    host: Host,
    problem: Problem,
    solved: Solved,
    blank: Resolution,
) -> Resolution:
    assignment = solved.assignment
    position = assignment["torch"]
    build = catalog.build(position)
    pins = _pins(catalog, request, problem, assignment)
    platform = request.target.platform or ""
    return blank._replace(
        verdict=RESOLVED,
        conditions=conditions(problem, host, assignment),
        pins=pins,
        unchecked=request.unchecked,
        runtime=_runtime(problem, assignment, build),
        commands={} if remarks.lacks_a_library(solved) else _commands(pins, platform, request.unchecked),
        notes=(
            *blank.notes,
            *remarks.notes(catalog, host, pins[0], position),
            *remarks.avoided(catalog, problem, solved),
            *remarks.numpy(catalog, problem, assignment),
            *_policy_notes(catalog, request, pins),
        ),
    )


def _policy_notes(catalog: Catalog, request: Request, pins: tuple[Pin, ...]) -> Iterable[str]:
    if request.policy == "newest":
        return ()
    from compatsolver.explanation.changes import policy_notes

    return policy_notes(catalog, request, pins)


def _pins(catalog: Catalog, request: Request, problem: Problem, assignment: dict[str, int]) -> tuple[Pin, ...]:
    """torch first, then the other packages; Triton, which torch brings, only where it was asked for."""
    build = catalog.build(assignment["torch"])
    local_typed = any(entry.name == "torch" and "+" in entry.specifier for entry in request.requirements)
    packages = [name for name in catalog.components if name in problem.layout.packages and name != "torch"]
    asked = {entry.name for entry in request.requirements}
    reasons = because(problem, assignment)
    pins = []
    for name in ("torch", *packages):
        candidate = problem.layout.components[name].candidates[assignment[name]]
        if candidate.version == NONE or (name == "triton" and name not in asked):
            continue
        follows = name == "torch" or catalog.payload["paired"].get(name) == "torch"
        extras = {extra for entry in request.requirements if entry.name == name for extra in entry.extras}
        pins.append(
            Pin(
                name=name,
                version=candidate.version,
                build=candidate.build,
                index=build.index if follows and (local_typed or not build.default_index) else None,
                extras=tuple(sorted(extras)),
                because=reasons.get(name, ()),
                built_beside=tuple(catalog.payload["built_beside"].get(name, ())),
            )
        )
    return tuple(pins)


def _commands(pins: tuple[Pin, ...], platform: str, unchecked: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Tool → its command lines; a tool that cannot express the plan is left out."""
    commands = {
        "pip": pip.install_commands(pins, platform, unchecked),
        "uv": uv.install_commands(pins, platform, unchecked),
    }
    return {tool: lines for tool, lines in commands.items() if lines}


def _runtime(problem: Problem, assignment: dict[str, int], build: Build) -> Runtime:
    triton = problem.layout.components["triton"].candidates[assignment["triton"]].version
    return Runtime(
        cuda=".".join(build.cuda.split(".")[:2]) if build.cuda else None,
        cudnn=build.cudnn,
        nccl=build.nccl,
        triton=triton if build.triton and triton != NONE else None,
    )
