"""Compilers: nvcc of the CUDA toolkit, the host's gcc, on Windows Visual C++."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from compatsolver.model.component import NONE
from compatsolver.model.probed import Observed
from compatsolver.observation.live.commands import run

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compatsolver.observation.live.machine import Machine

PATIENCE = 1.0
"""Seconds for each compiler to print its version."""

_NVCC = re.compile(r"release \d+\.\d+, V(\d+\.\d+\.\d+)")
_TOOLKIT = re.compile(r'"cuda_nvcc"\s*:\s*\{[^}]*"version"\s*:\s*"(\d+\.\d+\.\d+)"')
_GCC = re.compile(r"\d+(?:\.\d+){0,2}")
_WHERE = "C:/Program Files (x86)/Microsoft Visual Studio/Installer/vswhere.exe"


def observe(machine: Machine) -> Iterator[Observed]:
    """Each compiler's version; `none` where it is not installed, unknown where it does not tell."""
    yield _nvcc(machine)
    yield _visual_cpp(machine) if machine.system == "Windows" else _gcc(machine)


def _nvcc(machine: Machine) -> Observed:
    """The one on PATH, which a build would call; else that of the toolkit's folder, from its file of versions."""
    program = machine.which("nvcc")
    if program:
        outcome = run([program, "--version"], PATIENCE, machine.environ)
        match = _NVCC.search(outcome.output)
        how = "nvcc --version"
        return Observed("nvcc", match[1], how) if match else Observed("nvcc", None, f"{how}: {outcome.first_line}")
    homes = [machine.environ.get(name) for name in ("CUDA_HOME", "CUDA_PATH")]
    for home in filter(None, [*homes, "/usr/local/cuda"]):
        file = f"{home}/version.json"
        if match := _TOOLKIT.search(machine.text(file)):
            return Observed("nvcc", match[1], file)
    return Observed("nvcc", NONE, "not on PATH, no toolkit in CUDA_HOME, CUDA_PATH or /usr/local/cuda")


def _gcc(machine: Machine) -> Observed:
    program = machine.which("gcc")
    if program is None:
        return Observed("gcc", NONE, "not on PATH")
    outcome = run([program, "-dumpfullversion", "-dumpversion"], PATIENCE, machine.environ)
    version = outcome.output.strip()
    how = "gcc -dumpfullversion"
    if not _GCC.fullmatch(version):
        return Observed("gcc", None, f"{how}: {outcome.first_line}")
    return Observed("gcc", version, how)


def _visual_cpp(machine: Machine) -> Observed:
    if version := machine.environ.get("VCToolsVersion"):
        return Observed("msvc", version, "variable VCToolsVersion")
    program = machine.path(_WHERE)
    if not program.exists():
        return Observed("msvc", NONE, "no Visual Studio Installer")
    arguments = ["-latest", "-products", "*", "-property", "catalog_productLineVersion"]
    outcome = run([str(program), *arguments], PATIENCE, machine.environ)
    if outcome.status != 0 or not outcome.output.strip():
        return Observed("msvc", None, f"vswhere: {outcome.first_line}")
    return Observed("msvc", f"Visual Studio {outcome.output.strip()}", "vswhere")
