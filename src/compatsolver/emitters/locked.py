"""What the formats share: locked packages as requirements, their indexes, and words about what a lock is for."""

from __future__ import annotations

import re
from pathlib import PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING

from compatsolver.errors import InputError
from compatsolver.model.request import normalised, project_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from compatsolver.model.lock import Lock, LockedPackage
    from compatsolver.model.request import Target

DIGEST_SHOWN = 12
_CREDENTIALS = re.compile(r"(?<=://)[^/\s]*@")


def project(package: LockedPackage) -> str:
    """The name with its extras."""
    return f"{package.name}[{','.join(package.extras)}]" if package.extras else package.name


def pinned(package: LockedPackage) -> str:
    """The package and its version, as every installer takes it."""
    return f"{project(package)}=={package.version}"


def requirement(package: LockedPackage) -> str:
    """A line of a requirements file, without marker and hashes; a relative path is a path and no longer a name."""
    if not package.direct:
        return pinned(package)
    file = package.files[0]
    if file.url:
        return f"{project(package)} @ {public(file.url)}"
    extras = f"[{','.join(package.extras)}]" if package.extras else ""
    absolute = absolute_path(file.path or "")
    return f"{project(package)} @ {absolute.as_uri()}" if absolute else f"{relative_path(file.path or '')}{extras}"


def absolute_path(path: str) -> PurePosixPath | PureWindowsPath | None:
    """The path where it is absolute on the system it was written on."""
    return next((kind for kind in (PurePosixPath(path), PureWindowsPath(path)) if kind.is_absolute()), None)


def relative_path(path: str) -> str:
    """A relative path as every system reads it, told from a name by its first characters."""
    return f"./{path.replace(chr(92), '/').removeprefix('./')}"


def public(text: str) -> str:
    """A text without the credentials that its URLs may carry: a lock is shared."""
    return _CREDENTIALS.sub("", text)


def indexes(packages: Iterable[LockedPackage]) -> tuple[str, ...]:
    """The indexes beside the default one, each once."""
    return tuple(dict.fromkeys(public(package.index) for package in packages if package.index))


def indexless(lock: Lock) -> Lock:
    """The lock as the folder serves it: no index is named, and no file by an address of its own."""
    return lock._replace(packages=tuple(package._replace(index=None, direct=False) for package in lock.packages))


def asked(lock: Lock) -> tuple[LockedPackage, ...]:
    """The packages that were named in the request, and torch; all of them where the request names none."""
    names = {normalised(project_of(text)) for text in lock.requested}
    found = [entry for entry in lock.packages if entry.name in names or entry.direct or entry.name == "torch"]
    return tuple(found) or lock.packages


def opening(lock: Lock) -> tuple[str, ...]:
    """Sentences for the head of a file: where it comes from, what was asked for, and which machines it is for."""
    version, digest = lock.catalog.get("version", "unknown"), lock.catalog.get("digest", "unknown")
    lines = [f"Locked by compatsolver, catalogue {version} (digest {digest[:DIGEST_SHOWN]})."]
    lines += [f"Asked for: {', '.join(lock.requested)}"] if lock.requested else []
    lines += [f"Made for: {target_words(target)}" for target in lock.targets]
    lines += [f"Condition: {condition}" for condition in lock.conditions]
    return tuple(public(" ".join(line.split())) for line in lines)


def comments(lines: Iterable[str]) -> str:
    """Sentences as comment lines of a file."""
    return "".join(f"# {line}\n" for line in lines)


def target_words(target: Target) -> str:
    """A machine in a phrase."""
    gpus = None if target.gpus is None else " and ".join(target.gpus) or "no GPU"
    driver = f"driver {target.driver}" if target.driver else None
    python = f"Python {target.python}" if target.python else None
    glibc = f"glibc {target.glibc}" if target.glibc else None
    return ", ".join(words for words in (gpus, driver, target.host_platform, python, glibc) if words)


def pythons(lock: Lock) -> tuple[str, ...]:
    """The minor versions of Python that the lock is for (`3.12`, `3.14t`), oldest first."""
    found = {minor_of(target.python) for target in lock.targets if target.python}
    return tuple(sorted(found, key=lambda text: (int(text.rstrip("t").split(".")[1]), text)))


def only_python(lock: Lock, file: str) -> str:
    """The Python of a file that can name one; raises InputError where the lock is for several or for none."""
    found = pythons(lock)
    if len(found) != 1:
        words = " and ".join(found) or "no Python that was named"
        raise InputError(f"{file} is for one Python, and this lock is for {words}", hint="make one lock for each")
    return found[0]


def minor_of(python: str) -> str:
    """The minor version of a Python: `3.12` of 3.12.3, `3.14t` of 3.14.0t."""
    free_threaded = "t" if python.endswith("t") else ""
    return ".".join(python.rstrip("t").split(".")[:2]) + free_threaded
