"""Diagnoses as literals, one for each shape that an answer of `explain` can have."""

from __future__ import annotations

from typing import Any

from compatsolver.model.diagnosis import Diagnosis, Finding
from compatsolver.model.fix import Fix
from compatsolver.model.resolution import Because, Missing

CATALOG: dict[str, Any] = {"version": "2026.11.30", "digest": "5e1f" * 16}
OVERLAID: dict[str, Any] = CATALOG | {"overlay": [{"title": "Platform team", "file": "ours.yaml", "digest": "0f" * 32}]}

BROKEN = Diagnosis(
    verdict="incompatible",
    catalog=CATALOG,
    read={
        "gpu": [{"name": "RTX 5070 Ti", "compute_capability": "12.0", "architecture": "Blackwell"}],
        "torch": "torch 2.7.0+cu126",
        "readers": ["nvidia-smi", "torch message"],
    },
    findings=(
        Finding(
            kind="arch_above_wheel_max",
            severity="error",
            confidence="certain",
            summary="torch 2.7.0+cu126 has no kernels for RTX 5070 Ti (compute capability 12.0, sm_120)",
            requires="kernels for compute capability 12.0: PyTorch 2.7.0+cu128",
            found="RTX 5070 Ti (nvidia-smi, line 3); torch 2.7.0+cu126 (pip list, line 12)",
            because=(
                Because(
                    statement="torch 2.7.0+cu126 is compiled for sm_50 to sm_90 on linux-x86_64",
                    evidence="measured",
                    sources=("PyTorch's index <https://download.pytorch.org/whl/torch/>",),
                ),
                Because(statement="machine code runs on its own major only", evidence="documented", sources=()),
            ),
            fixes=(
                Fix(
                    change="torch",
                    to="2.7.0+cu128",
                    cuda="12.8",
                    action="Install torch 2.7.0+cu128 (the same release, the CUDA 12.8 build).",
                    command="pip install 'torch==2.7.0+cu128' --extra-index-url https://download.pytorch.org/whl/cu128",
                    verified=True,
                ),
                Fix(change="gpu", action="Use a GPU of compute capability 9.0.", applicability="display-only"),
            ),
            not_enough=("A newer driver does not help: the kernels are missing in the build.",),
            consequences=("the first kernel failed: no kernel image for the GPU",),
        ),
        Finding(
            kind="lib_shadowed",
            severity="warning",
            confidence="likely",
            summary="a system cuDNN, 9.1.0, lies on LD_LIBRARY_PATH",
            because=(Because(statement="line 4 says: LD_LIBRARY_PATH=/opt", evidence="inferred", sources=()),),
            fixes=(
                Fix(
                    change="env",
                    to="LD_LIBRARY_PATH without cudnn",
                    action="Unset LD_LIBRARY_PATH.",
                    command="unset LD_LIBRARY_PATH",
                    applicability="unsafe",
                ),
            ),
        ),
    ),
)
OPEN = Diagnosis(
    verdict="undetermined",
    catalog=OVERLAID,
    contradictions=("two versions of torch are reported: 2.5.1 (line 2), 2.6.0 (line 9)",),
    missing=(
        Missing(
            fact="torch.version.cuda of the interpreter that fails",
            why="100 % of such reports were another environment: two are seen",
            how='python -c "import torch; print(torch.__version__, torch.version.cuda)"',
        ),
    ),
    not_understood=("gpu: 'RTX *9990*' is no GPU that the catalogue knows",),
)
SOUND = Diagnosis(
    verdict="compatible",
    catalog=CATALOG,
    read={"driver": "550.54.15"},
    findings=(
        Finding(
            kind="none",
            severity="info",
            confidence="certain",
            summary="the GPU's memory is exhausted: the stack is not at fault",
            because=(Because(statement="line 1 says: CUDA out of memory", evidence="inferred", sources=()),),
            fixes=(Fix(change="code", action="Reduce the batch.", command="nvidia-smi"),),
        ),
    ),
)
QUIET = Diagnosis(verdict="compatible", catalog=CATALOG, read={"torch": "torch 2.6.0+cu124"})
DIAGNOSES = {"broken": BROKEN, "open": OPEN, "sound": SOUND, "quiet": QUIET}
