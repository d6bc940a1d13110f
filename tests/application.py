"""An application on a loopback index, torch beside it on what stands for PyTorch's, and the command that locks it."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from loopback import Listed, running
from process import command
from wheels import Wheel

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterator
    from pathlib import Path

    from loopback import Loopback

CPU = ("--gpu", "none", "--platform", "linux-x86_64", "--glibc", "2.35")
HERE = f"{sys.version_info.major}.{sys.version_info.minor}"
TORCH = "2.9.1"
TAG = f"cp{HERE.replace('.', '')}-cp{HERE.replace('.', '')}-manylinux_2_28_x86_64"
WHEELS = (
    Wheel("torch", f"{TORCH}+cpu", TAG, requires=("app-core>=1",), imports=("torch",)),
    Wheel("app", "1.0", requires=("torch", "app-core[fast]; python_version >= '3.8'"), imports=("app",)),
    Wheel("app-core", "1.2", extras=("fast",), requires=("quick>=2; extra == 'fast'",), imports=("app_core",)),
    Wheel("app-core", "2.0rc1"),
    Wheel("quick", "1.0"),
    Wheel("quick", "2.5", imports=("quick",)),
    Wheel("quick", "3.0", requires_python=">=3.99"),
)


@contextmanager
def serving_app() -> Iterator[Loopback]:
    """Both indexes, with what would be taken if an index, a version or a Python were left open."""
    with running() as loopback:
        loopback.serve("whl/cpu", [])
        for wheel in WHEELS:
            where = "whl/cpu" if wheel.name == "torch" else "simple"
            loopback.serve(where, [Listed(wheel.filename, wheel.data, wheel.name, wheel.requires_python)])
        yield loopback


def variables(folder: Path) -> dict[str, str]:
    """Nothing of this machine's configuration."""
    unset = {name: "" for name in os.environ if name.startswith("PIP_")}
    return {**unset, "COMPATSOLVER_CACHE": str(folder / "cache"), "PIP_CONFIG_FILE": os.devnull}


def request(index: Loopback, *arguments: str) -> tuple[str, ...]:
    """The words that lock `app` on that index, with the CPU build of torch from what stands for PyTorch's own."""
    urls = ("--index-url", f"{index.address}/simple", "--pytorch-index-url", f"{index.address}/whl")
    return ("lock", f"torch=={TORCH}+cpu", "app", *CPU, "--python", HERE, *urls, *arguments)


def lock(index: Loopback, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run that command in a folder."""
    return command(*request(index, *arguments), cwd=folder, variables=variables(folder))
