"""The public verbs: each reads a request, asks the catalogue and returns a frozen answer; nothing is printed."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from compatsolver.catalog.hosts import placed, understand
from compatsolver.catalog.load import bundled, open_catalog
from compatsolver.catalog.profiles import profile_requirements
from compatsolver.catalog.requirements import sort_out
from compatsolver.errors import InputError, InsufficientFacts, NoSolution
from compatsolver.explanation.answer import answer
from compatsolver.model.component import NONE
from compatsolver.model.request import POLICIES, Listing, Request, Target
from compatsolver.model.resolution import CONFLICT, UNDETERMINED, Resolution
from compatsolver.observation.completion import complete
from compatsolver.requirements.written import read_requirement

if TYPE_CHECKING:
    from collections.abc import Sequence

    from typing_extensions import Unpack

    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.model.environment import Environment


@dataclass(frozen=True, kw_only=True)
class Plan(Resolution):
    """An answer, with a rendering for notebooks."""

    def _repr_markdown_(self) -> str:
        from compatsolver.render.markdown import plan_markdown

        return plan_markdown(self)


class TargetAxes(TypedDict, total=False):
    """The machine, axis by axis; what is left out is "not given".

    `gpu`: a marketing name, nvidia-smi name, capability (`8.9`), `sm_89`, a list of them, or `none` for a CPU stack.
    `environment`: a file that describes a machine, or an `Environment`; the other axes win over it. `target`: the
    machine as an object, in place of all of these.
    """

    gpu: str | Sequence[str] | None
    driver: str | None
    python: str | None
    platform: str | None
    glibc: str | None
    wsl: bool
    container: str | None
    environment: str | Path | Environment | None
    target: Target | None


class Options(TargetAxes, total=False):
    """What else a request may say.

    `files`, `constraints`: paths of requirements files. `project`: a pyproject.toml, whose dependencies and the
    `extras` named are required. `profile`: a set of packages the catalogue names. `cuda`: a version or PEP 440
    specifier on the runtime, `cu126`, or `none`. `policy`: `newest`, `conservative` or `closest`. `catalog`: another
    compiled catalogue; `overlay`: paths of YAML files that add or correct facts.
    """

    files: Sequence[str | Path]
    constraints: Sequence[str | Path]
    project: str | Path | None
    extras: Sequence[str]
    profile: str | None
    cuda: str | None
    policy: str
    catalog: str | Path | None
    overlay: Sequence[str | Path]


def resolve(requires: Sequence[str] = (), **options: Unpack[Options]) -> Plan:
    """Return a plan for the target, or raise; takes what `plan` takes.

    Raises NoSolution where it is proven that there is none, InsufficientFacts where the known facts do not decide,
    InputError where the request cannot be read, CatalogError, SolverLimit and ProbeError.
    """
    found = plan(requires, **options)
    if found.verdict == CONFLICT:
        raise NoSolution(found)
    if found.verdict == UNDETERMINED:
        raise InsufficientFacts(found)
    return found


def plan(requires: Sequence[str] = (), **options: Unpack[Options]) -> Plan:
    """Answer a request with whatever verdict it has.

    `requires` are PEP 508 requirements; for the rest see `Options` and `TargetAxes`. With no target at all this machine
    is read; with any, nothing about GPU and driver is, and platform, Python and glibc that are not given are this
    interpreter's, which the answer says.
    """
    policy = options.get("policy", "newest")
    if policy not in POLICIES:
        raise InputError(f"the policy {policy!r} is unknown", hint="use " + " or ".join(POLICIES))
    catalog = _catalog(options)
    environment = _environment(options.get("environment"))
    target = placed(catalog, complete(_described(options), environment))
    host = understand(catalog, target)
    if policy == "closest" and not (environment and environment.packages):
        raise InputError(
            "policy `closest` has no packages to stay close to", hint="give an environment that lists its `packages`"
        )
    listing = _listing(requires, options, catalog, target)
    asked = sort_out(catalog, listing.requirements)
    request = Request(
        target=target,
        requirements=asked.known,
        unchecked=asked.unchecked,
        cuda=options.get("cuda"),
        policy=policy,
        installed=environment.packages if environment else {},
        notes=(*listing.notes, *asked.notes),
    )
    return _as_plan(answer(catalog, host, request, date.today()))


def _as_plan(found: Resolution) -> Plan:
    return Plan(**{column.name: getattr(found, column.name) for column in fields(found)})


def _catalog(options: Options) -> Catalog:
    path = options.get("catalog")
    return open_catalog(Path(path)) if path else bundled()


def _environment(given: str | Path | Environment | None) -> Environment | None:
    if given is None or not isinstance(given, (str, Path)):
        return given
    from compatsolver.observation.environment import load_environment

    return load_environment(Path(given))


def _described(options: Options) -> Target:
    """The axes that were given, or the target given in their place."""
    axes = Target(
        gpus=_gpu_words(options.get("gpu")),
        driver=options.get("driver"),
        python=options.get("python"),
        platform=options.get("platform"),
        glibc=options.get("glibc"),
        wsl=options.get("wsl", False),
        container=options.get("container"),
    )
    target = options.get("target")
    if target is None:
        return axes
    if axes != Target():
        raise InputError("a target and single axes of one were given", hint="give the target, or its axes one by one")
    return replace(target, gpus=_gpu_words(target.gpus))


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


def _listing(requires: Sequence[str], options: Options, catalog: Catalog, target: Target) -> Listing:
    """Everything required, in the order: the call, files and constraints, the project, the profile."""
    found = [requirement for text in requires if (requirement := read_requirement(text, target))]
    listing = Listing(tuple(found))
    files, constraints = options.get("files", ()), options.get("constraints", ())
    if files or constraints:
        from compatsolver.requirements.listfile import read_list_files

        listing += read_list_files([Path(path) for path in files], [Path(path) for path in constraints], target)
    project = options.get("project")
    if project:
        from compatsolver.requirements.project import read_project

        listing += read_project(Path(project), options.get("extras", ()), target)
    elif options.get("extras"):
        raise InputError("extras were named, and no project that has them", hint="give its pyproject.toml with --from")
    profile = options.get("profile")
    return listing + profile_requirements(catalog, profile) if profile else listing
