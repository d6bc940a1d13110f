"""The GPUs and their driver: NVML first, then nvidia-smi, then what the kernel lists, then the name of the board.

The order is that of how much a source tells. A later one is asked only where an earlier one could not answer, and none
after one that hung: all of them ask the same driver.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from compatsolver.model.component import NONE
from compatsolver.model.probed import Device, Observed, first_of
from compatsolver.observation.live import jetson, kernel, libcuda, nvidia_smi, nvml
from compatsolver.observation.live.patience import Patience

if TYPE_CHECKING:
    from collections.abc import Sequence

    from compatsolver.observation.live.machine import Machine


class Graphics(NamedTuple):
    """What was read: facts, and the GPUs one by one."""

    rows: tuple[Observed, ...]
    devices: tuple[Device, ...]


def read_graphics(machine: Machine) -> Graphics:
    """All that this machine tells of its GPUs; a row `gpu` says `none` where there is none, and None where unknown."""
    rows = [*(kernel.observe(machine) if machine.system == "Linux" else ()), *libcuda.observe(machine)]
    answers = _asked(machine, rows)
    rows = [*(row for _, answer in answers for row in answer.rows), *rows]
    told = next(((source, answer) for source, answer in answers if answer.devices), None)
    silent = [Observed("gpu", None, f"{source}: {answer.problem}") for source, answer in answers if answer.problem]
    if told:
        source, answer = told
        devices = answer.devices or ()
        return Graphics((*_of_devices(source, devices), *silent, *rows), devices)
    devices, found = _without_the_driver(machine)
    if not found:
        found = (_none(machine, answers, rows),)
    return Graphics((*found, *silent, *rows), devices)


def _asked(machine: Machine, rows: Sequence[Observed]) -> list[tuple[str, nvml.Answer]]:
    """Each source of the driver's with its answer, until one has told all or hangs."""
    patience = Patience()
    answers = [(nvml.SOURCE, nvml.query(machine, patience.left()))]
    if answers[0][1].devices or answers[0][1].is_hanging:
        return answers
    program = nvidia_smi.find_program(machine)
    if program is None:
        return [*answers, (nvidia_smi.SOURCE, nvml.Answer((Observed("nvidia_smi", NONE, "not installed"),)))]
    answers.append((nvidia_smi.SOURCE, nvidia_smi.query(machine, program, patience)))
    answer = answers[-1][1]
    if not answer.is_hanging and answer.devices != () and (answer.problem or not first_of("driver_cuda", rows)):
        answers.append((nvidia_smi.TABLE, nvidia_smi.read_table(machine, program, patience)))
    return answers


def _of_devices(source: str, devices: Sequence[Device]) -> list[Observed]:
    """A row for each kind of GPU, its capability, and what is told of single ones."""
    rows = [Observed("gpu", name, source) for name in dict.fromkeys(device.name for device in devices) if name]
    if not rows:
        rows = [Observed("gpu", None, f"{source}: {device.problem}") for device in devices]
    for axis, values in (
        ("compute_capability", [device.compute_capability for device in devices]),
        ("mig", [device.mig for device in devices]),
        ("virtualization", [device.virtualization for device in devices]),
        ("fabric_state", [device.fabric for device in devices]),
    ):
        rows += [Observed(axis, value, source) for value in dict.fromkeys(values) if value]
    return [*rows, Observed("device_count", str(len(devices)), source)]


def _without_the_driver(machine: Machine) -> tuple[tuple[Device, ...], tuple[Observed, ...]]:
    """What the kernel module lists, or the name of a Jetson."""
    models = kernel.read_models(machine) if kernel.read_module_version(machine) else ()
    if models:
        devices = tuple(map(Device, models))
        return devices, tuple(_of_devices("/proc/driver/nvidia/gpus", devices))
    board = jetson.read_model(machine)
    return ((Device(board),), (Observed("gpu", board, jetson.MODEL),)) if board else ((), ())


def _none(machine: Machine, answers: Sequence[tuple[str, nvml.Answer]], rows: Sequence[Observed]) -> Observed:
    """That there is no GPU, where nothing speaks for one; a GPU on the bus or a source that failed makes it unknown."""
    empty = [source for source, answer in answers if answer.devices == ()]
    if empty and not any(row.axis == "pci_device" for row in rows):
        return Observed("gpu", NONE, f"{empty[0]}: no devices were found")
    is_linux = machine.system == "Linux"
    if traces := kernel.find_traces(machine) if is_linux else ():
        return Observed("gpu", None, f"found {', '.join(traces[:6])}, and no name of a GPU")
    if any(answer.problem for _, answer in answers):
        return Observed("gpu", None, "no other source names a GPU")
    looked_at = "no NVIDIA device on the PCI bus, no device node, no kernel module"
    return Observed("gpu", NONE, looked_at if is_linux else "neither NVML nor nvidia-smi is there")
