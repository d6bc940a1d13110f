"""Specifiers in the precision of the catalogue: CUDA by its minor version, cuDNN by all four fields of its wheels."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from packaging.specifiers import Specifier, SpecifierSet

_CUDA_PATCH = re.compile(r"(\d+\.\d+)\.(\d+)(?:\.\d+)*(?:\.\*)?")
_CUDNN_RELEASE = re.compile(r"\d+(?:\.\d+){0,2}")
_OF_ITS_MINOR = {"==": "==", "===": "==", "~=": "==", ">=": ">=", ">": ">=", "<=": "<=", "<": "<="}


def cuda_by_minor(specifier: SpecifierSet) -> SpecifierSet:
    """Each patch release of CUDA widened to its minor version; to exclude one patch release excludes nothing then."""
    return type(specifier)(",".join(_widened(entry) for entry in specifier))


def _widened(entry: Specifier) -> str:
    match = _CUDA_PATCH.fullmatch(entry.version)
    if not match:
        return str(entry)
    if entry.operator == "<" and int(match[2]) == 0:
        return f"<{match[1]}"
    operator = _OF_ITS_MINOR.get(entry.operator)
    return f"{operator}{match[1]}" if operator else ""


def cudnn_by_release(specifier: SpecifierSet) -> SpecifierSet:
    """`9.10.2` as NVIDIA writes it: the release whose wheels are 9.10.2.x."""
    return type(specifier)(",".join(_completed(entry) for entry in specifier))


def _completed(entry: Specifier) -> str:
    if not _CUDNN_RELEASE.fullmatch(entry.version):
        return str(entry)
    *fields, last = entry.version.split(".")
    following = ".".join([*fields, str(int(last) + 1)])
    of_the_release = {"==": f"=={entry.version}.*", "!=": f"!={entry.version}.*"}
    past_the_release = {">": f">={following}", "<=": f"<{following}"}
    return (of_the_release | past_the_release).get(entry.operator, str(entry))
