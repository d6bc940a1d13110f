"""What the running kernel tells of the NVIDIA driver: files under /proc and /dev, empty where there are none.

`root` is the root of the file system.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

DEVICES = ("nvidia*", "nvhost-gpu", "nvgpu")

_MODULE = re.compile(r"^NVRM version:.*?\s(\d{3}(?:\.\d+)+)\s", re.MULTILINE)
_MODEL = re.compile(r"^Model:\s*(\S.*?)\s*$", re.MULTILINE)


def read_module_version(root: Path) -> str | None:
    """The version of the loaded kernel module, `535.161.08`; None where none is loaded."""
    match = _MODULE.search(_text(root / "proc/driver/nvidia/version"))
    return match[1] if match else None


def read_models(root: Path) -> tuple[str, ...]:
    """The names of the GPUs that the module serves, empty where one of them is not told."""
    texts = [_text(file) for file in sorted(root.glob("proc/driver/nvidia/gpus/*/information"))]
    models = [match[1] for text in texts if (match := _MODEL.search(text)) and match[1].casefold() != "unknown"]
    return tuple(models) if len(models) == len(texts) else ()


def find_traces(root: Path) -> tuple[str, ...]:
    """Signs of an NVIDIA driver or GPU: the module's folder and device nodes, those of Jetson modules included."""
    folder = root / "proc/driver/nvidia"
    nodes = [node for pattern in DEVICES for node in sorted((root / "dev").glob(pattern))]
    found = [folder, *nodes] if folder.is_dir() else nodes
    return tuple(f"/{path.relative_to(root).as_posix()}" for path in found)


def is_wsl(root: Path) -> bool:
    """Whether the kernel is Microsoft's, which is how WSL is told from other Linux."""
    return "microsoft" in _text(root / "proc/version").casefold()


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
