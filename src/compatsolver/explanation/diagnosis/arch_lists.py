"""The arch list that torch prints, held against the GPU: it beats the tables, because it is the build at hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.explanation.diagnosis.rulings import place
from compatsolver.explanation.fixes.archive import archived_builds
from compatsolver.explanation.fixes.cost import SAME_RELEASE, cost
from compatsolver.explanation.fixes.moves import Wanted, move_torch
from compatsolver.explanation.fixes.premises import PRINTED_ARCHS, layout_for, problem_of, torch_mask, torch_words
from compatsolver.explanation.fixes.repairs import cheapest, priced_move
from compatsolver.explanation.ranges import build_words
from compatsolver.model.architecture import Target, serves
from compatsolver.model.diagnosis import CERTAIN, ERROR, Finding
from compatsolver.model.fix import DISPLAY_ONLY, Fix
from compatsolver.model.resolution import Because
from compatsolver.model.rule import Kind
from compatsolver.model.version import Capability
from compatsolver.solver.formulate import position_of
from compatsolver.solver.problem import Assumption, Problem
from compatsolver.solver.search import propagated

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.explanation.fixes.stack import Stack
    from compatsolver.model.host import Gpu
    from compatsolver.model.observation import Observation

_ABOVE, _BELOW = Kind.ARCH_ABOVE_WHEEL_MAX.value, Kind.ARCH_BELOW_WHEEL_MIN.value


def judged(catalog: Catalog, stack: Stack) -> list[Finding]:
    """A finding for each GPU that the printed list leaves out."""
    printed = _printed(stack)
    if printed is None:
        return []
    kinds = [(gpu, _verdict(catalog, gpu, printed)) for gpu in stack.gpus]
    return [_missing(catalog, stack, gpu, printed, kind) for gpu, kind in kinds if kind is not None]


def served(catalog: Catalog, stack: Stack) -> str | None:
    """The GPUs, where the printed list serves all of them; None where it does not, or where none is printed."""
    printed = _printed(stack)
    if printed is None or not stack.gpus or any(_verdict(catalog, gpu, printed) for gpu in stack.gpus):
        return None
    return ", ".join(f"{gpu.name} ({gpu.capability})" for gpu in stack.gpus)


def _printed(stack: Stack) -> Observation | None:
    for axis in ("torch_archs", "torch_capability_range"):
        for entry in stack.reading.observations:
            if entry.axis == axis:
                return entry
    return None


def _verdict(catalog: Catalog, gpu: Gpu, printed: Observation) -> str | None:
    """What the list does not do for a GPU, by any of the numbers that its chip has had (10.1 and 11.0 are one)."""
    twin = catalog.diagnosis["same_as"].get(gpu.capability)
    verdicts = [
        _by_range(device, printed.value)
        if printed.axis == "torch_capability_range"
        else _by_list(catalog, device, printed.value)
        for device in map(Capability.parse, filter(None, (gpu.capability, twin)))
    ]
    return None if None in verdicts else verdicts[0]


def _by_list(catalog: Catalog, device: Capability, text: str) -> str | None:
    targets = list(_targets(text))
    islands = frozenset(Capability.parse(capability) for capability in catalog.diagnosis["islands"])
    if not targets or any(serves(target, device, islands) for target in targets):
        return None
    return _BELOW if device < min(target.capability for target in targets) else _ABOVE


def _targets(text: str) -> Iterator[Target]:
    for word in text.split():
        try:
            yield Target.parse(word)
        except ValueError:
            continue


def _by_range(device: Capability, text: str) -> str | None:
    low, _, high = text.partition("-")
    try:
        if low and device < Capability.parse(low):
            return _BELOW
        if high and device.major > Capability.parse(high).major:
            return _ABOVE
    except ValueError:
        return None
    return None


def _missing(catalog: Catalog, stack: Stack, gpu: Gpu, printed: Observation, kind: str) -> Finding:
    number = gpu.capability.replace(".", "")
    shown = printed.value.replace(" ", ", ")
    return Finding(
        kind=kind,
        severity=ERROR,
        confidence=CERTAIN,
        summary=f"the installed torch has no kernels for {gpu.name} (sm_{number})",
        requires=f"kernels for compute capability {gpu.capability}: {_having(catalog, stack, gpu)}",
        found=f"{torch_words(stack)} is compiled for {shown} ({place(printed)})",
        because=(
            Because(
                statement=f"the build at hand says that it serves {shown}; none of that runs on {gpu.capability}",
                evidence="measured",
                sources=(),
            ),
        ),
        fixes=_fixes(catalog, stack),
        not_enough=("A newer driver does not help: the kernels are missing in the build.",),
    )


def _having(catalog: Catalog, stack: Stack, gpu: Gpu) -> str:
    """The listed builds that have kernels for a GPU, on its platform where that is told."""
    layout = layout_for(catalog, (), 1, True)
    slots = {"gpu": gpu.capability} | ({"platform": stack.platform} if stack.platform else {})
    assumed = [
        Assumption(slot, position_of(layout.components[slot], value), value, "gpu") for slot, value in slots.items()
    ]
    narrowed = propagated(layout.guarded, Problem(layout, tuple(assumed)).domains())
    mask = narrowed[layout.numbers["torch"]] if narrowed else 0
    return f"PyTorch {build_words(catalog.components['torch'], mask)}" if mask else "no listed build has them"


def _fixes(catalog: Catalog, stack: Stack) -> tuple[Fix, ...]:
    problem = problem_of(catalog, stack, without=PRINTED_ARCHS)
    kept = [entry for entry in problem.assumptions if entry.slot not in ("torch", "cuda")]
    unlisted = problem_of(catalog, stack, torch=0)
    hosts = [entry for entry in unlisted.assumptions if entry.slot != "cuda"]
    priced = [(cost(fix, SAME_RELEASE), fix) for fix in archived_builds(catalog, stack, unlisted, hosts)]
    installed = torch_mask(catalog, stack) if stack.tag or stack.cuda else 0
    priced += [priced_move(move) for move in move_torch(catalog, stack, kept, Wanted(current=installed))]
    if "container" in {entry.axis for entry in stack.reading.observations} and priced:
        cuda = priced[0][1].cuda
        image = Fix(
            change="container",
            cuda=cuda,
            action=f"Use an image whose torch is built for CUDA {cuda} (another tag of the same image).",
            applicability=DISPLAY_ONLY,
        )
        priced.append((cost(image), image))
    return cheapest(priced)
