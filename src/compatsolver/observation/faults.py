"""Faults that the facts of a machine show by themselves, and facts that do not agree with each other.

Each rule looks at a machine that was read and yields findings in the kinds of `kinds.yaml`; nothing is asked of the
machine again, so a document that was saved tells the same.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from compatsolver.model.component import NONE
from compatsolver.model.diagnosis import CERTAIN, ERROR, INFO, LIKELY, NONE_BROKEN, WARNING, Finding
from compatsolver.model.probed import Observed, first_of
from compatsolver.model.resolution import Because

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compatsolver.model.environment import Environment

DISAGREEMENT = "disagreement"
"""The kind of a finding that says that two sources differ; `explain` has a place of its own for these."""

EVIDENCE = "read on this machine"
_SUSPENDED = re.compile(r"driven by (\S+), suspended|driven by nothing, suspended")
_USER_SPACE = ("libcuda", "nvml_library")


def faults(environment: Environment) -> Iterator[Finding]:
    """Every fault and disagreement, causes before what follows from them."""
    for rule in _RULES:
        yield from rule(environment)


def _module_and_libraries(environment: Environment) -> Iterator[Finding]:
    """Under WSL the two belong to different systems and always differ; a forward-compatible libcuda is meant to."""
    module = first_of("kernel_module", environment.observed)
    if module is None or first_of("wsl", environment.observed):
        return
    rows = [row for row in environment.observed if row.axis in _USER_SPACE and "/compat/" not in row.how]
    for row in [row for row in rows if row.value not in (module, NONE, None)][:1]:
        yield Finding(
            kind="driver_lib_kernel_mismatch",
            severity=ERROR,
            confidence=CERTAIN,
            summary=f"the loaded kernel module is {module} and the driver's libraries are {row.value}",
            requires="kernel module and libraries of one version: a reboot after the driver was changed",
            found=f"{module} in the kernel, {row.value} on disk",
            because=_because(environment, "kernel_module", row.axis),
        )


def _forward_compatibility(environment: Environment) -> Iterator[Finding]:
    compat = next((each for each in environment.libraries if each.name == "libcuda.so.1"), None)
    if compat and "/compat/" in compat.path:
        yield Finding(
            kind="forward_compat_unsupported",
            severity=INFO,
            confidence=LIKELY,
            summary="libcuda is one of forward compatibility, which data-centre GPUs alone support",
            found=f"{compat.path}, by {compat.origin}",
        )


def _module(environment: Environment) -> Iterator[Finding]:
    """A GPU on the bus that NVIDIA's module does not drive. A container sees the bus of its host."""
    rows = environment.observed
    bus = [row for row in rows if row.axis == "pci_device"]
    is_elsewhere = first_of("container", rows) or first_of("wsl", rows)
    if not bus or is_elsewhere or first_of("kernel_module", rows) or environment.gpu:
        return
    yield Finding(
        kind="driver_not_loaded",
        severity=ERROR,
        confidence=CERTAIN,
        summary="an NVIDIA GPU is in this machine, and NVIDIA's kernel module is not loaded",
        requires="the kernel module of the NVIDIA driver, loaded",
        found="; ".join(f"{row.value}: {row.how}" for row in bus[:4]),
        because=_because(environment, "kernel_module", "module_kind"),
    )


def _silent(environment: Environment) -> Iterator[Finding]:
    """The driver is there and does not speak: it hangs, or its GPU sleeps."""
    rows = environment.observed
    if environment.gpu or not first_of("kernel_module", rows):
        return
    asleep = [row for row in rows if row.axis == "pci_device" and _SUSPENDED.search(row.how)]
    hanging = [row for row in rows if row.axis == "gpu" and row.value is None and "no answer within" in row.how]
    for words, seen in (
        ("the GPU is suspended and the driver does not list it", asleep),
        ("the driver does not answer", hanging),
    ):
        if seen:
            yield Finding(
                kind="driver_not_loaded",
                severity=ERROR,
                confidence=LIKELY,
                summary=words,
                requires="a driver that lists the GPU",
                found="; ".join(f"{row.value or 'unknown'}: {row.how}" for row in seen[:4]),
            )


def _container(environment: Environment) -> Iterator[Finding]:
    rows = environment.observed
    container, module = first_of("container", rows), first_of("kernel_module", rows)
    has_gpu = module or any(row.axis == "pci_device" for row in rows)
    if container is None or environment.gpu or not has_gpu:
        return
    wanted = environment.env.get("NVIDIA_VISIBLE_DEVICES")
    yield Finding(
        kind="container_no_gpu",
        severity=ERROR,
        confidence=LIKELY,
        summary=f"the host of this container ({container}) has an NVIDIA GPU, and the container was given none",
        requires="a container that is started with its GPU, as in docker run --gpus all",
        found="no GPU listed in the container" + (f", NVIDIA_VISIBLE_DEVICES={wanted}" if wanted is not None else ""),
        because=_because(environment, "container", "kernel_module", "pci_device"),
    )


def _wsl(environment: Environment) -> Iterator[Finding]:
    rows = environment.observed
    if first_of("wsl", rows) == "1":
        yield Finding(
            kind="wsl_driver",
            severity=WARNING,
            confidence=CERTAIN,
            summary="this is WSL 1, which gives programs no GPU",
            requires="WSL 2",
            found="WSL 1",
            because=_because(environment, "wsl"),
        )
    inside = next((row for row in rows if row.axis == "linux_driver_in_wsl"), None)
    if inside:
        yield Finding(
            kind="wsl_driver",
            severity=ERROR,
            confidence=LIKELY,
            summary="a Linux NVIDIA driver is installed inside WSL, where the driver of Windows has to be used",
            requires="libcuda from /usr/lib/wsl/lib alone",
            found=f"libcuda {inside.value} ({inside.how})",
            because=_because(environment, "wsl", "wsl_libcuda", "linux_driver_in_wsl"),
        )


def _fabric(environment: Environment) -> Iterator[Finding]:
    rows = environment.observed
    switches = first_of("nvswitch", rows)
    states = {row.value for row in rows if row.axis == "fabric_state"}
    is_absent = any(row.axis == "fabric_manager" and row.value == NONE for row in rows)
    if not switches or "completed" in states or not (is_absent or states):
        return
    yield Finding(
        kind="fabric_manager_missing",
        severity=ERROR,
        confidence=CERTAIN if states else LIKELY,
        summary=f"this machine has {switches} NVSwitches, and their fabric is not set up",
        requires="nvidia-fabricmanager of the driver's own version, running on the host",
        found="the fabric manager is not running" if is_absent else f"fabric {', '.join(sorted(filter(None, states)))}",
        because=_because(environment, "nvswitch", "fabric_manager", "fabric_state"),
    )


def _masked(environment: Environment) -> Iterator[Finding]:
    mask, count = environment.env.get("CUDA_VISIBLE_DEVICES"), len(environment.devices)
    if mask is None or not count:
        return
    words = [word.strip() for word in mask.split(",")]
    hidden = words[0] in ("", "-1", "none", "NoDevFiles")
    beyond = [word for word in words if word.isdigit() and int(word) >= count]
    if hidden or beyond:
        yield Finding(
            kind="device_masked",
            severity=ERROR,
            confidence=CERTAIN,
            summary="CUDA_VISIBLE_DEVICES " + ("hides every GPU" if hidden else f"names GPU {beyond[0]} of {count}"),
            requires=f"indices from 0 to {count - 1}, UUIDs, or the variable unset",
            found=f"CUDA_VISIBLE_DEVICES={mask}",
        )
    elif len(words) < count:
        yield Finding(
            kind="device_masked",
            severity=INFO,
            confidence=CERTAIN,
            summary=f"CUDA_VISIBLE_DEVICES shows {len(words)} of {count} GPUs to programs",
            found=f"CUDA_VISIBLE_DEVICES={mask}",
        )


def _mig(environment: Environment) -> Iterator[Finding]:
    for index, device in enumerate(environment.devices):
        if device.mig != "enabled":
            continue
        slices = ", ".join(device.slices)
        yield Finding(
            kind="mig_limit",
            severity=INFO if slices else ERROR,
            confidence=CERTAIN,
            summary=f"GPU {index} is divided by MIG"
            + (": a process uses one of its slices" if slices else " and has no slice: programs see no GPU"),
            requires="" if slices else "a GPU instance with a compute instance, or MIG switched off",
            found=slices or "MIG enabled, no MIG device",
        )


def _lost(environment: Environment) -> Iterator[Finding]:
    for index, device in enumerate(environment.devices):
        if device.problem:
            yield Finding(
                kind=NONE_BROKEN,
                severity=WARNING,
                confidence=CERTAIN,
                summary=f"the driver lists GPU {index} and cannot speak to it: {device.problem}",
            )


def _copies(environment: Environment) -> Iterator[Finding]:
    """A library that LD_LIBRARY_PATH puts before the one of the packages, and one that several of these bring."""
    for name in dict.fromkeys(each.name for each in environment.libraries):
        copies = [each for each in environment.libraries if each.name == name]
        origins = list(dict.fromkeys(each.origin for each in copies))
        brought = [origin for origin in origins if origin == "conda" or origin.startswith("wheel")]
        if origins[0] == "LD_LIBRARY_PATH" and brought:
            kind, words = "lib_shadowed", f"LD_LIBRARY_PATH puts its {name} before the one of {brought[0]}"
        elif len(brought) > 1:
            kind, words = "dup_cuda_runtime", f"several packages bring {name}: {', '.join(brought)}"
        else:
            continue
        found = "; ".join(each.path for each in copies)
        yield Finding(kind=kind, severity=WARNING, confidence=LIKELY, summary=words, found=found)


def _disagreements(environment: Environment) -> Iterator[Finding]:
    for axis, words in _SINGLE.items():
        rows = [row for row in environment.observed if row.axis == axis and row.value not in (None, NONE)]
        values = dict.fromkeys(row.value for row in rows)
        if len(values) > 1:
            yield _disagreement(f"{words}: {' and '.join(f'{row.value} ({row.how})' for row in _first_each(rows))}")
    for row in environment.observed:
        if row.axis == "installed_twice":
            yield _disagreement(f"two versions of one package are recorded as installed: {row.value}")
    version = next((row.value for row in environment.observed if row.axis == "package:torch"), None)
    recorded = environment.packages.get("torch")
    if version and recorded and version.partition("+")[0] != recorded.partition("+")[0]:
        yield _disagreement(f"torch is recorded as {recorded}, and its own files say {version}")
    bus, listed = [row for row in environment.observed if row.axis == "pci_device"], len(environment.devices)
    if listed and len(bus) > listed:
        yield _disagreement(f"{len(bus)} NVIDIA GPUs are on the PCI bus, and the driver lists {listed}")


def _disagreement(words: str) -> Finding:
    return Finding(kind=DISAGREEMENT, severity=WARNING, confidence=CERTAIN, summary=words)


def _first_each(rows: list[Observed]) -> list[Observed]:
    return list({row.value: row for row in reversed(rows)}.values())[::-1]


def _because(environment: Environment, *axes: str) -> tuple[Because, ...]:
    rows = [row for axis in axes for row in environment.observed if row.axis == axis][:6]
    return tuple(Because(f"{row.axis}: {row.value or 'unknown'}, from {row.how}", EVIDENCE, ()) for row in rows)


_SINGLE = {
    "driver": "two versions of the driver are told",
    "driver_cuda": "two CUDA ceilings of the driver are told",
    "kernel_module": "two versions of the kernel module are told",
}
_RULES = (
    _module_and_libraries,
    _forward_compatibility,
    _wsl,
    _fabric,
    _module,
    _container,
    _silent,
    _masked,
    _mig,
    _lost,
    _copies,
    _disagreements,
)
