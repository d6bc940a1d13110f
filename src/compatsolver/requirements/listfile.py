"""Requirements files, as pip reads them: nested files, constraints, comments and continued lines."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from compatsolver.errors import InputError, InvalidRequirement
from compatsolver.model.request import Listing, Requirement
from compatsolver.requirements.textfile import read_text
from compatsolver.requirements.written import EDITABLE, names_a_file, read_requirement

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from compatsolver.model.request import Target

_COMMENT = re.compile(r"(?:^|\s)#.*$")
_OPTION = re.compile(r"(--[a-z][a-z-]*|-[a-zA-Z])(?:\s*=\s*|\s+)?(.*)")
_PER_REQUIREMENT = re.compile(r"\s--?[a-z].*$")
_FILES = {"-r": False, "--requirement": False, "-c": True, "--constraint": True}
_EDITABLE = ("-e", "--editable")
_OF_AN_INDEX = ("-i", "--index-url", "--extra-index-url", "--no-index", "-f", "--find-links", "--trusted-host")
_OF_AN_INSTALLER = ("--no-binary", "--only-binary", "--prefer-binary", "--require-hashes", "--pre", "--use-feature")
_MOST_NESTED = 20


def read_list_files(
    files: Sequence[Path], constraints: Sequence[Path], target: Target, *, takes_files: bool = False
) -> Listing:
    """The requirements and constraints of some files, read for a complete target.

    Paths and URLs of distributions are kept for whoever takes such files. Options for an index or an installer are
    noted as not used: a plan names its indexes itself. Raises InputError where a file cannot be read, and
    InvalidRequirement with every line, `file:line`, that is no requirement.
    """
    reader = _Reader(target, takes_files)
    for path in files:
        reader.read(path, is_constraint=False)
    for path in constraints:
        reader.read(path, is_constraint=True)
    if reader.problems:
        what = "1 line is" if len(reader.problems) == 1 else f"{len(reader.problems)} lines are"
        raise InvalidRequirement(
            f"{what} not a requirement on a package and its versions",
            context=tuple(reader.problems),
            hint=reader.hint,
        )
    return Listing(tuple(reader.requirements), tuple(reader.notes), tuple(reader.files))


class _Reader:
    """What has been read so far, and the files that are open, outermost first."""

    def __init__(self, target: Target, takes_files: bool) -> None:
        self.target = target
        self.takes_files = takes_files
        self.files: list[str] = []
        self.requirements: list[Requirement] = []
        self.notes: list[str] = []
        self.problems: list[str] = []
        self.hint: str | None = None
        self.open: list[Path] = []

    def read(self, path: Path, *, is_constraint: bool) -> None:
        """Read one file and those it names."""
        here = Path(os.path.realpath(path))  # says nothing of links in a circle: reading does
        if here in self.open or len(self.open) == _MOST_NESTED:
            raise InputError(f"{path}: requirements files that include each other", hint="remove one of the includes")
        text = read_text(path)
        self.open.append(here)
        for number, line in logical_lines(text):
            self._line(line, path, f"{path}:{number}", is_constraint)
        self.open.pop()

    def _line(self, line: str, path: Path, place: str, is_constraint: bool) -> None:
        option = _OPTION.fullmatch(line)
        if option is None:
            self._requirement(line, place, is_constraint)
        elif option[1] in _FILES:
            self._nested(option[2].strip(), path, place, is_constraint or _FILES[option[1]])
        elif option[1] in _EDITABLE:
            self.problems.append(f"{place}: {line!r} is an editable install: no facts are known of what is there")
            self.hint = self.hint or EDITABLE
        elif option[1] in _OF_AN_INDEX:
            self.notes.append(f"{place}: {option[1]} is not used; the plan names the index of each package")
        elif option[1] in _OF_AN_INSTALLER:
            self.notes.append(f"{place}: {option[1]} is not used here; the installer will need it as well")
        else:
            self.problems.append(f"{place}: {option[1]} is no option of a requirements file")

    def _nested(self, name: str, path: Path, place: str, is_constraint: bool) -> None:
        if "://" in name:
            raise InputError(f"{place}: {name} is not on this machine", hint="download it; nothing here uses a network")
        try:
            self.read(path.parent / name.strip("\"'"), is_constraint=is_constraint)
        except InputError as error:
            error.context = (*error.context, f"included by {place}")
            raise

    def _requirement(self, line: str, place: str, is_constraint: bool) -> None:
        text = _PER_REQUIREMENT.sub("", line)
        if text != line:
            self.notes.append(f"{place}: hashes and options are not used; `lock` writes its own hashes")
        if self.takes_files and not is_constraint and names_a_file(text):
            self.files.append(text)
            return
        try:
            requirement = read_requirement(text, self.target, origin=place, is_constraint=is_constraint)
        except InvalidRequirement as error:
            self.problems.append(f"{place}: {error.message}")
            self.hint = self.hint or error.hint
            return
        if requirement:
            self.requirements.append(requirement)


def logical_lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines that say something: comments cut off, lines that end with a backslash joined, numbers of the first."""
    pending, start = "", 0
    for number, written in enumerate(text.splitlines(), start=1):
        line = _COMMENT.sub("", written)
        start = start or number
        if line.endswith("\\"):
            pending += line[:-1]
            continue
        if joined := (pending + line).strip():
            yield start, joined
        pending, start = "", 0
    if pending.strip():
        yield start, pending.strip()
