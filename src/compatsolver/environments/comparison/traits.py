"""The traits of a stack: what is compared of it, each as a text; what was not told is left out, never guessed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from compatsolver.environments.comparison.builds import CUDNN, NCCL, TORCH, builds_of, is_package, runtime_package
from compatsolver.explanation.fixes.stack import CPU, Stack
from compatsolver.model.component import NONE
from compatsolver.model.observation import PACKAGE, VARIABLE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from compatsolver.catalog.catalogue import Build, Catalog
    from compatsolver.environments.comparison.machines import Machine

BACKEND, BUILD, CUDA, PYTHON = "backend", "build", "cuda", "python"
PATCH, CAPABILITY, DRIVER, GLIBC = "python_patch", "capability", "driver", "glibc"
HARDWARE = ("platform", CAPABILITY, "gpu", DRIVER, GLIBC)
"""What no installation of packages changes."""
TOLD_BY_LOCKS = (TORCH, BUILD, NCCL)
TOLD_BY_MACHINES = (*TOLD_BY_LOCKS, PYTHON, CAPABILITY)
"""What a machine has to tell for a comparison to say that it is like another."""
_ELSEWHERE = ("lib_shadowed", "dup_cuda_runtime")
"""Kinds of fault after which nobody knows from the packages which copy of a library is loaded."""
_TORCHES = ("torch", "pytorch", "pytorch-gpu")


def traits_of(catalog: Catalog, machine: Machine) -> dict[str, str]:
    """Trait → value, in the order in which they are told; packages and variables last."""
    stack = machine.stack
    told = dict(_software(catalog, machine)) | dict(_hardware(stack))
    told |= {PACKAGE + name: text for name, text in sorted(stack.packages.items()) if _is_compared(name, text)}
    variables = [entry for entry in stack.reading.observations if entry.axis.startswith(VARIABLE + "NCCL_")]
    return told | {entry.axis: entry.value for entry in sorted(variables, key=lambda entry: entry.axis)}


def _software(catalog: Catalog, machine: Machine) -> Iterator[tuple[str, str]]:
    stack = machine.stack
    places = builds_of(catalog, stack)
    builds = [catalog.build(place) for place in places]
    if stack.torch is None and machine.is_complete:
        yield TORCH, NONE
    elif stack.torch and not stack.torch.endswith("*"):
        yield TORCH, stack.torch
    tag = stack.tag or _only(catalog.components["torch"].candidates[place].build for place in places)
    if tag:
        yield BUILD, tag
    cuda = stack.cuda or (NONE if tag == CPU else _minor(_only(build.cuda for build in builds)))
    if cuda:
        yield CUDA, cuda
    has_nccl = _has_nccl(stack, cuda)
    if has_nccl is not None:
        yield BACKEND, "NCCL" if has_nccl else NONE
    if has_nccl and (nccl := _library(stack, NCCL, builds)):
        yield NCCL, nccl
    if cuda != NONE and (cudnn := _library(stack, CUDNN, builds)):
        yield CUDNN, cudnn
    if abi := _only(stack.reading.values("torch_cxx11_abi")):
        yield "cxx11_abi", {"true": "1", "false": "0"}.get(abi, abi)
    if stack.python:
        yield PYTHON, str(stack.python)
        if whole := _only(text for text in stack.reading.values("python") if text.count(".") > 1):
            yield PATCH, whole


def _hardware(stack: Stack) -> Iterator[tuple[str, str]]:
    reading = stack.reading
    count = _only(reading.values("device_count"))
    if stack.platform:
        yield "platform", stack.platform.replace("wsl", "linux")
    if stack.gpus and not stack.ambiguous:
        yield CAPABILITY, ", ".join(sorted({gpu.capability for gpu in stack.gpus}))
    elif count == "0":
        yield CAPABILITY, NONE
    if names := reading.values("gpu"):
        yield "gpu", (f"{count} GPUs: " if count and count != "1" else "") + ", ".join(sorted(names))
    if stack.driver:
        yield DRIVER, stack.driver
    if stack.glibc:
        yield GLIBC, str(stack.glibc)


def _has_nccl(stack: Stack, cuda: str | None) -> bool | None:
    """Only builds for CUDA on Linux have it; None where the build or the system was not told."""
    if cuda == NONE or (stack.platform or "").startswith(("windows", "macos")):
        return False
    return True if cuda else None


def _library(stack: Stack, library: str, builds: Iterable[Build]) -> str | None:
    """The version of a CUDA library: of its package, as it was seen at run time, or as torch's build brings it."""
    package = runtime_package(stack, library)
    if any(fault.kind in _ELSEWHERE and library in fault.summary + fault.found for fault in stack.reading.findings):
        return None
    seen = _only(text.partition("+")[0] for text in stack.reading.values(library))
    return stack.packages[package] if package else seen or _only(getattr(build, library) for build in builds)


def _is_compared(name: str, text: str) -> bool:
    """Whether a package is one by itself, in a whole version; torch and its NCCL and cuDNN are traits."""
    is_trait = name in _TORCHES or re.fullmatch(r"nvidia-(?:nccl|cudnn)(?:-cu\d+)?", name)
    return not is_trait and is_package(text)


def _minor(cuda: str | None) -> str | None:
    return cuda and ".".join(cuda.split(".")[:2])


def _only(values: Iterable[str | None]) -> str | None:
    found = set(values)
    return found.pop() if len(found) == 1 else None
