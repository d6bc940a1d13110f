"""What the environment says it is: versions as they are imported, and the packages that are installed."""

from __future__ import annotations

import platform
import sys
from importlib import import_module
from importlib.metadata import distributions
from typing import Any

LIBRARIES = ("transformers", "peft", "accelerate", "bitsandbytes", "triton")


def interpreter() -> dict[str, Any]:
    """What the interpreter says of itself, and the packages that it can import."""
    return {
        "python": platform.python_version(),
        "system": platform.system(),
        "machine": platform.machine(),
        "glibc": platform.libc_ver()[1] or None,
        "executable": sys.executable,
        "packages": {(each.metadata["Name"] or "").lower().replace("_", "-"): each.version for each in distributions()},
    }


def identity(settings: dict[str, Any]) -> dict[str, Any]:
    """Import torch and the libraries on it that are installed, and tell the versions that answered."""
    numbers = interpreter()
    import torch

    numbers["torch"] = {
        "version": str(torch.__version__),
        "cuda": torch.version.cuda,
        "hip": torch.version.hip,
        "git": torch.version.git_version,
        "available": torch.cuda.is_available(),
        "archs": torch.cuda.get_arch_list(),
    }
    problems = []
    for name, read in (("cudnn", _cudnn), ("nccl", _nccl)):
        try:
            numbers["torch"][name] = read(torch)
        except Exception as error:
            problems.append(f"{name}: {type(error).__name__}: {error}")
    imported, failures = _imported(numbers["packages"])
    return {"numbers": {**numbers, "imported": imported}, "problems": problems + failures}


def _imported(packages: dict[str, Any]) -> tuple[Any, ...]:
    """Versions that the installed libraries report once imported, and what keeps the others from it."""
    imported, failures = {}, []
    for name in LIBRARIES:
        if name in packages:
            try:
                imported[name] = str(getattr(import_module(name), "__version__", packages[name]))
            except Exception as error:
                failures.append(f"import {name}: {type(error).__name__}: {error}")
    return imported, failures


def _cudnn(torch: Any) -> Any:
    """cuDNN as it is loaded: 91002 is 9.10.2, 8902 is 8.9.2."""
    number = torch.backends.cudnn.version() if torch.version.cuda else None
    if number is None:
        return None
    size = 10000 if number >= 90000 else 1000
    return f"{number // size}.{number % size // 100}.{number % 100}"


def _nccl(torch: Any) -> Any:
    if not torch.version.cuda or not torch.distributed.is_nccl_available():
        return None
    return ".".join(str(part) for part in torch.cuda.nccl.version())


def devices(settings: dict[str, Any]) -> dict[str, Any]:
    """Tell the devices, and allocate and copy on each."""
    import torch

    if settings["device"] == "cpu":
        numbers = {"device": platform.processor() or platform.machine(), "threads": torch.get_num_threads()}
        return {"numbers": numbers, "problems": _allocated(torch, "cpu")}
    torch.cuda.init()
    count = torch.cuda.device_count()
    rows = [_device(torch, index) for index in range(count)]
    problems = [] if count else ["torch sees no CUDA device"]
    for index in range(count):
        problems += _allocated(torch, f"cuda:{index}")
    return {"numbers": {"devices": rows}, "problems": problems}


def _device(torch: Any, index: int) -> dict[str, Any]:
    told = torch.cuda.get_device_properties(index)
    return {
        "name": told.name,
        "compute_capability": f"{told.major}.{told.minor}",
        "memory_bytes": told.total_memory,
        "multiprocessors": told.multi_processor_count,
    }


def _allocated(torch: Any, device: str) -> list[Any]:
    """64 MiB written, read back and summed: a device that only pretends to be there is found out."""
    count = 16 * 1024 * 1024
    total = int(torch.ones(count, device=device).sum(dtype=torch.float64).item())
    return [] if total == count else [f"{device}: {count} ones sum to {total}"]
