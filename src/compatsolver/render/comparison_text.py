"""A comparison as text at 80 columns: what matters, who stands out, whether collectives work, what would mend it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.model.comparison import (
    ALIKE,
    BREAKS,
    DIFFERENT,
    LITTLE,
    LOCK,
    MATTERS,
    UNDETERMINED,
    UNKNOWN,
    WORKS,
)
from compatsolver.render.lines import GREEN, MARGIN, RED, YELLOW, coloured, labelled, printable, wrapped

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from compatsolver.model.comparison import Change, Comparison, Difference
    from compatsolver.model.resolution import Because

_COLOURS = {ALIKE: GREEN, DIFFERENT: RED, UNDETERMINED: YELLOW}
_COLLECTIVES = {
    WORKS: "nothing that was read speaks against collectives over NCCL",
    BREAKS: "collectives over NCCL cannot work between these machines",
    UNKNOWN: "whether collectives over NCCL work is not known",
}
_HEADS = {
    MATTERS: "These differences matter:",
    UNKNOWN: "These differ, and whether it matters is not known:",
    LITTLE: "These differ and do not matter:",
}
_MOST_NAMES = 6
_A_PAIR = 2


def comparison_text(found: Comparison, *, colour: bool = False) -> str:
    """The whole answer, a newline at its end; `colour` marks the headline with ANSI codes."""
    parts = [
        _headline(found, colour),
        *(_differences(found, weight) for weight in _HEADS),
        [line for fault in _faults(found) for line in labelled("fault", fault)],
        _collective(found),
        *(_change(change) for change in found.changes),
        labelled("stays", ", ".join(found.lasting) and f"{', '.join(found.lasting)}: no installation changes that"),
        *(_missing(entry.fact, entry.why, entry.how) for entry in found.missing),
        [line for machine in found.machines for text in machine.not_understood for line in _unread(machine.name, text)],
        labelled("catalogue", f"{found.catalog['version']} (digest {found.catalog['digest'][:12]})"),
    ]
    return "\n\n".join("\n".join(lines) for lines in parts if lines) + "\n"


def _headline(found: Comparison, colour: bool) -> list[str]:
    lines = wrapped(_verdict(found))
    return coloured(lines, _COLOURS[found.verdict]) if colour else lines


def _verdict(found: Comparison) -> str:
    count = len(found.machines)
    if found.verdict == ALIKE:
        return f"The {count} are alike in all that the catalogue knows to matter."
    if found.verdict == UNDETERMINED:
        return f"Undetermined: not all of the {count} tell what matters."
    if not found.odd:
        return f"The {count} differ in what matters, and none of them is the odd one."
    is_lock = any(machine.kind == LOCK for machine in found.machines)
    is_one = len(found.odd) == 1
    if is_lock:
        return f"{_names(found.odd)} {'departs' if is_one else 'depart'} from the lock."
    return f"{_names(found.odd)} {'stands' if is_one else 'stand'} out among the {count}."


def _differences(found: Comparison, weight: str) -> list[str]:
    entries = [entry for entry in found.differences if entry.weight == weight]
    lines = [_HEADS[weight]] if entries else []
    told: set[Because] = set()
    for entry in entries:
        lines += wrapped(f"{entry.title}: {_groups(entry)}", first="  - ", rest="    ")
        if entry.because not in told:
            lines += _because(entry.because)
        told.add(entry.because)
    return lines


def _groups(entry: Difference) -> str:
    groups = "; ".join(f"{group.value} on {_names(group.machines)}" for group in entry.groups)
    sizes = [len(group.machines) for group in entry.groups]
    tie = f" (a tie, {' to '.join(map(str, sizes))})" if entry.is_tie and sum(sizes) > _A_PAIR else ""
    return groups + tie


def _because(fact: Because) -> list[str]:
    lines = wrapped(fact.statement, first="    ", rest="    ")
    if fact.sources:
        title, _, _ = fact.sources[0].partition(" <")
        lines += wrapped(f"{title} ({fact.evidence})", first="    source: ", rest="      ")
    return lines


def _faults(found: Comparison) -> Iterator[str]:
    for machine in found.machines:
        for fault in machine.faults:
            yield f"{machine.name} by itself: {fault}"


def _collective(found: Comparison) -> list[str]:
    """The verdict with the traits that decide it, and such facts as were not told of a difference."""
    if found.collective is None:
        return []
    facts = found.collective.because
    titles = [entry.title for entry in found.differences if entry.because in facts]
    told = {entry.because for entry in found.differences}
    lines = labelled("one job", _COLLECTIVES[found.collective.verdict] + (f": {', '.join(titles)}" if titles else ""))
    for fact in facts:
        if fact not in told:
            lines += wrapped(fact.statement, first=" " * MARGIN + "- ", rest=" " * MARGIN + "  ")
    return lines


def _change(change: Change) -> list[str]:
    names = _names(change.machines)
    if change.obstacles:
        lines = wrapped(f"{names} cannot be made like {change.like}, or nobody knows that it would hold:")
        return lines + [line for text in change.obstacles for line in wrapped(text, first="  - ", rest="    ")]
    lines = wrapped(f"To make {names} like {change.like} (held against the catalogue, compared again):")
    for fix in change.fixes:
        lines += wrapped(fix.action, first="  - ", rest="    ")
    return lines + [f"    {printable(command)}" for command in change.commands]


def _missing(fact: str, why: str, how: str) -> list[str]:
    return labelled("missing", fact) + labelled("why", why) + labelled("get it by", how)


def _unread(name: str, text: str) -> list[str]:
    return labelled("unread", f"{name}: {text}")


def _names(names: Sequence[str]) -> str:
    """Some names in words; of many the first, and how many more there are."""
    shown = list(names[:_MOST_NAMES]) if len(names) > _MOST_NAMES + 1 else list(names)
    more = [f"{len(names) - len(shown)} more"] if len(shown) < len(names) else []
    words = shown + more
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
