"""A validation as text at 80 columns: the verdict, one line a check, and what the failures mean."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from compatsolver.model.diagnosis import ERROR
from compatsolver.model.validation import FAILED, PASSED, SKIPPED
from compatsolver.render import diagnosis_words
from compatsolver.render.fixes import fix_lines
from compatsolver.render.lines import GREEN, RED, WIDTH, coloured, labelled, printable, wrapped

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from compatsolver.model.diagnosis import Finding
    from compatsolver.model.validation import CheckResult, ProposedFact, ValidationReport

_MARKS = {PASSED: "ok", FAILED: "FAILED", SKIPPED: "skipped"}
_COLOURS = {PASSED: GREEN, FAILED: RED}
_LAST_LINES = 6
_MARK = 8


def validation_text(report: ValidationReport, *, colour: bool = False) -> str:
    """The whole report, a newline at its end; `colour` marks the headline with ANSI codes."""
    parts = [
        _headline(report, colour),
        [*labelled("torch", _torch(report.environment)), *_each("gpu", _gpus(report.environment))],
        _lines(report.checks),
        *_failures(report),
        [line for fact in report.proposed for line in labelled("fact?", _proposed(fact))],
        _each("confirmed", ("every check that a GPU can be asked for passed",) if report.confirmed else ()),
        _each("doubt", report.because),
        _each("note", report.notes),
        labelled("catalogue", f"{report.catalog['version']} (digest {report.catalog['digest'][:12]})"),
    ]
    return "\n\n".join("\n".join(lines) for lines in parts if lines) + "\n"


def _headline(report: ValidationReport, colour: bool) -> list[str]:
    failed, passed = len(report.failures), sum(check.status == PASSED for check in report.checks)
    skipped = len(report.checks) - failed - passed
    verdict = f"{failed} of {failed + passed} checks failed" if failed else f"All {passed} checks passed"
    lines = wrapped(f"{verdict}{f' ({skipped} skipped)' if skipped else ''} on {_device(report)}")
    return coloured(lines, _COLOURS[report.status]) if colour else lines


def _device(report: ValidationReport) -> str:
    if report.device == "cpu":
        return "the CPU; no GPU is confirmed"
    return ", ".join(dict.fromkeys(gpu["name"] for gpu in report.environment["gpus"])) or "CUDA"


def _torch(environment: Mapping[str, Any]) -> str:
    torch = environment["torch"]
    if not torch:
        return "could not be imported"
    libraries = [f"{name} {torch[key]}" for name, key in (("CUDA", "cuda"), ("cuDNN", "cudnn"), ("NCCL", "nccl"))]
    known = [text for text in libraries if not text.endswith(" None")]
    return ", ".join([torch["version"], *known, f"Python {environment['python']}"])


def _gpus(environment: Mapping[str, Any]) -> list[str]:
    return [f"{gpu['name']}, compute capability {gpu['compute_capability']}" for gpu in environment["gpus"]]


def _lines(checks: Sequence[CheckResult]) -> list[str]:
    width = max(len(check.name) for check in checks) + 2
    return [_line(check, width) for check in checks]


def _line(check: CheckResult, width: int) -> str:
    head = f"{check.name.ljust(width)}{_MARKS[check.status].ljust(_MARK)}{check.seconds:7.1f} s"
    told = f"{head}  {check.skipped or ('' if check.status == FAILED else _numbers(check.numbers))}"
    return printable(told)[:WIDTH].rstrip()


def _numbers(numbers: Mapping[str, Any]) -> str:
    """The number that says most, if there is one."""
    if "relative_error" in numbers:
        return f"error {numbers['relative_error']:.1e}"
    if numbers.get("relative_errors"):
        return f"error {max(map(abs, numbers['relative_errors'].values())):.1e}"
    if numbers.get("losses"):
        return f"loss {numbers['losses'][0]:.2f} to {numbers['losses'][-1]:.2f}"
    return f"{numbers['step_seconds']:.3g} s a step" if "step_seconds" in numbers else ""


def _failures(report: ValidationReport) -> Iterator[list[str]]:
    """Every failure, its cause in full where it is met first."""
    told: dict[str, str] = {}
    for check in report.failures:
        lines = wrapped(f"{check.name}: {check.title} failed" + (f" ({check.ended})" if check.is_broken else ""))
        for problem in check.problems:
            lines += wrapped(problem, first="  - ", rest="    ")
        found = _cause(check)
        if found is None:
            yield [*lines, *_said(check)]
        elif found.summary in told:
            yield [*lines, *labelled("kind", f"{found.kind}, as for {told[found.summary]}")]
        else:
            told[found.summary] = check.name
            yield [*lines, *_finding(found)]


def _cause(check: CheckResult) -> Finding | None:
    findings = check.diagnosis.findings if check.diagnosis else ()
    return next((finding for finding in findings if finding.severity == ERROR), None)


def _said(check: CheckResult) -> list[str]:
    said = [printable(line)[: WIDTH - 4] for line in check.output.splitlines() if line.strip()][-_LAST_LINES:]
    head = "none of the known kinds of fault" + ("; it printed last:" if said else "")
    return [*labelled("kind", head), *(f"    {line}" for line in said)]


def _finding(finding: Finding) -> list[str]:
    lines = labelled("kind", f"{finding.kind}; more: {diagnosis_words.kind_hint(finding)}")
    return [*lines, *labelled("because", diagnosis_words.sentence(finding.summary)), *fix_lines(finding.fixes)]


def _proposed(fact: ProposedFact) -> str:
    known = f"the catalogue says {fact.predicted}, this build says {fact.found}"
    return f"{fact.subject}: {fact.fact}: {known} (evidence: {fact.evidence or 'none, no GPU ran it'})"


def _each(label: str, texts: Any) -> list[str]:
    return [line for text in texts for line in labelled(label, text)]
