"""Moves of packages: the nearest build or release with which the rest of the problem holds, solved again."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from packaging.specifiers import SpecifierSet

from compatsolver.emitters import pip
from compatsolver.explanation.fixes.cost import NEWER, OLDER, SAME_RELEASE
from compatsolver.explanation.fixes.premises import USUAL_PLATFORM, layout_for, usual_platform
from compatsolver.explanation.fixes.stack import CPU
from compatsolver.explanation.ranges import listing
from compatsolver.model.component import NONE, Component, members
from compatsolver.model.fix import Fix
from compatsolver.model.resolution import Pin
from compatsolver.model.version import NumericVersion, package_version
from compatsolver.solver.certify import Solved, solve
from compatsolver.solver.policy import driver_ceiling, newest_torch
from compatsolver.solver.problem import Assumption, Problem
from compatsolver.solver.search import search

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.explanation.fixes.stack import Stack
    from compatsolver.solver.search import Ranking

PAIRED = ("torchvision", "torchaudio", "triton")
"""Packages that move with torch: each release belongs to one of torch."""
_NEAREST = (SAME_RELEASE, NEWER, OLDER)


@dataclass(frozen=True)
class Move:
    """A fix and how far the package moves in it."""

    fix: Fix
    distance: int


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """Which torch is looked for: not `current`; releases in `versions`, runtimes in `cuda` (PEP 440), or CPU."""

    current: int = 0
    versions: str = ""
    cuda: str | None = None
    cpu: bool = False


def move_torch(catalog: Catalog, stack: Stack, kept: Sequence[Assumption], wanted: Wanted) -> Iterator[Move]:
    """Another build of the release, the nearest newer and the nearest older release, as far as they solve."""
    packages = tuple(entry.slot for entry in kept if entry.origin == "requirement" and entry.slot != "torch")
    gpus = sum(1 for entry in kept if entry.slot.startswith("gpu"))
    layout = layout_for(catalog, tuple(dict.fromkeys((*packages, "torchvision", "torchaudio"))), gpus, True)
    kept = [entry for entry in kept if entry.slot in layout.components and entry.slot not in ("torch", "cuda")]
    kept = _with_platform(catalog, stack, kept)
    allowed = _allowed(catalog, wanted.versions, wanted.cuda, wanted.cpu) & ~wanted.current
    groups = _groups(catalog, stack.torch)
    ceiling = _ceiling(catalog, stack)
    for distance in _NEAREST:
        group = groups[distance] & allowed
        if not group:
            continue
        target = Assumption("torch", group, "another torch", "requirement")
        order = _ordered(catalog, ceiling, distance == NEWER and stack.torch is not None)
        ranking = _ranking(order, layout.numbers["torch"])
        found = _solved(layout, kept, target, ranking)
        if found:
            yield Move(_torch_fix(catalog, stack, *found, distance), distance)


def _with_platform(catalog: Catalog, stack: Stack, kept: list[Assumption]) -> list[Assumption]:
    if any(entry.slot == "platform" for entry in kept):
        return kept
    component = catalog.components["platform"]
    allowed = sum(1 << i for i, c in enumerate(component.candidates) if c.version == usual_platform(stack))
    return [*kept, Assumption("platform", allowed, "the usual platform", "platform", implied=True)]


def _ceiling(catalog: Catalog, stack: Stack) -> NumericVersion | None:
    if stack.driver is None:
        return stack.ceiling
    try:
        return driver_ceiling(catalog, NumericVersion.parse(stack.driver))
    except ValueError:
        return stack.ceiling


@lru_cache(maxsize=64)
def _allowed(catalog: Catalog, versions: str, cuda: str | None, cpu: bool) -> int:
    """The builds for a GPU (or the CPU) whose release and runtime are within specifiers."""
    specifier, runtimes = SpecifierSet(versions), SpecifierSet(cuda or "")
    mask = 0
    for position, candidate in enumerate(catalog.components["torch"].candidates):
        runtime = catalog.builds[position].cuda
        fits = cpu == (candidate.build == CPU) and (not versions or specifier.contains(candidate.version))
        if fits and (not cuda or (runtime is not None and runtimes.contains(_minor(runtime)))):
            mask |= 1 << position
    return mask


@lru_cache(maxsize=64)
def _groups(catalog: Catalog, release: str | None) -> tuple[int, int, int]:
    """The builds of the release, of newer and of older ones; without an exact release all count as newer."""
    component = catalog.components["torch"]
    if release is None or release.endswith(".*"):
        return 0, component.everything, 0
    own = package_version(release)
    masks = [0, 0, 0]
    for position, candidate in enumerate(component.candidates):
        version = package_version(candidate.version)
        masks[SAME_RELEASE if version == own else NEWER if version > own else OLDER] |= 1 << position
    return masks[0], masks[1], masks[2]


@lru_cache(maxsize=64)
def _ordered(catalog: Catalog, ceiling: NumericVersion | None, nearest_first: bool) -> tuple[int, ...]:
    """Builds as the policy orders them; releases newest first, or oldest first to begin with the nearest newer one."""
    torch = catalog.components["torch"]
    order = tuple(newest_torch(catalog, ceiling)(torch.everything))
    if not nearest_first:
        return order
    candidates = torch.candidates
    return tuple(sorted(order, key=lambda position: package_version(candidates[position].version)))


def _ranking(order: Sequence[int], slot: int) -> Ranking:
    def ranking(number: int, domain: int) -> Iterable[int]:
        return (place for place in order if domain >> place & 1) if number == slot else members(domain)

    return ranking


def _solved(
    layout: object, kept: Sequence[Assumption], target: Assumption, ranking: Ranking
) -> tuple[dict[str, int], tuple[Assumption, ...], Problem] | None:
    """The first solution, with as many packages kept as can be: all, all but torch's pairs, none."""
    packages = [entry for entry in kept if entry.origin == "requirement"]
    unpaired = [entry for entry in packages if entry.slot not in PAIRED]
    host = [entry for entry in kept if entry.origin != "requirement"]
    tried: list[list[Assumption]] = []
    for staying in (packages, unpaired, []):
        if staying in tried:
            continue
        tried.append(staying)
        problem = Problem(layout, (*host, *staying, target))  # type: ignore[arg-type]
        verdict = solve(problem, ranking=ranking)
        if isinstance(verdict, Solved):
            return verdict.assignment, tuple(entry for entry in packages if entry not in staying), problem
    return None


def _torch_fix(
    catalog: Catalog,
    stack: Stack,
    assignment: dict[str, int],
    moved: tuple[Assumption, ...],
    problem: Problem,
    distance: int,
) -> Fix:
    candidate = catalog.components["torch"].candidates[assignment["torch"]]
    build = catalog.build(assignment["torch"])
    pins = [Pin(name="torch", version=candidate.version, build=candidate.build, index=build.index)]
    along = []
    for name in ("torchvision", "torchaudio"):
        if name in stack.packages:
            version = problem.layout.components[name].candidates[assignment[name]].version
            pins.append(Pin(name=name, version=version, build=candidate.build, index=build.index))
            along.append(f"{name} {version}")
    others = [f"{e.slot} {_version(problem, assignment, e.slot)}" for e in moved if e.slot not in PAIRED]
    cuda = _minor(build.cuda) if build.cuda else None
    where = f"from PyTorch's index {candidate.build}" if build.index else "from the default index"
    kind = f"the CUDA {cuda} build" if cuda else "the CPU build"
    what = "the same release, " if distance == SAME_RELEASE else ""
    with_ = f", with {listing([*along, *others], ' and ')}" if along or others else ""
    return Fix(
        change="torch",
        to=candidate.spelling,
        cuda=cuda,
        action=f"Install torch {candidate.spelling} ({what}{kind}) {where}{with_}.",
        command=" && ".join(pip.install_commands(pins, stack.platform or USUAL_PLATFORM)),
        verified=True,
    )


def _version(problem: Problem, assignment: dict[str, int], slot: str) -> str:
    return problem.layout.components[slot].candidates[assignment[slot]].version


def move_package(
    catalog: Catalog, problem: Problem, kept: Sequence[Assumption], assumption: Assumption, versions: str = ""
) -> Iterator[Move]:
    """The nearest newer and the nearest older release with which everything that is kept holds."""
    component = catalog.components[assumption.slot]
    held = members(assumption.allowed) or [-1]
    ways = ((NEWER, range(held[0] - 1, -1, -1)), (OLDER, range(held[-1] + 1, len(component.candidates))))
    specifier = SpecifierSet(versions)
    for distance, positions in ways:
        for position in positions:
            version = component.candidates[position].version
            if version == NONE or not specifier.contains(version, prereleases=True):
                continue
            trial = Assumption(assumption.slot, 1 << position, version, "requirement")
            if search(problem.layout.guarded, problem.domains([*kept, trial])) is not None:
                yield Move(_package_fix(component, version), distance)
                break


def _package_fix(component: Component, version: str) -> Fix:
    """A release to install; a runtime (cuDNN, NCCL) comes with torch, and nothing is installed by its name."""
    is_package = component.kind == "package"
    action = f"Install {component.name} {version}." if is_package else f"Ask for {component.title} {version} instead."
    return Fix(
        change=component.name,
        to=version,
        action=action,
        command=f"pip install '{component.name}=={version}'" if is_package else None,
        verified=True,
    )


def _minor(cuda: str) -> str:
    return ".".join(cuda.split(".")[:2])
