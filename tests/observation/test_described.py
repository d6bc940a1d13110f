from __future__ import annotations

import pytest

from compatsolver.model.observation import DOCUMENT
from compatsolver.observation.described import observations_of
from compatsolver.observation.environment import read_environment


def described(text: str) -> dict[str, tuple[str, ...]]:
    reading = observations_of(read_environment(text, "environment.yaml"))
    return {each.axis: reading.values(each.axis) for each in reading.observations}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("gpu: 4x GeForce RTX 2080 Ti", {"gpu": ("GeForce RTX 2080 Ti",), "device_count": ("4",)}),
        ("gpu: 2x L4 + 1x T4", {"gpu": ("L4", "T4"), "device_count": ("3",)}),
        ("gpu: none", {"device_count": ("0",)}),
        ("gpu: A30, MIG 1g.6gb", {"gpu": ("A30, MIG 1g.6gb",), "mig": ("1g.6gb",)}),
        ("compute_capability: sm_86", {"compute_capability": ("8.6",)}),
        ("driver: 560 branch", {"driver": ("560",)}),
        ("driver: 31.0.15.5222", {"driver": ("552.22",)}),
        ("nvidia_smi_cuda: '12.6'", {"driver_cuda": ("12.6",)}),
        ("nvidia_smi_cuda: 12.6 (or the toolkit?)", {}),
        ("container: podman, CUDA 12.4", {"container": ("podman, CUDA 12.4",), "container_cuda": ("12.4",)}),
        ("container: tag cu1241-torch250", {"container": ("tag cu1241-torch250",), "container_cuda": ("12.4.1",)}),
        ("container: CUDA 11 and CUDA 12 images", {"container": ("CUDA 11 and CUDA 12 images",)}),
        ("python: 3.13.1", {"python": ("3.13.1",)}),
        ("nvcc: 12.0-12.3", {}),
        ("gcc: 13.x", {"gcc": ("13",)}),
        ("gcc: Visual Studio 2022", {"msvc": ("Visual Studio 2022",)}),
        ("env: {CUDA_VISIBLE_DEVICES: '3'}", {"env:CUDA_VISIBLE_DEVICES": ("3",)}),
        ("wsl: kernel 5.15.90", {"wsl": ("yes",)}),
        ("arch: aarch64", {"arch": ("aarch64",), "platform": ("linux-aarch64",)}),
    ],
)
def test_axes(text: str, expected: dict[str, tuple[str, ...]]) -> None:
    assert described(text) == expected


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("torch", "2.7.1+cu126", {"package:torch": ("2.7.1+cu126",)}),
        ("pytorch (conda)", "1.12.1", {"package:torch": ("1.12.1",)}),
        ("torch", "+cu118 (2.0.1)", {"package:torch": ("2.0.1+cu118",)}),
        ("torch", "cu124 build (from source)", {"package:torch": ("+cu124",)}),
        ("torch", "2.4/2.5 nightly cu124", {"package:torch": ("+cu124",)}),
        ("torch", "2.1.x (default index)", {"package:torch": ("2.1.*",)}),
        (
            "vllm",
            "0.8.x (needs torch==2.6.0)",
            {"package:vllm": ("0.8.*",), "declared": ("vllm 0.8.* requires torch==2.6.0",)},
        ),
        ("vllm", "any", {"package:vllm": ("*",)}),
        ("peft", "recent (floor torch>=1.13)", {"package:peft": ("*",)}),
        ("torch", "==2.2.0 requested", {"requested": ("torch==2.2.0",)}),
        ("torch", "<2.4,>=2.1", {"requested": ("torch<2.4,>=2.1",)}),
        ("xformers", "none", {}),
        ("libnccl2", "2.18.3-1+cuda12.2", {"package:libnccl2": ("2.18.3-1+cuda12.2",)}),
    ],
)
def test_packages(name: str, text: str, expected: dict[str, tuple[str, ...]]) -> None:
    assert described(f"packages: {{'{name}': '{text}'}}") == expected


def test_what_is_not_certain_is_said() -> None:
    reading = observations_of(read_environment("nvidia_smi_cuda: 12.6 (toolkit?)", "x"))
    assert reading.observations == ()
    assert "nvidia_smi_cuda" in reading.not_understood[0]


def test_observations_of_a_document_stand_in_no_line() -> None:
    reading = observations_of(read_environment("driver: '570.86.15'", "x"))
    assert [(each.line, each.reader) for each in reading.observations] == [(0, DOCUMENT)]
