"""Every component with its candidates, in the order of preference that all sets of candidates use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from compatsolver.model.component import NONE, UNKNOWN, Candidate, Component, Family
from compatsolver.model.version import Capability, NumericVersion, PythonVersion, package_version

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from compatsolver.authoring.schema import BuildRow, LibraryRelease, Tables

KNOWN_TO_EXIST = ("yes", "build-matrix")


@dataclass(frozen=True)
class TorchBuild:
    """A build with the release it belongs to."""

    version: str
    row: BuildRow

    @property
    def cuda_minor(self) -> str:
        """The runtime as `12.6`, or `none`; a build whose full version is unknown still spells it in its tag."""
        if self.row.build == "cpu":
            return NONE
        if self.row.cuda:
            return ".".join(self.row.cuda.split(".")[:2])
        digits = self.row.build.removeprefix("cu")
        return f"{digits[:-1]}.{digits[-1]}"


@dataclass(frozen=True)
class Universe:
    """Components by name, the torch builds behind torch's candidates and the releases behind the libraries'.

    A library has the candidate `none` after its releases: it is in a plan only where it is asked for or needed.
    """

    components: dict[str, Component]
    builds: tuple[TorchBuild, ...]
    releases: dict[str, tuple[LibraryRelease, ...]]

    def where(self, component: str, holds: Callable[[Candidate], bool]) -> int:
        """The set of a component's candidates for which `holds`."""
        candidates = self.components[component].candidates
        return sum(1 << position for position, candidate in enumerate(candidates) if holds(candidate))

    def only(self, component: str, *versions: str) -> int:
        """The set of the candidates with one of these versions."""
        return self.where(component, lambda candidate: candidate.version in versions)

    def builds_where(self, holds: Callable[[TorchBuild], bool]) -> int:
        """The set of torch candidates whose build satisfies `holds`."""
        return sum(1 << position for position, build in enumerate(self.builds) if holds(build))

    def releases_where(self, package: str, holds: Callable[[LibraryRelease], bool]) -> int:
        """The set of a library's candidates whose release satisfies `holds`."""
        return sum(1 << position for position, row in enumerate(self.releases[package]) if holds(row))

    def everything(self, component: str) -> int:
        """The set of all candidates of a component."""
        return self.components[component].everything

    def at_least(self, component: str, version: str) -> int:
        """Candidates of a numeric component that are `version` or newer."""
        bound = NumericVersion.parse(version)
        return self.where(component, lambda candidate: _numeric(candidate) and _number(candidate) >= bound)

    def below(self, component: str, version: str) -> int:
        """Candidates of a numeric component that are older than `version`."""
        bound = NumericVersion.parse(version)
        return self.where(component, lambda candidate: _numeric(candidate) and _number(candidate) < bound)


def universe_of(tables: Tables) -> Universe:
    """Lay out all candidates: hosts as the tables bound them, packages newest first."""
    builds = tuple(sorted(_builds(tables), key=_build_preference))
    releases = {name: tuple(row for row in rows if not row.yanked) for name, rows in sorted(tables.libraries.items())}
    candidates = _host_candidates(tables, builds) | _runtime_candidates(tables, builds)
    candidates["torch"] = [Candidate(build.version, build.row.build, build.row.platform) for build in builds]
    candidates |= {
        name: [*(Candidate(row.version) for row in rows), Candidate(NONE)] for name, rows in releases.items()
    }
    components = {
        row.name: Component(row.name, row.title, row.kind, Family(row.family), tuple(candidates[row.name]))
        for row in tables.components
        if row.name in candidates
    }
    return Universe(components, builds, releases)


def _builds(tables: Tables) -> Iterable[TorchBuild]:
    for release in tables.torch:
        for row in release.builds:
            if row.published != "no":
                yield TorchBuild(release.version, row)


def _build_preference(build: TorchBuild) -> tuple[object, ...]:
    version = package_version(build.version)
    cuda = (0, 0) if build.cuda_minor == NONE else tuple(int(field) for field in build.cuda_minor.split("."))
    return (
        tuple(-part for part in version.release),
        tuple(-number for number in cuda),
        build.row.platform,
    )


def _host_candidates(tables: Tables, builds: tuple[TorchBuild, ...]) -> dict[str, list[Candidate]]:
    values = {row.name: row.values or [] for row in tables.components}
    drivers = {"0"}
    for branch in tables.branches:
        drivers |= {str(branch.first_major), str(branch.below_major)}
    for row in tables.compatibility:
        drivers |= {bound for bound in (row.driver.linux, row.driver.windows) if bound}
    glibcs = {"0"} | {build.row.glibc for build in builds if build.row.glibc}
    wheels = [wheel for rows in tables.libraries.values() for row in rows for wheel in row.wheels]
    glibcs |= {wheel.glibc for wheel in wheels if wheel.glibc}
    capabilities = sorted((Capability.parse(row.compute_capability) for row in tables.capabilities), reverse=True)
    pythons = sorted((PythonVersion.parse(text) for text in values["python"]), reverse=True)
    return {
        "platform": [Candidate(text) for text in values["platform"]],
        "python": [Candidate(str(python)) for python in pythons],
        "glibc": _newest_first(glibcs),
        "driver": _newest_first(drivers),
        "gpu": [*(Candidate(str(capability)) for capability in capabilities), Candidate(NONE)],
    }


def _runtime_candidates(tables: Tables, builds: tuple[TorchBuild, ...]) -> dict[str, list[Candidate]]:
    toolkits = {".".join(row.version.split(".")[:2]) for row in tables.toolkits}
    toolkits |= {build.cuda_minor for build in builds} - {NONE}
    cudnns = {build.row.cudnn for build in builds if build.row.cudnn}
    return {
        "cuda": [*_newest_first(toolkits), Candidate(NONE)],
        "cudnn": [*_newest_first(cudnns), Candidate(NONE), Candidate(UNKNOWN)],
    }


def _newest_first(versions: Iterable[str]) -> list[Candidate]:
    distinct = {NumericVersion.parse(text): text for text in sorted(versions)}
    return [Candidate(distinct[numbers]) for numbers in sorted(distinct, reverse=True)]


def _numeric(candidate: Candidate) -> bool:
    return candidate.version not in (NONE, UNKNOWN)


def _number(candidate: Candidate) -> NumericVersion:
    return NumericVersion.parse(candidate.version)
