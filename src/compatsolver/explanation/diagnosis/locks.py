"""A lock held against the catalogue, a target and an environment of today, without solving."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from packaging.markers import Marker
from packaging.version import InvalidVersion, Version

from compatsolver.catalog.hosts import placed
from compatsolver.model.diagnosis import (
    CERTAIN,
    COMPATIBLE,
    ERROR,
    INCOMPATIBLE,
    UNDETERMINED,
    Diagnosis,
    Drift,
    Finding,
)
from compatsolver.model.fix import DISPLAY_ONLY, Fix
from compatsolver.model.markers import marker_of
from compatsolver.model.request import Target, normalised
from compatsolver.model.rule import Kind
from compatsolver.observation.completion import complete
from compatsolver.requirements.markers import applies
from compatsolver.requirements.pylock import read_lock, read_locked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.model.environment import Environment
    from compatsolver.model.lock import Lock
    from compatsolver.model.request import Listing

_T = TypeVar("_T")
_WORST_FIRST = (INCOMPATIBLE, UNDETERMINED, COMPATIBLE)
_DIGEST_SHOWN = 12


class Pins(NamedTuple):
    """The pins of a lock that the catalogue holds facts on, and what is to be told of the others."""

    texts: tuple[str, ...]
    notes: tuple[str, ...]


def check_locks(
    catalog: Catalog,
    paths: Iterable[Path],
    described: Target,
    given: Environment | None,
    check: Callable[[Sequence[str], Target, str | None], Diagnosis],
) -> Diagnosis:
    """Each lock held against the target, or against each of its own where none was described.

    `check` judges pins on a target with a CUDA runtime; `given` is the environment whose packages may have drifted.
    """
    found = []
    for path in paths:
        lock = read_locked(path)
        is_its_own = lock.targets and given is None and described == Target()
        for machine in lock.targets if is_its_own else (placed_by(lock, complete(described, given)),):
            target = placed(catalog, machine)
            pins = known_pins(catalog, read_lock(path, target))
            diagnosis = check(pins.texts, target, runtime_of(lock))
            packages = given.packages if given else {}
            found.append(held_against(diagnosis, catalog, lock, target, packages, pins.notes))
    return together(found)


def known_pins(catalog: Catalog, listing: Listing) -> Pins:
    """Tell the packages of the catalogue from those that only an index knows, and that a lock took from there."""
    packages = {name for name, component in catalog.components.items() if component.kind == "package"}
    known = tuple(entry.text for entry in listing.requirements if entry.name in packages)
    others = len(listing.requirements) - len(known)
    are, them = ("package of the lock is", "it") if others == 1 else ("packages of the lock are", "them")
    note = f"{others} other {are} not in the catalogue, and no rule speaks of {them}"
    return Pins(known, (*listing.notes, *((note,) if others else ())))


def runtime_of(lock: Lock) -> str | None:
    """The CUDA runtime of torch's build, where its version does not tell it: that of a build of the default index.

    None for a lock of several platforms, since they may have it in different builds.
    """
    is_told = any("+" in package.version for package in lock.packages if package.name == "torch")
    is_one = len({target.platform for target in lock.targets}) == 1
    return lock.accelerator.cuda if is_one and not is_told else None


def placed_by(lock: Lock, target: Target) -> Target:
    """The target with Python, platform and glibc of the lock's only machine in place of those that were assumed."""
    if len(lock.targets) != 1:
        return target
    machine = lock.targets[0]._asdict()
    axes = (*target.assumed, *(("python_patch",) if "python" in target.assumed else ()))
    return target._replace(assumed=(), **{axis: machine[axis] for axis in axes})


def held_against(
    diagnosis: Diagnosis,
    catalog: Catalog,
    lock: Lock,
    target: Target,
    installed: Mapping[str, str],
    notes: Sequence[str] = (),
) -> Diagnosis:
    """What the rules say of a lock's pins, with what has changed since and where an environment departs from it.

    Packages of the environment that the lock does not name are no matter; an empty environment is none that was given.
    """
    drift = tuple(drifted(lock, target, installed)) if installed else ()
    findings = (*uncovered(lock, target), *diagnosis.findings)
    broken = drift or any(finding.severity == ERROR for finding in findings)
    return replace(
        diagnosis,
        verdict=INCOMPATIBLE if broken else diagnosis.verdict,
        findings=findings,
        drift=drift,
        notes=(*changed_facts(catalog, lock), *notes),
    )


def together(each: Sequence[Diagnosis]) -> Diagnosis:
    """The answers for several targets as one: the worst verdict, and what was found for any of them once."""
    first = each[0]
    return replace(
        first,
        verdict=min((entry.verdict for entry in each), key=_WORST_FIRST.index),
        findings=_once(finding for entry in each for finding in entry.findings),
        missing=_once(missing for entry in each for missing in entry.missing),
        drift=_once(drift for entry in each for drift in entry.drift),
        notes=_once(note for entry in each for note in entry.notes),
        not_understood=_once(text for entry in each for text in entry.not_understood),
    )


def drifted(lock: Lock, target: Target, installed: Mapping[str, str]) -> Iterator[Drift]:
    """The locked packages that the environment has in another version, or not at all."""
    found = {normalised(name): version for name, version in installed.items()}
    for package in lock.packages:
        if package.marker and not applies(Marker(package.marker), target, package.name):
            continue
        if not _same(package.version, found.get(package.name)):
            yield Drift(package.name, package.version, found.get(package.name))


def changed_facts(catalog: Catalog, lock: Lock) -> Iterator[str]:
    """A note where the lock was made with other facts than these; the pins are held against today's."""
    digest = lock.catalog.get("digest")
    if digest and digest != catalog.identity()["digest"]:
        then = f"{lock.catalog.get('version')} (digest {digest[:_DIGEST_SHOWN]})"
        yield f"made with catalogue {then}; the facts have changed since, and the pins are held against today's"


def uncovered(lock: Lock, target: Target) -> Iterator[Finding]:
    """A finding where the target is of a Python or a platform that the lock was not made for."""
    if not lock.targets or marker_of(target) in map(marker_of, lock.targets):
        return
    same_platform = target.platform in {other.platform for other in lock.targets}
    made_for = " and ".join(dict.fromkeys(_words(other) for other in lock.targets))
    yield Finding(
        kind=(Kind.PYTHON_NO_WHEEL if same_platform else Kind.INDEX_NO_SUCH_WHEEL).value,
        severity=ERROR,
        confidence=CERTAIN,
        summary=f"the lock holds no files for {_words(target)}",
        requires=made_for,
        found=_words(target),
        fixes=(Fix("none", f"Make a lock for {_words(target)}.", applicability=DISPLAY_ONLY),),
    )


def _once(entries: Iterable[_T]) -> tuple[_T, ...]:
    return tuple(dict.fromkeys(entries))


def _words(target: Target) -> str:
    return f"Python {target.python} on {target.platform}"


def _same(locked: str, found: str | None) -> bool:
    """Whether two versions are one, the local version included: it tells one build from another."""
    if found is None:
        return False
    try:
        return Version(locked) == Version(found)
    except InvalidVersion:
        return locked == found
