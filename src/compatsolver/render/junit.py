"""A validation as JUnit's XML, which CI systems show."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree

from compatsolver.model.validation import FAILED, SKIPPED
from compatsolver.render.lines import printable

if TYPE_CHECKING:
    from compatsolver.model.validation import CheckResult, ValidationReport

SUITE = "compatsolver.validation"


def validation_junit(report: ValidationReport) -> str:
    """One test case a check; a check that gave no result is an error, one that was wrong a failure."""
    counts = {"failures": 0, "errors": 0, "skipped": 0}
    root = ElementTree.Element("testsuite", name=SUITE, tests=str(len(report.checks)), timestamp=report.date)
    for check in report.checks:
        case = ElementTree.SubElement(root, "testcase", classname=SUITE, name=check.name, time=f"{check.seconds:.3f}")
        kind = _kind(check)
        if kind:
            counts[kind[0]] += 1
            element = ElementTree.SubElement(case, kind[1], message=_safe(kind[2]))
            element.text = _safe(check.output)
    for name, count in counts.items():
        root.set(name, str(count))
    root.set("time", f"{sum(check.seconds for check in report.checks):.3f}")
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _kind(check: CheckResult) -> tuple[str, str, str] | None:
    """The counter, the element and the message; nothing for what passed."""
    if check.status == SKIPPED:
        return "skipped", "skipped", check.skipped or ""
    if check.status == FAILED:
        counter, element = ("errors", "error") if check.is_broken else ("failures", "failure")
        return counter, element, "; ".join(check.problems)
    return None


def _safe(text: str) -> str:
    """Text without the control characters that XML has no way to write."""
    return "\n".join(map(printable, text.split("\n")))
