"""The catalogue's rules held against a stack: each independent core is one finding."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.explanation.conflicts import simplest
from compatsolver.explanation.cores import independent_cores, refuted
from compatsolver.explanation.fixes.premises import INSTALLED, PRINTED_ARCHS, problem_of, torch_mask
from compatsolver.explanation.fixes.repairs import Broken, repairs
from compatsolver.explanation.narration import headline, merged, narrate, nothing_matches
from compatsolver.explanation.ranges import listing
from compatsolver.model.component import NONE
from compatsolver.model.diagnosis import CERTAIN, ERROR, LIKELY, Finding
from compatsolver.model.rule import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.explanation.derivation import Step
    from compatsolver.explanation.fixes.stack import Stack
    from compatsolver.model.observation import Observation
    from compatsolver.solver.problem import Assumption, Problem

_WEIGHT = {kind: weight for weight, kind in enumerate(Kind)}


def rulings(catalog: Catalog, stack: Stack) -> list[Finding]:
    """What the rules refute: certain where what was read refutes it, likely where a usual default has to help."""
    without = PRINTED_ARCHS if stack.reading.values("torch_archs") else INSTALLED
    problem = problem_of(catalog, stack, without=without)
    cores = independent_cores(problem)
    findings = [finding_of(catalog, stack, problem, cores, core, CERTAIN) for core in cores if core]
    if not cores:
        usual = _usual_build(catalog, stack)
        if usual:
            problem = problem_of(catalog, stack, without=without, torch=usual)
            cores = independent_cores(problem)
            findings = [finding_of(catalog, stack, problem, cores, core, LIKELY) for core in cores if core]
    return findings


def _usual_build(catalog: Catalog, stack: Stack) -> int:
    """The build that the default index serves, for a release named without its build; 0 where it is told or open."""
    if stack.tag is not None or stack.cuda is not None or stack.platform is None:
        return 0
    mask = torch_mask(catalog, stack)
    platform = stack.platform.replace("wsl", "linux")
    candidates = catalog.components["torch"].candidates
    return sum(
        1 << position
        for position, candidate in enumerate(candidates)
        if mask >> position & 1 and candidate.platform == platform and catalog.build(position).default_index
    )


def finding_of(
    catalog: Catalog,
    stack: Stack,
    problem: Problem,
    cores: Sequence[tuple[Assumption, ...]],
    core: tuple[Assumption, ...],
    confidence: str,
) -> Finding:
    """One core as a finding, with both sides, its proof and its fixes."""
    core, derivation = simplest(problem, core)
    steps = derivation[::-1]
    kind = min((step.entry.rule.kind for step in steps), key=_WEIGHT.__getitem__, default=Kind.INDEX_NO_SUCH_WHEEL)
    if any(entry.implied for entry in core) and not _holds_elsewhere(catalog, problem, core):
        confidence = LIKELY
    weightiest = min(steps, key=lambda step: _WEIGHT[step.entry.rule.kind], default=None)
    others = tuple(other for other in cores if other is not core)
    fixes = repairs(catalog, stack, Broken(problem, core, kind, others))
    told = [entry for entry in core if not entry.implied]
    return Finding(
        kind=kind.value,
        severity=ERROR,
        confidence=confidence,
        summary=_summary(kind, told or core) or headline(kind, told or core),
        requires=narrate(catalog, weightiest).statement if weightiest else "",
        found="; ".join(_seen(stack, entry) for entry in told),
        because=merged(narrate(catalog, step) for step in steps) or (nothing_matches(catalog, core),),
        fixes=fixes,
        not_enough=_not_enough(catalog, problem, core, steps),
    )


def _summary(kind: Kind, core: Sequence[Assumption]) -> str | None:
    """What is wrong with what is there; None where the conflict's own headline says it as well."""
    told = {entry.slot.partition("#")[0]: entry.text for entry in core}
    torch, gpu = told.get("torch") or told.get("cuda"), told.get("gpu")
    if kind in (Kind.ARCH_BELOW_WHEEL_MIN, Kind.ARCH_ABOVE_WHEEL_MAX) and torch and gpu:
        return f"{torch} has no kernels for {gpu}"
    if kind is Kind.CPU_ONLY_BUILD and torch and gpu:
        return f"{torch} is a CPU build and does not use {gpu}"
    if kind in (Kind.TORCH_PAIR, Kind.PKG_PIN, Kind.PKG_API, Kind.NUMPY_ABI, Kind.TRITON_PIN) and len(core) > 1:
        return f"{listing((entry.text for entry in core), ' and ')} do not go together"
    return None


def _holds_elsewhere(catalog: Catalog, problem: Problem, core: Sequence[Assumption]) -> bool:
    """Whether the core is refuted on the other usual platforms as well, so that it does not rest on a guess."""
    platforms = catalog.components["platform"].candidates
    for position, candidate in enumerate(platforms):
        if candidate.version.startswith(("linux", "windows", "wsl")):
            moved = [entry._replace(allowed=1 << position) if entry.slot == "platform" else entry for entry in core]
            if not refuted(problem, moved):
                return False
    return True


def _seen(stack: Stack, assumption: Assumption) -> str:
    seen = stack.where.get(assumption.slot) or (stack.where.get("driver_cuda") if assumption.slot == "driver" else None)
    text = assumption.text
    if assumption.slot == "torch" and stack.platform and stack.cuda in (None, NONE):
        text = f"{text} on {stack.platform}"
    return f"{text} ({place(seen)})" if seen else text


def place(seen: Observation) -> str:
    """Where something was read: the reader, and the line where it has one."""
    return f"{seen.reader}, line {seen.line}" if seen.line else seen.reader


def _not_enough(
    catalog: Catalog, problem: Problem, core: Sequence[Assumption], steps: Sequence[Step]
) -> tuple[str, ...]:
    """The obvious change that would not mend it."""
    kinds = {step.entry.rule.kind for step in steps}
    slots = {entry.slot for entry in core}
    if kinds & {Kind.ARCH_BELOW_WHEEL_MIN, Kind.ARCH_ABOVE_WHEEL_MAX} and "driver" not in slots:
        return ("A newer driver does not help: the kernels are missing in the build, whatever drives the GPU.",)
    if Kind.DRIVER_MIN_FOR_CUDA in kinds:
        return ("Another CUDA toolkit on the machine does not help: the driver is what has to run the runtime.",)
    if kinds == {Kind.TORCH_PAIR}:
        moved = listing(sorted(slots - {"torch"}))
        return (f"Reinstalling {moved} at the same version does not help: each release belongs to one of torch.",)
    return ()
