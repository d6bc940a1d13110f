"""The answer as text: about a dozen lines at 80 columns, one function a part.

Only command lines are left whole, because a wrapped command cannot be copied.
"""

from __future__ import annotations

from compatsolver.model.resolution import CONFLICT, RESOLVED, Because, Conflict, Missing, Resolution
from compatsolver.render import words
from compatsolver.render.lines import GREEN, MARGIN, RED, YELLOW, coloured, labelled, wrapped

_COLOURS = {RESOLVED: GREEN, CONFLICT: RED}


def plan_text(plan: Resolution, *, colour: bool = False) -> str:
    """The whole answer, a newline at its end; `colour` marks the headline with ANSI codes."""
    parts = [
        _headline(plan, colour),
        [*_target(plan), *_pins(plan), *_unchecked(plan), *_libraries(plan), *_conditions(plan), *_notes(plan)],
        *(_conflict(conflict, titled=len(plan.conflicts) > 1) for conflict in plan.conflicts),
        _fixes(plan),
        *(_missing(missing) for missing in plan.missing),
        _commands(plan),
        _hint(plan),
        _catalogue(plan),
    ]
    return "\n\n".join("\n".join(lines) for lines in parts if lines) + "\n"


def _headline(plan: Resolution, colour: bool) -> list[str]:
    lines = wrapped(words.headline(plan))
    return coloured(lines, _COLOURS.get(plan.verdict, YELLOW)) if colour else lines


def _target(plan: Resolution) -> list[str]:
    given, assumed = ", ".join(words.target(plan)), ", ".join(words.assumed(plan))
    return labelled("target", given) + labelled("assumed", f"{assumed} (not given)" if assumed else "")


def _pins(plan: Resolution) -> list[str]:
    rows = [(pin.project, pin.version, pin.build or "", words.index(pin)) for pin in plan.pins]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    table = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return [("" if position else "install").ljust(MARGIN) + line for position, line in enumerate(table)]


def _unchecked(plan: Resolution) -> list[str]:
    return labelled("unchecked", ", ".join(plan.unchecked))


def _libraries(plan: Resolution) -> list[str]:
    return labelled("libraries", ", ".join(words.libraries(plan.runtime)))


def _conditions(plan: Resolution) -> list[str]:
    return [line for condition in plan.conditions for line in labelled("condition", condition)]


def _notes(plan: Resolution) -> list[str]:
    return [line for note in plan.notes for line in labelled("note", note)]


def _conflict(conflict: Conflict, *, titled: bool) -> list[str]:
    lines = wrapped(conflict.summary) if titled else []
    lines.append("these cannot hold together:")
    for assumption in conflict.assumptions:
        lines += wrapped(assumption, first="  - ", rest="    ")
    lines.append("because:")
    for fact in conflict.because:
        lines += _because(fact)
    return lines


def _because(fact: Because) -> list[str]:
    lines = wrapped(f"{fact.statement} ({fact.evidence})", first="  - ", rest="    ")
    if fact.sources:
        more = f" (+{len(fact.sources) - 1} more)" if len(fact.sources) > 1 else ""
        title, _, _ = fact.sources[0].partition(" <")
        lines += wrapped(title + more, first="    source: ", rest="      ")
    return lines


def _fixes(plan: Resolution) -> list[str]:
    if not plan.fixes:
        return []
    from compatsolver.render.fixes import fix_lines

    return fix_lines(plan.fixes)


def _missing(missing: Missing) -> list[str]:
    return labelled("missing", missing.fact) + labelled("why", missing.why) + labelled("get it by", missing.how)


def _commands(plan: Resolution) -> list[str]:
    lines = []
    for tool, command_lines in words.commands(plan):
        lines += [f"with {tool}:", *(f"  {line}" for line in command_lines)]
    return lines


def _hint(plan: Resolution) -> list[str]:
    hint = words.hint(plan)
    return wrapped(hint, first="hint: ", rest="      ") if hint else []


def _catalogue(plan: Resolution) -> list[str]:
    return labelled("catalogue", words.catalogue(plan))
