"""Put together what this machine says of itself.

Sources are merged in the order of trust: variables that override, NVML, nvidia-smi, the kernel, libcuda, then the
files of the system. All that was told stays in `observed`; the keys of the document hold the first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.errors import ProbeError
from compatsolver.model.component import NONE
from compatsolver.model.environment import Environment
from compatsolver.model.probed import Observed, first_of, is_told_by_driver, is_unknown
from compatsolver.observation.live import container, jetson, system, variables, wsl
from compatsolver.observation.live.graphics import Graphics, read_graphics
from compatsolver.observation.live.machine import this_machine
from compatsolver.observation.target import is_negative

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from compatsolver.model.probed import Device
    from compatsolver.observation.live.machine import Machine

_OF_GPUS = {"compute_capability", "mig", "virtualization", "fabric_state", "device_count", "pci_device"}
"""What is told of the GPUs that are there, and not of one that a variable names."""


def probe(machine: Machine | None = None, python: Path | None = None) -> Environment:
    """All of this machine and of an environment on it: that of the running interpreter, or the one at `python`.

    Raises ProbeError where there is no environment at `python`; what cannot be read of the machine is None in
    `observed`.
    """
    from compatsolver.observation.live.surroundings import with_surroundings

    return with_surroundings(*_read(machine), python)


def with_packages_of(python: Path, machine: Environment | None, *, is_here: bool) -> Environment:
    """The packages of an environment on the machine that is described, or on this one where it `is_here`.

    Where the machine is described elsewhere (by flags), what is given tells the environment alone. Raises ProbeError.
    """
    from compatsolver.observation.live.surroundings import read_packages

    if machine is None and is_here:
        return probe(python=python)
    alone = read_packages(python)
    return (machine or Environment())._replace(python=alone.python, packages=alone.packages)


def probe_target(machine: Machine | None = None) -> Environment:
    """What a target needs of this machine; `gpu` is empty where there is no NVIDIA GPU.

    Raises ProbeError where there may be one and nothing tells which. Where the driver does not answer and the kernel's
    own list stands in for it, `not_understood` says so.
    """
    _, environment = _read(machine)
    rows = environment.observed
    if environment.gpu is None:
        raise ProbeError(
            "the GPU of this machine could not be read",
            context=(*_tried(rows), *_loaded(rows)),
            hint="name the target instead: --gpu NAME --driver VERSION, or --gpu none for a CPU stack",
        )
    if environment.gpu == () or is_told_by_driver(rows):
        return environment
    return environment._replace(not_understood=tuple(row.how for row in rows if row[:2] == ("gpu", None)))


def _read(machine: Machine | None) -> tuple[Machine, Environment]:
    machine = machine or this_machine()
    given = tuple(variables.overrides(machine.environ))
    graphics = _graphics(machine, {row.axis for row in given})
    rows = (
        *given,
        *graphics.rows,
        *_of_linux(machine),
        *system.observe(machine),
        Observed("python", machine.interpreter.python, "interpreter"),
    )
    devices = () if any(row.axis == "gpu" for row in given) else graphics.devices
    environment = _environment(_without_overridden(rows, given), devices)
    return machine, environment._replace(not_understood=_unread(environment))


def _of_linux(machine: Machine) -> Iterator[Observed]:
    if machine.system == "Linux":
        yield from jetson.observe(machine)
        yield from container.observe(machine)
        yield from wsl.observe(machine)


def _graphics(machine: Machine, given: set[str]) -> Graphics:
    """The driver is left in peace where variables answer for it: there it is known to hang, or to be another's."""
    return Graphics((), ()) if {"gpu", "driver"} <= given else read_graphics(machine)


def _without_overridden(rows: Sequence[Observed], given: Sequence[Observed]) -> tuple[Observed, ...]:
    axes = {row.axis for row in given}
    axes |= _OF_GPUS if "gpu" in axes else set()
    return (*given, *(row for row in rows if row.axis not in axes))


def _environment(rows: tuple[Observed, ...], devices: tuple[Device, ...]) -> Environment:
    return Environment(
        gpu=_gpus(rows, devices),
        compute_capability=_capabilities(rows, devices),
        driver=first_of("driver", rows) or first_of("kernel_module", rows),
        nvidia_smi_cuda=first_of("driver_cuda", rows),
        kernel_module=first_of("kernel_module", rows),
        os=first_of("os", rows),
        arch=first_of("arch", rows),
        wsl=_wsl(rows),
        container=first_of("container", rows),
        python=first_of("python", rows),
        glibc=first_of("glibc", rows),
        devices=devices,
        observed=rows,
    )


def _unread(environment: Environment) -> tuple[str, ...]:
    """That the GPU is unknown, in the form in which documents tell it: who reads this one must not take it for none."""
    return (f"gpu: could not be read: {'; '.join(_tried(environment.observed))}",) if environment.gpu is None else ()


def _gpus(rows: Sequence[Observed], devices: Sequence[Device]) -> tuple[str, ...] | None:
    """One text per kind of GPU, `2x NVIDIA H100 80GB HBM3`; empty where there is none, None where unknown."""
    kinds = [(device.name, device.compute_capability) for device in devices if device.name]
    if kinds:
        return tuple(_counted(kinds.count(kind), kind[0] or "") for kind in dict.fromkeys(kinds))
    told = first_of("gpu", rows)
    if told is None:
        return None if is_unknown("gpu", rows) else ()
    return () if is_negative(told) else (told,)


def _capabilities(rows: Sequence[Observed], devices: Sequence[Device]) -> tuple[str, ...] | None:
    """One for each text of `gpu`, or none at all: some of them beside all names would be joined to the wrong ones."""
    kinds = dict.fromkeys((device.name, device.compute_capability) for device in devices if device.name)
    known = tuple(capability for _, capability in kinds if capability)
    told = first_of("compute_capability", rows) if not kinds else None
    return (known if len(known) == len(kinds) and known else None) or ((told,) if told else None)


def _wsl(rows: Sequence[Observed]) -> str | bool:
    generation = first_of("wsl", rows)
    if generation is None or is_negative(generation):
        return False
    return f"WSL {generation}" if generation in ("1", "2") else True


def _tried(rows: Sequence[Observed]) -> tuple[str, ...]:
    """Why no source told the GPU: what it answered, or that it is not there."""
    words = {"gpu": "", "nvidia_smi": "nvidia-smi: ", "nvml_library": "NVML: "}
    return tuple(f"{words[row.axis]}{row.how}" for row in rows if row.axis in words and row.value in (None, NONE))


def _loaded(rows: Sequence[Observed]) -> tuple[str, ...]:
    module = first_of("kernel_module", rows)
    return (f"NVIDIA driver {module} is loaded",) if module and module != NONE else ()


def _counted(count: int, name: str) -> str:
    return name if count == 1 else f"{count}x {name}"
