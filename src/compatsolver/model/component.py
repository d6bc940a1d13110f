"""Components and their candidates: the variables of the problem and the values they can take.

A set of candidates is an integer: bit *i* stands for the candidate at position *i*. Positions run from most to least
preferred, so the lowest bit of a set is its best member.
"""

# Annotations are values here: a named tuple would compile each that is kept as text (decision 6).
from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple

from compatsolver.model.version import NumericVersion


class Family(str, Enum):
    """How the versions of a component are read and ordered (see `model.version`)."""

    PLATFORM = "platform"
    PYTHON = "python"
    GLIBC = "glibc"
    DRIVER = "driver"
    CAPABILITY = "capability"
    CUDA = "cuda"
    PEP440 = "pep440"


class Candidate(NamedTuple):
    """One value of a component: `2.9.0` + build `cu128` on a platform, or the driver interval that starts at 525.60.13.

    `version` is the text users see; `build` and `platform` are set for packages that come in builds. `none` is the
    candidate that says the component is not there (a CPU build has no CUDA runtime).
    """

    version: str
    build: str | None = None
    platform: str | None = None

    @property
    def spelling(self) -> str:
        """The version as an installer would print it, local version included."""
        return f"{self.version}+{self.build}" if self.build else self.version

    @property
    def is_version(self) -> bool:
        """Whether this is a release, and not a word for its absence."""
        return self.version not in (NONE, UNKNOWN)


NONE = "none"
UNKNOWN = "unknown"


class Component(NamedTuple):
    """A variable of the problem. `ranged` components take intervals: each candidate is the lower end of one."""

    name: str
    title: str
    kind: str
    family: Family
    candidates: tuple[Candidate, ...]

    @property
    def ranged(self) -> bool:
        """Whether a candidate stands for every version from its own up to the next one's."""
        return self.family in (Family.DRIVER, Family.GLIBC)

    @property
    def everything(self) -> int:
        """The set of all candidates."""
        return (1 << len(self.candidates)) - 1

    @property
    def lower_ends(self) -> tuple[NumericVersion, ...]:
        """For a ranged component: where its intervals begin, oldest first."""
        return tuple(NumericVersion.parse(candidate.version) for candidate in reversed(self.candidates))


def each(mask: int) -> Iterator[int]:
    """Positions in a set, most preferred first, one at a time."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def members(mask: int) -> list[int]:
    """Positions in a set, most preferred first."""
    return list(each(mask))
