"""Builds that are made together agree: patch releases of a line, platforms of a build, builds of a release.

Each law held for every build of torch 1.13 to 2.15. A build that really differs says so: its notes name the other one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from compatsolver.authoring.lint.hardware import toolkit_minor
from compatsolver.authoring.lint.problem import Finding, Lint
from compatsolver.authoring.universe import KNOWN_TO_EXIST

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator

    from compatsolver.authoring.schema import BuildRow, Tables


def patch_releases_alike(tables: Tables) -> Iterator[Finding]:
    """The releases of a line are compiled for the same targets, build by build and platform by platform."""
    yield from _agree(
        tables,
        "targets",
        lambda version, build: (_line(version), build.build, build.platform),
        lambda build: (build.archs.sass, build.archs.ptx) if build.archs and build.archs.sass else None,
    )


def linux_platforms_alike(tables: Tables) -> Iterator[Finding]:
    """On both Linux platforms a build comes with the same CUDA, cuDNN and NCCL."""
    for column in ("cuda", "cudnn", "nccl"):
        yield from _agree(
            tables,
            column,
            lambda version, build: (version, build.build) if build.platform.startswith("linux") else None,
            lambda build, column=column: getattr(build, column),  # type: ignore[misc]
        )


def triton_alike(tables: Tables) -> Iterator[Finding]:
    """All Linux builds of a release require the same Triton, those for a platform on the same Pythons."""
    yield from _agree(
        tables,
        "triton",
        lambda version, build: version if build.platform.startswith("linux") else None,
        lambda build: build.triton,
    )
    yield from _agree(
        tables,
        "Pythons with triton",
        lambda version, build: (version, build.platform),
        lambda build: build.triton_pythons,
    )


def abi_alike(tables: Tables) -> Iterator[Finding]:
    """The builds of a release for a platform have the same C++ ABI."""
    yield from _agree(
        tables, "C++ ABI", lambda version, build: (version, build.platform), lambda build: build.cxx11_abi
    )


def default_index_served(tables: Tables) -> Iterator[Finding]:
    """The default index has a build of every release for every platform that the release has builds for."""
    for release in tables.torch:
        builds = [build for build in release.builds if build.published in KNOWN_TO_EXIST]
        served = {build.platform for build in builds if build.default_index}
        for build in {build.platform: build for build in builds}.values():
            if build.platform not in served:
                message = f"the default index has no torch {release.version} for {build.platform}"
                yield Finding(build, message, "say which build it serves")


def branch_cuda_came_with_it(tables: Tables) -> Iterator[Finding]:
    """The newest CUDA of a driver branch is that of the newest toolkit which came with the branch."""
    for row in tables.branches:
        own = [toolkit_minor(each.version) for each in tables.toolkits if each.branch == row.branch]
        if own and row.max_cuda and max(own) != toolkit_minor(row.max_cuda):
            message = f"{row.branch} supports CUDA {row.max_cuda}, and CUDA {max(own)} came with it"
            yield Finding(row, message, "correct one of them")


def _agree(
    tables: Tables,
    what: str,
    kin: Callable[[str, BuildRow], Hashable | None],
    value: Callable[[BuildRow], Any],
) -> Iterator[Finding]:
    """Rows of the same kin whose values differ; what is unknown differs from nothing."""
    first: dict[Hashable, tuple[str, Any]] = {}
    for release in tables.torch:
        for build in release.builds:
            group, found = kin(release.version, build), value(build)
            if group is None or found is None or build.published not in KNOWN_TO_EXIST:
                continue
            name = f"{release.version}+{build.build} for {build.platform}"
            other, expected = first.setdefault(group, (name, found))
            if found != expected and not _says_so(build, other):
                message = f"torch {name} has other {what} than {other}: {_words(found)}, not {_words(expected)}"
                yield Finding(build, message, "correct one; if both are right, name the other in the notes")


def _says_so(build: BuildRow, other: str) -> bool:
    notes = [*build.notes, *(build.archs.notes if build.archs else ())]
    return any(other.partition(" ")[0] in note for note in notes)


def _line(version: str) -> str:
    return ".".join(version.split(".")[:2])


def _words(value: Any) -> str:
    if isinstance(value, tuple):
        return ", ".join(text for texts in value for text in texts or ())
    return str(value)


LINTS: tuple[Lint, ...] = (
    patch_releases_alike,
    linux_platforms_alike,
    triton_alike,
    abi_alike,
    default_index_served,
    branch_cuda_came_with_it,
)
