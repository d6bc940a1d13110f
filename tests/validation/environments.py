"""Small environments with a stand-in for torch that has what its identity takes, and no more."""

from __future__ import annotations

import sys
import venv
from pathlib import Path
from textwrap import dedent

FAULTS = Path(__file__).parent / "faults" / "misbehaviour"

TORCH = """
import types
__version__ = {version!r}
version = types.SimpleNamespace(cuda={cuda!r}, hip=None, git_version="0")
class cuda:
    is_available = staticmethod(lambda: {available!r})
    get_arch_list = staticmethod(lambda: {archs!r})
    nccl = types.SimpleNamespace(version=lambda: {nccl!r})
    @staticmethod
    def init():
        raise AssertionError("Torch not compiled with CUDA enabled")
class cudnn:
    version = staticmethod(lambda: {cudnn!r})
backends = types.SimpleNamespace(cudnn=cudnn)
distributed = types.SimpleNamespace(is_nccl_available=lambda: {nccl!r} is not None)
"""
CPU_BUILD: dict[str, object] = {
    "version": "2.13.0+cpu",
    "cuda": None,
    "available": False,
    "archs": [],
    "nccl": None,
    "cudnn": None,
}


def environment(folder: Path, packages: dict[str, str], torch: dict[str, object] | None = None) -> str:
    """An environment with some packages installed by name, and a torch that says these things; its interpreter."""
    venv.create(folder, with_pip=False, symlinks=True)
    site = folder / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"
    for name, version in packages.items():
        information = site / f"{name}-{version}.dist-info"
        information.mkdir()
        (information / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n", "utf-8")
        if name != "torch":
            (site / f"{name}.py").write_text(f"__version__ = {version!r}\n", encoding="utf-8")
    if torch is not None:
        (site / "torch.py").write_text(dedent(TORCH).format(**torch), encoding="utf-8")
    return str(folder / "bin" / "python")
