"""One ordering per family of versions, all in this file, because they are not all PEP 440.

Drivers (`535.161.08`), CUDA (`12.4.1`), glibc (`2.28`) and capabilities (`12.1`) compare field by field as numbers,
missing fields being zero. Pythons compare by minor, and the free-threaded build of a minor follows the ordinary one.
Packages follow PEP 440.
"""

# Annotations are values here: a named tuple would compile each that is kept as text (decision 6).
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from packaging.version import Version

_PYTHON = re.compile(r"(\d)\.(\d{1,2})(?:\.\d+)?(t?)")
_CAPABILITY = r"(?:sm|compute)_(\d{1,2})(\d)[af]?|(\d{1,2})\.(\d)"


class NumericVersion(tuple[int, ...]):
    """A dotted version compared as numbers; trailing zero fields do not count, so 12.4 equals 12.4.0."""

    text: str

    def __new__(cls, numbers: Iterable[int], text: str) -> "NumericVersion":
        version = super().__new__(cls, numbers)
        version.text = text
        return version

    def __getnewargs__(self) -> tuple[tuple[int, ...], str]:
        return tuple(self), self.text

    @classmethod
    @lru_cache(maxsize=4096)
    def parse(cls, text: str) -> "NumericVersion":
        """Read `535.161.08`; raises ValueError for anything but numbers joined by dots."""
        parts = text.split(".")
        if not all(part.isdecimal() for part in parts):
            raise ValueError(f"not a dotted number: {text!r}")
        numbers = [int(part) for part in parts]
        while len(numbers) > 1 and numbers[-1] == 0:
            numbers.pop()
        return cls(numbers, text)

    @property
    def major(self) -> int:
        """The first field."""
        return self[0]

    def __str__(self) -> str:
        return self.text


class PythonVersion(NamedTuple):
    """A minor version of Python and its build: `3.14t` is the free-threaded one."""

    major: int
    minor: int
    free_threaded: bool = False

    @classmethod
    def parse(cls, text: str) -> "PythonVersion":
        """Read `3.11`, `3.11.7` or `3.14t`; raises ValueError for anything else."""
        match = _PYTHON.fullmatch(text)
        if not match:
            raise ValueError(f"not a Python version: {text!r}")
        return cls(int(match[1]), int(match[2]), bool(match[3]))

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}{'t' if self.free_threaded else ''}"


class Capability(NamedTuple):
    """A compute capability: the `8.9` of `sm_89`."""

    major: int
    minor: int

    @classmethod
    def parse(cls, text: str) -> "Capability":
        """Read `8.9`, `sm_89` or `sm_90a`; raises ValueError for anything else."""
        match = re.fullmatch(_CAPABILITY, text.strip(), re.IGNORECASE)
        if not match:
            raise ValueError(f"not a compute capability: {text!r}")
        return cls(int(match[1] or match[3]), int(match[2] or match[4]))

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}"


@lru_cache(maxsize=4096)
def package_version(text: str) -> "Version":
    """Read a PEP 440 version; raises ValueError for anything else."""
    from packaging.version import InvalidVersion, Version

    try:
        return Version(text)
    except InvalidVersion as error:
        raise ValueError(str(error)) from None
