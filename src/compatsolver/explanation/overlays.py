"""Does an answer rest on an overlay? It does where the answer would be another one without it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.model.resolution import CONFLICT, RESOLVED

if TYPE_CHECKING:
    from compatsolver.model.resolution import Resolution


def with_overlay_note(found: Resolution, without: Resolution | None) -> Resolution:
    """The answer with a note on its overlays; `without` is the answer of the bare catalogue, None where it has none."""
    titles = " and ".join(entry["title"] for entry in found.catalog["overlay"])
    if without is not None and _substance(found) == _substance(without):
        note = f"the answer would be the same without the overlay {titles}"
    else:
        note = f"the answer rests on the overlay {titles}: without it {_outcome(found, without)}"
    return found._replace(notes=(*found.notes, note))


def _substance(answer: Resolution) -> object:
    """What an answer says, without the names of the rules."""
    pins = [pin._replace(because=()) for pin in answer.pins]
    conflicts = [(conflict.kind, conflict.summary, conflict.because) for conflict in answer.conflicts]
    return (
        answer.verdict,
        answer.target,
        answer.conditions,
        pins,
        answer.runtime,
        answer.notes,
        conflicts,
        answer.missing,
    )


def _outcome(found: Resolution, without: Resolution | None) -> str:
    if without is None:
        return "the request could not be read"
    if without.verdict == CONFLICT:
        return "there is no plan" if found.verdict == RESOLVED else "the conflict is another one"
    if without.verdict != RESOLVED:
        return "facts would be missing"
    torch = without.torch
    build = f"+{torch.build}" if torch.build else ""
    if found.verdict == RESOLVED and (found.torch.version, found.torch.build) == (torch.version, torch.build):
        return f"the plan has the same torch {torch.version}{build} and differs beside it"
    return f"the plan has torch {torch.version}{build}"
