"""The public verbs: each reads a request, asks the catalogue and returns a frozen answer; nothing is printed."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from compatsolver.catalog.hosts import placed, understand
from compatsolver.catalog.load import bundled, open_catalog
from compatsolver.catalog.requirements import runtime_notes, sort_out
from compatsolver.errors import CompatError, InputError, InsufficientFacts, NoSolution
from compatsolver.explanation.answer import answer
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
    from compatsolver.model.facts import Facts
    from compatsolver.model.options import Options


class Plan(Resolution):
    """An answer, with a rendering for notebooks."""

    __slots__ = ()

    def _repr_markdown_(self) -> str:
        from compatsolver.render.markdown import plan_markdown

        return plan_markdown(self)


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

    `requires` are PEP 508 requirements; for the rest see `model.options`. With no target at all this machine
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
        return _as_plan(found)
    try:
        without = _answered(_bare(options), requires, options, target, environment)
    except CompatError:
        without = None
    from compatsolver.explanation.overlays import with_overlay_note

    return _as_plan(with_overlay_note(found, without))


def _answered(
    catalog: Catalog, requires: Sequence[str], options: Options, target: Target, environment: Environment | None
) -> Resolution:
    target = placed(catalog, target)
    host = understand(catalog, target)
    listing = _listing(requires, options, catalog, target)
    asked = sort_out(catalog, listing.requirements)
    request = Request(
        target=target,
        requirements=asked.known,
        unchecked=asked.unchecked,
        cuda=written(options, "cuda"),
        policy=options.get("policy", "newest"),
        installed=environment.packages if environment else {},
        notes=(*listing.notes, *asked.notes, *runtime_notes(options.get("cuda"))),
    )
    return answer(catalog, host, request, time.strftime("%Y-%m-%d"))


def _as_plan(found: Resolution) -> Plan:
    return Plan(*found)


def _catalog(options: Options) -> Catalog:
    """The catalogue to answer from, with the overlays laid on."""
    overlay = options.get("overlay", ())
    if not overlay:
        return _bare(options)
    from compatsolver.authoring.overlay import overlaid

    return overlaid(_bare(options), _paths(overlay))


def _bare(options: Options) -> Catalog:
    return open_catalog(path) if (path := options.get("catalog")) else bundled()


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
    overlay: Sequence[str | Path] = (),
) -> Diagnosis:
    """Diagnose what people paste, a described environment, both together, or this machine where neither is given.

    `catalog` and `overlay` are those of `Options`.

    Raises InputError for an environment that cannot be read and ProbeError for this machine; any text is accepted.
    """
    from compatsolver.explanation.diagnosis.entrance import explain_given

    return explain_given(_catalog({"catalog": catalog, "overlay": overlay}), text, environment)


def check(
    pins: str | Path | Environment | None = None,
    requires: Sequence[str] = (),
    *,
    installed: str | Path | None = None,
    **options: Unpack[Options],
) -> Diagnosis:
    """Say which pins cannot work on a machine and why, without choosing any.

    Pins are what `requires` and `options` require, and the packages of an environment (its machine is the target, over
    which single axes win) or of `installed`: the path of a Python environment on this machine, or of its interpreter.
    Raises InputError, ProbeError and SolverLimit.
    """
    from compatsolver.explanation.diagnosis.checking import check_pins

    catalog = _catalog(options)
    described = _described(options)
    given = _environment(pins if pins is not None else options.get("environment"))
    if installed is not None:
        from compatsolver.observation.live.collect import with_packages_of

        given = with_packages_of(_paths([installed])[0], given, is_here=described == Target())
    target = placed(catalog, complete(described, given))
    exact = [f"{name}=={text}" for name, text in (given.packages if given else {}).items() if text[:1].isdigit()]
    listing = _listing([*exact, *requires], options, catalog, target)
    asked = sort_out(catalog, listing.requirements)
    request = Request(
        target=target,
        requirements=asked.known,
        unchecked=asked.unchecked,
        cuda=written(options, "cuda"),
        notes=(*listing.notes, *asked.notes, *runtime_notes(options.get("cuda"))),
    )
    return check_pins(catalog, understand(catalog, target), request)


def facts(
    subject: str,
    *,
    platform: str | None = None,
    catalog: str | Path | None = None,
    overlay: Sequence[str | Path] = (),
) -> Facts:
    """What the catalogue knows of a build, a release, a GPU, a driver or a toolkit, with evidence and sources.

    `subject` as in `torch==2.9.1+cu128`, `gpu RTX 4090`, `driver 535.98`, `cuda 12.4`, `cudnn 9.10.2.21`, `peft`. The
    platform is this interpreter's unless given. Raises InputError, UnknownComponent and CatalogError.
    """
    from compatsolver.records.subject import facts_on

    return facts_on(_catalog({"catalog": catalog, "overlay": overlay}), subject, platform)


def probe(python: str | Path | None = None) -> Environment:
    """Read this machine and an environment on it: this interpreter's, or from its files the one at `python`.

    An axis that could not be read is None in `observed`, which says why. Raises ProbeError where `python` has none.
    """
    from compatsolver.observation.live import collect

    return collect.probe(python=_paths([python])[0] if python else None)


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
    if profile:
        from compatsolver.catalog.profiles import profile_requirements

        listing = listing.joined(profile_requirements(catalog, profile))
    return listing
