"""The shape of the YAML tables: one class per kind of row, as `docs/data-format.md` describes them.

Attribute names are the YAML keys. Types are strict: a version that YAML reads as a number is an error, not a string.
A key without a default must be written, if only as `null`: "unknown" is said, never left out.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Annotated, Any, Literal

from compatsolver.authoring.rows import Row, Written
from compatsolver.authoring.schema_comparison import TraitRow as TraitRow
from compatsolver.authoring.schema_facts import Archs as Archs
from compatsolver.authoring.schema_facts import Bounds as Bounds
from compatsolver.authoring.schema_facts import Evidence as Evidence
from compatsolver.authoring.schema_facts import Fact as Fact
from compatsolver.authoring.schema_facts import Platform as Platform
from compatsolver.authoring.schema_facts import RuntimeRelease as RuntimeRelease
from compatsolver.authoring.schema_issues import IssueRow as IssueRow
from compatsolver.authoring.schema_libraries import BinaryRow as BinaryRow
from compatsolver.authoring.schema_libraries import GpusRow as GpusRow
from compatsolver.authoring.schema_libraries import LibraryRelease as LibraryRelease
from compatsolver.authoring.schema_libraries import PrebuiltRow as PrebuiltRow
from compatsolver.authoring.schema_libraries import WheelRow as WheelRow
from compatsolver.authoring.schema_libraries import WorksWithRow as WorksWithRow
from compatsolver.authoring.schema_measured import MeasuredWheel
from compatsolver.authoring.schema_models import ModelRow
from compatsolver.authoring.schema_symptoms import (
    ArchivedTorchRow,
    HostCompilerRow,
    KindRow,
    NcclSymbolRow,
    SymptomRow,
)
from compatsolver.model.component import Family

Published = Literal["yes", "no", "build-matrix", "likely", "expected", "unverified"]
Market = Literal["geforce", "workstation", "data-center", "jetson"]
ComponentKind = Literal["host", "runtime", "package"]
Number = Annotated[int, Written(int | str, int)]
BuildField = Literal[
    "published", "default_index", "index", "cuda", "pythons", "glibc", "cudnn", "nccl", "triton", "cxx11_abi"
]


class SourceRow(Row):
    """A document or artefact; `url` is null where it has no public address, `retrieved` where nobody here opened it."""

    title: str
    url: str | None
    retrieved: date | None


class ComponentRow(Row):
    """A variable of the problem; `values` only for host components with a closed list.

    `paired_with` names the package whose index serves this one's matching builds. `built_beside`: packages that its
    source distribution imports when it is built, so that it is built without isolation.
    """

    name: str
    title: str
    kind: ComponentKind
    family: Family
    values: list[str] | None = None
    paired_with: str | None = None
    built_beside: list[str] = []
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
    """A compute capability: first and last (inclusive) toolkit that compiles for it and driver branch that runs it.

    `first_accelerated`: the first toolkit that compiles for its architecture-specific target (`sm_90a`), where that
    came later.
    """

    compute_capability: str
    architecture: str
    first_toolkit: str | None
    last_toolkit: str | None
    first_accelerated: str | None = None
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


class BuildRow(Row):
    """One torch build on one platform. Null `cuda`, `cudnn`, `nccl`, `triton`, `archs`: none (CPU) or unknown.

    `triton_pythons`: the Pythons (PEP 440 specifier) on which it requires that triton; null: on all. `cxx11_abi`:
    whether C++ extensions must be compiled with _GLIBCXX_USE_CXX11_ABI=1; null: unknown, or not Linux.
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
    cxx11_abi: bool | None = None
    archs: Archs | None
    evidence: dict[BuildField, Evidence]
    sources: list[str]
    notes: list[str] = []


class TorchRelease(Row):
    """A torch release; not `complete`: builds beyond those listed may exist. `requires_python` as in its METADATA."""

    version: str
    released: date | None
    requires_python: str | None = None
    complete: bool
    sources: list[str]
    builds: list[BuildRow]
    notes: list[str] = []


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
    cudnn_releases: list[RuntimeRelease] = field(default_factory=list)
    nccl_releases: list[RuntimeRelease] = field(default_factory=list)
    torch: list[TorchRelease] = field(default_factory=list)
    libraries: dict[str, list[LibraryRelease]] = field(default_factory=dict)
    measured: dict[str, list[MeasuredWheel]] = field(default_factory=dict)
    symptoms: list[SymptomRow] = field(default_factory=list)
    kinds: list[KindRow] = field(default_factory=list)
    compilers: list[HostCompilerRow] = field(default_factory=list)
    nccl_symbols: list[NcclSymbolRow] = field(default_factory=list)
    archive: list[ArchivedTorchRow] = field(default_factory=list)
    issues: list[IssueRow] = field(default_factory=list)
    models: list[ModelRow] = field(default_factory=list)
    traits: list[TraitRow] = field(default_factory=list)
    places: Mapping[int, str] = field(default_factory=dict, repr=False, compare=False)

    def place(self, row: Any) -> str:
        """`file:line` of a row; rows under an overlay come from the catalogue."""
        return self.places.get(id(row), "(in the catalogue)")
