"""Whether this is a container, which one, what its image asks for, and whether it was given a GPU."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from compatsolver.model.component import NONE
from compatsolver.model.probed import Observed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compatsolver.observation.live.machine import Machine

_FILES = {"/.dockerenv": "docker", "/run/.containerenv": "podman", "/.singularity.d": "apptainer"}
_VARIABLES = {
    "KUBERNETES_SERVICE_HOST": "kubernetes",
    "APPTAINER_NAME": "apptainer",
    "SINGULARITY_NAME": "apptainer",
    "container": "container",
}
_GROUP = re.compile(r"docker|kubepods|containerd|libpod|lxc", re.IGNORECASE)
_REQUIRED = re.compile(r"\bcuda>=(\d{1,2}\.\d)")


def observe(machine: Machine) -> Iterator[Observed]:
    """The container, `none` outside of one, and the CUDA and cuDNN of its image where its variables tell them."""
    runtime = read_runtime(machine)
    if runtime is None:
        yield Observed("container", NONE, f"none of {', '.join(_FILES)}, no container in /proc/1/cgroup")
        return
    yield runtime
    if level := machine.environ.get("CUDA_VERSION"):
        yield Observed("container_cuda", level, "variable CUDA_VERSION")
    if cudnn := machine.environ.get("NV_CUDNN_VERSION"):
        yield Observed("container_cudnn", cudnn.partition("-")[0], "variable NV_CUDNN_VERSION")
    if required := _REQUIRED.search(machine.environ.get("NVIDIA_REQUIRE_CUDA", "")):
        yield Observed("required_cuda", required[1], "variable NVIDIA_REQUIRE_CUDA")


def read_runtime(machine: Machine) -> Observed | None:
    """What runs the container, None where this is none."""
    for file, runtime in _FILES.items():
        if machine.path(file).exists():
            return Observed("container", _named(machine, runtime), file)
    group = _GROUP.search(machine.text("/proc/1/cgroup"))
    if group:
        return Observed("container", group[0].lower(), "/proc/1/cgroup")
    for variable, runtime in _VARIABLES.items():
        if machine.environ.get(variable):
            return Observed("container", runtime, f"variable {variable}")
    return None


def is_container(machine: Machine) -> bool:
    """Whether this is one."""
    return read_runtime(machine) is not None


def _named(machine: Machine, runtime: str) -> str:
    """`kubernetes` where the orchestrator shows itself, which says more than the runtime below it."""
    return "kubernetes" if machine.environ.get("KUBERNETES_SERVICE_HOST") else runtime
