"""What the public functions take by keyword: for readers and type checkers alone, nothing imports it when it runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from compatsolver.model.environment import Environment
    from compatsolver.model.request import Target


class TargetAxes(TypedDict, total=False):
    """The machine, axis by axis; what is left out is "not given".

    `gpu`: a marketing name, nvidia-smi name, capability (`8.9`), `sm_89`, a list of them, or `none` for a CPU stack.
    `environment`: a file that describes a machine, or an `Environment`; the other axes win over it. `target`: the
    machine as an object, in place of all of these.
    """

    gpu: str | Sequence[str] | None
    driver: str | None
    python: str | None
    platform: str | None
    glibc: str | None
    wsl: bool
    container: str | None
    environment: str | Path | Environment | None
    target: Target | None


class Options(TargetAxes, total=False):
    """What else a request may say.

    `files`, `constraints`: paths of requirements files; `locks`: of pylock.toml files. `project`: a pyproject.toml,
    whose dependencies and the `extras` named are required. `profile`: a set of packages the catalogue names. `cuda`: a
    version or PEP 440 specifier on the runtime, `cu126`, or `none`. `policy`: `newest`, `conservative` or `closest`.
    `catalog`: another compiled catalogue; `overlay`: paths of YAML files that add or correct facts.
    """

    files: Sequence[str | Path]
    constraints: Sequence[str | Path]
    locks: Sequence[str | Path]
    project: str | Path | None
    extras: Sequence[str]
    profile: str | None
    cuda: str | None
    policy: str
    catalog: str | Path | None
    overlay: Sequence[str | Path]


class LockOptions(Options, total=False):
    """What else a lock may say.

    `index_url`, `extra_index_urls`: indexes in place of the configured ones; the extra ones are asked first.
    `pytorch_index_url`: a mirror of PyTorch's indexes. `offline`: from the cache alone. `refresh`: ask for every page
    anew. `prereleases`: take them as well. `also`: further targets, each by the axes in which it differs from the
    first. `progress` is told in words what is being done.
    """

    also: Sequence[TargetAxes]

    index_url: str | None
    extra_index_urls: Sequence[str]
    pytorch_index_url: str | None
    offline: bool
    refresh: bool
    prereleases: bool
    progress: Callable[[str], None]


class ProjectOptions(LockOptions, total=False):
    """What a project may be told besides what its lock is.

    A file that is there with other contents is replaced where `force` names it, and left where `keep` does.
    `base_image` is the image that the Dockerfile starts from.
    """

    force: Sequence[str]
    keep: Sequence[str]
    base_image: str | None
