"""Where a fact comes from and how well it is known."""

# Annotations are values here: a named tuple would compile each that is kept as text (decision 6).
from typing import NamedTuple

EVIDENCE = ("gpu-run", "measured", "metadata", "artifact-exists", "documented", "inferred")
"""Levels of evidence, strongest first."""


class Source(NamedTuple):
    """A document or artefact, the place in it, and the day it was read (ISO 8601; None where it is only cited)."""

    title: str
    url: str | None
    where: str
    retrieved: str | None

    def __str__(self) -> str:
        place = f"{self.title}, {self.where}" if self.where else self.title
        return f"{place} <{self.url}>" if self.url else place
