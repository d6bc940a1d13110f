"""Which of the possible answers is wanted: the order in which candidates are tried."""

from __future__ import annotations

from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING

from compatsolver.model.component import each
from compatsolver.model.provenance import EVIDENCE
from compatsolver.model.version import NumericVersion

if TYPE_CHECKING:
    from collections.abc import Iterable

    from compatsolver.catalog.catalogue import Build, Catalog
    from compatsolver.model.host import Host
    from compatsolver.solver.problem import Layout
    from compatsolver.solver.search import Ranking


def driver_ceiling(catalog: Catalog, driver: NumericVersion | None) -> NumericVersion | None:
    """The newest CUDA that a driver runs natively; None where no driver is given or its branch is unknown.

    A driver past the newest known branch runs at least what that branch ran.
    """
    if driver is None:
        return None
    branch = catalog.branch_of(driver.major)
    newest = catalog.branches[0]
    if branch is None and driver.major >= newest.below_major:
        branch = newest
    return NumericVersion.parse(branch.max_cuda) if branch and branch.max_cuda else None


def newest(catalog: Catalog, host: Host, layout: Layout) -> Ranking:
    """Rank torch's candidates as policy `newest` wants them, all others as the catalogue lists them.

    A package that nothing in the plan needs stays out of it.
    """
    order = newest_torch(catalog, driver_ceiling(catalog, host.driver))
    torch, absences = layout.numbers["torch"], layout.absences

    def ranking(slot: int, domain: int) -> Iterable[int]:
        if slot == torch:
            return (place for place in order if domain >> place & 1)
        absent = domain & absences.get(slot, 0)
        return chain(each(absent), each(domain ^ absent))

    return ranking


@lru_cache(maxsize=64)
def newest_torch(catalog: Catalog, ceiling: NumericVersion | None) -> tuple[int, ...]:
    """Newest torch first; within a release the build that suits the driver, then the default index, then evidence.

    Suits: same CUDA major as the driver's own before an older one, native before minor-version compatibility.
    """
    candidates = catalog.components["torch"].candidates
    releases = {version: order for order, version in enumerate(dict.fromkeys(c.version for c in candidates))}

    def preference(position: int) -> tuple[int, ...]:
        build = catalog.builds[position]
        cuda = NumericVersion.parse(build.cuda) if build.cuda else None
        return (releases[candidates[position].version], *_suits(cuda, ceiling), *_standing(build), position)

    return tuple(sorted(range(len(candidates)), key=preference))


def _suits(cuda: NumericVersion | None, ceiling: NumericVersion | None) -> tuple[int, int]:
    if ceiling is None or cuda is None:
        return 0, 0
    return int(cuda.major != ceiling.major), int(not is_native(cuda, ceiling))


def is_native(cuda: NumericVersion, ceiling: NumericVersion) -> bool:
    """Whether a driver's own CUDA is at least the runtime's major.minor."""
    return (*cuda.numbers, 0)[:2] <= (*ceiling.numbers, 0)[:2]


def _standing(build: Build) -> tuple[int, int, int]:
    level = build.evidence.get("archs", build.evidence.get("published", "inferred"))
    return int(not build.default_index), int(build.published != "yes"), EVIDENCE.index(level)


def wants_cpu(host: Host) -> bool:
    """Whether a CPU stack was asked for, or the platform has no other."""
    return host.gpus == () or (host.gpus is None and host.platform.startswith("macos"))
