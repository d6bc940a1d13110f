"""What stands around driver and GPU: the environment's packages, the CUDA libraries a process would load, compilers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.model.component import NONE
from compatsolver.model.environment import Environment
from compatsolver.model.probed import Observed, first_of
from compatsolver.observation.faults import faults
from compatsolver.observation.live import compilers, fabric, loader, packages, variables
from compatsolver.observation.live.environments import PythonEnvironment, find_environment, kind_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from compatsolver.observation.live.machine import Machine


def with_surroundings(machine: Machine, environment: Environment, python: Path | None) -> Environment:
    """The machine with all that a solver does not need and a person does."""
    place = find_environment(python) if python else _own(machine)
    rows = [row for row in environment.observed if python is None or row.axis != "python"]
    given = {row.axis for row in rows if row.how.startswith(f"variable {variables.PREFIX}")}
    libraries = loader.read_libraries(machine, place)
    rows += [
        Observed("environment_kind", place.kind, machine.name(place.prefix)),
        *([Observed("python", place.python, machine.name(place.prefix))] if python else []),
        *fabric.observe(machine),
        *loader.observe(machine, libraries),
        *(row for row in compilers.observe(machine) if row.axis not in given),
    ]
    told = tuple(packages.observe(place.folders, place.prefix))
    whole = environment._replace(
        python=first_of("python", rows),
        packages=packages.with_builds(packages.read_installed(place.folders), told),
        nvcc=_stated("nvcc", rows),
        gcc=first_of("msvc", rows) or _stated("gcc", rows),
        env=variables.of_interest(machine.environ),
        libraries=libraries,
        observed=(*rows, *told),
    )
    return whole._replace(findings=tuple(faults(whole)))


def read_packages(python: Path) -> Environment:
    """An environment alone: its Python and packages, nothing of the machine; raises ProbeError where there is none."""
    place = find_environment(python)
    rows = tuple(packages.observe(place.folders, place.prefix))
    installed = packages.with_builds(packages.read_installed(place.folders), rows)
    return Environment(python=place.python, packages=installed)


def _own(machine: Machine) -> PythonEnvironment:
    """That of the interpreter that runs."""
    interpreter = machine.interpreter
    prefix = machine.path(interpreter.prefix)
    kind = kind_of(prefix, machine.path(interpreter.base_prefix))
    return PythonEnvironment(prefix, kind, interpreter.python, tuple(map(machine.path, interpreter.path)))


def _stated(axis: str, rows: Sequence[Observed]) -> str | None:
    """A compiler's version, `none` where it is absent, None where it does not tell."""
    is_absent = any(row.axis == axis and row.value == NONE for row in rows)
    return first_of(axis, rows) or (NONE if is_absent else None)
