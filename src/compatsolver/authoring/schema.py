"""The shape of the YAML tables: one class per kind of row, as `docs/data-format.md` describes them.

Attribute names are the YAML keys. Types are strict: a version that YAML reads as a number is an error, not a string.
A key without a default must be written, if only as `null`: "unknown" is said, never left out.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Annotated, Any, Literal

from compatsolver.authoring.rows import Row, Written
from compatsolver.authoring.schema_facts import Bounds as Bounds
from compatsolver.authoring.schema_facts import Evidence as Evidence
from compatsolver.authoring.schema_facts import Fact as Fact
from compatsolver.authoring.schema_models import ModelRow
from compatsolver.authoring.schema_symptoms import (
    ArchivedTorchRow,
    HostCompilerRow,
    KindRow,
    NcclSymbolRow,
    SymptomRow,
)
from compatsolver.model.component import Family

Platform = Literal["linux-x86_64", "linux-aarch64", "windows-x86_64", "macos-arm64", "macos-x86_64"]
Published = Literal["yes", "no", "build-matrix", "likely", "expected", "unverified"]
Market = Literal["geforce", "workstation", "data-center", "jetson"]
ComponentKind = Literal["host", "runtime", "package"]
PairKind = Literal["ext_torch_abi", "numpy_abi", "pkg_api", "pkg_pin", "torch_pair"]
Number = Annotated[int, Written(int | str, int)]
BuildField = Literal["published", "default_index", "index", "cuda", "pythons", "glibc", "cudnn", "nccl", "triton"]


class SourceRow(Row):
    """A document or artefact; `url` is null where it has no public address, `retrieved` where nobody here opened it."""

    title: str
    url: str | None
    retrieved: date | None


class ComponentRow(Row):
    """A variable of the problem; `values` only for host components with a closed list.

    `paired_with` names the package whose index serves this one's matching builds.
    """

    name: str
    title: str
    kind: ComponentKind
    family: Family
    values: list[str] | None = None
    paired_with: str | None = None
    sources: list[str] = []


class AliasRow(Row):
    """Another name of a component, the runtimes it is made for, and the sentence that tells the user so."""

    component: str
    cuda: Bounds | None = None
    why: str


class ProfileRow(Row):
    """A set of packages that go together, and what for."""

    packages: list[str]
    why: str
    sources: list[str]


class DisputedCode(Row):
    """Machine code that may or may not run on a capability when built by `cuda`; `settle` is the command that tells."""

    cuda: Bounds
    code: list[str]
    why: str
    settle: str


class CapabilityRow(Fact):
    """A compute capability: first and last (inclusive) toolkit that compiles for it and driver branch that runs it."""

    compute_capability: str
    architecture: str
    first_toolkit: str | None
    last_toolkit: str | None
    first_branch: str | None
    last_branch: str | None
    island: bool = False
    same_as: str | None = None
    disputed: list[DisputedCode] = []


class GpuRow(Fact):
    """A GPU under its marketing name. Memory in GiB; `platform` where only such machines have it (Jetson, GB10)."""

    name: str
    compute_capability: str
    chip: str | None
    memory_gib: float | None
    market: Market
    released: date | None
    platform: Platform | None = None


class SmiNameRow(Fact):
    """A GPU under the name that the driver prints; `platform` as for a product."""

    name: str
    compute_capability: str
    platform: Platform | None = None


class VendorRow(Row):
    """How GPUs of another vendor are recognised: a Python regular expression, matched without regard to case."""

    vendor: str
    pattern: str
    index_family: str | None = None
    sources: list[str]


class BranchRow(Fact):
    """A driver branch: the driver numbers from `first_major` up to, not including, `below_major`."""

    branch: str
    first_major: Number
    below_major: Number
    max_cuda: str | None
    designation: str | None
    end_of_life: str | date | None
    latest_seen: str | None


class DriverPair(Row):
    """A driver version per operating system; null where none is published."""

    linux: str | None
    windows: str | None


class ToolkitRow(Fact):
    """A CUDA toolkit, the driver packaged with it (its minimum) and that driver's branch."""

    version: str
    driver: DriverPair
    branch: str | None


class CompatibilityRow(Fact):
    """The lowest driver that runs a range of CUDA runtimes; `minor_version`: by minor-version compatibility."""

    cuda: Bounds
    driver: DriverPair
    minor_version: bool


class CudnnRow(Fact):
    """The compute capabilities that a range of cuDNN versions runs on."""

    cudnn: Bounds
    compute_capability: Bounds


class Archs(Fact):
    """What a build is compiled for; null lists are unknown. `disputed`: targets of `sass` that reports deny."""

    sass: list[str] | None
    ptx: list[str] | None
    disputed: list[str] = []


class BuildRow(Row):
    """One torch build on one platform. Null `cuda`, `cudnn`, `nccl`, `triton`, `archs`: none (CPU) or unknown.

    `triton_pythons`: the Pythons (PEP 440 specifier) on which it requires that triton; null: on all.
    """

    build: str
    platform: Platform
    cuda: str | None
    published: Published
    default_index: bool
    index: str | None
    pythons: list[str] | None
    glibc: str | None
    cudnn: str | None
    nccl: str | None
    triton: str | None
    triton_pythons: str | None = None
    archs: Archs | None
    evidence: dict[BuildField, Evidence]
    sources: list[str]
    notes: list[str] = []


class TorchRelease(Row):
    """A torch release; not `complete`: builds beyond those listed may exist."""

    version: str
    released: date | None
    complete: bool
    sources: list[str]
    builds: list[BuildRow]
    notes: list[str] = []


class WheelRow(Row):
    """The Pythons a library has wheels for on a platform; `any`: one wheel for all of them. `glibc`: at least."""

    platform: Platform | Literal["any"]
    pythons: list[str] | Literal["any"]
    glibc: str | None = None


class WorksWithRow(Fact):
    """Versions (PEP 440) of a component that a release works with where both are in use; METADATA does not say it.

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


class LibraryRelease(Fact):
    """A release of another package: its wheels and what it requires of other components (PEP 440, `""` for any).

    No wheels: there is a source distribution only. `extras`: what each extra adds to `requires`. `binaries` null:
    the package has no code for GPUs.
    """

    version: str
    released: date | None
    yanked: bool
    requires_python: str | None
    wheels: list[WheelRow]
    requires: dict[str, str]
    extras: dict[str, dict[str, str]] = {}
    works_with: list[WorksWithRow] = []
    binaries: list[BinaryRow] | None = None


@dataclass(frozen=True, kw_only=True)
class Tables:
    """Everything the YAML says. torch and library releases are newest first, `horizon` is the latest of the files'."""

    horizon: date
    sources: dict[str, SourceRow] = field(default_factory=dict)
    components: list[ComponentRow] = field(default_factory=list)
    aliases: dict[str, AliasRow] = field(default_factory=dict)
    profiles: dict[str, ProfileRow] = field(default_factory=dict)
    capabilities: list[CapabilityRow] = field(default_factory=list)
    products: list[GpuRow] = field(default_factory=list)
    nvidia_smi_names: list[SmiNameRow] = field(default_factory=list)
    other_vendors: list[VendorRow] = field(default_factory=list)
    branches: list[BranchRow] = field(default_factory=list)
    toolkits: list[ToolkitRow] = field(default_factory=list)
    compatibility: list[CompatibilityRow] = field(default_factory=list)
    cudnn: list[CudnnRow] = field(default_factory=list)
    torch: list[TorchRelease] = field(default_factory=list)
    libraries: dict[str, list[LibraryRelease]] = field(default_factory=dict)
    symptoms: list[SymptomRow] = field(default_factory=list)
    kinds: list[KindRow] = field(default_factory=list)
    compilers: list[HostCompilerRow] = field(default_factory=list)
    nccl_symbols: list[NcclSymbolRow] = field(default_factory=list)
    archive: list[ArchivedTorchRow] = field(default_factory=list)
    models: list[ModelRow] = field(default_factory=list)
    places: Mapping[int, str] = field(default_factory=dict, repr=False, compare=False)

    def place(self, row: Any) -> str:
        """`file:line` of a row; rows under an overlay come from the catalogue."""
        return self.places.get(id(row), "(in the catalogue)")
