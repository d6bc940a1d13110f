"""Read a paste: clean it, let every reader look at it, and say where it contradicts itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.model.observation import Observation, Reading
from compatsolver.observation.contradictions import contradictions
from compatsolver.observation.pasted import readers
from compatsolver.observation.pasted.cleaning import cleaned, decoded, numbered_lines
from compatsolver.observation.pasted.phrases import Lines
from compatsolver.observation.pasted.secrets import redacted

if TYPE_CHECKING:
    from collections.abc import Iterable

LONGEST_QUOTE = 200


def read_pasted(data: bytes | str) -> Reading:
    """All that a text of any kind says about a machine; never raises, whatever the bytes are."""
    text = redacted(cleaned(decoded(data)))
    numbered = numbered_lines(text)
    lines = Lines.of([line for _, line in numbered])
    seen: dict[tuple[str, str, str], Observation] = {}
    for name, read in readers.READERS:
        for axis, value, index, dialect in read(lines):
            number, line = numbered[index]
            observation = Observation(axis, value, dialect or name, number, quote(line))
            seen.setdefault((axis, value, observation.reader), observation)
    observations = tuple(sorted(seen.values(), key=lambda each: each.line))
    return Reading(
        observations=observations,
        text=text,
        readers=_names(observations),
        contradictions=contradictions(observations),
    )


def quote(line: str) -> str:
    """The line as it is shown to people."""
    line = " ".join(line.split())
    return line if len(line) <= LONGEST_QUOTE else line[: LONGEST_QUOTE - 1] + "…"


def _names(observations: Iterable[Observation]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each.reader for each in observations))
