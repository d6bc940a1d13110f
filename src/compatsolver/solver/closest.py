"""Policy `closest`: as few packages of an environment as possible change, and those that do change little."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from compatsolver.model.version import package_version
from compatsolver.solver.certify import Impossible, Solved, Undecided, solve
from compatsolver.solver.policy import by_orders, ceiling_of, package_order, releases, torch_order
from compatsolver.solver.problem import Assumption, Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.model.host import Host
    from compatsolver.solver.problem import Layout
    from compatsolver.solver.search import Ranking


def solve_closest(
    catalog: Catalog, host: Host, problem: Problem, installed: Mapping[str, str]
) -> Solved | Undecided | Impossible:
    """Solve so that the fewest of the installed packages change; a change of torch counts before any other.

    The sets of packages that cannot all stay are learned one by one, and the smallest set of packages that has one of
    each is given up. `installed` maps packages of the catalogue to versions as pip prints them, most important first.
    """
    ranking = closest(catalog, host, problem.layout, installed)
    first = problem.layout.packages
    base = solve(problem, first=first, ranking=ranking)
    if not isinstance(base, Solved):
        return base

    def stands(kept: Sequence[Assumption]) -> Solved | None:
        """A solution in which packages stay and nothing is broken that could be avoided without them."""
        wider = Problem(problem.layout, (*problem.assumptions, *kept))
        found = solve(wider, first=first, ranking=ranking)
        return found if isinstance(found, Solved) and len(found.avoided) <= len(base.avoided) else None

    build = _build_of(catalog, host, installed["torch"]) if "torch" in installed else None
    stay = [entry for name in installed for entry in _stay(problem, name, installed[name], build)]
    stay = [entry for entry in stay if stands([entry])]
    clashes: list[list[Assumption]] = []
    while True:
        given_up = _smallest_hitting(clashes, stay)
        kept = [entry for entry in stay if entry not in given_up]
        if solution := stands(kept):
            return solution
        clashes.append(_clash(kept, stands))


def closest(catalog: Catalog, host: Host, layout: Layout, installed: Mapping[str, str]) -> Ranking:
    """Rank the releases of installed packages by how far they are from the installed one; of torch also by build."""
    orders = {
        layout.numbers[name]: package_order(layout.components[name], nearest(releases(catalog, name), text))
        for name, text in installed.items()
        if name in layout.numbers
    }
    torch = installed.get("torch")
    wanted = nearest(releases(catalog, "torch"), torch) if torch else releases(catalog, "torch")
    build = _build_of(catalog, host, torch) if torch else None
    orders[layout.numbers["torch"]] = torch_order(catalog, ceiling_of(catalog, host), wanted, build)
    return by_orders(layout, orders)


def nearest(versions: Sequence[str], installed: str) -> tuple[str, ...]:
    """Releases (newest first) by the number of releases between them and the installed one; the newer of two first."""
    try:
        here = package_version(installed.partition("+")[0])
    except ValueError:
        return tuple(versions)
    places = {version: place for place, version in enumerate(versions)}
    newer = sum(package_version(version) > here for version in versions)
    middle = newer if any(package_version(version) == here for version in versions) else newer - 0.5
    return tuple(sorted(versions, key=lambda version: (abs(places[version] - middle), places[version])))


def _build_of(catalog: Catalog, host: Host, installed: str) -> str | None:
    """The build of an installed torch; a version without a local part comes from the default index."""
    version, _, local = installed.partition("+")
    if local:
        return local
    platform = host.platform.replace("wsl", "linux")
    for position, candidate in enumerate(catalog.components["torch"].candidates):
        if (candidate.version, candidate.platform) == (version, platform) and catalog.build(position).default_index:
            return candidate.build
    return None


def _stay(problem: Problem, name: str, text: str, build: str | None) -> list[Assumption]:
    """That an installed package stays as it is; nothing where its version is not in the catalogue or not in use."""
    component = problem.layout.components.get(name)
    version = text.partition("+")[0]
    if component is None:
        return []
    allowed = sum(
        1 << position
        for position, candidate in enumerate(component.candidates)
        if candidate.version == version and (candidate.build is None or build in (None, candidate.build))
    )
    return [Assumption(name, allowed, f"{name} {text} as installed", "requirement", implied=True)] if allowed else []


def _clash(kept: list[Assumption], stands: Callable[[Sequence[Assumption]], Solved | None]) -> list[Assumption]:
    """A part of what cannot all stay in which every member matters; the most important ones are spared first."""
    clash = list(kept)
    for entry in kept:
        rest = [other for other in clash if other is not entry]
        if not stands(rest):
            clash = rest
    return clash


def _smallest_hitting(clashes: list[list[Assumption]], stay: Sequence[Assumption]) -> tuple[Assumption, ...]:
    """The smallest set with a member of every clash; among equals the one of the least important packages."""
    involved = [entry for entry in reversed(stay) if any(entry in clash for clash in clashes)]
    for size in range(len(involved) + 1):
        for chosen in combinations(involved, size):
            if all(any(entry in chosen for entry in clash) for clash in clashes):
                return chosen
    raise AssertionError("every clash has a member")
