"""The command `probe` and `check --python`, run as users run them on this machine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import venv
from shutil import which
from typing import TYPE_CHECKING, Any

import pytest

import compatsolver
from compatsolver.observation.live.machine import load_library
from process import command

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the made-up driver is a shell script")
without_a_driver = pytest.mark.skipif(
    load_library("libnvidia-ml.so.1") is not None, reason="the driver of this machine answers first"
)

ANSWERS = """#!/bin/sh
case "$*" in
*--query-gpu*) echo 'NVIDIA L4, 8.9, 550.54.15, 23034, GPU-11111111-2222-3333-4444-555555555501, [N/A]';;
*) echo '| NVIDIA-SMI 550.54.15              Driver Version: 550.54.15      CUDA Version: 12.4     |';;
esac
"""

LIBRARIES = {
    "libnvidia-ml.so.1": """
#include <string.h>
int nvmlInitWithFlags(unsigned f) { return 0; }
int nvmlShutdown(void) { return 0; }
int nvmlSystemGetDriverVersion(char *t, unsigned n) { strcpy(t, "550.54.15"); return 0; }
int nvmlSystemGetNVMLVersion(char *t, unsigned n) { strcpy(t, "12.550.54.15"); return 0; }
int nvmlSystemGetCudaDriverVersion_v2(int *v) { *v = 12040; return 0; }
int nvmlDeviceGetCount_v2(unsigned *n) { *n = 1; return 0; }
int nvmlDeviceGetHandleByIndex_v2(unsigned i, void **h) { *h = (void *)1; return 0; }
int nvmlDeviceGetName(void *h, char *t, unsigned n) { strcpy(t, "NVIDIA L4"); return 0; }
int nvmlDeviceGetCudaComputeCapability(void *h, int *a, int *b) { *a = 8; *b = 9; return 0; }
""",
    "libcuda.so.1": "int cuDriverGetVersion(int *v) { *v = 12040; return 0; }",
}
"""A driver's libraries as far as they are asked; of NVML some functions are missing, as in old drivers."""


def probe(*arguments: str, **variables: str) -> Any:
    """The document and the exit code."""
    done = command("probe", "--format", "json", *arguments, variables=variables)
    return json.loads(done.stdout), done.returncode


@pytest.fixture
def driver(tmp_path: Path) -> str:
    """A PATH on which there is an nvidia-smi."""
    program = tmp_path / "bin/nvidia-smi"
    program.parent.mkdir()
    program.write_text(ANSWERS, encoding="utf-8")
    program.chmod(0o755)
    return f"{program.parent}{os.pathsep}{os.environ['PATH']}"


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A venv with the record of a torch that has no kernels for Blackwell."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False)
    site = folder / f"lib/python{sys.version_info[0]}.{sys.version_info[1]}/site-packages"
    (site / "torch-2.6.0.dist-info").mkdir(parents=True)
    (site / "torch-2.6.0.dist-info/METADATA").write_text("Metadata-Version: 2.1\nName: torch\nVersion: 2.6.0\n")
    (site / "torch").mkdir()
    (site / "torch/version.py").write_text("__version__ = '2.6.0+cu124'\ncuda: Optional[str] = '12.4'\n")
    return folder


@without_a_driver
def test_a_machine_is_read_and_every_fact_says_how(driver: str) -> None:
    document, code = probe(PATH=driver)
    assert (document["schema"], code) == ("compatsolver.environment/1", 0)
    assert (document["gpu"], document["driver"], document["nvidia_smi_cuda"]) == (["NVIDIA L4"], "550.54.15", "12.4")
    assert document["devices"][0]["memory"] == 23034
    assert document["packages"]["compatsolver"]
    assert {"axis": "gpu", "value": "NVIDIA L4", "how": "nvidia-smi"} in document["observed"]


@without_a_driver
def test_a_shared_document_has_no_serial_number(driver: str) -> None:
    done = command("probe", "--format", "json", "--redact", variables={"PATH": driver})
    assert "GPU-1111" not in done.stdout
    assert sys.prefix not in done.stdout
    assert "compatsolver" not in json.loads(done.stdout)["packages"], "this one is installed from a folder"


@without_a_driver
def test_text_fits_the_terminal(driver: str) -> None:
    done = command("probe", variables={"PATH": driver})
    assert done.returncode == 0
    assert done.stdout.startswith("NVIDIA L4, driver 550.54.15, ")
    assert not [line for line in done.stdout.splitlines() if len(line) > 80 and "/" not in line]


@without_a_driver
def test_what_is_probed_is_what_plans_are_made_for(driver: str, tmp_path: Path) -> None:
    """Read here, carried over in a file, and read by the next command: the same plan."""
    saved = tmp_path / "machine.json"
    saved.write_text(json.dumps(probe(PATH=driver)[0]), encoding="utf-8")
    here = json.loads(command("resolve", "--format", "json", variables={"PATH": driver}).stdout)
    there = json.loads(command("resolve", "--format", "json", "--environment", saved).stdout)
    assert here["verdict"] == there["verdict"] == "resolved"
    assert here["pins"] == there["pins"]


@without_a_driver
@pytest.mark.skipif(which("gcc") is None, reason="no compiler to make the libraries with")
def test_the_drivers_libraries_are_found_by_the_loader(tmp_path: Path) -> None:
    """Real shared libraries, the real binding in its own process, nothing injected."""
    for name, source in LIBRARIES.items():
        line = ["gcc", "-shared", "-fPIC", "-w", "-x", "c", "-", "-o", str(tmp_path / name)]
        subprocess.run(line, input=source, text=True, check=True)
    document, code = probe(LD_LIBRARY_PATH=str(tmp_path))
    assert (document["gpu"], document["compute_capability"], code) == (["NVIDIA L4"], ["8.9"], 0)
    hows = {(row["axis"], row["value"]): row["how"] for row in document["observed"]}
    assert hows["driver", "550.54.15"] == "NVML: nvmlSystemGetDriverVersion"
    assert ("driver_cuda", "12.4") in hows
    assert {library["origin"] for library in document["libraries"]} >= {"LD_LIBRARY_PATH"}


def test_variables_answer_for_the_machine() -> None:
    document, code = probe(COMPATSOLVER_GPU="RTX 4090", COMPATSOLVER_DRIVER="535.98")
    assert (document["gpu"], document["driver"], code) == (["RTX 4090"], "535.98", 0)


def test_a_gpu_that_cannot_be_read_is_said_and_not_taken_for_none(tmp_path: Path) -> None:
    saved = tmp_path / "machine.json"
    unread = {"axis": "gpu", "value": None, "how": "NVML: no answer within 2 s"}
    document = {"driver": "535.98", "os": "Linux", "not_understood": ["gpu: could not be read"], "observed": [unread]}
    saved.write_text(json.dumps(document), encoding="utf-8")
    done = command("resolve", "--format", "json", "--environment", saved)
    assert (done.returncode, json.loads(done.stdout)["verdict"]) == (3, "undetermined")


def test_the_packages_of_another_environment_are_checked(environment: Path) -> None:
    flags = ("--gpu", "RTX 5090", "--driver", "570.86.15", "--platform", "linux-x86_64", "--glibc", "2.35")
    done = command("check", "--python", environment, *flags, "--format", "json")
    document = json.loads(done.stdout)
    assert (done.returncode, document["findings"][0]["kind"]) == (1, "arch_above_wheel_max")
    assert document["read"]["requirements"] == ["torch==2.6.0+cu124"]
    fitting = command("check", "--python", environment / "bin/python", "--gpu", "A100", *flags[2:])
    assert fitting.returncode == 0


def test_they_are_checked_on_this_machine_where_no_other_is_named(environment: Path) -> None:
    variables = {"COMPATSOLVER_GPU": "RTX 5090", "COMPATSOLVER_DRIVER": "570.86.15"}
    done = command("check", "--python", environment, "--format", "json", variables=variables)
    assert json.loads(done.stdout)["findings"][0]["kind"] == "arch_above_wheel_max"


@pytest.mark.parametrize("name", ["nowhere/at/all", "."])
def test_a_path_without_packages_is_refused(name: str, tmp_path: Path) -> None:
    done = command("check", "--python", name, "--gpu", "A100", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (6, "")
    assert "not a Python environment" in done.stderr


def test_the_library_reads_this_machine_and_starts_no_threads(environment: Path) -> None:
    before = threading.active_count()
    machine = compatsolver.probe(environment)
    assert machine.packages == {"torch": "2.6.0+cu124"}
    assert machine.os is not None
    assert threading.active_count() == before
    assert "torch" not in sys.modules
