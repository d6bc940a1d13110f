"""The public verbs: each reads a request, asks the catalogue and returns a frozen answer; nothing is printed."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, cast

from compatsolver.catalog.hosts import placed, understand
from compatsolver.errors import CompatError, InsufficientFacts, NoSolution
from compatsolver.explanation.answer import answer
from compatsolver.model.request import Target
from compatsolver.model.resolution import CONFLICT, UNDETERMINED, Resolution
from compatsolver.observation.axes import described, written
from compatsolver.observation.completion import complete
from compatsolver.reading import (
    bare_catalog,
    catalog_of,
    environment_for_policy,
    environment_of,
    listing_of,
    paths_of,
    request_of,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from typing_extensions import Unpack

    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.cells.question import Axes
    from compatsolver.environments.generations.order import SyncOptions
    from compatsolver.environments.projects.entrance import Project
    from compatsolver.locking.locked import Locked
    from compatsolver.model.cell import Matrix
    from compatsolver.model.comparison import Comparison
    from compatsolver.model.diagnosis import Diagnosis
    from compatsolver.model.environment import Environment
    from compatsolver.model.facts import Facts
    from compatsolver.model.generation import Synced
    from compatsolver.model.lock import Lock
    from compatsolver.model.memory import MemoryEstimate, Training
    from compatsolver.model.options import LockOptions, Options, ProjectOptions, TargetAxes
    from compatsolver.model.validation import ValidationReport
    from compatsolver.validation.fitting import FitOptions
    from compatsolver.validation.session import ValidationOptions


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
    environment = environment_for_policy(options)
    target = complete(described(options), environment)
    catalog = catalog_of(options)
    found = _answered(catalog, requires, options, target, environment)
    if not catalog.overlay:
        return Plan(*found)
    try:
        without = _answered(bare_catalog(options), requires, options, target, environment)
    except CompatError:
        without = None
    from compatsolver.explanation.overlays import with_overlay_note

    return Plan(*with_overlay_note(found, without))


def _answered(
    catalog: Catalog, requires: Sequence[str], options: Options, target: Target, environment: Environment | None
) -> Resolution:
    target = placed(catalog, target)
    host = understand(catalog, target)
    request = request_of(catalog, listing_of(requires, options, catalog, target), options, target, environment)
    return answer(catalog, host, request, time.strftime("%Y-%m-%d"))


def explain(
    *,
    text: str | bytes | None = None,
    catalog: str | Path | None = None,
    overlay: Sequence[str | Path] = (),
    **axes: Unpack[TargetAxes],
) -> Diagnosis:
    """Diagnose what people paste, a machine as `axes` describe it, both together, or this one where neither is given.

    `catalog` and `overlay` are those of `Options`.

    Raises InputError for an environment that cannot be read and ProbeError for this machine; any text is accepted.
    """
    from compatsolver.explanation.diagnosis.entrance import explain_given

    opened = catalog_of({"catalog": catalog, "overlay": overlay})
    return explain_given(opened, text, axes.get("environment"), described(cast("Options", axes)))


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
    With `locks` the pins are theirs, those packages are held against them, and where nothing is said of a machine it is
    those that the locks were made for. Raises InputError, ProbeError and SolverLimit.
    """
    axes = described(options)
    given = environment_of(pins if pins is not None else options.get("environment"))
    if installed is not None:
        from compatsolver.observation.live.collect import with_packages_of

        given = with_packages_of(paths_of([installed])[0], given, is_here=axes == Target())
    if options.get("locks"):
        from compatsolver.explanation.diagnosis.locks import check_locks

        catalog = catalog_of(options)

        def held(pins: Sequence[str], target: Target, cuda: str | None) -> Diagnosis:
            asked: Options = {**options, "locks": (), "cuda": written(options, "cuda") or cuda}
            return _checked(catalog, [*pins, *requires], asked, target)

        return check_locks(catalog, paths_of(options["locks"]), axes, given, held)
    exact = [f"{name}=={text}" for name, text in (given.packages if given else {}).items() if text[:1].isdigit()]
    return _checked(catalog_of(options), [*exact, *requires], options, complete(axes, given))


def _checked(catalog: Catalog, requires: Sequence[str], options: Options, target: Target) -> Diagnosis:
    from compatsolver.explanation.diagnosis.checking import check_pins

    target = placed(catalog, target)
    request = request_of(catalog, listing_of(requires, options, catalog, target), options, target)
    return check_pins(catalog, understand(catalog, target), request)


def lock(requires: Sequence[str] = (), **options: Unpack[LockOptions]) -> Locked:
    """Lock a plan and everything below it on a package index: versions, files and hashes for the target.

    Takes what `plan` takes, and `LockOptions`; `requires` may also name wheels by path or URL. Raises NoSolution and
    InsufficientFacts as `resolve` does, NoClosure where no closure was found, IndexUnavailable (offline NotCached)
    where an index gives no usable answer, HashMismatch, InputError, CatalogError, SolverLimit and ProbeError.
    """
    from compatsolver.locking.locked import Locked
    from compatsolver.locking.together import together

    every = [cast("LockOptions", {**options, **axes}) for axes in ({}, *options.get("also", ()))]
    return Locked(*together([_locked(requires, one) for one in every]))


def _locked(requires: Sequence[str], options: LockOptions) -> Lock:
    from compatsolver.locking.entrance import lock_listing

    environment = environment_for_policy(options)
    catalog = catalog_of(options)
    target = placed(catalog, complete(described(options), environment))
    listing = listing_of(requires, options, catalog, target, takes_files=True)
    request = request_of(catalog, listing, options, target, environment)
    found = lock_listing(catalog, understand(catalog, target), request, listing, options, time.strftime("%Y-%m-%d"))
    if isinstance(found, Resolution):
        raise NoSolution(found) if found.verdict == CONFLICT else InsufficientFacts(found)
    return found


def init(directory: str | Path, requires: Sequence[str] = (), **options: Unpack[ProjectOptions]) -> Project:
    """Start a project around a lock; see `ProjectOptions`. Raises what `lock` and `directory.place` raise."""
    from compatsolver.environments.projects.entrance import started, with_basics

    return started(directory, lock(with_basics(requires), **cast("LockOptions", options)), options)


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

    return facts_on(catalog_of({"catalog": catalog, "overlay": overlay}), subject, platform)


def probe(python: str | Path | None = None) -> Environment:
    """Read this machine and an environment on it: this interpreter's, or from its files the one at `python`.

    An axis that could not be read is None in `observed`, which says why. Raises ProbeError where `python` has none.
    """
    from compatsolver.observation.live import collect

    return collect.probe(python=paths_of([python])[0] if python else None)


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
    catalog = catalog_of(options)
    question = read_question(catalog, axes, lambda target: listing_of(requires, options, catalog, target))
    return matrix_of(catalog, question)


def compare(
    *machines: str | Path | Environment, catalog: str | Path | None = None, overlay: Sequence[str | Path] = ()
) -> Comparison:
    """Say how machines or locks differ, what of it matters, who stands out, and what would make them one.

    Each is an environment, the path of its document, of a paste (a listing of packages, an environment report) or of a
    pylock.toml; their order is no matter. `catalog` and `overlay` are those of `Options`. Raises InputError for fewer
    than two and for what cannot be read, CatalogError and SolverLimit.
    """
    from compatsolver.environments.comparison.entrance import compare_given

    return compare_given(catalog_of({"catalog": catalog, "overlay": overlay}), machines)


def validate(python: str | None = None, **options: Unpack[ValidationOptions]) -> ValidationReport:
    """Prove by computing that the environment of an interpreter works, by checks in processes of their own.

    What a check meets is a result, never an error. Raises InputError for an interpreter, a name or a lock that cannot
    be used. See `ValidationOptions`.
    """
    from compatsolver.validation.session import order_of, validated

    catalog = catalog_of({"catalog": options.get("catalog"), "overlay": options.get("overlay", ())})
    return validated(catalog, order_of(python, options), options.get("progress"))


def sync(lock: str | Path, **options: Unpack[SyncOptions]) -> Synced:
    """Make the environment of a lock, prove it, and only then put it in the place of the one in use.

    See `SyncOptions`. Raises InputError, ProbeError, BuildFailed and ProofFailed; the environment is then as it was.
    """
    from compatsolver.environments.generations.entrance import synced
    from compatsolver.environments.generations.order import order_of

    catalog = catalog_of({"catalog": options.get("catalog"), "overlay": options.get("overlay", ())})
    return synced(catalog, order_of(lock, options))


def fit(model: str, training: Training | None = None, **options: Unpack[FitOptions]) -> MemoryEstimate:
    """Estimate the memory that training a model takes, and whether GPUs have it; see `FitOptions`.

    `model` is the path of a config.json or a name of the catalogue. Raises InputError for what cannot be read or is
    not covered by the formula.
    """
    from compatsolver.validation.fitting import fitted

    catalog = catalog_of({"catalog": options.get("catalog"), "overlay": options.get("overlay", ())})
    return fitted(catalog, model, training, options.get("gpu", ()), options.get("memory"))
