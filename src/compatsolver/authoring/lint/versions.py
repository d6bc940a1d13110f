"""Every version can be read in the family it belongs to. The other lints rely on that and run only when it holds."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from packaging.specifiers import InvalidSpecifier, SpecifierSet

from compatsolver.authoring import schema
from compatsolver.authoring.lint.problem import Finding, Lint, every_row
from compatsolver.authoring.schema_measured import MeasuredWheel
from compatsolver.model.architecture import Target
from compatsolver.model.component import Family
from compatsolver.model.version import Capability, NumericVersion, PythonVersion, package_version

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from compatsolver.authoring.rows import Row

    Reader = Callable[[str], object]


def _exactly(read: Reader) -> Reader:
    """A reader that also wants the one spelling that values are compared by: `8.9`, not `sm_89`."""

    def spelled(text: str) -> object:
        value = read(text)
        if str(value) != text:
            raise ValueError(f"{text!r} is written {str(value)!r} here")
        return value

    return spelled


def _branch(text: str) -> object:
    if not re.fullmatch(r"R\d{3}", text):
        raise ValueError(f"not a driver branch: {text!r}")
    return text


def _specifier(text: str) -> object:
    try:
        return SpecifierSet(text)
    except InvalidSpecifier:
        raise ValueError(f"not a PEP 440 specifier: {text!r}") from None


_CAPABILITY, _PYTHON, _TARGET = _exactly(Capability.parse), _exactly(PythonVersion.parse), _exactly(Target.parse)
_NUMERIC = NumericVersion.parse

_COLUMNS: dict[type[Row], dict[str, Reader]] = {
    schema.DisputedCode: {"cuda": _NUMERIC, "code": _TARGET},
    schema.CapabilityRow: {
        "compute_capability": _CAPABILITY,
        "same_as": _CAPABILITY,
        "first_toolkit": _NUMERIC,
        "last_toolkit": _NUMERIC,
        "first_branch": _branch,
        "last_branch": _branch,
    },
    schema.GpuRow: {"compute_capability": _CAPABILITY},
    schema.SmiNameRow: {"compute_capability": _CAPABILITY},
    schema.BranchRow: {"branch": _branch, "max_cuda": _NUMERIC},
    schema.DriverPair: {"linux": _NUMERIC, "windows": _NUMERIC},
    schema.ToolkitRow: {"version": _NUMERIC, "branch": _branch},
    schema.CompatibilityRow: {"cuda": _NUMERIC},
    schema.CudnnRow: {"cudnn": _NUMERIC, "compute_capability": _CAPABILITY},
    schema.Archs: {"sass": _TARGET, "ptx": _TARGET, "disputed": _TARGET},
    MeasuredWheel: {
        "version": package_version,
        "cuda": _NUMERIC,
        "glibc": _NUMERIC,
        "glibcxx": _NUMERIC,
    },
    schema.RuntimeRelease: {"version": package_version},
    schema.TorchRelease: {"version": package_version, "requires_python": _specifier},
    schema.BuildRow: {
        "cuda": _NUMERIC,
        "pythons": _PYTHON,
        "glibc": _NUMERIC,
        "cudnn": _NUMERIC,
        "nccl": _NUMERIC,
        "triton": _specifier,
        "triton_pythons": _specifier,
    },
    schema.LibraryRelease: {
        "version": package_version,
        "requires_python": _specifier,
        "requires": _specifier,
        "extras": _specifier,
    },
    schema.IssueRow: {
        "versions": _specifier,
        "cuda": _NUMERIC,
        "compute_capability": _CAPABILITY,
        "beside": _specifier,
    },
    schema.GpusRow: {"compute_capability": _CAPABILITY},
    schema.WheelRow: {"pythons": _PYTHON, "glibc": _NUMERIC},
    schema.WorksWithRow: {"versions": _specifier},
    schema.BinaryRow: {"cuda": _NUMERIC, "also": _NUMERIC},
    schema.PrebuiltRow: {"torch": _NUMERIC, "cuda": _NUMERIC, "pythons": _PYTHON},
}


def versions_readable(tables: schema.Tables) -> Iterator[Finding]:
    """Versions parse in their family: a typing slip such as `12..4` would otherwise compare as something else."""
    for row in every_row(tables):
        for column, read in _columns(row).items():
            for text in _texts(getattr(row, column)):
                fault = _fault(read, text)
                if fault:
                    tip = "src/compatsolver/model/version.py shows the spelling of each family"
                    yield Finding(row, f"{column}: {fault}", tip)


def _fault(read: Reader, text: str) -> str | None:
    try:
        read(text)
    except ValueError as error:
        return str(error)
    return None


def _columns(row: Row) -> dict[str, Reader]:
    if isinstance(row, schema.ComponentRow):
        return {"values": _PYTHON} if row.family is Family.PYTHON else {}
    return _COLUMNS.get(type(row), {})


def _texts(value: Any) -> list[str]:
    """The versions in a cell, which holds none, one, a list, mappings to them, or bounds."""
    if isinstance(value, schema.Bounds):
        return [text for _, text in value.columns() if text is not None]
    if isinstance(value, dict):
        return [text for entry in value.values() for text in _texts(entry)]
    if isinstance(value, list):
        return value
    return [] if value in (None, "any") else [value]


LINTS: tuple[Lint, ...] = (versions_readable,)
