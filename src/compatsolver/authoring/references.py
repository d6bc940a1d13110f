"""Sources as positions: every reference `id#where` of the tables once, in one list."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from compatsolver.authoring.schema import SourceRow


class References:
    """Collects the references that rules and rows make while a catalogue is compiled."""

    def __init__(self, declared: dict[str, SourceRow]) -> None:
        self._declared = declared
        self._positions: dict[str, int] = {}

    def positions(self, references: Iterable[str]) -> tuple[int, ...]:
        """Positions of some references, in the order given, each once."""
        return tuple(self._positions.setdefault(text, len(self._positions)) for text in dict.fromkeys(references))

    def rows(self) -> list[list[str | None]]:
        """The list in its stored form: title, URL, where in it, day of retrieval."""
        rows: list[list[str | None]] = []
        for text in self._positions:
            identifier, _, where = text.partition("#")
            source = self._declared[identifier]
            retrieved = source.retrieved.isoformat() if source.retrieved else None
            rows.append([source.title, source.url, where, retrieved])
        return rows
