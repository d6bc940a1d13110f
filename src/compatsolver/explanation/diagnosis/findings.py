"""From what was read to a diagnosis: rules and symptoms evaluated, weighed, and what is missing asked for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from compatsolver.explanation.diagnosis.arch_lists import judged
from compatsolver.explanation.diagnosis.kinds import kinds_of
from compatsolver.explanation.diagnosis.names import names_of
from compatsolver.explanation.diagnosis.questions import questions
from compatsolver.explanation.diagnosis.remedies import remedies
from compatsolver.explanation.diagnosis.rulings import rulings
from compatsolver.explanation.diagnosis.symptoms import Hit, symptoms
from compatsolver.explanation.diagnosis.wanted import not_installable
from compatsolver.explanation.diagnosis.weighing import Shown, weighed
from compatsolver.explanation.fixes.premises import INSTALLED, PRINTED_ARCHS, problem_of, torch_words
from compatsolver.explanation.fixes.repairs import cheapest
from compatsolver.explanation.fixes.stack import stack_of
from compatsolver.model.diagnosis import (
    COMPATIBLE,
    ERROR,
    INCOMPATIBLE,
    INFO,
    NONE_BROKEN,
    UNDETERMINED,
    Diagnosis,
    Finding,
)
from compatsolver.solver.certify import Undecided, solve

if TYPE_CHECKING:
    from collections.abc import Sequence

    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.explanation.fixes.stack import Stack
    from compatsolver.model.observation import Reading
    from compatsolver.model.resolution import Missing

_ARCHS = ("arch_below_wheel_min", "arch_above_wheel_max")


def diagnose(catalog: Catalog, reading: Reading) -> Diagnosis:
    """The diagnosis of a reading, whatever it holds; raises SolverLimit where the budget is spent."""
    stack = stack_of(catalog, reading)
    names = names_of(catalog, stack)
    hits = symptoms(catalog, names)
    printed = judged(catalog, stack)
    ruled = [*printed, *(finding for finding in rulings(catalog, stack) if not printed or finding.kind not in _ARCHS)]
    ruled += not_installable(catalog, stack)
    shown = [Shown(_finding(catalog, stack, hit), hit) for hit in hits if hit.kind is not None]
    kinds = kinds_of(catalog)
    findings = weighed(kinds, [*reading.findings, *ruled], shown)
    findings += tuple(finding for finding in reading.findings if finding.severity != ERROR)
    findings, open_hits = _consequences(findings, [hit for hit in hits if hit.kind is None])
    missing = questions(catalog, stack, findings, open_hits, _unknown(catalog, stack, findings))
    return Diagnosis(
        verdict=_verdict(findings, missing),
        catalog=catalog.identity(),
        read=_understood(catalog, stack),
        contradictions=(*reading.contradictions, *stack.clashes),
        findings=findings,
        missing=missing,
        not_understood=reading.not_understood,
    )


def _finding(catalog: Catalog, stack: Stack, hit: Hit) -> Finding:
    kind = hit.kind or NONE_BROKEN
    return Finding(
        kind=kind,
        severity=INFO if kind == NONE_BROKEN else hit.row.get("severity", ERROR),
        confidence=hit.row.get("certainty", "certain"),
        summary=hit.text("summary"),
        requires=hit.text("requires"),
        found=hit.text("found"),
        because=(hit.because(catalog),),
        fixes=cheapest(remedies(catalog, stack, hit)),
    )


def _consequences(findings: tuple[Finding, ...], hits: Sequence[Hit]) -> tuple[tuple[Finding, ...], list[Hit]]:
    """Symptoms that only suggest are told inside the finding they point to; the others stay open."""
    told: dict[int, list[str]] = {}
    left = []
    for hit in hits:
        place = next((i for i, finding in enumerate(findings) if finding.kind in hit.suggests), None)
        if place is None:
            left.append(hit)
        else:
            told.setdefault(place, []).append(hit.text("summary"))
    return tuple(finding if i not in told else _with(finding, told[i]) for i, finding in enumerate(findings)), left


def _with(finding: Finding, sentences: list[str]) -> Finding:
    from dataclasses import replace

    return replace(finding, consequences=tuple(dict.fromkeys((*finding.consequences, *sentences))))


def _unknown(catalog: Catalog, stack: Stack, findings: Sequence[Finding]) -> tuple[Any, ...]:
    """Facts about listed builds that nobody knows and that the answer rests on."""
    if any(finding.severity == ERROR for finding in findings) or not stack.gpus:
        return ()
    problem = problem_of(catalog, stack, without=PRINTED_ARCHS if stack.reading.values("torch_archs") else INSTALLED)
    if not any(entry.slot == "torch" for entry in problem.assumptions):
        return ()
    verdict = solve(problem)
    return tuple(rule.unknown for rule in verdict.guards if rule.unknown) if isinstance(verdict, Undecided) else ()


def _verdict(findings: Sequence[Finding], missing: Sequence[Missing]) -> str:
    if any(finding.severity == ERROR for finding in findings):
        return INCOMPATIBLE
    return UNDETERMINED if missing else COMPATIBLE


def _understood(catalog: Catalog, stack: Stack) -> dict[str, Any]:
    """The facts as understood, for the document."""
    facts: dict[str, Any] = {
        "gpu": [
            {
                "name": gpu.name,
                "compute_capability": gpu.capability,
                "architecture": catalog.architectures.get(gpu.capability),
            }
            for gpu in stack.gpus
        ],
        "other_vendor": stack.vendor,
        "driver": stack.driver,
        "driver_cuda": str(stack.ceiling) if stack.ceiling else None,
        "platform": stack.platform,
        "python": str(stack.python) if stack.python else None,
        "glibc": str(stack.glibc) if stack.glibc else None,
        "torch": torch_words(stack) if stack.torch or stack.tag else None,
        "torch_cuda": stack.cuda,
        "packages": dict(stack.packages),
    }
    rest = {entry.axis: entry.value for entry in reversed(stack.reading.observations) if _is_plain(entry.axis)}
    facts |= {axis: rest[axis] for axis in sorted(rest) if axis not in facts}
    facts["readers"] = list(stack.reading.readers)
    return {axis: value for axis, value in facts.items() if value not in (None, [], {})}


def _is_plain(axis: str) -> bool:
    return re.fullmatch(r"[a-z_0-9]+", axis) is not None
