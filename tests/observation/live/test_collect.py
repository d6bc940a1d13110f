"""Single behaviours of the probe on made-up machines; whole machines are recorded in tests/hosts."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from compatsolver.errors import ProbeError
from compatsolver.model.request import Target
from compatsolver.observation.completion import complete
from compatsolver.observation.live import interpreter
from compatsolver.observation.live.collect import probe_target
from compatsolver.observation.target import target_of, unread
from recorded import build

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the made-up machines are POSIX ones")

VERSION = (
    "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.161.08  Sat Feb 24 22:53:36 UTC 2024\nGCC version:  gcc 11\n"
)
H100 = "NVIDIA H100 80GB HBM3, 9.0, 535.161.08, 81559, GPU-1, Disabled"
T4 = "Tesla T4, 7.5, 535.161.08, 15360, GPU-2, [N/A]"
MODULE = "/proc/driver/nvidia/version"
INFORMATION = "/proc/driver/nvidia/gpus/0000:00:00.0/information"


def machine(root: Path, *answers: dict[str, Any], **files: str) -> Any:
    """A machine with these answers of nvidia-smi, and files named by the constants above."""
    host: dict[str, Any] = {"files": {globals().get(name, name): text for name, text in files.items()}}
    if answers:
        host["programs"] = {"/usr/bin/nvidia-smi": list(answers)}
    return build(host, root)


def test_several_gpus(tmp_path: Path) -> None:
    environment = probe_target(machine(tmp_path, {"prints": f"{H100}\n{T4}\n{H100}\n"}, MODULE=VERSION))
    assert environment.gpu == ("2x NVIDIA H100 80GB HBM3", "Tesla T4")
    assert environment.compute_capability == ("9.0", "7.5")
    assert (environment.driver, environment.kernel_module) == ("535.161.08", "535.161.08")
    assert environment.not_understood == ()
    assert target_of(environment).gpus == (
        "2x NVIDIA H100 80GB HBM3 (compute capability 9.0)",
        "Tesla T4 (compute capability 7.5)",
    )


def test_a_capability_that_is_not_available(tmp_path: Path) -> None:
    environment = probe_target(machine(tmp_path, {"prints": "NVIDIA Thor, [N/A], 580.00, [N/A], GPU-1, [N/A]\n"}))
    assert (environment.gpu, environment.compute_capability) == (("NVIDIA Thor",), None)


def test_a_driver_without_devices_is_a_finding(tmp_path: Path) -> None:
    environment = probe_target(machine(tmp_path, {"prints": "No devices were found", "exit": 6}, MODULE=VERSION))
    assert (environment.gpu, environment.driver) == ((), "535.161.08")


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ({"prints": "Unable to determine the device handle", "exit": 255}, "Unable to determine the device handle"),
        ({"complains": "libnvidia-ml.so not found", "exit": 12}, "libnvidia-ml.so not found"),
        ({"exit": 3}, "exit status 3"),
        ({}, "no output"),
        ({"prints": "[GPU is lost], [N/A], [N/A], [N/A], [N/A], [N/A]"}, "not a list of GPUs"),
        ({"prints": "hello"}, "not a list of GPUs"),
    ],
)
def test_unknown_is_not_absent(tmp_path: Path, answer: dict[str, Any], words: str) -> None:
    with pytest.raises(ProbeError) as caught:
        probe_target(machine(tmp_path, answer, **{"/dev/nvidia0": ""}))
    told = str(caught.value)
    assert words in told
    assert "/dev/nvidia0" in told
    assert "--gpu NAME --driver VERSION" in told


def test_a_driver_that_fails_is_not_taken_for_no_gpu(tmp_path: Path) -> None:
    with pytest.raises(ProbeError, match="couldn't communicate"):
        probe_target(machine(tmp_path, {"prints": "NVIDIA-SMI couldn't communicate with the driver", "exit": 9}))


@pytest.mark.parametrize("trace", ["/dev/nvidiactl", "/dev/nvhost-gpu", MODULE])
def test_a_device_without_nvidia_smi_is_unknown(tmp_path: Path, trace: str) -> None:
    with pytest.raises(ProbeError, match="nvidia-smi: not installed"):
        probe_target(machine(tmp_path, **{trace: ""}))


def test_a_model_that_the_kernel_does_not_know_is_unknown(tmp_path: Path) -> None:
    with pytest.raises(ProbeError, match=r"driver 535\.161\.08 is loaded"):
        probe_target(machine(tmp_path, MODULE=VERSION, INFORMATION="Model: \t\t Unknown\n"))


def test_a_program_that_cannot_run_is_unknown(tmp_path: Path) -> None:
    broken = machine(tmp_path, {}, **{"/dev/nvidia0": ""})
    (tmp_path / "usr/bin/nvidia-smi").write_text("\x7fELF nonsense", encoding="latin-1")
    with pytest.raises(ProbeError, match="cannot be run"):
        probe_target(broken)


@pytest.mark.parametrize(
    ("variables", "gpu", "driver"),
    [
        ({"COMPATSOLVER_GPU": "none"}, (), None),
        ({"COMPATSOLVER_GPU": "A100"}, ("A100",), None),
        ({"COMPATSOLVER_GPU": "A100", "COMPATSOLVER_DRIVER": "550.54.15"}, ("A100",), "550.54.15"),
        ({"COMPATSOLVER_DRIVER": "550.54.15"}, (), "550.54.15"),
        ({"COMPATSOLVER_GPU": " "}, (), None),
    ],
)
def test_variables_answer_for_the_machine(
    tmp_path: Path, variables: dict[str, str], gpu: tuple[str, ...], driver: str | None
) -> None:
    bare = machine(tmp_path)
    environment = probe_target(bare._replace(environ={**bare.environ, **variables}))
    assert (environment.gpu, environment.driver) == (gpu, driver)


def test_a_variable_wins_over_what_is_read(tmp_path: Path) -> None:
    full = machine(tmp_path, {"prints": f"{H100}\n"}, MODULE=VERSION)
    environment = probe_target(full._replace(environ={**full.environ, "COMPATSOLVER_GPU": "8.9"}))
    assert (environment.gpu, environment.compute_capability, environment.driver) == (("8.9",), None, "535.161.08")
    assert [row.how for row in environment.observed if row.axis == "gpu"] == ["variable COMPATSOLVER_GPU"]


def test_the_interpreter_knows_itself(tmp_path: Path) -> None:
    environment = probe_target(machine(tmp_path)._replace(interpreter=interpreter.this_interpreter()))
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


def test_a_plan_without_a_target_is_for_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPATSOLVER_GPU", "RTX 4090")
    monkeypatch.setenv("COMPATSOLVER_DRIVER", "535.98")
    target = complete(Target(), None)
    assert (target.gpus, target.driver, target.probed) == (("RTX 4090",), "535.98", True)


def test_a_machine_without_a_gpu_costs_few_imports(tmp_path: Path) -> None:
    program = (
        "import sys; sys.path.append('tests'); from pathlib import Path;"
        "from compatsolver.observation.live.collect import probe_target;"
        "from compatsolver.observation.live.machine import this_machine;"
        f"probe_target(this_machine()._replace(root=Path({str(tmp_path)!r}), load=lambda name: None));"
        "print(sorted({'subprocess', 'platform', 'yaml', 'pynvml', 'json'} & set(sys.modules)))"
    )
    environ = {"PATH": "/nowhere", **{name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ}}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=environ)
    assert done.stdout.strip() == "[]"
