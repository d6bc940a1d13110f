"""Which of the possible answers is wanted: the order in which candidates are tried, and policy `newest`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from itertools import chain
from typing import TYPE_CHECKING

from compatsolver.model.component import NONE, UNKNOWN, each
from compatsolver.model.provenance import EVIDENCE
from compatsolver.model.version import NumericVersion

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from compatsolver.catalog.catalogue import Build, Catalog
    from compatsolver.model.component import Component
    from compatsolver.model.host import Host
    from compatsolver.solver.problem import Layout
    from compatsolver.solver.search import Ranking

Order = Callable[[int], Iterable[int]]
"""The members of a set of candidates in the order to try them."""


def ceiling_of(catalog: Catalog, host: Host) -> NumericVersion | None:
    """The newest CUDA that the host's driver runs natively, known from its version or from what nvidia-smi printed."""
    return driver_ceiling(catalog, host.driver) or host.driver_cuda


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
    """Rank torch's candidates as policy `newest` wants them, all others as the catalogue lists them."""
    torch = newest_torch(catalog, ceiling_of(catalog, host))
    return by_orders(layout, {layout.numbers["torch"]: torch})


def by_orders(layout: Layout, orders: Mapping[int, Order]) -> Ranking:
    """Try the candidates of some slots in a given order, those of all others as the catalogue lists them.

    A package without an order that nothing in the plan needs stays out of it.
    """
    absences = layout.absences

    def ranking(slot: int, domain: int) -> Iterable[int]:
        order = orders.get(slot)
        if order is not None:
            return order(domain)
        absent = domain & absences.get(slot, 0)
        return chain(each(absent), each(domain ^ absent))

    return ranking


@lru_cache(maxsize=64)
def newest_torch(catalog: Catalog, ceiling: NumericVersion | None) -> Order:
    """Newest torch first, and within a release the builds as `torch_order` has them."""
    return torch_order(catalog, ceiling, releases(catalog, "torch"))


def torch_order(
    catalog: Catalog, ceiling: NumericVersion | None, wanted: Sequence[str], build: str | None = None
) -> Order:
    """The torch candidates by release as `wanted` lists them, then `build`, then the build that suits the driver best.

    Suits: same CUDA major as the driver's own before an older one, native before minor-version compatibility; after
    that the default index, then evidence. The builds of a release are compared when it is the turn of one of them.
    """
    candidates = catalog.components["torch"].candidates
    together = dict.fromkeys(wanted, 0)
    for position, candidate in enumerate(candidates):
        together[candidate.version] |= 1 << position

    def preference(position: int) -> tuple[int, ...]:
        facts = catalog.build(position)
        cuda = NumericVersion.parse(facts.cuda) if facts.cuda else None
        other_build = int(build is not None and candidates[position].build != build)
        return (other_build, *_suits(cuda, ceiling), *_standing(facts), position)

    @cache
    def best_first(builds: int) -> list[int]:
        return sorted(each(builds), key=preference)

    def order(domain: int) -> Iterator[int]:
        for builds in together.values():
            if domain & builds:
                yield from (position for position in best_first(builds) if domain >> position & 1)

    return order


def package_order(component: Component, wanted: Sequence[str]) -> Order:
    """The candidates of a package by release as `wanted` lists them; what it does not list comes last."""
    place = {version: order for order, version in enumerate(wanted)}
    ranks = [place.get(candidate.version, len(place)) for candidate in component.candidates]
    return lambda domain: sorted(each(domain), key=ranks.__getitem__)


def releases(catalog: Catalog, package: str) -> tuple[str, ...]:
    """The releases of a package, newest first, each once whatever its builds."""
    versions = dict.fromkeys(candidate.version for candidate in catalog.components[package].candidates)
    return tuple(version for version in versions if version not in (NONE, UNKNOWN))


def _suits(cuda: NumericVersion | None, ceiling: NumericVersion | None) -> tuple[int, int]:
    if ceiling is None or cuda is None:
        return 0, 0
    return int(cuda.major != ceiling.major), int(not is_native(cuda, ceiling))


def is_native(cuda: NumericVersion, ceiling: NumericVersion) -> bool:
    """Whether a driver's own CUDA is at least the runtime's major.minor."""
    return (*cuda, 0)[:2] <= (*ceiling, 0)[:2]


def _standing(build: Build) -> tuple[int, int, int]:
    level = build.evidence.get("archs", build.evidence.get("published", "inferred"))
    return int(not build.default_index), int(build.published != "yes"), EVIDENCE.index(level)


def wants_cpu(host: Host) -> bool:
    """Whether a CPU stack was asked for, or the platform has no other."""
    return host.gpus == () or (host.gpus is None and host.platform.startswith("macos"))
