"""The public verbs: each reads a request, asks the catalogue and returns a frozen answer; nothing is printed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, Any

from compatsolver.catalog.hosts import understand
from compatsolver.catalog.load import bundled, read
from compatsolver.catalog.requirements import read_requirement
from compatsolver.emitters import pip, uv
from compatsolver.errors import InputError, InsufficientFacts, NoSolution
from compatsolver.explanation import notes as remarks
from compatsolver.explanation.conflicts import explain_conflicts
from compatsolver.explanation.reasons import because, conditions
from compatsolver.model.component import NONE
from compatsolver.model.request import POLICIES, Request, Requirement, Target
from compatsolver.model.resolution import (
    CONFLICT,
    RESOLVED,
    UNDETERMINED,
    Missing,
    Pin,
    Resolution,
    Runtime,
)
from compatsolver.solver.certify import Impossible, Solved, solve
from compatsolver.solver.formulate import formulate
from compatsolver.solver.policy import newest
from compatsolver.solver.problem import Problem

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.model.diagnosis import Diagnosis
    from compatsolver.model.environment import Environment
    from compatsolver.model.host import Host
    from compatsolver.model.rule import Unknown


@dataclass(frozen=True, kw_only=True)
class Plan(Resolution):
    """An answer, with a rendering for notebooks."""

    def _repr_markdown_(self) -> str:
        from compatsolver.render.markdown import plan_markdown

        return plan_markdown(self)


def resolve(
    requires: Sequence[str] = (),
    *,
    gpu: str | Sequence[str] | None = None,
    driver: str | None = None,
    **target: Any,
) -> Plan:
    """Return a plan for the target, or raise.

    Takes what `plan` takes. Raises NoSolution where it is proven that there is none, InsufficientFacts where the
    known facts do not decide, InputError where the request cannot be read, CatalogError, SolverLimit and ProbeError.
    """
    answer = plan(requires, gpu=gpu, driver=driver, **target)
    if answer.verdict == CONFLICT:
        raise NoSolution(answer)
    if answer.verdict == UNDETERMINED:
        raise InsufficientFacts(answer)
    return answer


def plan(
    requires: Sequence[str] = (),
    *,
    gpu: str | Sequence[str] | None = None,
    driver: str | None = None,
    python: str | None = None,
    platform: str | None = None,
    glibc: str | None = None,
    wsl: bool = False,
    container: str | None = None,
    cuda: str | None = None,
    policy: str = "newest",
    environment: str | Path | None = None,
    catalog: Path | None = None,
) -> Plan:
    """Answer a request with whatever verdict it has.

    `requires`: PEP 508 requirements on torch, torchvision, torchaudio. `gpu`: a marketing name, nvidia-smi name,
    capability (`8.9`), `sm_89`, a list of them, or `none` for a CPU stack. `cuda`: a version or PEP 440 specifier on
    the runtime, `cu126`, or `none`. `environment`: a file describing a machine; arguments win over it. With no target
    at all this machine is read; with any, nothing about GPU and driver is, and platform, Python and glibc that are
    not given are this interpreter's, which the answer says.
    """
    from compatsolver.observation.completion import complete

    given = Target(
        gpus=_gpu_words(gpu),
        driver=driver,
        python=python,
        platform=platform,
        glibc=glibc,
        wsl=wsl,
        container=container,
    )
    if policy not in POLICIES:
        raise InputError(f"the policy {policy!r} is unknown", hint="use " + " or ".join(POLICIES))
    facts = _catalog(catalog)
    target = complete(given, environment)
    requirements, said = _requirements(facts, requires)
    request = Request(target=target, requirements=requirements, cuda=cuda, policy=policy)
    return _answer(facts, request, said)


def explain(
    *, text: str | bytes | None = None, environment: Environment | str | Path | None = None, catalog: Path | None = None
) -> Diagnosis:
    """Diagnose what people paste, a described environment, both together, or this machine where neither is given.

    Raises InputError for an environment that cannot be read and ProbeError for this machine; any text is accepted.
    """
    from compatsolver.explanation.entrance import explain_given

    return explain_given(_catalog(catalog), text, environment)


def _gpu_words(gpu: str | Sequence[str] | None) -> tuple[str, ...] | None:
    if gpu is None:
        return None
    words = [gpu] if isinstance(gpu, str) else list(gpu)
    if any(not word.strip() for word in words):
        raise InputError("the GPU is empty", hint="leave it out where it is not known, or give `none` for a CPU stack")
    without = [word for word in words if word.strip().lower() in (NONE, "cpu")]
    if without and len(without) < len(words):
        raise InputError(
            "`--gpu none` contradicts another GPU", hint="name the GPUs the machine has, or `none` for a CPU stack"
        )
    return () if without else tuple(words)


def _catalog(path: Path | None) -> Catalog:
    if path is None:
        return bundled()
    try:
        return read(path.read_bytes(), str(path))
    except OSError as error:
        raise InputError(
            f"the catalogue {path} cannot be read: {error.strerror}", hint="check --catalog and COMPATSOLVER_CATALOG"
        ) from None


def _requirements(catalog: Catalog, texts: Sequence[str]) -> tuple[tuple[Requirement, ...], list[str]]:
    pairs = [read_requirement(catalog, text) for text in texts]
    return tuple(requirement for requirement, _ in pairs), [note for _, note in pairs if note]


def _answer(catalog: Catalog, request: Request, said: list[str]) -> Plan:
    host = understand(catalog, request.target)
    if host.gpus and _asks_for_cpu(request):
        said = [*said, "a CPU build was asked for: the GPU will not be used"]
        host = replace(host, gpus=())
    blank = Plan(
        verdict=UNDETERMINED,
        catalog={"version": catalog.version, "digest": catalog.digest},
        target=_target_words(catalog, request.target, host),
        assumed={axis: str(getattr(host, axis)) for axis in host.assumed},
        notes=(*request.target.remarks, *said, *remarks.age(catalog, date.today())),
    )
    problem = formulate(catalog, host, request.requirements, request.cuda)
    if not isinstance(problem, Problem):
        return replace(blank, missing=_missing(problem))
    verdict = solve(problem, ranking=newest(catalog, host, problem.layout.numbers["torch"]))
    if isinstance(verdict, Impossible):
        return replace(blank, verdict=CONFLICT, conflicts=explain_conflicts(catalog, problem))
    if not isinstance(verdict, Solved):
        return replace(blank, missing=_missing(tuple(rule.unknown for rule in verdict.guards if rule.unknown)))
    return _resolved(catalog, request, host, problem, verdict.assignment, blank)


def _asks_for_cpu(request: Request) -> bool:
    local = any(entry.specifier.endswith("+cpu") for entry in request.requirements)
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
    catalog: Catalog, request: Request, host: Host, problem: Problem, assignment: dict[str, int], blank: Plan
) -> Plan:
    position = assignment["torch"]
    build = catalog.build(position)
    local_typed = any(entry.name == "torch" and "+" in entry.specifier for entry in request.requirements)
    names = [
        "torch",
        *(name for name in problem.layout.components if problem.layout.components[name].kind == "package"),
    ]
    pins = []
    for name in dict.fromkeys(names):
        candidate = problem.layout.components[name].candidates[assignment[name]]
        if name == "triton" and not any(entry.name == name for entry in request.requirements):
            continue
        follows = name == "torch" or catalog.payload["paired"].get(name) == "torch"
        index = build.index if follows and (local_typed or not build.default_index) else None
        pins.append(
            Pin(
                name=name,
                version=candidate.version,
                build=candidate.build,
                index=index,
                because=because(problem, assignment, name),
            )
        )
    triton = problem.layout.components["triton"].candidates[assignment["triton"]].version
    platform = request.target.platform or ""
    return replace(
        blank,
        verdict=RESOLVED,
        conditions=conditions(problem, host, assignment),
        pins=tuple(pins),
        runtime=Runtime(
            cuda=".".join(build.cuda.split(".")[:2]) if build.cuda else None,
            cudnn=build.cudnn,
            nccl=build.nccl,
            triton=triton if build.triton and triton != NONE else None,
        ),
        commands={"pip": pip.install_commands(pins, platform), "uv": uv.install_commands(pins, platform)},
        notes=(*blank.notes, *remarks.notes(catalog, host, pins[0], position)),
    )
