"""What the name of a distribution's file says: the project and the version."""

from __future__ import annotations

from packaging.utils import canonicalize_name

SOURCES = (".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")
"""The archives that count as sources."""


def project_name(file: str) -> str | None:
    """The normalised name of the project that a file is of; None where it is no distribution."""
    if file.endswith(".whl"):
        return canonicalize_name(file.partition("-")[0])
    stem = next((file.removesuffix(suffix) for suffix in SOURCES if file.endswith(suffix)), "")
    return canonicalize_name(stem.rpartition("-")[0]) or None


def version_text(file: str, project: str) -> str | None:
    """The version in a file's name: of a wheel the second part, of a source what follows the project's name."""
    if file.endswith(".whl"):
        parts = file.split("-")
        return parts[1].replace("_", "-") if len(parts) in (5, 6) else None
    for suffix in SOURCES:
        if file.endswith(suffix):
            stem = file.removesuffix(suffix)
            name, _, version = stem.rpartition("-")
            return version if name and canonicalize_name(name) == project else None
    return None
