"""The CUDA libraries that a process would load, in the order in which it would find them.

The order is that of the dynamic loader for a library without a search path of its own: LD_LIBRARY_PATH, then what the
packages of the environment bring (their own modules have that path built in), then the system's folders. Windows and
macOS are not looked through.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from compatsolver.model.probed import Library, Observed
from compatsolver.observation.live.machine import glob_in, read_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from compatsolver.observation.live.environments import PythonEnvironment
    from compatsolver.observation.live.machine import Machine

VARIABLE, CONDA, SYSTEM, WHEEL = "LD_LIBRARY_PATH", "conda", "system", "wheel"
_NAMES = (
    "cuda|cudart|cublas|cublasLt|cudnn|cufft|curand|cusolver|cusparse|cusparseLt|nccl|nvrtc|nvJitLink|cupti|nvidia-ml"
)
_LIBRARY = re.compile(rf"lib(?:{_NAMES})\.so\.\d+")
_RELEASE = re.compile(r"lib(?:cuda|nvidia-ml)\.so\.(\d{3}\.\d+(?:\.\d+)?)")
_DEFAULT = ("/lib/*-linux-gnu", "/usr/lib/*-linux-gnu", "/lib64", "/usr/lib64", "/usr/lib")
_DRIVER = {"libcuda.so.1": "libcuda", "libnvidia-ml.so.1": "nvml_library"}


def read_libraries(machine: Machine, environment: PythonEnvironment) -> tuple[Library, ...]:
    """Every copy of every library, those of one name in the order of the loader."""
    if machine.system != "Linux":
        return ()
    found: dict[str, Library] = {}
    for origin, folder in _folders(machine, environment):
        for file in _files(folder):
            path = machine.name(file)
            found.setdefault(_real(file), Library(file.name, origin, path))
    order = {name: position for position, name in enumerate(dict.fromkeys(each.name for each in found.values()))}
    return tuple(sorted(found.values(), key=lambda each: order[each.name]))


def observe(machine: Machine, libraries: Iterable[Library]) -> Iterator[Observed]:
    """The versions of the user-space driver, from the names of the files that its libraries are links to."""
    seen = set()
    for library in libraries:
        axis = _DRIVER.get(library.name)
        if axis is None or axis in seen:
            continue
        seen.add(axis)
        release = _RELEASE.fullmatch(machine.path(library.path).resolve().name)
        if release:
            yield Observed(axis, release[1], f"{library.path} is {release[0]}")


def _folders(machine: Machine, environment: PythonEnvironment) -> Iterator[tuple[str, Path]]:
    for name in machine.environ.get(VARIABLE, "").split(":"):
        if name.startswith("/"):
            yield VARIABLE, machine.path(name)
    for folder in environment.folders:
        for each in glob_in(folder, "nvidia/*/lib"):
            yield f"{WHEEL} nvidia/{each.parent.name}", each
        yield f"{WHEEL} torch", folder / "torch/lib"
    if environment.kind == "conda":
        yield CONDA, environment.prefix / "lib"
    for name in _configured(machine):
        yield SYSTEM, machine.path(name)
    for pattern in _DEFAULT:
        for folder in machine.glob(pattern):
            yield SYSTEM, folder


def _configured(machine: Machine) -> Iterator[str]:
    """The folders that the system's loader is told of beside its own."""
    for file in machine.glob("/etc/ld.so.conf.d/*.conf"):
        for line in read_text(file).splitlines():
            if line.startswith("/"):
                yield line.strip()


def _files(folder: Path) -> list[Path]:
    try:
        return sorted(file for file in folder.iterdir() if _LIBRARY.fullmatch(file.name))
    except OSError:
        return []


def _real(file: Path) -> str:
    """The name behind links: one file reached by two folders is one copy."""
    return str(file.resolve())
