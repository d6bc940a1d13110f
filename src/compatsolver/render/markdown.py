"""The answer as Markdown, for notebooks, issues and merge requests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.render import words
from compatsolver.render.fixes import fix_markdown
from compatsolver.render.markup import escaped, page

if TYPE_CHECKING:
    from collections.abc import Iterable

    from compatsolver.model.resolution import Because, Conflict, Missing, Pin, Resolution


def plan_markdown(plan: Resolution) -> str:
    """The whole answer, a newline at its end."""
    parts = [
        [f"### {escaped(words.headline(plan))}"],
        [*_item("Target", words.target(plan)), *_item("Assumed from this interpreter", words.assumed(plan))],
        _pins(plan.pins),
        _details(plan),
        *(_conflict(conflict, titled=len(plan.conflicts) > 1) for conflict in plan.conflicts),
        fix_markdown(plan.fixes),
        *(_missing(missing) for missing in plan.missing),
        _commands(plan),
        _hint(plan),
        [f"Catalogue {escaped(words.catalogue(plan))}"],
    ]
    return page(parts)


def _item(title: str, phrases: Iterable[str]) -> list[str]:
    text = ", ".join(phrases)
    return [f"- **{title}:** {escaped(text)}"] if text else []


def _details(plan: Resolution) -> list[str]:
    lines = [*_item("Not checked", plan.unchecked), *_item("Libraries", words.libraries(plan.runtime))]
    for title, sentences in (("Condition", plan.conditions), ("Note", plan.notes)):
        lines += [line for sentence in sentences for line in _item(title, [sentence])]
    return lines


def _pins(pins: tuple[Pin, ...]) -> list[str]:
    if not pins:
        return []
    return ["| package | version | build | index |", "| --- | --- | --- | --- |", *(_pin(pin) for pin in pins)]


def _pin(pin: Pin) -> str:
    index = escaped(words.index(pin))
    linked = f"[{index}]({pin.index})" if pin.index else index
    return f"| {escaped(pin.project)} | {escaped(pin.version)} | {escaped(pin.build or '')} | {linked} |"


def _conflict(conflict: Conflict, *, titled: bool) -> list[str]:
    title = [f"#### {escaped(conflict.summary)}", ""] if titled else []
    assumptions = [f"- {escaped(assumption)}" for assumption in conflict.assumptions]
    facts = [_because(fact) for fact in conflict.because]
    return [*title, "These cannot hold together:", "", *assumptions, "", "Because:", "", *facts]


def _because(fact: Because) -> str:
    sources = "; ".join(escaped(source) for source in fact.sources)
    return f"- {escaped(fact.statement)} (*{escaped(fact.evidence)}*" + (f": {sources})" if sources else ")")


def _missing(missing: Missing) -> list[str]:
    return [
        *_item("Missing", [missing.fact]),
        f"  - why: {escaped(missing.why)}",
        f"  - how to get it: `{missing.how}`",
    ]


def _commands(plan: Resolution) -> list[str]:
    blocks = []
    for tool, command_lines in words.commands(plan):
        blocks.append("\n".join([f"With {tool}:", "", "```", *command_lines, "```"]))
    return ["\n\n".join(blocks)] if blocks else []


def _hint(plan: Resolution) -> list[str]:
    hint = words.hint(plan)
    return [f"**Hint:** {escaped(hint)}"] if hint else []
