"""The operating system: its name, its kernel, the C and C++ libraries."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from compatsolver.model.component import NONE
from compatsolver.model.probed import Observed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from compatsolver.observation.live.machine import Machine

RELEASE = "/etc/os-release"
_PRETTY = re.compile(r'^PRETTY_NAME="?([^"\n]+)', re.MULTILINE)
_STANDARD_LIBRARY = re.compile(r"libstdc\+\+\.so\.(6\.0\.\d+)")
_PLACES = ("/usr/lib/*-linux-gnu/libstdc++.so.6.0.*", "/usr/lib64/libstdc++.so.6.0.*", "/usr/lib/libstdc++.so.6.0.*")


def observe(machine: Machine) -> Iterator[Observed]:
    """System, architecture, kernel or Windows build, glibc, libstdc++."""
    interpreter = machine.interpreter
    yield _name(machine)
    yield Observed("arch", interpreter.architecture, "interpreter")
    yield Observed("windows_build" if machine.system == "Windows" else "kernel", interpreter.release, "interpreter")
    if machine.system != "Linux":
        return
    yield Observed("glibc", interpreter.glibc or NONE, "interpreter: confstr(CS_GNU_LIBC_VERSION)")
    yield _standard_library(machine)


def _name(machine: Machine) -> Observed:
    pretty = _PRETTY.search(machine.text(RELEASE)) if machine.system == "Linux" else None
    if pretty is None:
        return Observed("os", machine.system, "interpreter")
    name = pretty[1].strip()
    return Observed("os", name if "linux" in name.lower() else f"{name} (Linux)", RELEASE)


def _standard_library(machine: Machine) -> Observed:
    """The newest of the system, or of the conda environment, whose interpreter loads its own."""
    own = _newest([*machine.path(machine.interpreter.prefix).glob("lib/libstdc++.so.6.0.*")])
    found = own or _newest([file for place in _PLACES for file in machine.glob(place)])
    if found is None:
        return Observed("libstdcxx", NONE, "no libstdc++.so.6 in the system's folders")
    return Observed("libstdcxx", found[0], machine.name(found[1]))


def _newest(files: list[Path]) -> tuple[str, Path] | None:
    found = [(match[1], file) for file in files if (match := _STANDARD_LIBRARY.fullmatch(file.name))]
    return max(found, key=lambda each: int(each[0].rpartition(".")[2]), default=None)
