"""One lock for several targets: what they share stands once, what differs carries the marker of its targets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.errors import InputError
from compatsolver.model.lock import Accelerator, Lock, LockedPackage
from compatsolver.model.markers import marker_of
from compatsolver.model.version import Capability, NumericVersion

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from compatsolver.model.lock import LockedFile


def together(locks: Sequence[Lock]) -> Lock:
    """The locks of one target each as one; raises InputError where no marker can tell two that differ apart."""
    _refuse_alike(locks)
    rows: dict[tuple[str, str, str | None], list[tuple[str, LockedPackage]]] = {}
    for lock in locks:
        for package in lock.packages:
            key = (package.name, package.version, package.index)
            rows.setdefault(key, []).append((marker_of(lock.targets[0]), package))
    everywhere = {marker_of(lock.targets[0]) for lock in locks}
    return locks[0]._replace(
        packages=tuple(_merged(rows[key], everywhere) for key in sorted(rows, key=lambda key: (key[0], key[1]))),
        targets=tuple(target for lock in locks for target in lock.targets),
        conditions=_each_once(text for lock in locks for text in lock.conditions),
        notes=_each_once(text for lock in locks for text in lock.notes),
        accelerator=_accelerator([lock.accelerator for lock in locks]),
    )


def _refuse_alike(locks: Sequence[Lock]) -> None:
    """Targets of one marker, which differ in GPU, driver or glibc alone, have to get the same files."""
    seen: dict[str, Lock] = {}
    for lock in locks:
        other = seen.setdefault(marker_of(lock.targets[0]), lock)
        differing = {package.name for package in _set_apart(lock, other) + _set_apart(other, lock)}
        if differing:
            raise InputError(
                "two targets on one platform and Python get different packages, and no marker tells them apart",
                context=(f"different: {', '.join(sorted(differing))}",),
                hint="make a lock for each, or repeat --gpu for one lock that serves all of the GPUs",
            )


def _set_apart(lock: Lock, other: Lock) -> list[LockedPackage]:
    """The packages of a lock that the other does not have just so."""
    return [package for package in lock.packages if package not in other.packages]


def _merged(rows: Sequence[tuple[str, LockedPackage]], everywhere: set[str]) -> LockedPackage:
    packages = [package for _, package in rows]
    markers = _each_once(marker for marker, _ in rows)
    files: dict[str, LockedFile] = {file.name: file for package in packages for file in package.files}
    return packages[0]._replace(
        files=tuple(files.values()),
        requires=tuple(sorted({name for package in packages for name in package.requires})),
        extras=tuple(sorted({extra for package in packages for extra in package.extras})),
        marker=None if set(markers) == everywhere else " or ".join(f"({marker})" for marker in markers),
    )


def _accelerator(found: Sequence[Accelerator]) -> Accelerator:
    """What all of them ask for: every capability, the newest of the oldest drivers; a runtime only if all share it."""
    drivers = [row.driver for row in found if row.driver]
    return Accelerator(
        capabilities=tuple(sorted({text for row in found for text in row.capabilities}, key=Capability.parse)),
        cuda=found[0].cuda if len({row.cuda for row in found}) == 1 else None,
        toolkit=found[0].toolkit if len({row.toolkit for row in found}) == 1 else None,
        driver=max(drivers, key=NumericVersion.parse, default=None),
    )


def _each_once(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))
