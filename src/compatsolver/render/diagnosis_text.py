"""A diagnosis as text at 80 columns: the root cause first, both sides, facts with sources, fixes.

Only command lines are left whole, because a wrapped command cannot be copied.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.model.diagnosis import COMPATIBLE, ERROR, INCOMPATIBLE, Diagnosis, Finding
from compatsolver.render import diagnosis_words as words
from compatsolver.render.fixes import fix_lines
from compatsolver.render.lines import GREEN, RED, YELLOW, coloured, labelled, wrapped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from compatsolver.model.resolution import Missing

_COLOURS = {COMPATIBLE: GREEN, INCOMPATIBLE: RED}


def diagnosis_text(diagnosis: Diagnosis, *, colour: bool = False) -> str:
    """The whole answer, a newline at its end; `colour` marks the headline with ANSI codes."""
    root, *others = diagnosis.findings or (None,)
    parts = [
        _headline(diagnosis, colour),
        labelled("read", ", ".join(words.facts(diagnosis))),
        _each("beware", diagnosis.contradictions),
        *(_finding(root, titled=not words.is_headline(diagnosis, root)) if root else ()),
        *(part for finding in others for part in _finding(finding, titled=True)),
        _each("drift", words.drift(diagnosis)),
        *(_missing(missing) for missing in diagnosis.missing),
        _each("not read", diagnosis.not_understood),
        _each("note", diagnosis.notes),
        labelled("catalogue", f"{diagnosis.catalog['version']} (digest {diagnosis.catalog['digest'][:12]})"),
    ]
    return "\n\n".join("\n".join(lines) for lines in parts if lines) + "\n"


def _headline(diagnosis: Diagnosis, colour: bool) -> list[str]:
    lines = wrapped(words.headline(diagnosis))
    return coloured(lines, _COLOURS.get(diagnosis.verdict, YELLOW)) if colour else lines


def _finding(finding: Finding, *, titled: bool) -> list[list[str]]:
    title = wrapped(f"{words.label(finding)}: {words.sentence(finding.summary)}") if titled else []
    sides = labelled("requires", finding.requires)
    sides += labelled("found", finding.found)
    sides += _each("so also", finding.consequences)
    sides += labelled("kind", _kind(finding) if finding.severity == ERROR else "")
    return [title + sides, _because(finding), fix_lines(finding.fixes), _each("but", finding.not_enough)]


def _kind(finding: Finding) -> str:
    sure = "" if finding.confidence == "certain" else f" ({finding.confidence})"
    return f"{finding.kind}{sure}; more: {words.kind_hint(finding)}"


def _because(finding: Finding) -> list[str]:
    lines = ["because:"] if finding.because else []
    for statement, sources in words.because(finding):
        lines += wrapped(statement, first="  ", rest="    ")
        if sources:
            more = f" (+{len(sources) - 1} more)" if len(sources) > 1 else ""
            lines += wrapped(sources[0] + more, first="    source: ", rest="      ")
    return lines


def _missing(missing: Missing) -> list[str]:
    return labelled("missing", missing.fact) + labelled("why", missing.why) + labelled("get it by", missing.how)


def _each(label: str, texts: Sequence[str]) -> list[str]:
    return [line for text in texts for line in labelled(label, text)]
