"""Rules on GPU code: which builds have kernels for which compute capability, and when the driver must compile them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from compatsolver.authoring.rules.chips import chips
from compatsolver.authoring.rules.hosts import within
from compatsolver.authoring.rules.unknowns import arch_list, disputed_code
from compatsolver.model.architecture import Target, serves
from compatsolver.model.component import NONE
from compatsolver.model.rule import Kind, Literal, Rule, Unknown
from compatsolver.model.version import Capability, NumericVersion

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from compatsolver.authoring.references import References
    from compatsolver.authoring.schema import CapabilityRow, Tables
    from compatsolver.authoring.universe import TorchBuild, Universe

SASS, PTX, DISPUTED, UNLISTED, BELOW, ABOVE = "sass", "ptx", "disputed", "unlisted", "below", "above"


@dataclass(frozen=True)
class Device:
    """A capability with all its numbers: Thor was 10.1 and is 11.0."""

    row: CapabilityRow
    numbers: tuple[Capability, ...]
    islands: frozenset[Capability]
    first_toolkit: NumericVersion | None

    def is_known_to(self, cuda: str) -> bool:
        """Whether a toolkit has libraries for GPUs of this generation at all.

        PTX of torch's own kernels is not enough: cuBLAS and cuDNN from before the generation have no code for it, and
        torch fails there with "no kernel image" (reports on sm_120 with builds for CUDA 11.8 to 12.6).
        """
        return self.first_toolkit is None or NumericVersion.parse(cuda) >= self.first_toolkit

    def runs(self, target: Target) -> bool:
        """Whether code for a target runs here."""
        return any(serves(target, number, self.islands) for number in self.numbers)

    def is_in_dispute(self, cuda: str, code: Collection[str]) -> bool:
        """Whether reports disagree on code for another capability, built by that CUDA, running here."""
        return any(within(cuda, claim.cuda) and set(claim.code) & set(code) for claim in self.row.disputed)


def devices(tables: Tables) -> tuple[Device, ...]:
    """The capabilities of the tables, in their order."""
    islands = frozenset(Capability.parse(row.compute_capability) for row in tables.capabilities if row.island)
    known = []
    for row in chips(tables):
        texts = (row.compute_capability, row.same_as) if row.same_as else (row.compute_capability,)
        numbers = tuple(Capability.parse(text) for text in texts)
        known.append(Device(row, numbers, islands, _first_toolkit(tables, max(numbers))))
    return tuple(known)


def _first_toolkit(tables: Tables, device: Capability) -> NumericVersion | None:
    """The first toolkit that compiled code which a device runs as machine code: for its major, up to its minor."""
    rows = [(Capability.parse(row.compute_capability), row.first_toolkit) for row in tables.capabilities]
    first = [NumericVersion.parse(t) for number, t in rows if t and number.major == device.major and number <= device]
    return min(first, default=None)


def architecture_rules(tables: Tables, universe: Universe, references: References) -> Iterator[Rule]:
    """Per capability: builds without kernels, builds that need the driver's compiler, builds nobody is sure of."""
    for device in devices(tables):
        row = device.row
        verdicts = [_verdict(build, device) for build in universe.builds]
        other_gpu = Literal("gpu", universe.everything("gpu") & ~universe.only("gpu", row.compute_capability))
        yield from _missing_kernels(row, other_gpu, verdicts, universe)
        yield from _compiled_by_driver(tables, row, other_gpu, verdicts, universe, references)
        yield from _uncertain(row, other_gpu, verdicts, universe)


def _verdict(build: TorchBuild, device: Device) -> str | None:
    """How a build serves a device; None for CPU builds, which the rule on CPU builds speaks for."""
    if build.cuda_minor == NONE:
        return None
    if build.row.archs is None or build.row.archs.sass is None:
        return BELOW if _is_dropped(build, device.row) else UNLISTED
    denied = set(build.row.archs.disputed)
    machine_code = [Target.parse(text) for text in build.row.archs.sass]
    serving = [text for text, target in zip(build.row.archs.sass, machine_code, strict=True) if device.runs(target)]
    if any(text not in denied for text in serving):
        return SASS
    if serving or device.is_in_dispute(build.cuda_minor, build.row.archs.sass):
        return DISPUTED
    intermediate = [Target.parse(text) for text in build.row.archs.ptx or ()]
    if any(device.runs(target) for target in intermediate) and device.is_known_to(build.cuda_minor):
        return PTX
    oldest = min(target.capability for target in machine_code + intermediate)
    return BELOW if device.numbers[0] < oldest else ABOVE


def _is_dropped(build: TorchBuild, row: CapabilityRow) -> bool:
    """Whether the toolkit of a build no longer compiles for a capability, so that no list is needed to know."""
    last = row.last_toolkit
    return last is not None and NumericVersion.parse(build.cuda_minor) > NumericVersion.parse(last)


def _having(verdicts: list[str | None], *wanted: str) -> int:
    return sum(1 << position for position, verdict in enumerate(verdicts) if verdict in wanted)


def _missing_kernels(
    row: CapabilityRow, other_gpu: Literal, verdicts: list[str | None], universe: Universe
) -> Iterator[Rule]:
    for verdict, kind in ((BELOW, Kind.ARCH_BELOW_WHEEL_MIN), (ABOVE, Kind.ARCH_ABOVE_WHEEL_MAX)):
        builds = _having(verdicts, verdict)
        if builds:
            yield Rule(
                id=f"gpu-code/{row.compute_capability}/{verdict}",
                kind=kind,
                literals=(other_gpu, Literal("torch", universe.everything("torch") & ~builds)),
                evidence="documented",
                field="archs",
            )


def _compiled_by_driver(
    tables: Tables,
    row: CapabilityRow,
    other_gpu: Literal,
    verdicts: list[str | None],
    universe: Universe,
    references: References,
) -> Iterator[Rule]:
    by_ptx = _having(verdicts, PTX)
    for cuda in sorted({build.cuda_minor for build in universe.builds} - {NONE}):
        builds = by_ptx & universe.builds_where(lambda build, minor=cuda: build.cuda_minor == minor)  # type: ignore[misc]
        branches = [
            branch
            for branch in tables.branches
            if branch.max_cuda and NumericVersion.parse(branch.max_cuda) >= NumericVersion.parse(cuda)
        ]
        if builds and branches:
            oldest = min(branches, key=lambda branch: branch.first_major)
            yield Rule(
                id=f"gpu-ptx/{row.compute_capability}/{cuda}",
                kind=Kind.DRIVER_MIN_FOR_CUDA,
                literals=(
                    other_gpu,
                    Literal("torch", universe.everything("torch") & ~builds),
                    Literal("driver", universe.at_least("driver", str(oldest.first_major))),
                ),
                evidence=oldest.evidence,
                sources=references.positions(oldest.sources),
            )


def _uncertain(
    row: CapabilityRow, other_gpu: Literal, verdicts: list[str | None], universe: Universe
) -> Iterator[Rule]:
    disputed = _having(verdicts, DISPUTED)
    if disputed:
        claim = row.disputed[0] if row.disputed else None
        unknown = disputed_code(
            row.compute_capability,
            claim.why if claim else "reports disagree on whether the wheel has this code",
            claim.settle if claim else 'python -c "import torch; print(torch.cuda.get_arch_list())"',
        )
        yield _guard(f"gpu-code/{row.compute_capability}/disputed", other_gpu, disputed, unknown, universe)
    for position, verdict in enumerate(verdicts):
        if verdict == UNLISTED:
            build = universe.builds[position]
            name = f"gpu-code/{row.compute_capability}/{build.version}+{build.row.build}/{build.row.platform}"
            yield _guard(name, other_gpu, 1 << position, arch_list(build), universe)


def _guard(name: str, other_gpu: Literal, builds: int, unknown: Unknown, universe: Universe) -> Rule:
    return Rule(
        id=name,
        kind=Kind.ARCH_ABOVE_WHEEL_MAX,
        literals=(other_gpu, Literal("torch", universe.everything("torch") & ~builds)),
        evidence="inferred",
        field="archs",
        unknown=unknown,
    )
