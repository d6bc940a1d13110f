"""Read a paste: clean it, let every reader look at it, and say where it contradicts itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.model.observation import PACKAGE, Observation, Reading
from compatsolver.observation.contradictions import contradictions
from compatsolver.observation.pasted import readers
from compatsolver.observation.pasted.cleaning import cleaned, decoded, numbered_lines
from compatsolver.observation.pasted.phrases import Lines
from compatsolver.observation.pasted.secrets import redacted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

LONGEST_QUOTE = 200
_NOT_THERE = ("requested", "replaced", "unavailable")


def read_pasted(data: bytes | str) -> Reading:
    """All that a text of any kind says about a machine; never raises, whatever the bytes are."""
    text = redacted(cleaned(decoded(data)))
    numbered = numbered_lines(text)
    lines = Lines.of([line for _, line in numbered])
    observations = _first_of_each(_observations(lines, numbered))
    return Reading(
        observations=observations,
        text=text,
        readers=_names(observations),
        not_understood=() if observations else _nothing(lines),
        contradictions=contradictions(observations),
    )


def _observations(lines: Lines, numbered: list[tuple[int, str]]) -> Iterator[Observation]:
    """What each reader sees; what an earlier reader says of an axis in a line stands against the later ones.

    A line about what is asked for, taken away or not to be had says nothing of the packages that are there, unless
    in a comment.
    """
    told: set[tuple[str, int]] = set()
    for name, read in readers.READERS:
        new = []
        for axis, value, index, dialect in read(lines):
            number, line = numbered[index]
            is_absent = any((absent, number) in told for absent in _NOT_THERE) and " # " not in line
            if (axis, number) not in told and not (is_absent and axis.startswith(PACKAGE)):
                new.append(Observation(axis, value, dialect or name, number, quote(line)))
        told.update((each.axis, each.line) for each in new)
        yield from new


def _first_of_each(observations: Iterable[Observation]) -> tuple[Observation, ...]:
    """In the order of the lines, each value that a reader saw once."""
    seen: dict[tuple[str, str, str], Observation] = {}
    for each in sorted(observations, key=lambda each: each.line):
        seen.setdefault((each.axis, each.value, each.reader), each)
    return tuple(seen.values())


def quote(line: str) -> str:
    """The line as it is shown to people."""
    line = " ".join(line[: 4 * LONGEST_QUOTE].split())
    return line if len(line) <= LONGEST_QUOTE else line[: LONGEST_QUOTE - 1] + "…"


def _nothing(lines: Lines) -> tuple[str, ...]:
    """What to say of a text in which no reader saw a value."""
    count = len(lines.distinct)
    if not count:
        return ("the text is empty",)
    return (f"no version, GPU, driver or package is named in {count} {'line' if count == 1 else 'different lines'}",)


def _names(observations: Iterable[Observation]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each.reader for each in observations))
