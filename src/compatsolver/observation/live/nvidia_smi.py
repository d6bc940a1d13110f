"""Ask nvidia-smi, which comes with the driver: its query tables, and the table that people know for the rest."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from compatsolver.model.probed import Device, Observed
from compatsolver.observation.live.commands import Outcome, run
from compatsolver.observation.live.nvml import Answer

if TYPE_CHECKING:
    from compatsolver.observation.live.machine import Machine
    from compatsolver.observation.live.patience import Patience

SOURCE = "nvidia-smi"
TABLE = "nvidia-smi (its table)"
FIELDS = ("name", "compute_cap", "driver_version", "memory.total", "uuid", "mig.mode.current")
WSL_PLACE = "/usr/lib/wsl/lib/nvidia-smi"

_CAPABILITY = re.compile(r"\d{1,2}\.\d")
_DRIVER = re.compile(r"\d{3}\.\d+(?:\.\d+)*")
_REFUSED = re.compile(r'Field "([\w.]+)" is not a valid field')
_FROM_TABLE = ("nvidia_smi", "driver", "kernel_module", "driver_cuda", "nvml_library")


def find_program(machine: Machine) -> str | None:
    """The path of nvidia-smi, or None where it is not installed.

    On Windows it is not looked for along PATH, which there begins with the current directory.
    """
    if machine.system == "Windows":
        installed = machine.path(f"{machine.environ.get('SYSTEMROOT', 'C:/Windows')}/System32/nvidia-smi.exe")
        return str(installed) if installed.exists() else None
    beside_windows = machine.path(WSL_PLACE)
    return machine.which(SOURCE) or (str(beside_windows) if beside_windows.exists() else None)


def query(machine: Machine, program: str, patience: Patience) -> Answer:
    """The GPUs. Fields that an older driver does not know are left out, one a try (`compute_cap` came with R510)."""
    fields: tuple[str, ...] = FIELDS
    while True:
        command = [program, f"--query-gpu={','.join(fields)}", "--format=csv,noheader,nounits"]
        outcome = run(command, patience.left(), machine.environ)
        refused = _REFUSED.search(f"{outcome.output}\n{outcome.complaints}") if outcome.status else None
        if not refused or refused[1] not in fields:
            break
        fields = tuple(field for field in fields if field != refused[1])
    if "No devices were found" in outcome.output:
        return Answer(devices=())
    if outcome.status != 0:
        return Answer(problem=outcome.first_line, is_hanging=outcome.timed_out)
    answer = _read(outcome.output, fields)
    if any(device.mig == "enabled" for device in answer.devices or ()):
        return _with_slices(answer, run([program, "-L"], patience.left(), machine.environ))
    return answer


def read_table(machine: Machine, program: str, patience: Patience) -> Answer:
    """What the plain table and its header tell: versions, and GPUs whose names are not cut."""
    from compatsolver.observation.formats.nvidia_smi import read_nvidia_smi

    outcome: Outcome = run([program], patience.left(), machine.environ)
    if outcome.status != 0:
        return Answer(problem=outcome.first_line, is_hanging=outcome.timed_out)
    values = list(read_nvidia_smi(outcome.output.splitlines()))
    rows = [Observed(each.axis, each.text, f"{SOURCE}: its table") for each in values if each.axis in _FROM_TABLE]
    names = [each.text for each in values if each.axis == "gpu"]
    has_rows = len(names) == len(re.findall(r"\d+MiB\s*/\s*\d+MiB", outcome.output))
    return Answer(tuple(rows), tuple(map(Device, names)) if names and has_rows else None)


def _with_slices(answer: Answer, listing: Outcome) -> Answer:
    """The MIG devices, which `-L` lists below the GPU they are made of."""
    from compatsolver.observation.formats.nvidia_smi import read_nvidia_smi

    slices: list[list[str]] = []
    for value in read_nvidia_smi(listing.output.splitlines()):
        if value.axis == "gpu":
            slices.append([])
        elif value.axis == "mig" and slices:
            slices[-1].append(value.text)
    devices = answer.devices or ()
    if len(slices) != len(devices):
        return answer
    paired = zip(devices, slices, strict=True)
    return answer._replace(devices=tuple(device._replace(slices=tuple(each)) for device, each in paired))


def _read(output: str, fields: tuple[str, ...]) -> Answer:
    devices, drivers = [], []
    for line in filter(str.strip, output.splitlines()):
        values = dict(zip(fields, (part.strip() for part in line.rsplit(",", len(fields) - 1)), strict=False))
        driver = values.get("driver_version", "")
        if values["name"].startswith("[") or not _DRIVER.fullmatch(driver):
            return Answer(problem=f"not a list of GPUs: {line.strip()}")
        drivers.append(driver)
        devices.append(_device(values))
    if not devices:
        return Answer(problem="no output")
    how = f"{SOURCE}: --query-gpu=driver_version"
    return Answer(tuple(Observed("driver", driver, how) for driver in dict.fromkeys(drivers)), tuple(devices))


def _device(values: dict[str, str]) -> Device:
    capability, memory = values.get("compute_cap", ""), values.get("memory.total", "")
    mode = values.get("mig.mode.current", "").lower()
    return Device(
        values["name"],
        capability if _CAPABILITY.fullmatch(capability) else None,
        int(memory) if memory.isdigit() else None,
        values.get("uuid"),
        mode if mode in ("enabled", "disabled") else None,
    )
