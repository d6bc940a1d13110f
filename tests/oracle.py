"""Which torch builds run on a target, read straight off the YAML tables, without rules, search or compiled catalogue.

Written from the descriptions of NVIDIA's compatibility rules and of the tables' keys, to hold the whole engine against.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from compatsolver.authoring.schema import Bounds, BranchRow, BuildRow, CapabilityRow, Tables

Numbers = tuple[int, ...]
DOUBT = YES, UNKNOWN, NO = ("yes", "unknown", "no")


@cache
def numbers(text: str) -> Numbers:
    """A dotted version as numbers, without trailing zeros."""
    fields = [int(field) for field in text.split(".")]
    while fields and fields[-1] == 0:
        fields.pop()
    return tuple(fields)


def within(version: Numbers, bounds: Bounds) -> bool:
    """Whether a version lies within bounds."""
    return not (
        (bounds.at_least and version < numbers(bounds.at_least))
        or (bounds.above and version <= numbers(bounds.above))
        or (bounds.at_most and version > numbers(bounds.at_most))
        or (bounds.below and version >= numbers(bounds.below))
    )


@cache
def runs(code: str, device: Numbers, tegra: frozenset[Numbers]) -> bool:
    """Whether `sm_86`, `sm_90a`, `sm_100f` or `compute_90` runs on a device, leaving the driver aside."""
    match = re.fullmatch(r"(sm|compute)_(\d+)(\d)([af]?)", code)
    assert match, code
    built = numbers(f"{match[2]}.{match[3]}")
    same_major = device[0] == built[0] and device >= built
    if match[1] == "compute" and not match[4]:
        return device >= built
    return device == built if match[4] == "a" or tegra & {device, built} else same_major


@dataclass(frozen=True)
class Machine:
    """A target in the tables' words; `driver` None was not given, `gpus` empty asks for a CPU build."""

    platform: str
    python: str
    glibc: str
    driver: str | None
    gpus: tuple[str, ...]

    @property
    def wheels(self) -> str:
        return self.platform.replace("wsl", "linux")

    @property
    def driver_system(self) -> str:
        return "windows" if self.platform.startswith(("wsl", "windows")) else "linux"


@dataclass(frozen=True, eq=False)
class Oracle:
    """The tables, and the questions that decide whether a build runs."""

    tables: Tables

    @cached_property
    def capabilities(self) -> dict[str, CapabilityRow]:
        """By each of its numbers the row of a chip's latest: Thor's is 11.0."""
        rows = {row.compute_capability: row for row in self.tables.capabilities}
        return {name: rows[max(name, row.same_as or name, key=numbers)] for name, row in rows.items()}

    @cached_property
    def branches(self) -> dict[str, BranchRow]:
        return {branch.branch: branch for branch in self.tables.branches}

    @cached_property
    def tegra(self) -> frozenset[Numbers]:
        return frozenset(numbers(row.compute_capability) for row in self.tables.capabilities if row.island)

    @cached_property
    def rows(self) -> dict[tuple[str, str, str], BuildRow]:
        return {(r.version, b.build, b.platform): b for r in self.tables.torch for b in r.builds}

    @cached_property
    def rows_on(self) -> dict[str, list[tuple[str, BuildRow]]]:
        """Platform → (version, build) pairs, newest release first."""
        pairs: dict[str, list[tuple[str, BuildRow]]] = {}
        for version, build, platform in sorted(self.rows, key=lambda key: numbers(key[0]), reverse=True):
            pairs.setdefault(platform, []).append((version, self.rows[version, build, platform]))
        return pairs

    @cached_property
    def thresholds(self) -> list[str]:
        """Drivers at which something changes, the last ones before, and one past the tables."""
        bounds = {f"{branch.first_major}" for branch in self.tables.branches}
        for row in self.tables.compatibility:
            bounds |= {text for text in (row.driver.linux, row.driver.windows) if text}
        before = {f"{int(text) - 1}.99" for text in bounds if text.isdigit()}
        return sorted(bounds | before | {"700.10"}, key=numbers)

    def newest(self, machine: Machine) -> tuple[str, str]:
        """Whether any build runs on a machine, and the newest release that does or may."""
        doubtful = ""
        for version, row in self.rows_on[machine.wheels]:
            answer = self.runs_on(row, machine)
            if answer == YES:
                return YES, version
            doubtful = doubtful or (version if answer == UNKNOWN else "")
        return (UNKNOWN, doubtful) if doubtful else (NO, "")

    def runs_on(self, row: BuildRow, machine: Machine) -> str:
        """Whether a build runs on a machine, with some driver where none was given: yes, no, or not known."""
        if row.platform != machine.wheels or row.published == "no" or machine.python not in (row.pythons or ()):
            return NO
        if row.glibc and numbers(row.glibc) > numbers(machine.glibc):
            return NO
        if (row.build == "cpu") == bool(machine.gpus):
            return NO
        published = YES if row.published in ("yes", "build-matrix") else UNKNOWN
        if not machine.gpus:
            return published
        drivers = [machine.driver] if machine.driver else self.thresholds
        return worst((published, best(self.serves(row, driver, machine) for driver in drivers)))

    def serves(self, row: BuildRow, driver: str, machine: Machine) -> str:
        """Whether a build runs on all GPUs of a machine with a driver."""
        if not self.driver_is_enough(row, driver, machine):
            return NO
        return worst(self.serves_one(row, driver, self.capabilities[gpu]) for gpu in machine.gpus)

    def driver_is_enough(self, row: BuildRow, driver: str, machine: Machine) -> bool:
        """Whether the driver meets the floor of the build's runtime on its system."""
        return numbers(driver) >= self.floor(runtime(row), machine.driver_system)

    @cache  # noqa: B019  the oracle lives as long as the tests
    def floor(self, cuda: Numbers, system: str) -> Numbers:
        """The lowest driver that runs a runtime on Linux or Windows."""
        floors = [entry.driver for entry in self.tables.compatibility if within(cuda, entry.cuda)]
        texts = [floor.windows if system == "windows" else floor.linux for floor in floors]
        return max((numbers(text) for text in texts if text), default=())

    def serves_one(self, row: BuildRow, driver: str, gpu: CapabilityRow) -> str:
        """Whether the driver drives a GPU and the build has something for it."""
        if not self.drives(driver, gpu):
            return NO
        if gpu.last_toolkit and runtime(row) > numbers(gpu.last_toolkit):
            return NO
        device = numbers(gpu.compute_capability)
        for entry in self.tables.cudnn:
            if row.cudnn and within(numbers(row.cudnn), entry.cudnn) and not within(device, entry.compute_capability):
                return NO
        return self.has_code(row, driver, gpu)

    def has_code(self, row: BuildRow, driver: str, gpu: CapabilityRow) -> str:
        """Whether the build has kernels for a GPU, or PTX that the driver can compile."""
        if row.archs is None or row.archs.sass is None:
            return UNKNOWN
        names = [numbers(name) for name in (gpu.compute_capability, gpu.same_as) if name]
        serving = {code for code in row.archs.sass if any(runs(code, name, self.tegra) for name in names)}
        if serving - set(row.archs.disputed):
            return YES
        claimed = {code for claim in gpu.disputed if within(runtime(row), claim.cuda) for code in claim.code}
        if serving or claimed & set(row.archs.sass):
            return UNKNOWN
        by_ptx = any(runs(code, name, self.tegra) for code in row.archs.ptx or () for name in names)
        known = by_ptx and self.knows_generation(runtime(row), names)
        return YES if known and self.compiles(driver, runtime(row)) else NO

    def knows_generation(self, cuda: Numbers, names: list[Numbers]) -> bool:
        """Whether a toolkit had a compiler for some GPU of the same major that is no younger."""
        device = names[0]
        older = [row for row in self.tables.capabilities if device[0] == numbers(row.compute_capability)[0]]
        able = [row for row in older if numbers(row.compute_capability) <= device and row.first_toolkit]
        return any(numbers(row.first_toolkit or "") <= cuda for row in able)

    def drives(self, driver: str, gpu: CapabilityRow) -> bool:
        """Whether a driver lies between the first and the last branch of a GPU."""
        branches, major = self.branches, numbers(driver)[0]
        late_enough = not gpu.first_branch or major >= branches[gpu.first_branch].first_major
        return late_enough and (not gpu.last_branch or major < branches[gpu.last_branch].below_major)

    def compiles(self, driver: str, cuda: Numbers) -> bool:
        """Whether a driver is at least of the first branch whose CUDA is that of the PTX."""
        able = [b.first_major for b in self.tables.branches if b.max_cuda and numbers(b.max_cuda) >= cuda]
        return numbers(driver)[0] >= min(able, default=10**6)


def runtime(row: BuildRow) -> Numbers:
    """Major and minor of the CUDA runtime of a GPU build; the tag spells it where the table does not."""
    return numbers(row.cuda)[:2] if row.cuda else numbers(f"{row.build[2:-1]}.{row.build[-1]}")


def worst(answers: Iterable[str]) -> str:
    """The answer for things that must all hold."""
    return max(answers, key=DOUBT.index)


def best(answers: Iterable[str]) -> str:
    """The answer for things of which one must hold; the first yes ends it."""
    found = NO
    for answer in answers:
        if answer == YES:
            return YES
        found = min(found, answer, key=DOUBT.index)
    return found
