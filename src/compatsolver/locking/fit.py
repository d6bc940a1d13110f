"""What fits a target: wheel tags, Python versions and markers of the machine it will be, not of this one."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.tags import Tag, compatible_tags, cpython_tags, mac_platforms
from packaging.utils import parse_wheel_filename

from compatsolver.model.markers import environments_of
from compatsolver.model.version import NumericVersion, PythonVersion

if TYPE_CHECKING:
    from collections.abc import Iterator

    from packaging.markers import Marker

    from compatsolver.model.request import Target

USUAL_GLIBC = "2.28"
"""Where a Linux target states none: what torch's own wheels ask for."""
USUAL_MACOS = (14, 0)
"""A target states no release of macOS: what torch's newer wheels ask for."""
_OLDEST_GLIBC_MINOR = {"x86_64": 5, "aarch64": 17}
_LEGACY = {5: "manylinux1", 12: "manylinux2010", 17: "manylinux2014"}


class Fit:
    """Answers for one complete target (platform and Python given)."""

    def __init__(self, target: Target) -> None:
        self.target = target
        self.python = PythonVersion.parse(target.python or "")
        self._environments = environments_of(target)

    @property
    def assumption(self) -> str | None:
        """What is taken for granted of the target because it does not say so itself."""
        platform = self.target.platform or ""
        if platform.startswith("linux") and not self.target.glibc:
            return f"wheels are chosen for glibc {USUAL_GLIBC}, because the target states none"
        if platform.startswith("macos"):
            return f"wheels are chosen for macOS {USUAL_MACOS[0]}, because a target states no release"
        return None

    @cached_property
    def tags(self) -> dict[Tag, int]:
        """The tags that install there, each with its place: the most specific has 0."""
        version = (self.python.major, self.python.minor)
        interpreter = f"cp{self.python.major}{self.python.minor}"
        abi = f"{interpreter}t" if self.python.free_threaded else interpreter
        platforms = list(_platforms(self.target))
        found = [*cpython_tags(version, [abi], platforms), *compatible_tags(version, interpreter, platforms)]
        return {tag: place for place, tag in enumerate(dict.fromkeys(found))}

    def rank(self, wheel: str) -> int | None:
        """How specific a wheel is to the target by its file name, lower is more; None where it does not install."""
        places = [self.tags[tag] for tag in _tags_of(wheel) if tag in self.tags]
        return min(places, default=None)

    def runs(self, requires_python: str | None) -> bool:
        """Whether some patch release of the target's Python satisfies a Requires-Python; nonsense forbids nothing."""
        if not requires_python:
            return True
        specifier = _specifier(requires_python)
        return specifier is None or any(row["python_full_version"] in specifier for row in self._environments)

    def applies(self, marker: Marker | None, extra: str = "") -> bool:
        """Whether a requirement counts there; where only the patch release of Python decides, it does."""
        return marker is None or any(marker.evaluate({**row, "extra": extra}) for row in self._environments)


@lru_cache(maxsize=1024)
def _specifier(text: str) -> SpecifierSet | None:
    try:
        return SpecifierSet(text)
    except InvalidSpecifier:
        return None


@lru_cache(maxsize=4096)
def _tags_of(wheel: str) -> frozenset[Tag]:
    try:
        return parse_wheel_filename(wheel)[3]
    except ValueError:
        return frozenset()


def _platforms(target: Target) -> Iterator[str]:
    system, _, machine = (target.platform or "").partition("-")
    if system == "windows":
        yield "win_amd64"
    elif system == "macos":
        yield from mac_platforms(USUAL_MACOS, machine)
    else:
        newest = (*NumericVersion.parse(target.glibc or USUAL_GLIBC), 0)[1]
        for minor in range(newest, _OLDEST_GLIBC_MINOR[machine] - 1, -1):
            yield f"manylinux_2_{minor}_{machine}"
            if minor in _LEGACY:
                yield f"{_LEGACY[minor]}_{machine}"
        yield f"linux_{machine}"
