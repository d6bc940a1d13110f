"""How a change names what it is about: one phrase for the rows of each table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    Row = dict[str, Any]

PLATFORM_ROWS = ("wheels", "binaries")
"""Columns that hold rows by platform."""


def _bounds(bounds: dict[str, str]) -> str:
    words = {"at_least": "from", "above": "above", "at_most": "up to", "below": "below"}
    return " ".join(f"{words[key]} {version}" for key, version in bounds.items())


def _product(row: Row) -> str:
    size = f" {row['memory_gib']:g} GiB" if row["memory_gib"] else ""
    return f"GPU {row['name']}{size}"


SUBJECTS: dict[str, Callable[[Row], str]] = {
    "components": lambda row: f"component {row['name']}",
    "capabilities": lambda row: f"compute capability {row['compute_capability']}",
    "products": _product,
    "nvidia_smi_names": lambda row: f"GPU {row['name']} of nvidia-smi",
    "other_vendors": lambda row: f"vendor {row['vendor']}",
    "branches": lambda row: f"driver branch {row['branch']}",
    "toolkits": lambda row: f"CUDA {row['version']}",
    "compatibility": lambda row: f"driver floor of CUDA {_bounds(row['cuda'])}",
    "cudnn": lambda row: f"GPUs of cuDNN {_bounds(row['cudnn'])}",
    "cudnn_releases": lambda row: f"cuDNN {row['version']}",
    "nccl_releases": lambda row: f"NCCL {row['version']}",
    "torch": lambda row: f"torch {row['version']}",
    "archive": lambda row: f"torch {row['line']} of the archive",
    "compilers": lambda row: f"host compilers of CUDA {row['cuda']}",
    "nccl_symbols": lambda row: f"NCCL's {row['symbol']}",
    "kinds": lambda row: f"kind {row['kind']}",
    "symptoms": lambda row: f"symptom {row['name']}",
    "issues": lambda row: f"known issue {row['id']}",
}
"""Table → how a row of it is called."""


def told(row: Row) -> str:
    """That a row is new, with the day of it where there is one."""
    released = row.get("released")
    return f"added, released {released}" if released else "added"
