"""Facts for a terminal: a field a line with its evidence, sources by number below."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from compatsolver.render.lines import wrapped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compatsolver.model.facts import Facts, Known

_STEP = "  "


def facts_text(facts: Facts) -> str:
    """The whole answer, a newline at its end."""
    numbers: dict[str, int] = {}
    width = max(map(len, facts.fields)) + 2
    lines = [line for name, known in facts.fields.items() for line in _field(name, known, width, numbers)]
    notes = [line for note in facts.notes for line in wrapped(note, first="note  ", rest="      ")]
    cited = [line for text, number in numbers.items() for line in _source(text, number)]
    identity = f"catalogue {facts.catalog['version']} (digest {facts.catalog['digest'][:12]})"
    parts = [[facts.subject], lines, notes, ["sources", *cited] if cited else [], [identity]]
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


def _source(text: str, number: int) -> list[str]:
    return wrapped(text, first=f"[{number}] ".rjust(6), rest=" " * 6)


def _field(name: str, known: Known, width: int, numbers: dict[str, int]) -> list[str]:
    """A field beside its label; lists of rows below it."""
    label = name.replace("_", " ").ljust(width)
    provenance = _provenance(known, numbers)
    if _is_flat(known.value):
        return wrapped(f"{_words(known)} {provenance}", first=label, rest=" " * width)
    return [f"{label}{provenance}".rstrip(), *_below(known.value, _STEP)]


def _provenance(known: Known, numbers: dict[str, int]) -> str:
    cited = sorted(numbers.setdefault(text, len(numbers) + 1) for text in known.sources)
    level = f"({known.evidence})" if known.evidence else ""
    return " ".join(filter(None, (level, f"[{_runs(cited)}]" if cited else "")))


def _runs(numbers: list[int]) -> str:
    """Numbers with runs joined: `1-3 7`."""
    words: list[str] = []
    while numbers:
        run = next((n for n in range(1, len(numbers)) if numbers[n] != numbers[0] + n), len(numbers))
        words.append(str(numbers[0]) if run == 1 else f"{numbers[0]}-{numbers[run - 1]}")
        numbers = numbers[run:]
    return " ".join(words)


def _is_flat(value: Any) -> bool:
    """Whether a value is told in one phrase: no rows in a list, and mappings of plain values or lists alone."""
    if isinstance(value, dict):
        return all(not isinstance(inside, dict) and _is_flat(inside) for inside in value.values()) and len(value) < 6
    return not isinstance(value, list) or not any(isinstance(inside, dict) for inside in value)


def _below(value: Any, indent: str) -> Iterator[str]:
    rows = value.items() if isinstance(value, dict) else (("", row) for row in value)
    for key, row in rows:
        if isinstance(row, list) and not _is_flat(row):
            yield f"{indent}{key}"
            yield from _below(row, indent + _STEP)
        else:
            yield from wrapped(f"{key}: {_phrase(row)}" if key else _phrase(row), first=indent, rest=indent + _STEP)


def _words(known: Known) -> str:
    if known.value is None:
        return "none" if known.evidence else "not known"
    return _phrase(known.value)


def _phrase(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(_phrase, value)) or "none"
    if isinstance(value, dict):
        return "; ".join(f"{key} {_phrase(inside)}" for key, inside in value.items()) or "none"
    return "-" if value is None else str(value) or "any version"
