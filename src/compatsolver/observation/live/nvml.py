"""Ask NVML, the library below nvidia-smi, in a process of its own."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from compatsolver.model.component import NONE
from compatsolver.model.probed import Device, Observed
from compatsolver.observation.live.commands import run

if TYPE_CHECKING:
    from compatsolver.observation.live.machine import Machine

SOURCE = "NVML"
_LIBRARIES = {"Linux": "libnvidia-ml.so.1", "Windows": "nvml.dll"}
_BEFORE_DRIVER = re.compile(r"^\d{1,2}\.(?=\d{3}\.)")
"""NVML puts the CUDA major before its own version, which is the driver's: 12.535.161.08."""
_AXES = {"driver": "nvmlSystemGetDriverVersion", "nvml_library": "nvmlSystemGetNVMLVersion"}


class Answer(NamedTuple):
    """What a program or library of the driver says: facts and GPUs, or in `problem` why it could not tell them.

    `devices` is empty where it says that there is no GPU and None where it says nothing about them. `is_hanging` says
    that it gave no answer in time.
    """

    rows: tuple[Observed, ...] = ()
    devices: tuple[Device, ...] | None = None
    problem: str | None = None
    is_hanging: bool = False


def query(machine: Machine, patience: float) -> Answer:
    """What NVML says; it is not even started where the loader does not find it."""
    library = _LIBRARIES.get(machine.system)
    if library is None or machine.load(library) is None:
        how = f"the loader finds no {library}" if library else f"NVML is not made for {machine.system}"
        return Answer((Observed("nvml_library", NONE, how),))
    if not machine.nvml_report:
        how = "nvidia-ml-py is not installed, or this interpreter cannot start another"
        return Answer((Observed("nvml_library", None, how),))
    outcome = run(machine.nvml_report, patience, machine.environ)
    if outcome.status != 0:
        return Answer(problem=_last_line(outcome.complaints) or outcome.first_line, is_hanging=outcome.timed_out)
    return _read(outcome.output)


def _last_line(text: str) -> str:
    """Where Python says what an error was."""
    return (text.strip().splitlines() or [""])[-1]


def _read(output: str) -> Answer:
    from json import loads

    try:
        told: dict[str, Any] = loads(output)
    except ValueError:
        return Answer(problem=f"not a report: {output[:60]!r}")
    if problem := told.get("problem"):
        return Answer(problem=problem)
    rows = [
        Observed(axis, _BEFORE_DRIVER.sub("", told[axis]), f"{SOURCE}: {question}")
        for axis, question in _AXES.items()
        if told.get(axis)
    ]
    if cuda := told.get("cuda"):
        level = f"{cuda // 1000}.{cuda % 1000 // 10}"
        rows.append(Observed("driver_cuda", level, f"{SOURCE}: nvmlSystemGetCudaDriverVersion"))
    devices = told.get("devices")
    return Answer(tuple(rows), None if devices is None else tuple(map(_device, devices)))


def _device(told: dict[str, Any]) -> Device:
    return Device(**{**told, "slices": tuple(told.get("slices", ()))})
