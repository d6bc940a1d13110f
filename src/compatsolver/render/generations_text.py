"""The generations of an environment, and what a sync or a rollback came to, as text at 80 columns."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from compatsolver.model.generation import BUILT, NONE, UNCHANGED
from compatsolver.render.lines import MARGIN, labelled, printable, wrapped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compatsolver.model.generation import Generations, Proof, Synced

_DIGEST = 12
_UNITS = ("B", "kB", "MB", "GB", "TB")


def synced_text(done: Synced, flags: str = "") -> str:
    """What is in use now, what was shown of it, and what it takes on disk; the command it names has `flags`."""
    made = done.generation
    lines = [*wrapped(_headline(done)), ""]
    lines += labelled("lock", f"{made.lock['file']} (digest {made.lock['digest'][:_DIGEST]})")
    lines += labelled("python", f"{made.python or 'unknown'}, {_counted(len(made.packages), 'package')}")
    lines += labelled("proof", _proof(made.proof))
    if done.before is not None and done.after is not None:
        lines += labelled("disk", f"{_size(done.before)} before, {_size(done.after)} now, all generations together")
    if done.removed:
        lines += labelled("removed", f"generation {', '.join(map(str, done.removed))}")
    for note in done.notes:
        lines += labelled("note", note)
    if done.previous not in (None, made.number, *done.removed):
        lines.append("back".ljust(MARGIN) + printable(f"compatsolver rollback {done.previous}{flags}"))
    return "\n".join(lines) + "\n"


def generations_text(listing: Generations) -> str:
    """One line a generation; a star is at the one in use."""
    name = PurePath(listing.environment).name
    use = "none is in use" if listing.active is None else f"{listing.active} is in use"
    rows = [("", "", "made (UTC)", "lock", "Python", "proof")]
    for one in listing.kept:
        mark = "*" if one.number == listing.active else " "
        rows.append((mark, str(one.number), one.made[:16].replace("T", " "), one.lock["digest"][:_DIGEST],
                     one.python or "unknown", ", ".join(_short(one.proof))))  # fmt: skip
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    head = f"{name} has {_counted(len(listing.kept), 'generation')}; {use}"
    return "\n".join([*wrapped(head), "", *lines]) + "\n"


def _headline(done: Synced) -> str:
    name, number = PurePath(done.environment).name, done.generation.number
    if done.status == UNCHANGED:
        return f"{name} is generation {number} already; nothing was done"
    if done.status == BUILT:
        return f"{name} is generation {number} now, built by {done.generation.installer}"
    return f"{name} is generation {number} now, made {done.generation.made[:10]}"


def _proof(proof: Proof) -> str:
    if proof.level == NONE:
        return "none was asked for; nothing was run"
    told = f"{proof.level}: {', '.join(proof.passed)} passed"
    skipped = f"; skipped: {', '.join(proof.skipped)}" if proof.skipped else ""
    return f"{told}{skipped}; {_confirmed(proof)}"


def _confirmed(proof: Proof) -> str:
    if proof.device is None:
        return "without torch nothing computes: versions and imports are all that was looked at"
    if proof.device == "cpu":
        return "on the CPU, so no GPU is confirmed"
    return "the GPU is confirmed" if proof.confirmed else "on the GPU, with part of the checks, so it is not confirmed"


def _short(proof: Proof) -> Iterator[str]:
    yield proof.level
    if proof.level != NONE:
        yield {None: "imports only", "cpu": "CPU"}.get(proof.device, "GPU")
    if proof.confirmed:
        yield "confirmed"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _size(count: float) -> str:
    """Bytes in the unit that leaves at most three digits before the point."""
    for unit in _UNITS:
        if count < 1000 or unit == _UNITS[-1]:
            break
        count /= 1000
    return f"{count:.1f} {unit}" if unit not in _UNITS[:2] else f"{count:.0f} {unit}"
