"""A diagnosis as Markdown, to paste back into a bug report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.render import diagnosis_words as words
from compatsolver.render.fixes import fix_markdown
from compatsolver.render.markup import escaped, page

if TYPE_CHECKING:
    from compatsolver.model.diagnosis import Diagnosis, Finding
    from compatsolver.model.resolution import Missing


def diagnosis_markdown(diagnosis: Diagnosis) -> str:
    """The whole answer, a newline at its end."""
    facts = words.facts(diagnosis)
    parts = [
        [f"### {escaped(words.headline(diagnosis))}"],
        [f"- **Read:** {escaped(', '.join(facts))}"] if facts else [],
        [f"- **Beware:** {escaped(text)}" for text in diagnosis.contradictions],
        *(_finding(finding, titled=number > 0) for number, finding in enumerate(diagnosis.findings)),
        [f"- **Drift:** {escaped(text)}" for text in words.drift(diagnosis)],
        *(_missing(missing) for missing in diagnosis.missing),
        [f"- **Not read:** {escaped(text)}" for text in diagnosis.not_understood],
        [f"- **Note:** {escaped(text)}" for text in diagnosis.notes],
        [f"Catalogue {escaped(diagnosis.catalog['version'])}"],
    ]
    return page(parts)


def _finding(finding: Finding, *, titled: bool) -> list[str]:
    lines = [f"#### {escaped(f'{words.label(finding)}: {words.sentence(finding.summary)}')}", ""] if titled else []
    lines.append(f"- **Kind:** `{finding.kind}` ({finding.confidence})")
    for title, text in (("Requires", finding.requires), ("Found", finding.found)):
        lines += [f"- **{title}:** {escaped(text)}"] if text else []
    lines += [f"- **So also:** {escaped(text)}" for text in finding.consequences]
    lines += [f"- {escaped(statement)}{_sources(sources)}" for statement, sources in words.because(finding)]
    lines += ["", *fix_markdown(finding.fixes)] if finding.fixes else []
    return lines + [f"- **But:** {escaped(text)}" for text in finding.not_enough]


def _sources(sources: tuple[str, ...]) -> str:
    return f" – {escaped('; '.join(sources))}" if sources else ""


def _missing(missing: Missing) -> list[str]:
    return [
        f"- **Missing:** {escaped(missing.fact)}",
        f"  - why: {escaped(missing.why)}",
        f"  - how to get it: `{missing.how}`",
    ]
