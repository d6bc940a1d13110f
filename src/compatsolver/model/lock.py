"""A lock: every package of a closure with its files and their hashes, and what it was made from."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from compatsolver.model.request import Target

SCHEMA = "compatsolver.lock/1"


class LockedFile(NamedTuple):
    """One distribution file. `hashes` maps an algorithm (`sha256`) to the hexadecimal digest and is never empty.

    `url` is where the index serves it; `path` is a file of this machine instead. `size` is in bytes, None where the
    index does not say.
    """

    name: str
    hashes: Mapping[str, str]
    url: str | None = None
    path: str | None = None
    size: int | None = None

    @property
    def is_wheel(self) -> bool:
        """Whether it is installed as it is; a source distribution has to be built."""
        return self.name.endswith(".whl")


class LockedPackage(NamedTuple):
    """One version of a project, with the files that the lock's targets can install.

    `version` holds the local version as well (`2.14.1+cu126`). `index` is None for the default package index.
    `requires` are normalised names of other packages in the lock. `marker` says on which of the lock's targets the
    package belongs; None is all of them. `direct` is a package that was asked for by URL or path.
    """

    name: str
    version: str
    files: tuple[LockedFile, ...]
    index: str | None = None  # type: ignore[assignment]  # hides tuple.index, which nobody asks of it
    requires: tuple[str, ...] = ()
    requires_python: str | None = None
    marker: str | None = None
    extras: tuple[str, ...] = ()
    direct: bool = False


class Accelerator(NamedTuple):
    """What the stack's builds ask of GPU and host.

    `capabilities` are those of the targets' GPUs (`8.9`). `cuda` is the runtime that torch's build brings, `toolkit`
    the newest release of that minor version (`12.6.3`), `driver` the oldest that runs it on the host. None where there
    is none or it is unknown.
    """

    capabilities: tuple[str, ...] = ()
    cuda: str | None = None
    toolkit: str | None = None
    driver: str | None = None


NO_ACCELERATOR = Accelerator()


class Lock(NamedTuple):
    """A closure that is complete on each of its targets; packages stand in the order of their names.

    `requested` are requirements as typed, `targets` the machines it was made for, `catalog` the version and digest of
    the catalogue that allowed the stack's packages, `conditions` and `notes` what the plan of the stack had to say.
    `remarks` tell what of this machine's configuration was used; they are in no file that is written.
    """

    packages: tuple[LockedPackage, ...]
    targets: tuple[Target, ...]
    requested: tuple[str, ...]
    catalog: Mapping[str, str]
    conditions: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    accelerator: Accelerator = NO_ACCELERATOR
    remarks: tuple[str, ...] = ()

    def package(self, name: str) -> LockedPackage:
        """The package of a normalised name; raises KeyError where the lock has none."""
        for package in self.packages:
            if package.name == name:
                return package
        raise KeyError(name)
