"""Requirements files for pip and uv: one with every package and its hashes, and a short one for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.emitters.locked import asked, comments, indexes, opening, requirement

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from compatsolver.model.lock import Lock, LockedPackage

NAME, SHORT = "requirements.txt", "requirements.in"
BEST_MATCH = "--index-strategy unsafe-best-match"
"""uv stops at the first index that has a name; among several, hashes say better which file is meant."""


def render(lock: Lock) -> Mapping[str, str]:
    """The file for installers first, then the short one: what was asked for, and the versions it got."""
    strategy = f" {BEST_MATCH}" if indexes(lock.packages) else ""
    install = (
        f"Install it with: pip install --require-hashes -r {NAME}",
        f"             or: uv pip install --require-hashes{strategy} -r {NAME}",
    )
    short = [*opening(lock), f"For people: what was asked for. All packages with their hashes are in {NAME}."]
    return {
        NAME: hashed(lock.packages, (*opening(lock), *install)),
        SHORT: "\n".join((comments(short), *sources(asked(lock)), *map(_marked, asked(lock)), "")),
    }


def hashed(packages: Iterable[LockedPackage], head: Iterable[str]) -> str:
    """A requirements file in hash-checking mode, with sentences at its head."""
    packages = tuple(packages)
    return "\n".join((comments(head), *sources(packages), *map(hashed_line, packages), ""))


def cannot_express(lock: Lock) -> tuple[str, ...]:
    """What these files say in comments only, and how an installer has to be told the rest."""
    lost = ["Python, platform, GPU and driver are comments: nothing keeps the file from another machine"]
    if indexes(lock.packages):
        lost.append(
            f"which index a package comes from: the hashes alone tell the files apart, and uv needs {BEST_MATCH}"
        )
    if any(package.direct and package.files[0].path for package in lock.packages):
        lost.append("relative paths count from the directory that the installer is started in")
    return tuple(lost)


def sources(packages: Iterable[LockedPackage]) -> tuple[str, ...]:
    """The lines that name the indexes beside the default one."""
    return tuple(f"--extra-index-url {index}" for index in indexes(packages))


def hashed_line(package: LockedPackage, join: str = " \\\n    ") -> str:
    """A requirement with its marker and the hashes of all its files."""
    digests = {f"--hash={name}:{digest}" for file in package.files for name, digest in file.hashes.items()}
    return join.join((_marked(package), *sorted(digests)))


def _marked(package: LockedPackage) -> str:
    text = requirement(package)
    return f"{text} ; {package.marker}" if package.marker else text
