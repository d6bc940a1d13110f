"""The shape of the rows on the packages beside torch."""

from datetime import date
from typing import Literal

from compatsolver.authoring.rows import Row
from compatsolver.authoring.schema_facts import Archs, Bounds, Fact, Platform

PairKind = Literal["cudart_soname", "ext_torch_abi", "numpy_abi", "pkg_api", "pkg_pin", "torch_pair"]


class WheelRow(Row):
    """The Pythons a library has wheels for on a platform; `any`: one wheel for all of them. `glibc`: at least."""

    platform: Platform | Literal["any"]
    pythons: list[str] | Literal["any"]
    glibc: str | None = None


class WorksWithRow(Fact):
    """Versions (PEP 440) of a component that a release works with where both are in use; METADATA does not say it.

    A row on `cuda` is about a release that needs CUDA: it works with no CPU build.
    `platforms`: where it holds, everywhere by default. `severity`: `warning` where only a part of the package breaks,
    so that a plan may break it when there is no other.
    """

    component: str
    versions: str
    platforms: list[Platform] | None = None
    kind: PairKind
    severity: Literal["error", "warning"] = "error"
    why: str


class BinaryRow(Fact):
    """Native libraries in a release's wheel for a platform: one for each CUDA of `cuda`, all with the same code.

    `also`: runtimes without a library of their own that load one of these. A platform whose wheel has nothing for
    CUDA has a row with no CUDA; `archs` is null there.
    """

    platform: Platform
    cuda: list[str]
    also: list[str] = []
    archs: Archs | None


class PrebuiltRow(Fact):
    """Wheels outside the package index, which a release's source distribution takes in place of compiling.

    There is one for each of these torch lines, majors of CUDA and Pythons together.
    """

    platform: Platform
    torch: list[str]
    cuda: list[str]
    pythons: list[str]


class GpusRow(Fact):
    """The GPUs that a release runs on, however it was built."""

    compute_capability: Bounds


class LibraryRelease(Fact):
    """A release of another package: its wheels and what it requires of other components (PEP 440, `""` for any).

    No wheels: there is a source distribution only, which builds on the platforms of `builds_on` (null: not said, and
    so on any). `extras`: what each extra adds to `requires`. `binaries` null:
    the package has no code for GPUs. `runs_on`: the GPUs it runs on at all.
    """

    version: str
    released: date | None
    yanked: bool
    requires_python: str | None
    wheels: list[WheelRow]
    builds_on: list[Platform] | None = None
    requires: dict[str, str]
    extras: dict[str, dict[str, str]] = {}
    works_with: list[WorksWithRow] = []
    binaries: list[BinaryRow] | None = None
    prebuilt: list[PrebuiltRow] = []
    runs_on: GpusRow | None = None
