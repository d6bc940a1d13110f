"""The public verbs: each reads a request, asks the catalogue and returns a frozen answer; nothing is printed."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, TypedDict

from compatsolver.catalog.hosts import placed, understand
from compatsolver.catalog.load import bundled, open_catalog
from compatsolver.catalog.profiles import profile_requirements
from compatsolver.catalog.requirements import sort_out
from compatsolver.errors import CompatError, InputError, InsufficientFacts, NoSolution
from compatsolver.explanation.answer import answer
from compatsolver.explanation.overlays import with_overlay_note
from compatsolver.model.component import NONE
from compatsolver.model.request import POLICIES, Listing, Request, Target
from compatsolver.model.resolution import CONFLICT, UNDETERMINED, Resolution
from compatsolver.observation.axes import read_axes, read_gpus, written
from compatsolver.observation.completion import complete
from compatsolver.requirements.written import read_requirement

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from typing_extensions import Unpack

    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.cells.question import Axes
    from compatsolver.model.cell import Matrix
    from compatsolver.model.diagnosis import Diagnosis
    from compatsolver.model.environment import Environment


class Plan(Resolution):
    """An answer, with a rendering for notebooks."""

    __slots__ = ()

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

    `files`, `constraints`: paths of requirements files; `locks`: of pylock.toml files. `project`: a pyproject.toml,
    whose dependencies and the `extras` named are required. `profile`: a set of packages the catalogue names. `cuda`: a
    version or PEP 440 specifier on the runtime, `cu126`, or `none`. `policy`: `newest`, `conservative` or `closest`.
    `catalog`: another compiled catalogue; `overlay`: paths of YAML files that add or correct facts.
    """

    files: Sequence[str | Path]
    constraints: Sequence[str | Path]
    locks: Sequence[str | Path]
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
    environment = _environment(options.get("environment"))
    if policy == "closest" and not (environment and environment.packages):
        raise InputError(
            "policy `closest` has no packages to stay close to", hint="give an environment that lists its `packages`"
        )
    target = complete(_described(options), environment)
    catalog = _catalog(options)
    found = _answered(catalog, requires, options, target, environment)
    if not catalog.overlay:
        return Plan(*found)
    try:
        without = _answered(_bare(options), requires, options, target, environment)
    except CompatError:
        without = None
    return Plan(*with_overlay_note(found, without))


def _answered(
    catalog: Catalog, requires: Sequence[str], options: Options, target: Target, environment: Environment | None
) -> Resolution:
    target = placed(catalog, target)
    host = understand(catalog, target)
    request = _request(catalog, _listing(requires, options, catalog, target), options, target)
    request = request._replace(installed=environment.packages if environment else {})
    return answer(catalog, host, request, time.strftime("%Y-%m-%d"))


def _request(catalog: Catalog, listing: Listing, options: Options, target: Target) -> Request:
    asked = sort_out(catalog, listing.requirements)
    return Request(
        target=target,
        requirements=asked.known,
        unchecked=asked.unchecked,
        cuda=written(options, "cuda"),
        policy=options.get("policy", "newest"),
        notes=(*listing.notes, *asked.notes),
    )


def _catalog(options: Options) -> Catalog:
    """The catalogue to answer from, with the overlays laid on."""
    overlay = options.get("overlay", ())
    if not overlay:
        return _bare(options)
    from compatsolver.authoring.overlay import overlaid

    return overlaid(_bare(options), _paths(overlay))


def _bare(options: Options) -> Catalog:
    path = options.get("catalog")
    return open_catalog(path) if path else bundled()


def _environment(given: str | Path | Environment | None) -> Environment | None:
    if given is None:
        return given
    from compatsolver.model.environment import Environment

    if isinstance(given, Environment):
        return given
    from compatsolver.observation.environment import load_environment

    return load_environment(_paths([given])[0])


def _paths(named: Sequence[str | Path]) -> list[Path]:
    """Paths of files, whose module is imported for the first one that is named."""
    from pathlib import Path

    return [Path(name) for name in named]


def _described(options: Options) -> Target:
    """The axes that were given, or the target given in their place."""
    axes = read_axes(options)
    target = options.get("target")
    if target is None:
        return axes
    if axes != Target():
        raise InputError("a target and single axes of one were given", hint="give the target, or its axes one by one")
    return target._replace(gpus=None if target.gpus is None else read_gpus(target.gpus or NONE))


def explain(
    *,
    text: str | bytes | None = None,
    environment: str | Path | Environment | None = None,
    catalog: str | Path | None = None,
) -> Diagnosis:
    """Diagnose what people paste, a described environment, both together, or this machine where neither is given.

    Raises InputError for an environment that cannot be read and ProbeError for this machine; any text is accepted.
    """
    from compatsolver.explanation.diagnosis.entrance import explain_given

    return explain_given(_catalog({"catalog": catalog}), text, environment)


def check(
    pins: str | Path | Environment | None = None, requires: Sequence[str] = (), **options: Unpack[Options]
) -> Diagnosis:
    """Say which pins cannot work on a machine and why, without choosing any.

    They are the packages of an environment and what `requires` and `options` require; the machine is that of the
    environment, over which single axes win. With `locks` the pins are theirs, the environment is held against them, and
    the machine is theirs unless one is given. Raises InputError, ProbeError and SolverLimit.
    """
    given = _environment(pins if pins is not None else options.get("environment"))
    if options.get("locks"):
        return _checked_locks(_catalog(options), requires, options, given)
    installed = given.packages if given else {}
    exact = [f"{name}=={version}" for name, version in installed.items() if version[:1].isdigit()]
    return _checked(_catalog(options), [*exact, *requires], options, complete(_described(options), given))


def _checked(catalog: Catalog, requires: Sequence[str], options: Options, target: Target) -> Diagnosis:
    from compatsolver.explanation.diagnosis.checking import check_pins

    target = placed(catalog, target)
    request = _request(catalog, _listing(requires, options, catalog, target), options, target)
    return check_pins(catalog, understand(catalog, target), request)


def _checked_locks(catalog: Catalog, requires: Sequence[str], options: Options, given: Environment | None) -> Diagnosis:
    """Each lock held against the target, or against each of its own where none was described."""
    from compatsolver.explanation.diagnosis.locks import held_against, known_pins, placed_by, runtime_of, together
    from compatsolver.requirements.pylock import read_lock, read_locked

    described, found = _described(options), []
    for path in _paths(options["locks"]):
        lock = read_locked(path)
        own = lock.targets if given is None and described == Target() else ()
        for machine in own or (placed_by(lock, complete(described, given)),):
            target = placed(catalog, machine)
            pins = known_pins(catalog, read_lock(path, target))
            asked: Options = {**options, "locks": (), "cuda": written(options, "cuda") or runtime_of(lock)}
            diagnosis = _checked(catalog, (*pins.texts, *requires), asked, target)
            found.append(held_against(diagnosis, catalog, lock, target, given.packages if given else {}, pins.notes))
    return together(found)


def matrix(requires: Sequence[str] = (), **axes: Unpack[Axes]) -> Matrix:
    """The cells of a CI matrix, each of which holds; reads as a list of them.

    Raises InputError where the axes or requirements cannot be read, CatalogError and SolverLimit.
    """
    from compatsolver.cells.entrance import matrix_of
    from compatsolver.cells.question import read_question

    options: Options = {
        "files": axes.get("files", ()),
        "constraints": axes.get("constraints", ()),
        "project": axes.get("project"),
        "extras": axes.get("extras", ()),
        "profile": axes.get("profile"),
        "catalog": axes.get("catalog"),
        "overlay": axes.get("overlay", ()),
    }
    catalog = _catalog(options)
    return matrix_of(catalog, read_question(catalog, axes, lambda target: _listing(requires, options, catalog, target)))


def _listing(requires: Sequence[str], options: Options, catalog: Catalog, target: Target) -> Listing:
    """Everything required, in the order: the call, files and constraints, the project, the profile."""
    if isinstance(requires, str):
        raise InputError(f"the requirements are the text {requires!r}", hint=f"give a list: [{requires!r}]")
    found = [requirement for text in requires if (requirement := read_requirement(text, target))]
    listing = Listing(tuple(found))
    files, constraints = options.get("files", ()), options.get("constraints", ())
    if files or constraints:
        from compatsolver.requirements.listfile import read_list_files

        listing = listing.joined(read_list_files(_paths(files), _paths(constraints), target))
    for lock in options.get("locks", ()):
        from compatsolver.requirements.pylock import read_lock

        listing = listing.joined(read_lock(_paths([lock])[0], target))
    project = options.get("project")
    if project:
        from compatsolver.requirements.project import read_project

        listing = listing.joined(read_project(_paths([project])[0], options.get("extras", ()), target))
    elif options.get("extras"):
        raise InputError("extras were named, and no project that has them", hint="give its pyproject.toml with --from")
    profile = options.get("profile")
    return listing.joined(profile_requirements(catalog, profile)) if profile else listing
