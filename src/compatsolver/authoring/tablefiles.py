"""The shape of the YAML files: what every file has, and the rows that each table holds."""

from datetime import date
from typing import Annotated, Literal

from pydantic import Field, model_validator

from compatsolver.authoring.schema import (
    AliasRow,
    BranchRow,
    CapabilityRow,
    CompatibilityRow,
    ComponentRow,
    CudnnRow,
    GpuRow,
    LibraryRelease,
    ProfileRow,
    Row,
    SmiNameRow,
    SourceRow,
    ToolkitRow,
    TorchRelease,
    VendorRow,
)


class TableFile(Row):
    """What every file has."""

    schema_: Literal["compatsolver.data/1"] = Field(alias="schema")
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


class TorchFile(TableFile):
    """`torch/<line>.yaml`."""

    line: Annotated[str, Field(pattern=r"^\d+\.\d+$")]
    releases: list[TorchRelease]

    @model_validator(mode="after")
    def _releases_belong_to_the_line(self) -> "TorchFile":
        strangers = [release.version for release in self.releases if not release.version.startswith(f"{self.line}.")]
        if strangers:
            raise ValueError(f"{', '.join(strangers)} is not of the line {self.line}")
        return self


class LibraryFile(TableFile):
    """`libraries/<component>.yaml`."""

    component: str
    releases: list[LibraryRelease]


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
}
"""`table` of a file → its shape."""
