"""What a sync is asked for: the lock with what it is for, and how its environment is to be made."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypedDict

from compatsolver.environments.generations.installers import AUTO, CHOICES, Source
from compatsolver.errors import InputError
from compatsolver.model.generation import LEVELS, QUICK
from compatsolver.model.validation import DEVICES
from compatsolver.observation.live import here
from compatsolver.requirements.pylock import read_locked, without_version

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from compatsolver.model.lock import Lock

ENVIRONMENT = ".venv"
KEEP = 3


class SyncOptions(TypedDict, total=False):
    """How an environment is made.

    `environment`: its path, `.venv` unless given. `prove`: `none`, `quick` or `full`. `keep`: how many generations.
    `wheelhouse`: a folder with the files, used without network. `offline`: use what the installer has kept. `python`:
    the path or version of an interpreter. `installer`: `auto`, `uv` or `pip`. `device`: as for `validate`. `wait`:
    whether to wait for another process that is at work there. `progress` is called with what is being done, `tell` with
    what a user should know at once. `catalog`, `overlay`: as for `plan`.
    """

    environment: str | Path
    prove: str
    keep: int
    wheelhouse: str | Path | None
    offline: bool
    python: str | None
    installer: str
    device: str
    wait: bool
    progress: Callable[[str], None] | None
    tell: Callable[[str], None] | None
    catalog: str | Path | None
    overlay: Sequence[str | Path]


class Order(NamedTuple):
    """Those options with the lock that was read from `file`; `digest` is that file's SHA-256."""

    file: Path
    lock: Lock
    digest: str
    environment: Path
    prove: str
    keep: int
    source: Source
    python: str | None
    installer: str
    device: str
    wait: bool
    progress: Callable[[str], None]
    tell: Callable[[str], None]


def order_of(lock: str | Path, options: SyncOptions) -> Order:
    """Read a lock and the options; raises InputError where the environment could not be made from them."""
    file, wheelhouse, python = Path(lock).absolute(), options.get("wheelhouse"), options.get("python")
    keep = options.get("keep", KEEP)
    if keep < 1:
        raise InputError(f"{keep} generations cannot be kept", hint="keep at least 1, the one in use")
    return Order(
        file=file,
        lock=_read(file),
        digest=hashlib.sha256(file.read_bytes()).hexdigest(),
        environment=Path(options.get("environment", ENVIRONMENT)),
        prove=_one_of("level of proof", options.get("prove", QUICK), LEVELS),
        keep=keep,
        source=Source(_folder(wheelhouse) if wheelhouse else None, options.get("offline", False)),
        python=str(Path(python).absolute()) if python and len(Path(python).parts) > 1 else python,
        installer=_one_of("installer", options.get("installer", AUTO), CHOICES),
        device=_one_of("device", options.get("device", DEVICES[0]), DEVICES),
        wait=options.get("wait", True),
        progress=options.get("progress") or _nobody,
        tell=options.get("tell") or _nobody,
    )


def _nobody(_words: str) -> None:
    """Nobody is told."""


def _one_of(what: str, value: str, known: Sequence[str]) -> str:
    if value not in known:
        raise InputError(f"there is no {what} {value!r}", hint=f"use one of {', '.join(known)}")
    return value


def _folder(path: str | Path) -> Path:
    folder = Path(path).absolute()
    if not folder.is_dir():
        raise InputError(f"{path}: there is no such folder", hint="`compatsolver lock --wheelhouse DIR` fills one")
    return folder


def _read(file: Path) -> Lock:
    """The lock, if it says what every file is and is for this platform."""
    lock = read_locked(file)
    if without := without_version(file):
        raise InputError(
            f"{file.name}: {', '.join(without)} has no version and no hash in the lock",
            hint="build a wheel of it, and lock that by its path",
        )
    platforms = {target.platform for target in lock.targets if target.platform}
    if platforms and here.platform() not in platforms:
        raise InputError(
            f"{file.name} is for {' and '.join(sorted(platforms))}, and this machine is {here.platform()}",
            hint=f"make one for it: compatsolver lock --platform {here.platform()}, or add it with --also",
        )
    return lock
