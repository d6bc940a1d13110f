"""Axes of a target out of what people write."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compatsolver.model.environment import Environment
from compatsolver.model.request import PLATFORMS, Target
from compatsolver.observation.target import driver_number, glibc_version, python_version, target_of, unread


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("535.98", "535.98"),
        ("NVIDIA driver 535.98", "535.98"),
        ("Driver Version: 535.161.08", "535.161.08"),
        ("| NVIDIA-SMI 545.23.08    Driver Version: 545.84    CUDA Version: 12.3 |", "545.84"),
        ("NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.161.08  Sat Feb 24", "535.161.08"),
        ("NVIDIA UNIX Open Kernel Module for x86_64  580.82.07  Release Build", "580.82.07"),
        ("nvidia-driver-535", "535"),
        ("580 branch", "580"),
        ("R580", "580"),
        ("580.xx", "580"),
        ("535.98 (Game Ready)", "535.98"),
        ("latest", None),
        ("535 or 550", None),
        ("12.4", None),
        ("32.0.15.6636", None),
        ("", None),
    ],
)
def test_driver(text: str, number: str | None) -> None:
    assert driver_number(text) == number


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("3.11", "3.11"),
        ("3.11.7", "3.11"),
        ("Python 3.11", "3.11"),
        ("Python 3.12.3 (main, Feb  4 2025, 14:48:35) [GCC 13.3.0]", "3.12"),
        ("CPython 3.10 from conda", "3.10"),
        ("3.14t", "3.14t"),
        ("3.14.2t", "3.14t"),
        ("3.13.0 experimental free-threading build", "3.13t"),
        ("2.7.18", "2.7"),
        ("3.10 or 3.11", None),
        (">=3.10", None),
        ("3.10+", None),
        ("3.x", None),
        ("three", None),
    ],
)
def test_python(text: str, version: str | None) -> None:
    assert python_version(text) == version


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("2.35", "2.35"),
        ("glibc 2.36", "2.36"),
        ("Ubuntu GLIBC 2.35-0ubuntu3.1", "2.35"),
        ("ldd (GNU libc) 2.28", "2.28"),
        ("ldd (Ubuntu GLIBC 2.31-0ubuntu9.16) 2.31", "2.31"),
        ("glibc-2.28-251.el8_10.2.x86_64", "2.28"),
        ("musl 1.2.4", None),
        (">=2.28", None),
        ("old", None),
    ],
)
def test_glibc(text: str, version: str | None) -> None:
    assert glibc_version(text) == version


@pytest.mark.parametrize(
    ("system", "architecture", "platform", "is_assumed"),
    [
        ("Ubuntu 22.04 x86_64", None, "linux-x86_64", False),
        ("Ubuntu 22.04", None, "linux-x86_64", True),
        ("Ubuntu 22.04", "amd64", "linux-x86_64", False),
        ("Ubuntu 24.04.4 (6.8.12-tegra)", None, "linux-aarch64", False),
        ("L4T R38.4 / JetPack 7", "aarch64", "linux-aarch64", False),
        ("Linux-5.15.0-91-generic-x86_64-with-glibc2.35", None, "linux-x86_64", False),
        ("Arch", "x86_64", "linux-x86_64", False),
        (None, "aarch64", "linux-aarch64", False),
        (None, "x86-64", "linux-x86_64", False),
        ("Windows 11", None, "windows-x86_64", True),
        ("win32", "AMD64", "windows-x86_64", False),
        ("Windows 10 64-bit", "x64", "windows-x86_64", False),
        ("macOS 14.5 (arm64)", None, "macos-arm64", False),
        ("macOS (M1)", None, "macos-arm64", False),
        ("macOS", None, "macos-arm64", True),
        ("Mac OS X 10.15, Intel", None, "macos-x86_64", False),
        ("Darwin", "x86_64", "macos-x86_64", False),
        ("Windows 11 + WSL2 Ubuntu 22.04", None, "linux-x86_64", True),
        ("Windows 11 on ARM64", None, None, False),
        ("Linux", "ppc64le", None, False),
        ("Linux", "i686", None, False),
        ("Plan 9", None, None, False),
        (None, None, None, False),
    ],
)
def test_platform(system: str | None, architecture: str | None, platform: str | None, is_assumed: bool) -> None:
    environment = Environment(os=system, arch=architecture)
    target = target_of(environment)
    assert (target.platform, target.assumed) == (platform, ("platform",) if is_assumed else ())
    told = bool(system or architecture)
    assert bool(unread(environment)) == (told and platform is None)


@pytest.mark.parametrize(
    ("wsl", "system", "is_wsl"),
    [
        (True, None, True),
        (False, "WSL2", False),
        ("WSL2", "Windows 11", True),
        ("kernel 5.4.72", "Windows 10", True),
        ("no", "Windows 11", False),
        (None, "Ubuntu 22.04 on WSL2", True),
        (None, "Ubuntu 22.04", False),
    ],
)
def test_wsl(wsl: bool | str | None, system: str | None, is_wsl: bool) -> None:
    assert target_of(Environment(wsl=wsl, os=system)).wsl is is_wsl


@pytest.mark.parametrize(
    ("gpu", "capability", "gpus"),
    [
        (None, None, None),
        ((), None, ()),
        (("RTX 4090",), None, ("RTX 4090",)),
        (("2x A10 + 2x T4",), None, ("2x A10", "2x T4")),
        (("T4+H100",), None, ("T4", "H100")),
        (("V100, RTX 5090",), None, ("V100", "RTX 5090")),
        (("V100 and RTX 5090",), None, ("V100", "RTX 5090")),
        (("T4", "T4"), None, ("T4",)),
        (("2x A100-SXM4-80GB, MIG 3g.40gb",), None, ("2x A100-SXM4-80GB, MIG 3g.40gb",)),
        (None, ("8.9",), ("compute capability 8.9",)),
        (None, ("8.6, 7.5",), ("compute capability 8.6", "compute capability 7.5")),
        (("RTX 4090",), ("8.9",), ("RTX 4090 (compute capability 8.9)",)),
        (("A10 + T4",), ("8.6", "7.5"), ("A10 (compute capability 8.6)", "T4 (compute capability 7.5)")),
        (("A10", "T4"), ("8.6",), ("A10", "T4", "compute capability 8.6")),
    ],
)
def test_gpus(gpu: tuple[str, ...] | None, capability: tuple[str, ...] | None, gpus: tuple[str, ...] | None) -> None:
    assert target_of(Environment(gpu=gpu, compute_capability=capability)).gpus == gpus


def test_the_loaded_module_tells_the_driver_where_nothing_else_does() -> None:
    assert target_of(Environment(kernel_module="NVIDIA UNIX x86_64 Kernel Module  535.161.08")).driver == "535.161.08"
    assert target_of(Environment(driver="550.54", kernel_module="535.161.08")).driver == "550.54"


def test_what_is_absent_is_understood() -> None:
    environment = Environment(driver="none", container="no")
    assert target_of(environment) == Target()
    assert unread(environment) == ()


@given(st.builds(Environment, driver=st.text(), os=st.text(), arch=st.text(), python=st.text(), glibc=st.text()))
def test_any_texts_are_read(environment: Environment) -> None:
    assert target_of(environment).platform in (None, *PLATFORMS)
