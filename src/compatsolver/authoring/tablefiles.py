"""The shape of the YAML files: what every file has, and the rows that each table holds."""

from collections.abc import Iterator
from datetime import date
from typing import Literal

from compatsolver.authoring.rows import Row
from compatsolver.authoring.schema import (
    AliasRow,
    BranchRow,
    CapabilityRow,
    CompatibilityRow,
    ComponentRow,
    CudnnRow,
    GpuRow,
    IssueRow,
    LibraryRelease,
    ProfileRow,
    RuntimeRelease,
    SmiNameRow,
    SourceRow,
    ToolkitRow,
    TorchRelease,
    VendorRow,
)
from compatsolver.authoring.schema_comparison import TraitRow
from compatsolver.authoring.schema_measured import MeasuredWheel
from compatsolver.authoring.schema_models import ModelRow
from compatsolver.authoring.schema_symptoms import (
    ArchivedTorchRow,
    HostCompilerRow,
    KindRow,
    NcclSymbolRow,
    SymptomRow,
)


class TableFile(Row):
    """What every file has."""

    schema_: Literal["compatsolver.data/1"]
    table: str
    horizon: date


class SourcesFile(TableFile):
    """`sources.yaml`."""

    sources: dict[str, SourceRow]


class ComponentsFile(TableFile):
    """`components.yaml`."""

    components: list[ComponentRow]


class AliasesFile(TableFile):
    """`aliases.yaml`."""

    aliases: dict[str, AliasRow]


class ProfilesFile(TableFile):
    """`profiles.yaml`."""

    profiles: dict[str, ProfileRow]


class ArchitecturesFile(TableFile):
    """`architectures.yaml`."""

    capabilities: list[CapabilityRow]


class GpusFile(TableFile):
    """`gpus.yaml`."""

    products: list[GpuRow]
    nvidia_smi_names: list[SmiNameRow]
    other_vendors: list[VendorRow]


class DriversFile(TableFile):
    """`drivers.yaml`."""

    branches: list[BranchRow]


class CudaFile(TableFile):
    """`cuda.yaml`."""

    toolkits: list[ToolkitRow]
    compatibility: list[CompatibilityRow]


class CudnnFile(TableFile):
    """`cudnn.yaml`."""

    capabilities: list[CudnnRow]
    releases: list[RuntimeRelease] = []


class TorchFile(TableFile):
    """`torch/<line>.yaml`."""

    line: str
    releases: list[TorchRelease]

    def contradictions(self) -> Iterator[str]:
        """Releases of another line."""
        strangers = [release.version for release in self.releases if not release.version.startswith(f"{self.line}.")]
        if strangers:
            yield f"{', '.join(strangers)} is not of the line {self.line}"


class LibraryFile(TableFile):
    """`libraries/<component>.yaml`."""

    component: str
    releases: list[LibraryRelease]


class OptionalFile(TableFile):
    """A table that plans do not rest on; a directory of tables may lack it."""


class ModelsFile(OptionalFile):
    """`models.yaml`."""

    models: list[ModelRow]


class ComparisonFile(OptionalFile):
    """`comparison.yaml`."""

    traits: list[TraitRow]


class SymptomsFile(OptionalFile):
    """`symptoms/<subject>.yaml`."""

    subject: str
    symptoms: list[SymptomRow]


class KindsFile(OptionalFile):
    """`kinds.yaml`."""

    kinds: list[KindRow]


class HostCompilersFile(OptionalFile):
    """`host-compilers.yaml`."""

    compilers: list[HostCompilerRow]


class NcclFile(OptionalFile):
    """`nccl.yaml`."""

    nccl_symbols: list[NcclSymbolRow]
    releases: list[RuntimeRelease] = []


class TorchArchiveFile(OptionalFile):
    """`torch-archive.yaml`."""

    archive: list[ArchivedTorchRow]


class IssuesFile(OptionalFile):
    """`issues.yaml`."""

    issues: list[IssueRow]


class MeasuredFile(OptionalFile):
    """`measured/<component>.yaml`."""

    component: str
    wheels: list[MeasuredWheel]


FILES: dict[str, type[TableFile]] = {
    "sources": SourcesFile,
    "components": ComponentsFile,
    "aliases": AliasesFile,
    "profiles": ProfilesFile,
    "architectures": ArchitecturesFile,
    "gpus": GpusFile,
    "drivers": DriversFile,
    "cuda": CudaFile,
    "cudnn": CudnnFile,
    "torch": TorchFile,
    "library": LibraryFile,
    "symptoms": SymptomsFile,
    "kinds": KindsFile,
    "host-compilers": HostCompilersFile,
    "nccl": NcclFile,
    "torch-archive": TorchArchiveFile,
    "issues": IssuesFile,
    "measured": MeasuredFile,
    "models": ModelsFile,
    "comparison": ComparisonFile,
}
"""`table` of a file → its shape."""
