"""Answers as literals, one for each shape an answer can have."""

from __future__ import annotations

import pytest

from compatsolver.model.resolution import Because, Conflict, Missing, Pin, Resolution, Runtime

CU126 = "https://download.pytorch.org/whl/cu126"
CATALOG = {"version": "2026.11.30", "digest": "5e1f" * 16}
LINUX = {"python": "3.12", "platform": "linux-x86_64", "glibc": "2.35", "wsl": False}
RTX_4090 = {"name": "GeForce RTX 4090", "compute_capability": "8.9", "architecture": "Ada Lovelace"}
V100 = {"name": "Tesla V100 PCIe 16 GB", "compute_capability": "7.0", "architecture": "Volta"}
GTX_1080 = {"name": "GeForce GTX 1080", "compute_capability": "6.1", "architecture": "Pascal"}
RTX_5090 = {"name": "GeForce RTX 5090", "compute_capability": "12.0", "architecture": "Blackwell"}
DRIVER_PAGE = (
    "NVIDIA Data Center Drivers: CUDA Toolkit, Driver, and Architecture Matrix, Volta"
    " <https://docs.nvidia.com/datacenter/tesla/drivers/cuda-toolkit-driver-and-architecture-matrix.html>"
)
BUILD_SCRIPT = "pytorch/pytorch, .ci/manywheel/build_cuda.sh <https://github.com/pytorch/pytorch>"

RESOLVED = Resolution(
    verdict="resolved",
    catalog=CATALOG,
    target={"gpu": [RTX_4090], "driver": "535.98", "driver_branch": "R535", **LINUX, "python": "3.11"},
    assumed={"platform": "linux-x86_64", "glibc": "2.35"},
    pins=(
        Pin(
            name="torch", version="2.14.1", build="cu126", index=CU126, because=("cuda-12-driver", "torch-2.14.1-archs")
        ),
        Pin(name="torchvision", version="0.29.2", build="cu126", index=CU126, because=("torchvision-0.29.2-torch",)),
        Pin(name="transformers", version="5.9.0", extras=("torch",)),
    ),
    runtime=Runtime(cuda="12.6", cudnn="9.10.2.21", nccl="2.29.3", triton="3.8.0"),
    commands={
        "pip": (
            "pip install 'torch==2.14.1+cu126' 'torchvision==0.29.2+cu126' 'transformers[torch]==5.9.0'"
            f" --extra-index-url {CU126}",
        ),
        "uv": (
            "uv pip install --torch-backend=cu126 'torch==2.14.1' 'torchvision==0.29.2' 'transformers[torch]==5.9.0'",
        ),
    },
    notes=(
        "driver 535.98 carries CUDA 12.2: CUDA 12.6 runs on it by minor-version compatibility, which leaves out the JIT"
        " compilation of PTX",
    ),
)

CONDITIONAL = Resolution(
    verdict="resolved",
    catalog=CATALOG,
    target={"gpu": [RTX_4090, RTX_4090], "driver": None, "driver_branch": None, **LINUX, "wsl": True},
    pins=(Pin(name="torch", version="2.15.0", build="cu132"),),
    unchecked=("nvitop>=1.3", "rich"),
    runtime=Runtime(cuda="13.2"),
    commands={
        "pip": ("pip install 'torch==2.15.0' 'nvitop>=1.3' 'rich'",),
        "uv": ("uv pip install 'torch==2.15.0' 'nvitop>=1.3' 'rich'",),
    },
    conditions=("needs driver >=580",),
)

CPU = Resolution(
    verdict="resolved",
    catalog={**CATALOG, "overlay": [{"title": "Platform team", "file": "ours.yaml", "digest": "0f" * 32}]},
    target={"gpu": [], **LINUX},
    pins=(Pin(name="torch", version="2.15.0", build="cpu", index="https://download.pytorch.org/whl/cpu"),),
    commands={
        "pip": ("pip install 'torch==2.15.0+cpu' --extra-index-url https://download.pytorch.org/whl/cpu",),
        "uv": ("uv pip install --torch-backend=cpu 'torch==2.15.0'",),
    },
)

CONFLICT = Resolution(
    verdict="conflict",
    catalog=CATALOG,
    target={"gpu": [V100], "driver": "595.71", "driver_branch": "R595", **LINUX},
    conflicts=(
        Conflict(
            kind="driver_drops_gpu",
            summary="Driver 595.71 does not run the Tesla V100",
            assumptions=("GPU Tesla V100 PCIe 16 GB (compute capability 7.0)", "driver 595.71"),
            because=(
                Because(
                    statement="R580 is the last driver branch for compute capability 7.0 (Volta), and 595.71 is R595",
                    evidence="documented",
                    sources=(DRIVER_PAGE, "spack/spack-packages, cuda.py"),
                ),
            ),
        ),
    ),
)

CONFLICTS = Resolution(
    verdict="conflict",
    catalog=CATALOG,
    target={"gpu": [GTX_1080, RTX_5090, V100], "driver": "595.71", "driver_branch": "R595", **LINUX},
    conflicts=(
        *CONFLICT.conflicts,
        Conflict(
            kind="arch_above_wheel_max",
            summary="No Linux build of torch carries code for both Pascal and Blackwell",
            assumptions=("GPU GeForce GTX 1080", "GPU GeForce RTX 5090", "platform linux-x86_64"),
            because=(
                Because(
                    statement="torch 2.8.0+cu128 starts at sm_70 on Linux",
                    evidence="artifact-exists",
                    sources=(BUILD_SCRIPT,),
                ),
                Because(statement="torch 2.8.0+cu126 ends at sm_90 on Linux", evidence="documented", sources=()),
            ),
        ),
    ),
)

UNDETERMINED = Resolution(
    verdict="undetermined",
    catalog=CATALOG,
    target={"gpu": [{"name": "RTX *9990*", "compute_capability": None, "architecture": None}], **LINUX},
    missing=(
        Missing(
            fact="the compute capability of RTX *9990*",
            why="the catalogue knows no GPU of that name, and what runs on it depends on this number",
            how="nvidia-smi --query-gpu=name,compute_cap --format=csv",
        ),
    ),
)

ANSWERS = {
    "resolved": RESOLVED,
    "conditional": CONDITIONAL,
    "cpu": CPU,
    "conflict": CONFLICT,
    "conflicts": CONFLICTS,
    "undetermined": UNDETERMINED,
}


@pytest.fixture(params=list(ANSWERS))
def named_answer(request: pytest.FixtureRequest) -> tuple[str, Resolution]:
    """Each shape of answer with its name."""
    return request.param, ANSWERS[request.param]


@pytest.fixture
def answers() -> dict[str, Resolution]:
    """All shapes by name."""
    return ANSWERS
