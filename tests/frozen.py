"""A frozen piece of the default package index: what its projects listed on a day, as stubs to serve on loopback.

One line of the file is a project: `requires` are the lists of requirements that occur, and each of `releases` is a
version, the tag of the wheel that the target of the recording would take, its Requires-Python, which of the lists it
has, and whether it was withdrawn. `tests/freezing.py` writes it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from loopback import Listed
from wheels import Wheel

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

FILE = Path(__file__).with_name("cases") / "index" / "projects.jsonl"


class Frozen(NamedTuple):
    """A release as the index listed it."""

    wheel: Wheel
    yanked: bool


def read_frozen() -> Iterator[Frozen]:
    """Every release of the file, the newest of each project first."""
    for line in FILE.read_text(encoding="utf-8").splitlines():
        project = json.loads(line)
        for version, tag, python, place, yanked in project["releases"]:
            requires, extras = tuple(project["requires"][place]), tuple(project["extras"])
            yield Frozen(Wheel(project["name"], version, tag, requires, python, extras), yanked)


def listed(releases: Iterable[Frozen]) -> list[Listed]:
    """The releases as a loopback index lists them, with their metadata beside them."""
    return [
        Listed(wheel.filename, wheel.data, wheel.name, wheel.requires_python, yanked, wheel.metadata)
        for wheel, yanked in releases
    ]


def written(name: str, extras: Iterable[str], releases: Sequence[Frozen]) -> str:
    """The line of a project."""
    requires = list(dict.fromkeys(release.wheel.requires for release in releases))
    rows: list[list[Any]] = [
        [wheel.version, wheel.tag, wheel.requires_python, requires.index(wheel.requires), yanked]
        for wheel, yanked in releases
    ]
    document = {"name": name, "extras": sorted(extras), "requires": requires, "releases": rows}
    return json.dumps(document, separators=(",", ":")) + "\n"
