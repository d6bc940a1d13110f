"""From the keyword arguments of the public verbs to what an answer depends on: catalogue, environment, request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.catalog.load import bundled, open_catalog
from compatsolver.catalog.requirements import runtime_notes, sort_out
from compatsolver.errors import InputError
from compatsolver.model.request import POLICIES, Listing, Request
from compatsolver.observation.axes import written
from compatsolver.requirements.written import names_a_file, read_requirement

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.model.environment import Environment
    from compatsolver.model.options import Options
    from compatsolver.model.request import Target


def environment_for_policy(options: Options) -> Environment | None:
    """The environment that was given, if any; raises InputError where the policy needs one or is none."""
    policy = options.get("policy", "newest")
    if policy not in POLICIES:
        raise InputError(f"the policy {policy!r} is unknown", hint="use " + " or ".join(POLICIES))
    environment = environment_of(options.get("environment"))
    if policy == "closest" and not (environment and environment.packages):
        raise InputError(
            "policy `closest` has no packages to stay close to", hint="give an environment that lists its `packages`"
        )
    return environment


def request_of(
    catalog: Catalog, listing: Listing, options: Options, target: Target, environment: Environment | None = None
) -> Request:
    """What a listing asks of the catalogue for a target."""
    asked = sort_out(catalog, listing.requirements)
    return Request(
        target=target,
        requirements=asked.known,
        unchecked=asked.unchecked,
        cuda=written(options, "cuda"),
        policy=options.get("policy", "newest"),
        installed=environment.packages if environment else {},
        notes=(*listing.notes, *asked.notes, *asked.unchecked_notes, *runtime_notes(options.get("cuda"))),
    )


def catalog_of(options: Options) -> Catalog:
    """The catalogue to answer from, with the overlays laid on."""
    overlay = options.get("overlay", ())
    if not overlay:
        return bare_catalog(options)
    from compatsolver.authoring.overlay import overlaid

    return overlaid(bare_catalog(options), paths_of(overlay))


def bare_catalog(options: Options) -> Catalog:
    """The catalogue without overlays."""
    return open_catalog(path) if (path := options.get("catalog")) else bundled()


def environment_of(given: str | Path | Environment | None) -> Environment | None:
    """An environment that was given as it is or by its path; raises InputError where that cannot be read."""
    if given is None:
        return given
    from compatsolver.model.environment import Environment

    if isinstance(given, Environment):
        return given
    from compatsolver.observation.environment import load_environment

    return load_environment(paths_of([given])[0])


def paths_of(named: Sequence[str | Path]) -> list[Path]:
    """Paths of files, whose module is imported for the first one that is named."""
    from pathlib import Path

    return [Path(name) for name in named]


def listing_of(
    requires: Sequence[str], options: Options, catalog: Catalog, target: Target, *, takes_files: bool = False
) -> Listing:
    """Everything required, in the order: the call, files and constraints, the project, the profile."""
    if isinstance(requires, str):
        raise InputError(f"the requirements are the text {requires!r}", hint=f"give a list: [{requires!r}]")
    named = tuple(text for text in requires if takes_files and names_a_file(text))
    rest = [text for text in requires if text not in named]
    found = [requirement for text in rest if (requirement := read_requirement(text, target))]
    listing = Listing(tuple(found), files=named)
    files, constraints = options.get("files", ()), options.get("constraints", ())
    if files or constraints:
        from compatsolver.requirements.listfile import read_list_files

        found_there = read_list_files(paths_of(files), paths_of(constraints), target, takes_files=takes_files)
        listing = listing.joined(found_there)
    for lock in options.get("locks", ()):
        from compatsolver.requirements.pylock import read_lock

        listing = listing.joined(read_lock(paths_of([lock])[0], target))
    project = options.get("project")
    if project:
        from compatsolver.requirements.project import read_project

        listing = listing.joined(read_project(paths_of([project])[0], options.get("extras", ()), target))
    elif options.get("extras"):
        raise InputError("extras were named, and no project that has them", hint="give its pyproject.toml with --from")
    profile = options.get("profile")
    if profile:
        from compatsolver.catalog.profiles import profile_requirements

        listing = listing.joined(profile_requirements(catalog, profile))
    return listing
