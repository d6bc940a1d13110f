"""Root cause first: findings merged, consequences attached to their cause, side remarks kept quiet."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from compatsolver.explanation.fixes.cost import SUBJECTS
from compatsolver.model.diagnosis import CERTAIN, ERROR, INFO, LIKELY, NONE_BROKEN, POSSIBLE, WARNING, Finding
from compatsolver.model.fix import MOST_FIXES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from compatsolver.explanation.diagnosis.symptoms import Hit
    from compatsolver.model.fix import Fix

_CERTAINTY = {CERTAIN: 0, LIKELY: 1, POSSIBLE: 2}
_HARDWARE = ("driver_drops_gpu", "driver_min_for_cuda", "arch_below_wheel_min", "arch_above_wheel_max")


@dataclass(frozen=True)
class Kinds:
    """The order of causes and what each explains, from the table of kinds."""

    order: Mapping[str, int]
    explains: Mapping[str, frozenset[str]]

    def rank(self, finding: Finding) -> tuple[int, int]:
        """Sorting key: how certain, then how far up the chain of causes."""
        return _CERTAINTY[finding.confidence], self.order.get(finding.kind, len(self.order))

    def is_cause(self, cause: str, effect: str) -> bool:
        """Whether one kind of fault brings the other about."""
        return effect in self.explains.get(cause, ())


@dataclass(frozen=True)
class Shown:
    """A finding of a symptom and the hit it came from."""

    finding: Finding
    hit: Hit


def weighed(kinds: Kinds, ruled: Sequence[Finding], shown: Sequence[Shown]) -> tuple[Finding, ...]:
    """All findings, the root cause first; at most the root and what certainly stands beside it are errors."""
    ruled = [finding for finding in ruled if finding.severity == ERROR]
    proved = _merged([entry.finding for entry in shown if entry.finding.kind != NONE_BROKEN])
    innocent = [entry.finding for entry in shown if entry.finding.kind == NONE_BROKEN]
    elsewhere = any(entry.finding.kind == NONE_BROKEN and not entry.hit.is_notice for entry in shown)
    merged, left = _with_rules(proved, ruled)
    if elsewhere and not merged:
        left = [_beside(finding, innocent=True) for finding in left]
    ordered = sorted([*merged, *left], key=kinds.rank)
    ordered = _attached(kinds, ordered, shown)
    if not ordered:
        return tuple(innocent[:1])
    root = next((finding for finding in ordered if finding.severity == ERROR), None)
    if root is None:
        return (*innocent[:1], *ordered)
    rest = [_side(finding) for finding in ordered if finding is not root]
    return (root, *rest, *(_side(finding) for finding in innocent))


def _merged(findings: Sequence[Finding]) -> list[Finding]:
    """One finding a kind: the most certain, with the lines of the others."""
    by_kind: dict[str, Finding] = {}
    for finding in findings:
        held = by_kind.get(finding.kind)
        if held is None:
            by_kind[finding.kind] = finding
            continue
        first, second = sorted((held, finding), key=lambda each: _CERTAINTY[each.confidence])
        by_kind[finding.kind] = _joined(first, second)
    return list(by_kind.values())


def _joined(first: Finding, second: Finding) -> Finding:
    because = (*first.because, *(fact for fact in second.because if fact not in first.because))
    return replace(
        first,
        because=because,
        fixes=_interleaved(first.fixes, _untold(first.fixes, second.fixes)),
        not_enough=tuple(dict.fromkeys((*first.not_enough, *second.not_enough))),
        requires=first.requires or second.requires,
        found=first.found or second.found,
        confidence=min(first.confidence, second.confidence, key=_CERTAINTY.__getitem__),
    )


def _untold(first: Sequence[Fix], second: Sequence[Fix]) -> tuple[Fix, ...]:
    """The second's fixes that the first does not tell; where it moves a package, no other move of that one."""
    several = ("torch", *SUBJECTS)
    told = {(fix.change, fix.to) for fix in first if fix.to} | {(fix.change, fix.action) for fix in first}
    moved = {fix.change for fix in first if fix.to and fix.change not in several}
    return tuple(
        fix for fix in second if fix.change not in moved and not {(fix.change, fix.to), (fix.change, fix.action)} & told
    )


def _interleaved(first: tuple[Fix, ...], second: tuple[Fix, ...]) -> tuple[Fix, ...]:
    """Five at most, with room for the second's where the first has many."""
    room = max(MOST_FIXES - len(second), 3)
    return (*first[:room], *second)[:MOST_FIXES]


def _with_rules(proved: Sequence[Finding], ruled: Sequence[Finding]) -> tuple[list[Finding], list[Finding]]:
    """Findings that both a rule and a symptom show are one; the rule's words and fixes come first."""
    by_kind = {finding.kind: finding for finding in ruled}
    merged = [_joined(by_kind.pop(finding.kind), finding) if finding.kind in by_kind else finding for finding in proved]
    return merged, list(by_kind.values())


def _attached(kinds: Kinds, ordered: list[Finding], shown: Sequence[Shown]) -> list[Finding]:
    """Consequences become a sentence inside their cause."""
    suggested = {entry.finding.kind: entry.hit.suggests for entry in shown}
    errors = [finding for finding in ordered if finding.severity == ERROR]
    effects: dict[int, list[Finding]] = {}
    gone: set[int] = set()
    for effect in errors:
        for cause in errors:
            if cause is effect or id(cause) in gone:
                continue
            if kinds.is_cause(cause.kind, effect.kind) or cause.kind in suggested.get(effect.kind, ()):
                effects.setdefault(id(cause), []).append(effect)
                gone.add(id(effect))
                break
    kept = [finding for finding in ordered if id(finding) not in gone]
    return [_with_effects(finding, effects.get(id(finding), [])) for finding in kept]


def _with_effects(cause: Finding, effects: Sequence[Finding]) -> Finding:
    if not effects:
        return cause
    room = tuple(fix for effect in effects for fix in effect.fixes)
    return replace(
        cause,
        consequences=(*cause.consequences, *(effect.summary for effect in effects)),
        because=(*cause.because, *(fact for effect in effects for fact in effect.because)),
        fixes=_interleaved(cause.fixes, tuple(fix for fix in room if fix not in cause.fixes)),
        confidence=min((cause, *effects), key=lambda each: _CERTAINTY[each.confidence]).confidence,
    )


def _beside(finding: Finding, *, innocent: bool) -> Finding:
    """A rule's finding that no symptom points to, where the text shows another fault or none of the stack."""
    if innocent and finding.kind in _HARDWARE and finding.confidence == CERTAIN:
        return finding
    return replace(finding, severity=INFO)


def _side(finding: Finding) -> Finding:
    """What stands beside the root cause is a remark."""
    return replace(finding, severity=WARNING) if finding.severity == ERROR else finding
