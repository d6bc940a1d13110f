"""What rows of several tables are made of: stated facts and ranges of versions."""

from datetime import date
from typing import Literal

from compatsolver.authoring.rows import Row

Platform = Literal["linux-x86_64", "linux-aarch64", "windows-x86_64", "macos-arm64", "macos-x86_64"]
Evidence = Literal["gpu-run", "measured", "metadata", "artifact-exists", "documented", "inferred"]


class Fact(Row):
    """A row that states something about the world; `sources` are references `id` or `id#where in it`."""

    evidence: Evidence
    sources: list[str]
    notes: list[str] = []


class Bounds(Row):
    """A range of versions; at most one key per end."""

    at_least: str | None = None
    above: str | None = None
    at_most: str | None = None
    below: str | None = None


class RuntimeRelease(Fact):
    """A release of a library of NVIDIA's as wheels, under the name of each CUDA major it was made for."""

    version: str
    released: date
    packages: list[str]
    yanked: bool


class Archs(Fact):
    """What a build is compiled for; null lists are unknown. `disputed`: targets of `sass` that reports deny."""

    sass: list[str] | None
    ptx: list[str] | None
    disputed: list[str] = []
