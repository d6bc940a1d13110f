"""The targets: GPUs on the platforms they are found on × drivers × Pythons."""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

GLIBC = "2.35"
PYTHONS = ("3.9", "3.10", "3.12", "3.14")

_LINUX = (
    *("450.80.02", "470.256.02", "525.147.05", "535.183.01", "550.54.15"),
    *("570.124.06", "580.95.05", "595.71.05", "610.57.04"),
)
_WINDOWS = ("452.39", "471.41", "528.33", "537.13", "551.78", "572.61", "580.88", "595.71", "616.92")
DRIVERS = {"linux-x86_64": _LINUX, "linux-aarch64": _LINUX, "windows-x86_64": _WINDOWS}


class Gpu(NamedTuple):
    """A GPU by each name that a peer may ask for: its product name, its capability and its PCI device id."""

    name: str
    capability: str
    device: str


class Target(NamedTuple):
    """A machine with one GPU."""

    gpu: Gpu
    driver: str
    platform: str
    python: str


_X86 = (
    Gpu("Tesla K80", "3.7", "102d"),
    Gpu("GTX 980", "5.2", "13c0"),
    Gpu("Tesla P100", "6.0", "15f8"),
    Gpu("GTX 1080", "6.1", "1b80"),
    Gpu("V100", "7.0", "1db4"),
    Gpu("T4", "7.5", "1eb8"),
    Gpu("RTX 2080 Ti", "7.5", "1e07"),
    Gpu("A100", "8.0", "20b5"),
    Gpu("RTX 3090", "8.6", "2204"),
    Gpu("RTX 4090", "8.9", "2684"),
    Gpu("H100", "9.0", "2330"),
    Gpu("B200", "10.0", "2901"),
    Gpu("B300", "10.3", "3182"),
    Gpu("RTX 5090", "12.0", "2b85"),
)
_DESKTOP = ("GTX 980", "GTX 1080", "RTX 2080 Ti", "RTX 3090", "RTX 4090", "RTX 5090")
_ARM = (
    Gpu("A100", "8.0", "20b5"),
    Gpu("GH200", "9.0", "2342"),
    Gpu("GB200", "10.0", "2941"),
    Gpu("GB10", "12.1", "2e12"),
)
GPUS = {
    "linux-x86_64": _X86,
    "windows-x86_64": tuple(gpu for gpu in _X86 if gpu.name in _DESKTOP),
    "linux-aarch64": _ARM,
}


def targets() -> list[Target]:
    """All of them, in the order in which answers are kept."""
    return [
        Target(gpu, driver, platform, python)
        for platform in GPUS
        for gpu, driver, python in product(GPUS[platform], DRIVERS[platform], PYTHONS)
    ]
