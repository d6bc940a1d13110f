"""A machine as text at 80 columns: what it has, how each fact was got, and what does not agree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.model.diagnosis import ERROR
from compatsolver.render.diagnosis_words import label, sentence
from compatsolver.render.lines import coloured, labelled, wrapped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compatsolver.model.environment import Environment
    from compatsolver.model.probed import Device

_MARGIN = 20
_GROUPS = {
    "driver": ("gpu", "driver", "driver_cuda", "kernel_module", "module_kind", "libcuda", "nvml_library", "nvidia_smi",
               "pci_device", "nvswitch", "fabric_manager", "fabric_state"),
    "system": ("os", "arch", "kernel", "windows_build", "glibc", "libstdcxx", "wsl", "wsl_libcuda",
               "linux_driver_in_wsl", "container", "container_cuda", "container_cudnn", "required_cuda", "l4t",
               "jetpack"),
    "Python": ("python", "environment_kind", "torch_cuda", "torch_hip", "conda_build", "nvcc", "gcc", "msvc"),
}  # fmt: skip
_WORDS = {
    "driver_cuda": "driver's CUDA",
    "kernel_module": "kernel module",
    "module_kind": "kind of module",
    "nvml_library": "NVML library",
    "pci_device": "on the PCI bus",
    "fabric_manager": "fabric manager",
    "fabric_state": "fabric",
    "windows_build": "Windows build",
    "libstdcxx": "libstdc++",
    "wsl_libcuda": "libcuda of WSL",
    "linux_driver_in_wsl": "Linux driver",
    "container_cuda": "CUDA of image",
    "container_cudnn": "cuDNN of image",
    "required_cuda": "image requires",
    "environment_kind": "environment",
    "torch_cuda": "CUDA of torch",
    "torch_hip": "ROCm of torch",
    "conda_build": "conda build",
    "gpu": "GPU",
    "nvidia_smi": "nvidia-smi",
}
_OF_INTEREST = ("torch", "torchvision", "torchaudio", "triton", "transformers", "peft", "accelerate", "bitsandbytes",
                "datasets", "trl", "numpy", "flash-attn", "xformers", "deepspeed", "vllm")  # fmt: skip


def environment_text(environment: Environment, *, colour: bool = False) -> str:
    """The whole machine, a newline at its end; `colour` marks the headline with ANSI codes."""
    headline = wrapped(_headline(environment))
    parts = [coloured(headline, "") if colour else headline, list(_findings(environment)), list(_devices(environment))]
    parts += [list(_facts(environment, axes)) for axes in _GROUPS.values()]
    parts += [list(_packages(environment)), list(_libraries(environment))]
    parts.append([line for name, text in environment.env.items() for line in _line(name, text, "")])
    return "\n\n".join("\n".join(lines) for lines in parts if lines) + "\n"


def _headline(environment: Environment) -> str:
    if environment.gpu is None:
        return "The GPU of this machine could not be read."
    gpus = ", ".join(environment.gpu) or "No NVIDIA GPU"
    errors = sum(finding.severity == ERROR for finding in environment.findings)
    faults = f"; {errors} fault{'s' if errors > 1 else ''}" if errors else ""
    driver = f", driver {environment.driver}" if environment.driver else ""
    return f"{gpus}{driver}, {environment.os or 'unknown system'}{faults}."


def _findings(environment: Environment) -> Iterator[str]:
    for finding in environment.findings:
        yield from wrapped(f"{label(finding)}: {sentence(finding.summary)}")
        yield from labelled("  requires", finding.requires)
        yield from labelled("  found", finding.found)


def _devices(environment: Environment) -> Iterator[str]:
    for index, device in enumerate(environment.devices):
        yield from _line(f"GPU {index}", _device(device), "")


def _device(device: Device) -> str:
    told = (
        device.name,
        device.compute_capability and f"compute capability {device.compute_capability}",
        device.memory and f"{device.memory} MiB",
        device.mig and f"MIG {device.mig}",
        ", ".join(device.slices),
        device.virtualization,
        device.fabric and f"fabric {device.fabric}",
        device.problem,
    )
    return ", ".join(part for part in told if part)


def _facts(environment: Environment, axes: tuple[str, ...]) -> Iterator[str]:
    for axis in axes:
        for row in environment.observed:
            if row.axis == axis:
                yield from _line(_WORDS.get(axis, axis), "not told" if row.value is None else row.value, row.how)


def _packages(environment: Environment) -> Iterator[str]:
    packages = environment.packages
    for name in _OF_INTEREST:
        if name in packages:
            yield from _line(name, packages[name], "")
    if len(packages) > len(told := [name for name in _OF_INTEREST if name in packages]):
        yield from _line("packages", f"{len(packages) - len(told)} more; --format json names them", "")


def _libraries(environment: Environment) -> Iterator[str]:
    """The copy that is found first, and how many lie behind it."""
    for name in dict.fromkeys(each.name for each in environment.libraries):
        copies = [each for each in environment.libraries if each.name == name]
        more = f", {len(copies) - 1} more behind it" if len(copies) > 1 else ""
        yield from _line(name, f"{copies[0].path}{more}", copies[0].origin)


def _line(label: str, value: str, how: str) -> list[str]:
    text = f"{value}  ({how})" if how else value
    return wrapped(text, first=f"{label.ljust(_MARGIN - 1)} ", rest=" " * _MARGIN)
