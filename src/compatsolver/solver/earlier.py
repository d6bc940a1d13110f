"""The lower end of the tables: what looks impossible may be possible with a torch from before them.

Of those releases only the CUDA runtimes and the newest Python are listed. With the rules between GPU, driver and
runtime that is enough to tell "no torch ever" from "none that the tables know".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from packaging.specifiers import SpecifierSet

from compatsolver.model.component import NONE
from compatsolver.model.rule import Unknown
from compatsolver.model.version import PythonVersion
from compatsolver.solver.problem import Assumption, Problem, lay_out
from compatsolver.solver.requirements import select_cuda
from compatsolver.solver.search import search

if TYPE_CHECKING:
    from collections.abc import Sequence

    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.model.host import Host
    from compatsolver.model.request import Requirement

HOST_ORIGINS = ("gpu", "platform", "python", "glibc", "driver")
HOW = "see https://pytorch.org/get-started/previous-versions/, and pin what fits"


def may_predate(
    catalog: Catalog, host: Host, requirements: Sequence[Requirement], cuda: str | None, problem: Problem
) -> Unknown | None:
    """What is not known where a release before the tables might satisfy a request that nothing in them does."""
    archive = catalog.diagnosis["archive"]
    if host.python > PythonVersion.parse(archive[0]["newest_python"]):
        return None
    if not all(_admits_earlier(entry, archive) for entry in requirements):
        return None
    runtimes = {version for line in archive for version in line["cuda"]} | {NONE}
    earlier = _of_versions(catalog, runtimes) & (select_cuda(catalog, cuda).allowed if cuda else -1)
    if not earlier or not _holds_together(catalog, problem, earlier):
        return None
    oldest = catalog.components["torch"].candidates[-1].version
    return Unknown(
        fact=f"releases of torch before {oldest}",
        why=f"none from {oldest} on fits, and the catalogue does not list the wheels of earlier ones",
        how=HOW,
    )


def _admits_earlier(requirement: Requirement, archive: Sequence[dict[str, list[str]]]) -> bool:
    """Whether a requirement leaves room for torch from before the tables, or for any version of another package."""
    specifier = SpecifierSet(requirement.specifier)
    if requirement.name == "torch":
        return any(version in specifier for line in archive for version in line["versions"])
    return "0" in specifier


def _of_versions(catalog: Catalog, versions: set[str]) -> int:
    candidates = catalog.components["cuda"].candidates
    return sum(1 << place for place, candidate in enumerate(candidates) if candidate.version in versions)


def _holds_together(catalog: Catalog, problem: Problem, runtimes: int) -> bool:
    """Whether the host runs one of the runtimes, torch and what comes with it left aside."""
    kept = {slot: part for slot, part in problem.layout.components.items() if part.kind == "host"}
    layout = lay_out(
        [*catalog.rules_on(()), *catalog.rules_beyond],
        {**kept, "cuda": catalog.components["cuda"]},
    )
    of_host = [
        entry for entry in problem.assumptions if entry.origin in HOST_ORIGINS and entry.slot in layout.components
    ]
    trial = Problem(layout, (*of_host, Assumption("cuda", runtimes, "an earlier torch", "cuda")))
    return search(layout.certain, trial.domains()) is not None
