"""What the running interpreter knows without looking further: platform, Python, glibc, the environment it belongs to.

The module `platform` is not asked: it costs an import and reads files to find out what these lines know.
"""

from __future__ import annotations

import os
import sys
from typing import NamedTuple

from compatsolver.observation.target import glibc_version

SYSTEMS = {"linux": "Linux", "win32": "Windows", "darwin": "macOS"}


class Interpreter(NamedTuple):
    """An interpreter and the system it runs on. `release` is the system's: of the kernel, of Windows, of macOS.

    `prefix` is the folder of its environment and `base_prefix` that of the Python it was made from; `path` are the
    folders in which it looks for packages.
    """

    system: str
    architecture: str
    python: str
    glibc: str | None
    release: str
    prefix: str
    base_prefix: str
    path: tuple[str, ...]


def this_interpreter() -> Interpreter:
    """The one that runs this program."""
    return Interpreter(
        read_system(),
        read_architecture(),
        read_python(),
        read_glibc(),
        _release(),
        sys.prefix,
        sys.base_prefix,
        tuple(folder for folder in sys.path if folder.endswith(("-packages", "site-python"))),
    )


def read_system() -> str:
    """`Linux`, `Windows` or `macOS`; elsewhere the interpreter's own word."""
    return SYSTEMS.get(sys.platform, sys.platform)


def read_architecture() -> str:
    """The machine this interpreter runs as: `x86_64`, `aarch64`, `arm64`, `AMD64`; `x86` for a 32-bit one."""
    if sys.maxsize < 2**32:
        return "x86"
    if sys.platform == "win32":
        return "ARM64" if "ARM64" in sys.version else "AMD64"
    return os.uname().machine


def read_python() -> str:
    """The version, `t` behind it for a free-threaded build: `3.14.2t`."""
    free_threaded = "free-threading build" in sys.version
    return ".".join(map(str, sys.version_info[:3])) + ("t" if free_threaded else "")


def read_glibc() -> str | None:
    """The version of the C library, as in `2.35`; None where it is not glibc."""
    if sys.platform == "win32":
        return None
    try:
        return glibc_version(os.confstr("CS_GNU_LIBC_VERSION") or "")
    except (ValueError, OSError):
        return None


def _release() -> str:
    if sys.platform == "win32":
        windows = sys.getwindowsversion()
        return f"{windows.major}.{windows.minor}.{windows.build}"
    return os.uname().release
