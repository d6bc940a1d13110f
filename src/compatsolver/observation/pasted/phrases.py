"""Sentences with values in them, as data: the words that must be there, and a pattern whose groups name axes.

A group called `gpu` gives the axis `gpu`; one that is no axis is a package, `torch` for `package:torch`, underscores
for dashes. A digit at its end tells apart two groups of one axis (`gpu_2`). Patterns are searched in one line, or in
`span` lines joined by blanks where terminals and warnings break a sentence; they must take linear time.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from compatsolver.model.observation import AXES, PACKAGE
from compatsolver.observation.formats.values import normalised, package_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


class Found(NamedTuple):
    """A value of an axis in the line with the index `at`; `dialect` where it is better known than by the reader."""

    axis: str
    value: str
    at: int
    dialect: str | None = None


@dataclass(frozen=True)
class Lines:
    """The lines of a paste; `lowered` are their lower-case forms, for cheap looks before patterns are tried.

    `distinct` are the indexes of lines that are not blank and did not stand before: a log repeats itself.
    """

    texts: Sequence[str]
    lowered: Sequence[str]
    whole: str
    distinct: Sequence[int]

    @classmethod
    def of(cls, texts: Sequence[str]) -> Lines:
        """Prepare lines for readers."""
        lowered = [text.lower() for text in texts]
        first: dict[str, int] = {}
        for index, text in enumerate(texts):
            first.setdefault(text, index)
        first.pop("", None)
        return cls(texts, lowered, "\n".join(lowered), list(first.values()))

    def having(self, needle: str) -> Iterator[int]:
        """Indexes of the distinct lines with that lower-case text in them."""
        if needle in self.whole:
            for index in self.distinct:
                if needle in self.lowered[index]:
                    yield index

    def having_any(self, *needles: str) -> list[int]:
        """Indexes of the distinct lines with one of those texts, in their order."""
        present = [needle for needle in needles if needle in self.whole]
        return [index for index in self.distinct if any(needle in self.lowered[index] for needle in present)]

    def joined(self, index: int, span: int) -> str:
        """That line and those after it, as one."""
        if span == 1:
            return self.texts[index]
        return " ".join(text.strip(" |>") for text in self.texts[index : index + span])


@dataclass(frozen=True)
class Phrase:
    """`needle` is lower-case text in the first line; `constants` are values that the sentence itself says."""

    needle: str
    pattern: re.Pattern[str]
    span: int = 1
    constants: tuple[tuple[str, str], ...] = ()

    def read(self, lines: Lines) -> Iterator[Found]:
        """Every value that the phrase finds."""
        for index in lines.having(self.needle):
            for match in self.pattern.finditer(lines.joined(index, self.span)):
                for axis, value in self.constants:
                    yield Found(axis, value, index)
                for group, text in match.groupdict().items():
                    yield from found(axis_of(group), text, index)


def phrase(needle: str, pattern: str, *, span: int = 1, flags: int = re.IGNORECASE, **constants: str) -> Phrase:
    """A phrase; keyword arguments are constants: `cuda_available="false"`."""
    return Phrase(needle, re.compile(pattern, flags | re.ASCII), span, tuple(constants.items()))


def found(axis: str, text: str | None, index: int) -> Iterator[Found]:
    """The normalised value, where the text is one."""
    if text is None:
        return
    value = normalised(axis, text)
    if value:
        yield Found(axis, value, index)


def package(name: str, text: str, index: int) -> Iterator[Found]:
    """The release of a package, under its normalised name; Python itself is an axis."""
    name = package_name(name)
    yield from found("python" if name == "python" else PACKAGE + name, text, index)


def axis_of(group: str) -> str:
    """The axis that a group's name means."""
    name = re.sub(r"_\d$", "", group)
    return name if name in AXES else PACKAGE + name.replace("_", "-")
