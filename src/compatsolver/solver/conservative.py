"""Policy `conservative`: release lines that have been in use for half a year, each in its last patch release."""

from __future__ import annotations

from datetime import date
from functools import lru_cache
from typing import TYPE_CHECKING

from compatsolver.model.component import NONE
from compatsolver.model.version import package_version
from compatsolver.solver.policy import by_orders, ceiling_of, package_order, releases, torch_order

if TYPE_CHECKING:
    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.model.host import Host
    from compatsolver.solver.problem import Layout
    from compatsolver.solver.search import Ranking

ESTABLISHED_AFTER_DAYS = 180


def conservative(catalog: Catalog, host: Host, layout: Layout) -> Ranking:
    """Rank every package by `conservative_releases`; within a torch release the builds are ordered as in `newest`."""
    orders = {
        layout.numbers[slot]: package_order(layout.components[slot], (NONE, *conservative_releases(catalog, slot)))
        for slot in layout.packages
    }
    wanted = conservative_releases(catalog, "torch")
    orders[layout.numbers["torch"]] = torch_order(catalog, ceiling_of(catalog, host), wanted)
    return by_orders(layout, orders)


@lru_cache(maxsize=64)
def conservative_releases(catalog: Catalog, package: str) -> tuple[str, ...]:
    """The releases of a package: of established lines, newest line first, then of younger ones, oldest line first.

    A line is what shares major and minor version, and is as old as its first known release at the catalogue's date;
    its releases run from the last patch down. Lines of unknown age come last, newest first.
    """
    established: list[list[str]] = []
    younger: list[list[str]] = []
    undated: list[list[str]] = []
    for line in _lines(releases(catalog, package)):
        days = _days_in_use(catalog, package, line)
        group = undated if days is None else established if days >= ESTABLISHED_AFTER_DAYS else younger
        group.append(line)
    return tuple(version for line in (*established, *reversed(younger), *undated) for version in line)


def is_established(catalog: Catalog, package: str, version: str) -> bool:
    """Whether a release belongs to a line that is old enough for `conservative`."""
    line = next(line for line in _lines(releases(catalog, package)) if version in line)
    days = _days_in_use(catalog, package, line)
    return days is not None and days >= ESTABLISHED_AFTER_DAYS


def _days_in_use(catalog: Catalog, package: str, line: list[str]) -> int | None:
    """Days from the first known release of a line to the catalogue's date; None where no date is known."""
    known = [day for version in line if (day := catalog.released(package, version))]
    return (date.fromisoformat(catalog.horizon) - date.fromisoformat(min(known))).days if known else None


def _lines(versions: tuple[str, ...]) -> list[list[str]]:
    """Releases, newest first, gathered by major and minor version."""
    lines: dict[tuple[int, ...], list[str]] = {}
    for version in versions:
        lines.setdefault(package_version(version).release[:2], []).append(version)
    return list(lines.values())
