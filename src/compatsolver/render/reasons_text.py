"""Why a pin stands where it stands, in text: the plan that was made beside the one that was not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.model.resolution import CONFLICT, RESOLVED, Resolution
from compatsolver.render.lines import labelled, wrapped

if TYPE_CHECKING:
    from collections.abc import Iterator


def reasons_text(plan: Resolution, asked: str, other: Resolution) -> str:
    """What the plan has, and what keeps the other one out; `asked` is the pin's name or the requirement."""
    parts = [list(_stands(plan, asked)), list(_kept_out(asked, other))]
    return "\n\n".join("\n".join(lines) for lines in parts if lines) + "\n"


def _stands(plan: Resolution, asked: str) -> Iterator[str]:
    if plan.verdict != RESOLVED:
        yield from wrapped("There is no plan for that request, so nothing stands in one.")
        return
    for pin in plan.pins:
        if asked == pin.name or asked.startswith((f"{pin.name}=", f"{pin.name}<", f"{pin.name}>", f"{pin.name}~")):
            build = f" ({pin.build})" if pin.build else ""
            yield from wrapped(f"The plan has {pin.name} {pin.version}{build}.")


def _kept_out(asked: str, other: Resolution) -> Iterator[str]:
    if other.verdict == RESOLVED:
        found = ", ".join(f"{pin.name} {pin.version}" for pin in other.pins)
        yield from wrapped(
            f"Nothing keeps {asked} out; asking for it gives {found}. The policy prefers the plan above."
        )
        return
    if other.verdict != CONFLICT:
        yield from wrapped(f"Whether {asked} would work is not known:")
        for missing in other.missing:
            yield from labelled("missing", missing.fact) + labelled("why", missing.why)
        return
    yield from wrapped(f"These facts keep {asked} out:" if "=" in asked or ">" in asked else "A newer one is kept out:")
    for conflict in other.conflicts:
        yield from wrapped(conflict.summary, first="  ", rest="    ")
        for fact in conflict.because:
            yield from wrapped(f"{fact.statement} ({fact.evidence})", first="  - ", rest="    ")
