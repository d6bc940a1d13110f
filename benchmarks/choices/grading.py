"""Which file an answer comes to, and whether it runs, as `oracle` reads it off the tables without the solver."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from choices.answers import DEFAULT
from choices.grid import GLIBC
from oracle import NO, YES, Machine, numbers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from choices.answers import Answer
    from choices.grid import Target
    from compatsolver.authoring.schema import BuildRow
    from oracle import Oracle

NEWEST, RUNS, CPU, FAILS = "runs, newest", "runs, older", "CPU build", "would not run"
UNPUBLISHED, NONE, UNKNOWN, UNCLAIMED = "not published", "no answer", "not known", "not claimed"

Wheel = tuple[str, "BuildRow"]


class Graded(NamedTuple):
    """A grade, the file it is of, and whether the code in that file was measured in the wheel itself."""

    grade: str
    file: str = ""
    measured: bool = False

    def __str__(self) -> str:
        """As it is kept: `runs, newest*: 2.14.1+cu126`, the star where the code was measured."""
        return f"{self.grade}{'*' if self.measured else ''}{f': {self.file}' if self.file else ''}"

    @classmethod
    def read(cls, text: str) -> Graded:
        """The grade that is kept as a text."""
        grade, _, file = text.partition(": ")
        return cls(grade.rstrip("*"), file, grade.endswith("*"))


class Best(NamedTuple):
    """Whether any GPU build runs on a target, and the newest release that does."""

    runs: str
    version: str


def machine_of(target: Target) -> Machine:
    """A target in the words of the tables."""
    return Machine(target.platform, target.python, GLIBC, target.driver, (target.gpu.capability,))


def best_of(oracle: Oracle, target: Target) -> Best:
    """The best there is for a target."""
    return Best(*oracle.newest(machine_of(target)))


def published(oracle: Oracle, target: Target) -> Iterator[Wheel]:
    """The wheels that an installer on the target accepts, newest release first; those that may exist as well."""
    for version, row in oracle.rows_on[target.platform]:
        fits = target.python in (row.pythons or ()) and numbers(row.glibc or "0") <= numbers(GLIBC)
        if row.published != "no" and fits:
            yield version, row


def is_sure(row: BuildRow) -> bool:
    """Whether a wheel is known to be published."""
    return row.published in ("yes", "build-matrix")


def grade(oracle: Oracle, target: Target, answer: Answer, best: Best) -> Graded:
    """What an answer is worth on a target."""
    if not answer.indexes:
        return Graded(NONE)
    wheels = chosen(oracle, target, answer)
    if not wheels:
        may_be_older = not older_indexes(oracle, target).isdisjoint(answer.indexes)
        return Graded(UNKNOWN if may_be_older else UNPUBLISHED, f"{answer.version or 'torch'}+{answer.indexes[0]}")
    version, row = wheels[-1]
    measured = row.archs is not None and row.archs.evidence == "measured"
    common = _common([_grade_of(oracle, target, wheel, best) for wheel in wheels], row)
    return Graded(common, f"{version}+{row.build}", measured)


def _common(grades: list[str], last: BuildRow) -> str:
    """The grade of whichever wheel is taken; of two that run, that of the older."""
    if set(grades) == {FAILS} or (is_sure(last) and set(grades) in ({NEWEST, RUNS}, {grades[-1]})):
        return grades[-1]
    return UNKNOWN


def chosen(oracle: Oracle, target: Target, answer: Answer) -> list[Wheel]:
    """The wheel an answer comes to, last; before it those that are taken instead if they are published after all."""
    doubtful: list[Wheel] = []
    for index in answer.indexes:
        if index in older_indexes(oracle, target):
            return []
        for version, row in published(oracle, target):
            there = row.default_index if index == DEFAULT else row.build == index
            if there and answer.version in (None, version):
                doubtful.append((version, row))
                if is_sure(row):
                    return doubtful
    return doubtful


def older_indexes(oracle: Oracle, target: Target) -> set[str]:
    """The indexes of which the tables know only that they hold older releases, which the target's Python may take."""
    archive = oracle.tables.archive
    if numbers(target.python) > max((numbers(row.newest_python) for row in archive if row.newest_python), default=()):
        return set()
    known = {build for _, build, _ in oracle.rows}
    return {f"cu{cuda.replace('.', '')}" for row in archive for cuda in row.cuda} - known


def _grade_of(oracle: Oracle, target: Target, wheel: Wheel, best: Best) -> str:
    """What a wheel is worth if it is published."""
    version, row = wheel
    if row.build == "cpu":
        return CPU
    runs = oracle.serves(row, target.driver, machine_of(target))
    if runs == NO:
        return FAILS
    if runs != YES:
        return UNKNOWN
    return NEWEST if numbers(version) >= numbers(best.version) else RUNS
