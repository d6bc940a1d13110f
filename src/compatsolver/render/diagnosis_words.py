"""The phrases that the renderings of a diagnosis share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from compatsolver.model.diagnosis import COMPATIBLE, INCOMPATIBLE, INFO, NONE_BROKEN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compatsolver.model.diagnosis import Diagnosis, Finding

_FACTS = (
    "gpu",
    "other_vendor",
    "driver",
    "driver_cuda",
    "platform",
    "python",
    "glibc",
    "torch",
    "nvcc",
    "gcc",
    "container",
)
_LABELS = {
    "driver_cuda": "driver's CUDA",
    "other_vendor": "GPU of",
    "nvcc": "nvcc",
    "gcc": "gcc",
    "container": "container",
}


def headline(diagnosis: Diagnosis) -> str:
    """What the answer is, in one sentence."""
    root = next(iter(diagnosis.findings), None)
    if root and is_headline(diagnosis, root):
        return sentence(root.summary)
    if diagnosis.drift:
        count = len(diagnosis.drift)
        return f"The environment is not the locked one: {count} package{' differs' if count == 1 else 's differ'}."
    if diagnosis.verdict == COMPATIBLE:
        return "Nothing that was read is incompatible."
    count = len(diagnosis.missing)
    return f"The facts do not decide: {'one is' if count == 1 else f'{count} are'} missing."


def is_headline(diagnosis: Diagnosis, root: Finding) -> bool:
    """Whether the first finding is what the answer says; a remark beside another answer is not."""
    return diagnosis.verdict == INCOMPATIBLE or (diagnosis.verdict == COMPATIBLE and root.kind == NONE_BROKEN)


def sentence(text: str) -> str:
    """A summary with a capital first letter, unless that would change a name, and a full stop."""
    lead = text[:1].upper() + text[1:] if text[:2].islower() and not text.startswith(("torch", "nvcc", "gcc")) else text
    return lead if lead.endswith((".", "?", "!")) else f"{lead}."


def facts(diagnosis: Diagnosis) -> list[str]:
    """What was read, each fact in a phrase."""
    return [phrase for name in _FACTS if (phrase := _phrase(name, diagnosis.read.get(name)))]


def drift(diagnosis: Diagnosis) -> list[str]:
    """Where an environment departs from its lock, a phrase a package."""
    return [
        f"locked {entry.package} {entry.locked}, environment has {entry.found or 'none'}" for entry in diagnosis.drift
    ]


def _phrase(name: str, value: Any) -> str:
    if value in (None, [], ""):
        return ""
    if name == "gpu":
        return ", ".join(f"{gpu['name']} ({gpu['compute_capability']})" for gpu in value)
    if name in ("platform", "torch"):
        return str(value)
    return f"{_LABELS.get(name, {'python': 'Python'}.get(name, name))} {value}"


def label(finding: Finding) -> str:
    """How sure a finding is and how heavy."""
    if finding.severity == INFO:
        return "note"
    return finding.severity if finding.confidence == "certain" else f"{finding.severity}, {finding.confidence}"


def kind_hint(finding: Finding) -> str:
    """The command that prints the page of a kind."""
    return f"compatsolver explain --kind {finding.code}"


def because(finding: Finding) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Facts with their sources, titles only."""
    for fact in finding.because:
        yield f"{fact.statement} ({fact.evidence})", tuple(source.partition(" <")[0] for source in fact.sources)
