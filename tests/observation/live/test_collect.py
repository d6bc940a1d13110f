"""This machine and made-up ones: a folder for the root of the file system, a real program called nvidia-smi."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from compatsolver.errors import ProbeError
from compatsolver.observation.live import interpreter
from compatsolver.observation.live.collect import probe
from compatsolver.observation.target import target_of, unread

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the made-up machines are POSIX ones")

VERSION = (
    "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.161.08  Sat Feb 24 22:53:36 UTC 2024\nGCC version:  gcc 11\n"
)
H100 = "NVIDIA H100 80GB HBM3, 9.0, 535.161.08"


class Machine:
    """Builds a machine below a folder."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def write(self, name: str, text: str) -> None:
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def nvidia_smi(self, script: str) -> None:
        self.write("bin/nvidia-smi", f"#!/bin/sh\n{script}\n")
        (self.root / "bin/nvidia-smi").chmod(0o755)

    def module(self, *models: str) -> None:
        self.write("proc/driver/nvidia/version", VERSION)
        for number, model in enumerate(models):
            information = f"Model: \t\t {model}\nIRQ:   \t\t 180\n"
            self.write(f"proc/driver/nvidia/gpus/0000:{number:02}:00.0/information", information)


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    return Machine(tmp_path)


def test_several_gpus(machine: Machine) -> None:
    machine.module()
    machine.nvidia_smi(f"echo '{H100}'; echo 'Tesla T4, 7.5, 535.161.08'; echo '{H100}'")
    environment = probe(machine.root)
    assert environment.gpu == ("2x NVIDIA H100 80GB HBM3", "Tesla T4")
    assert environment.compute_capability == ("9.0", "7.5")
    assert (environment.driver, environment.kernel_module) == ("535.161.08", "535.161.08")
    assert environment.not_understood == ()
    assert target_of(environment).gpus == (
        "2x NVIDIA H100 80GB HBM3 (compute capability 9.0)",
        "Tesla T4 (compute capability 7.5)",
    )


def test_a_driver_that_does_not_tell_capabilities(machine: Machine) -> None:
    machine.nvidia_smi(
        """case "$1" in
        *compute_cap*) echo 'Field "compute_cap" is not a valid field to query.'; exit 2;;
        *) echo 'Tesla K80, 470.256.02';;
        esac"""
    )
    environment = probe(machine.root)
    assert (environment.gpu, environment.driver) == (("Tesla K80",), "470.256.02")
    assert environment.compute_capability is None


def test_a_capability_that_is_not_available(machine: Machine) -> None:
    machine.nvidia_smi("echo 'NVIDIA Thor, [N/A], 580.00'")
    environment = probe(machine.root)
    assert (environment.gpu, environment.compute_capability) == (("NVIDIA Thor",), None)


def test_no_nvidia_gpu_is_a_finding(machine: Machine) -> None:
    environment = probe(machine.root)
    assert (environment.gpu, environment.driver) == ((), None)
    assert target_of(environment).gpus == ()


def test_a_driver_without_devices_is_a_finding(machine: Machine) -> None:
    machine.module()
    machine.nvidia_smi("echo 'No devices were found'; exit 6")
    environment = probe(machine.root)
    assert (environment.gpu, environment.driver) == ((), "535.161.08")


def test_the_kernel_stands_in_for_nvidia_smi(machine: Machine) -> None:
    machine.module("NVIDIA A100-SXM4-80GB", "NVIDIA A100-SXM4-80GB")
    machine.nvidia_smi("echo 'Failed to initialize NVML: Driver/library version mismatch'; exit 18")
    environment = probe(machine.root)
    assert (environment.gpu, environment.driver) == (("2x NVIDIA A100-SXM4-80GB",), "535.161.08")
    assert environment.not_understood == ("nvidia-smi: Failed to initialize NVML: Driver/library version mismatch",)


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("echo 'Unable to determine the device handle'; exit 255", "Unable to determine the device handle"),
        ("echo 'libnvidia-ml.so not found' >&2; exit 12", "libnvidia-ml.so not found"),
        ("exit 3", "exit status 3"),
        ("true", "no output"),
        ("echo '[GPU is lost], [N/A], [N/A]'", "not a list of GPUs"),
        ("echo 'hello'", "not a list of GPUs"),
    ],
)
def test_unknown_is_not_absent(machine: Machine, script: str, words: str) -> None:
    machine.write("dev/nvidia0", "")
    machine.nvidia_smi(script)
    with pytest.raises(ProbeError) as caught:
        probe(machine.root)
    told = str(caught.value)
    assert words in told
    assert "/dev/nvidia0" in told
    assert "--gpu NAME --driver VERSION" in told


@pytest.mark.parametrize("trace", ["dev/nvidiactl", "dev/nvhost-gpu", "proc/driver/nvidia/version"])
def test_a_device_without_nvidia_smi_is_unknown(machine: Machine, trace: str) -> None:
    machine.write(trace, "")
    with pytest.raises(ProbeError, match="not installed"):
        probe(machine.root)


def test_a_model_that_the_kernel_does_not_know_is_unknown(machine: Machine) -> None:
    machine.module("Unknown")
    with pytest.raises(ProbeError, match=r"driver 535\.161\.08 is loaded"):
        probe(machine.root)


def test_a_program_that_cannot_run_is_unknown(machine: Machine) -> None:
    machine.write("bin/nvidia-smi", "\x7fELF nonsense")
    (machine.root / "bin/nvidia-smi").chmod(0o755)
    with pytest.raises(ProbeError, match="cannot be run"):
        probe(machine.root)


def test_a_program_that_hangs_is_left(machine: Machine) -> None:
    machine.write("dev/nvidia0", "")
    machine.nvidia_smi("exec /bin/sleep 60")
    start = time.monotonic()
    with pytest.raises(ProbeError, match="no answer within 2 s"):
        probe(machine.root)
    assert time.monotonic() - start < 10


def test_wsl_keeps_nvidia_smi_elsewhere(machine: Machine) -> None:
    machine.nvidia_smi("echo 'NVIDIA GeForce RTX 4090, 8.9, 566.36'")
    place = machine.root / "usr/lib/wsl/lib/nvidia-smi"
    place.parent.mkdir(parents=True)
    (machine.root / "bin/nvidia-smi").rename(place)
    assert probe(machine.root).gpu == ("NVIDIA GeForce RTX 4090",)


def test_wsl_is_told_from_linux(machine: Machine) -> None:
    machine.write("proc/version", "Linux version 5.15.153.1-microsoft-standard-WSL2 (root@941d701f84f1)\n")
    assert probe(machine.root).wsl is True


def test_the_interpreter_knows_itself(machine: Machine) -> None:
    environment = probe(machine.root)
    assert environment.python is not None
    assert environment.python.rstrip("t") == ".".join(map(str, sys.version_info[:3]))
    assert unread(environment) == ()
    target = target_of(environment)
    assert target.python == f"{sys.version_info.major}.{sys.version_info.minor}" + (
        "t" if environment.python.endswith("t") else ""
    )
    assert target.platform is not None
    assert target.assumed == ()


@pytest.mark.skipif(not Path("/usr/bin/ldd").exists(), reason="no ldd to compare with")
def test_glibc_is_what_ldd_says() -> None:
    banner = subprocess.run(["/usr/bin/ldd", "--version"], capture_output=True, text=True, check=False).stdout
    if "GLIBC" not in banner and "GNU" not in banner:
        pytest.skip("not glibc")
    assert interpreter.read_glibc() == banner.splitlines()[0].split()[-1]


def test_a_machine_without_a_gpu_costs_few_imports(machine: Machine) -> None:
    program = (
        "import sys; from pathlib import Path; from compatsolver.observation.live.collect import probe; "
        f"probe(Path({str(machine.root)!r})); print(sorted({{'subprocess', 'platform', 'yaml'}} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
