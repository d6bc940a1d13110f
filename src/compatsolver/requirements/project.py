"""The dependencies of a project, from the `[project]` table of its pyproject.toml (PEP 621)."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Any

from packaging.specifiers import InvalidSpecifier, SpecifierSet

from compatsolver.errors import InputError, InvalidRequirement
from compatsolver.model.request import Listing, normalised
from compatsolver.requirements.textfile import read_text
from compatsolver.requirements.written import read_requirement

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from compatsolver.model.request import Requirement, Target

_WHERE = re.compile(r"line (\d+)")


def read_project(path: Path, extras: Sequence[str], target: Target) -> Listing:
    """The dependencies of a project and of some of its extras, read for a complete target.

    Extras that name the project itself with other extras are followed. Raises InputError where the file cannot be
    read, is no TOML, has no `[project]` table, leaves its dependencies to a build backend, or lacks an extra.
    """
    text = read_text(path)
    return _Project(path, text, _table(path, text), target).listing(extras)


def _table(path: Path, text: str) -> dict[str, Any]:
    try:
        document = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        line = _WHERE.search(str(error))
        raise InputError(f"{path}:{line[1] if line else 1}: not TOML: {error}", hint="mend the file") from None
    table = document.get("project")
    if not isinstance(table, dict):
        raise InputError(
            f"{path}: there is no [project] table", hint="list the dependencies in a file and give it with -r"
        )
    return table


def supported_pythons(path: Path, pythons: Sequence[str]) -> tuple[str, ...]:
    """Of some minor versions, those with a patch release that the project's requires-python admits.

    All of them where the project does not say; raises InputError where the file or what it says cannot be read.
    """
    wanted = str(_table(path, read_text(path)).get("requires-python", ""))
    try:
        return tuple(python for python in pythons if _admits(wanted, python))
    except InvalidSpecifier:
        raise InputError(f"{path}: requires-python {wanted!r} is not a specifier", hint="mend the file") from None


def _admits(wanted: str, python: str) -> bool:
    """Whether a specifier admits a Python; a minor version stands for all of its patch releases."""
    releases = [python] if python.count(".") > 1 else [f"{python}.{patch}" for patch in range(100)]
    return any(release in SpecifierSet(wanted) for release in releases)


class _Project:
    """One project file, its text kept to find the lines of its requirements."""

    def __init__(self, path: Path, text: str, table: dict[str, Any], target: Target) -> None:
        self.path = path
        self.lines = text.splitlines()
        self.table = table
        self.target = target
        self.name = normalised(str(table.get("name", "")))

    def listing(self, extras: Sequence[str]) -> Listing:
        """Dependencies first, then the extras in the order asked for, each once."""
        requirements = self._read("dependencies", self._list(self._static("dependencies", []), "dependencies"))
        wanted, done = [normalised(extra) for extra in extras], set[str]()
        while wanted:
            extra = wanted.pop(0)
            if extra in done:
                continue
            done.add(extra)
            found = self._read(f"the extra {extra}", self._extra(extra))
            wanted += [name for entry in found if entry.name == self.name for name in entry.extras]
            requirements += [entry for entry in found if entry.name != self.name]
        return Listing(tuple(requirements), self._python_notes())

    def _static(self, key: str, absent: Any) -> Any:
        if key in self.table.get("dynamic", ()):
            raise InputError(
                f"{self.path}: project.{key} is dynamic: only the build backend knows it",
                hint="give the file it is filled from with -r, or name the requirements",
            )
        return self.table.get(key, absent)

    def _extra(self, extra: str) -> list[str]:
        table = self._static("optional-dependencies", {})
        lists = {normalised(name): entries for name, entries in table.items()} if isinstance(table, dict) else {}
        if extra not in lists:
            known = f"it has {', '.join(sorted(lists))}" if lists else "it has none"
            raise InputError(f"{self.path}: the project has no extra {extra}", hint=known)
        return self._list(lists[extra], f"optional-dependencies.{extra}")

    def _list(self, value: Any, key: str) -> list[str]:
        if isinstance(value, list) and all(isinstance(entry, str) for entry in value):
            return value
        raise InputError(f"{self.path}: project.{key} is not a list of texts", hint="mend the file")

    def _read(self, what: str, texts: list[str]) -> list[Requirement]:
        read: list[Requirement] = []
        problems: list[str] = []
        hint = None
        for text in texts:
            try:
                requirement = read_requirement(text, self.target, origin=f"{self.path}:{self._line_of(text)}")
            except InvalidRequirement as error:
                problems.append(f"{self.path}:{self._line_of(text)}: {error.message}")
                hint = hint or error.hint
                continue
            if requirement:
                read.append(requirement)
        if problems:
            raise InvalidRequirement(
                f"{what} of the project cannot be read".capitalize(), context=tuple(problems), hint=hint
            )
        return read

    def _line_of(self, text: str) -> int:
        return next((number for number, line in enumerate(self.lines, start=1) if text in line), 1)

    def _python_notes(self) -> tuple[str, ...]:
        """A note where the project does not admit the target's Python; a minor version stands for its patches."""
        wanted, python = str(self.table.get("requires-python", "")), (self.target.python or "").rstrip("t")
        try:
            admitted = _admits(wanted, python)
        except InvalidSpecifier:
            return (f"{self.path}: requires-python {wanted!r} is not a specifier and was not used",)
        return () if admitted else (f"{self.path} requires Python {wanted}, and the target has {self.target.python}",)
