"""Rules between the driver, the GPU and the CUDA runtime."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.authoring.rules.chips import chips
from compatsolver.authoring.schema import Bounds, CapabilityRow, CompatibilityRow, Tables
from compatsolver.model.component import NONE
from compatsolver.model.rule import Kind, Literal, Rule
from compatsolver.model.version import NumericVersion

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compatsolver.authoring.references import References
    from compatsolver.authoring.universe import Universe

WINDOWS_DRIVER = ("windows-x86_64", "wsl-x86_64", "wsl-aarch64")
LINUX_DRIVER = ("linux-x86_64", "linux-aarch64")


def host_rules(tables: Tables, universe: Universe, references: References) -> Iterator[Rule]:
    """Driver intervals of GPUs, driver floors of runtimes, and the toolkits that still know a GPU."""
    for capability in chips(tables):
        yield from _driver_interval(tables, capability, universe, references)
        yield from _last_toolkit(capability, universe, references)
    for row in tables.compatibility:
        yield from _driver_floor(row, universe, references)
    yield from _cudnn(tables, universe, references)


def within(text: str, bounds: Bounds) -> bool:
    """Whether a numeric version or capability lies within bounds; each bound says in its name whether it includes."""
    read = NumericVersion.parse
    version = read(text)
    return (
        (bounds.at_least is None or version >= read(bounds.at_least))
        and (bounds.above is None or version > read(bounds.above))
        and (bounds.at_most is None or version <= read(bounds.at_most))
        and (bounds.below is None or version < read(bounds.below))
    )


def bounded(universe: Universe, component: str, bounds: Bounds) -> int:
    """Candidates of a numeric component within bounds; `none` and `unknown` are in no bounds."""
    return universe.where(
        component,
        lambda candidate: candidate.version[0].isdigit() and within(candidate.version, bounds),
    )


def _driver_interval(tables: Tables, row: CapabilityRow, universe: Universe, references: References) -> Iterator[Rule]:
    majors = {branch.branch: (branch.first_major, branch.below_major) for branch in tables.branches}
    other_gpu = Literal("gpu", universe.everything("gpu") & ~universe.only("gpu", row.compute_capability))
    ends = {}
    if row.first_branch:
        ends["first"] = universe.at_least("driver", str(majors[row.first_branch][0]))
    if row.last_branch:
        ends["last"] = universe.below("driver", str(majors[row.last_branch][1]))
    for end, drivers in ends.items():
        yield Rule(
            id=f"gpu-{end}-driver/{row.compute_capability}",
            kind=Kind.DRIVER_DROPS_GPU,
            literals=(other_gpu, Literal("driver", drivers)),
            evidence=row.evidence,
            sources=references.positions(row.sources),
        )


def _last_toolkit(row: CapabilityRow, universe: Universe, references: References) -> Iterator[Rule]:
    if row.last_toolkit is None:
        return
    newer = bounded(universe, "cuda", Bounds(above=row.last_toolkit))
    yield Rule(
        id=f"gpu-last-toolkit/{row.compute_capability}",
        kind=Kind.ARCH_BELOW_WHEEL_MIN,
        literals=(
            Literal("gpu", universe.everything("gpu") & ~universe.only("gpu", row.compute_capability)),
            Literal("cuda", universe.everything("cuda") & ~newer),
        ),
        evidence=row.evidence,
        sources=references.positions(row.sources),
    )


def _driver_floor(row: CompatibilityRow, universe: Universe, references: References) -> Iterator[Rule]:
    runtimes = bounded(universe, "cuda", row.cuda)
    family = row.cuda.at_least or "any"
    for system, platforms, floor in (
        ("linux", LINUX_DRIVER, row.driver.linux),
        ("windows", WINDOWS_DRIVER, row.driver.windows),
    ):
        if floor is None:
            continue
        yield Rule(
            id=f"cuda-driver-floor/{family}/{system}",
            kind=Kind.DRIVER_MIN_FOR_CUDA,
            literals=(
                Literal("platform", universe.everything("platform") & ~universe.only("platform", *platforms)),
                Literal("cuda", universe.everything("cuda") & ~runtimes),
                Literal("driver", universe.at_least("driver", floor)),
            ),
            evidence=row.evidence,
            sources=references.positions(row.sources),
        )


def _cudnn(tables: Tables, universe: Universe, references: References) -> Iterator[Rule]:
    for row in tables.cudnn:
        unserved = universe.where(
            "gpu",
            lambda candidate, bounds=row.compute_capability: (  # type: ignore[misc]
                candidate.version != NONE and not within(candidate.version, bounds)
            ),
        )
        yield Rule(
            id=f"cudnn-capability/{row.cudnn.at_least}",
            kind=Kind.ARCH_BELOW_LIB_MIN,
            literals=(
                Literal("gpu", universe.everything("gpu") & ~unserved),
                Literal("cudnn", universe.everything("cudnn") & ~bounded(universe, "cudnn", row.cudnn)),
            ),
            evidence=row.evidence,
            sources=references.positions(row.sources),
        )
