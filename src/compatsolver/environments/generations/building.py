"""One new generation: created, filled from the lock, proven; and nothing of it is left where any of that fails."""

from __future__ import annotations

import shutil
from contextlib import contextmanager
from datetime import datetime, timezone
from secrets import token_hex
from typing import TYPE_CHECKING

from compatsolver.emitters import requirements
from compatsolver.emitters.locked import indexless, minor_of, pythons
from compatsolver.environments.generations.home import LOCKED
from compatsolver.environments.generations.indexes import borrowed
from compatsolver.environments.generations.installers import installer_of, interpreter_of, python_of, run
from compatsolver.errors import InputError
from compatsolver.model.generation import Generation
from compatsolver.observation.live.environments import find_environment
from compatsolver.observation.live.packages import read_installed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.environments.generations.home import Home
    from compatsolver.environments.generations.installers import Installer
    from compatsolver.environments.generations.order import Order


def build(catalog: Catalog, order: Order, home: Home, number: int) -> Generation:
    """A generation that is whole and proven. Raises BuildFailed, ProofFailed, InputError and OSError."""
    from compatsolver.environments.generations.proof import prove

    installer = installer_of(order.installer, order.source)
    with _folder(home, number) as path:
        python = _created(installer, order, home, path)
        _installed(installer, order, path)
        _activate_by(home, path)
        packages = packages_in(path)
        return Generation(
            number=number,
            folder=path.name,
            environment=str(home.environment),
            made=datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
            lock={"file": order.file.name, "digest": order.digest},
            python=python,
            asked_python=order.python,
            installer=installer.name,
            packages=packages,
            proof=prove(catalog, order, path, packages),
        )


def packages_in(path: Path) -> Mapping[str, str]:
    """The packages of an environment by name, read from its files."""
    return {package.name: package.version for package in read_installed(find_environment(path).folders)}


@contextmanager
def _folder(home: Home, number: int) -> Iterator[Path]:
    """The path for a generation, which no other process has used; it is emptied where the block does not end well."""
    path = home.folder / f"{number}-{token_hex(4)}"
    try:
        yield path
    except BaseException:
        shutil.rmtree(path, ignore_errors=True)
        raise


def _created(installer: Installer, order: Order, home: Home, path: Path) -> str | None:
    """Create an empty environment; the version of its Python."""
    order.progress(f"creating {path.name} with {installer.creator}")
    command = installer.creation(path, python_of(order.python, order.lock), home.environment.name, order.source)
    run(f"the environment cannot be created by {installer.creator}", command, order.file.parent, order.progress)
    python = find_environment(path).python
    _refuse_other_python(order, python)
    return python


def _installed(installer: Installer, order: Order, path: Path) -> None:
    """Install the lock, and leave it in the environment."""
    shutil.copyfile(order.file, path / LOCKED)
    listing = path / requirements.NAME
    lock = indexless(order.lock) if order.source.wheelhouse else order.lock
    listing.write_text(requirements.render(lock)[requirements.NAME], encoding="utf-8")
    command = installer.installation(interpreter_of(path), listing, order.source)
    variables = {} if order.source.wheelhouse else borrowed(installer.name)
    run(f"the lock cannot be installed by {installer.name}", command, order.file.parent, order.progress, variables)


def _refuse_other_python(order: Order, python: str | None) -> None:
    locked = pythons(order.lock)
    if python and locked and minor_of(python) not in locked:
        raise InputError(
            f"{order.file.name} is for Python {' and '.join(locked)}, and the environment would have {python}",
            hint="name another one with --python, or make the lock for this one",
        )


def _activate_by(home: Home, path: Path) -> None:
    """Have the activation scripts name the path that people use: a shell then follows when another takes its place."""
    for script in interpreter_of(path).parent.glob("[aA]ctivate*"):
        text = script.read_bytes()
        script.write_bytes(text.replace(bytes(path), bytes(home.environment)))
