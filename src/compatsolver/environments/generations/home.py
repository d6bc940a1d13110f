"""Where the generations of an environment lie: a folder beside its path, and a link at the path to the one in use.

The folder of a generation has a record beside it once it is whole. Whatever else is in there was left behind by a
process that did not come to its end, and its names are never used again, so that such a process disturbs nobody.
"""

from __future__ import annotations

import json
import os
import shutil
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, NamedTuple

from compatsolver.errors import InputError, ProbeError
from compatsolver.files import replace
from compatsolver.model.generation import Generation, Proof

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

LOCKED = "pylock.toml"
"""The lock that a generation was made from, in its folder."""
_LOCK, _IGNORED = "lock", ".gitignore"
_RECORD = ".json"
_ODD = ("'", '"')


class Home(NamedTuple):
    """The path that people activate, which is a link, and the folder of its generations."""

    environment: Path
    folder: Path

    def path(self, generation: Generation) -> Path:
        """Where a generation lies."""
        return self.folder / generation.folder


def home_of(environment: Path) -> Home:
    """The home of the environment at a path; raises InputError where something else is at that path."""
    environment = Path(os.path.abspath(environment))  # noqa: PTH100 (a link at the path must stay one)
    home = Home(environment, environment.parent / f"{environment.name}.generations")
    _refuse_odd(home)
    if os.path.lexists(environment) and target(home) is None:
        raise InputError(
            f"{environment} was not made by sync, and is left alone",
            hint=f"move it away (mv {environment.name} {environment.name}.before), or name another path with --env",
        )
    return home


def _refuse_odd(home: Home) -> None:
    """Refuse a path that the scripts which activate an environment cannot name, or the file system cannot hold."""
    odd = sorted({mark for mark in (*_ODD, os.pathsep) if mark in str(home.environment)[len(home.environment.drive) :]})
    if odd:
        raise InputError(
            f"{home.environment} has {' and '.join(odd)} in it, which the scripts that activate it cannot name",
            hint="name another path with --env",
        )
    try:
        home.folder.exists()
    except OSError as error:
        raise InputError(f"{home.environment}: {error.strerror}", hint="name another path with --env") from None


def kept(home: Home) -> tuple[Generation, ...]:
    """The generations that are whole, newest first."""
    found = [generation for path in home.folder.glob(f"*{_RECORD}") if (generation := _read(home, path))]
    return tuple(sorted(found, key=lambda generation: generation.number, reverse=True))


def active(home: Home, generations: Iterable[Generation]) -> Generation | None:
    """The generation in use."""
    folder = target(home)
    return next((generation for generation in generations if generation.folder == folder), None)


@contextmanager
def held(home: Home, tell_and_wait: Callable[[str], None] | None = None) -> Iterator[None]:
    """Keep other processes from changing the generations; the system ends this with the process, however that ends.

    Where another process is at work that is told and waited for, or raises ProbeError where nobody is to be told.
    """
    from filelock import FileLock, Timeout

    home.folder.mkdir(parents=True, exist_ok=True)
    lock = FileLock(home.folder / _LOCK)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        name = home.environment.name
        if tell_and_wait is None:
            raise ProbeError(f"another process is at work on {name}", hint="try again when it has ended") from None
        tell_and_wait(f"another process is at work on {name}; waiting for it")
        lock.acquire()
    try:
        ignored = home.folder / _IGNORED
        if not ignored.exists():
            ignored.write_text("*\n", encoding="utf-8")
        yield
    finally:
        lock.release()


def record(home: Home, generation: Generation) -> None:
    """Write down that a generation is whole."""
    replace(_record(home, generation), json.dumps(generation.to_dict(), indent=1).encode())


def point_to(home: Home, generation: Generation) -> None:
    """Have the path lead to a generation, in one step.

    Windows replaces no link to a folder, so that there, for a moment, nothing is at the path.
    """
    fresh = home.folder / f"link-{token_hex(4)}"
    fresh.symlink_to(Path(home.folder.name, generation.folder), target_is_directory=True)
    if os.name == "nt":
        home.environment.unlink(missing_ok=True)
    fresh.replace(home.environment)


def delete(home: Home, generation: Generation) -> None:
    """Take a generation away, its record first: what has no record counts as not there."""
    _record(home, generation).unlink()
    shutil.rmtree(home.path(generation), ignore_errors=True)


def clean(home: Home) -> bool:
    """Delete what interrupted processes left behind, which has no record; whether there was anything.

    What is in use stays whatever its record says, and so does what has a record that cannot be read: it was whole once.
    """
    whole = {path.name.removesuffix(_RECORD) for path in home.folder.glob(f"*{_RECORD}")}
    whole = {folder for folder in whole if (home.folder / folder).is_dir()}
    ours = {_LOCK, _IGNORED, target(home), *whole, *(f"{folder}{_RECORD}" for folder in whole)}
    left = [path for path in home.folder.iterdir() if path.name not in ours]
    for path in left:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
    return bool(left)


def next_number(home: Home) -> int:
    """One more than any generation there is, be its record readable or not."""
    numbers = (path.name.partition("-")[0] for path in home.folder.iterdir())
    return 1 + max((int(number) for number in numbers if number.isdecimal()), default=0)


def disk_use(folder: Path) -> int:
    """The bytes that a folder takes on disk, a file with several names counted once."""
    sizes: dict[tuple[int, int], int] = {}
    for root, _, names in os.walk(folder):
        for name in names:
            with suppress(FileNotFoundError):
                status = os.lstat(os.path.join(root, name))  # noqa: PTH118 (a Path for each of 50,000 files is slow)
                blocks = getattr(status, "st_blocks", None)  # Windows has none
                sizes[status.st_dev, status.st_ino] = status.st_size if blocks is None else blocks * 512
    return sum(sizes.values())


def target(home: Home) -> str | None:
    """The folder of the generation that the path leads to; None where it leads to none."""
    if not home.environment.is_symlink():
        return None
    target = home.environment.parent / home.environment.readlink()
    return target.name if target.parent == home.folder else None


def _record(home: Home, generation: Generation) -> Path:
    return home.folder / f"{generation.folder}{_RECORD}"


def _read(home: Home, path: Path) -> Generation | None:
    """The generation of a record; None where it cannot be read or what it tells of is gone."""
    try:
        row = json.loads(path.read_text(encoding="utf-8"))
        generation = Generation(**{**row, "proof": _proof(row["proof"])})
    except (OSError, ValueError, TypeError, KeyError):
        return None
    return generation if home.path(generation).is_dir() else None


def _proof(row: dict[str, object]) -> Proof:
    lists = {name: value for name, value in row.items() if isinstance(value, list)}
    return Proof(**{**row, **{name: tuple(value) for name, value in lists.items()}})  # type: ignore[arg-type]
