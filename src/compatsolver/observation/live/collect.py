"""Put together what this machine says of itself.

That there is no NVIDIA GPU (no nvidia-smi, no module, no device node) is a finding; that it could not be read is not.
"""

from __future__ import annotations

from pathlib import Path

from compatsolver.errors import ProbeError
from compatsolver.model.environment import Environment
from compatsolver.observation.live import interpreter, kernel, nvidia_smi

ROOT = Path("/")


def probe(root: Path = ROOT) -> Environment:
    """This machine; `gpu` is empty where there is no NVIDIA GPU. Raises ProbeError where one may be and is not told.

    Where nvidia-smi fails, the kernel's own list stands in for it and `not_understood` says so.
    """
    module = kernel.read_module_version(root)
    program = nvidia_smi.find_program(root)
    answer = nvidia_smi.query(program) if program else nvidia_smi.Answer(problem="not installed")
    gpus, notes = _instead(root, module, program, answer.problem) if answer.problem else (answer.gpus, ())
    kinds = [(gpu.name, gpu.capability) for gpu in gpus]
    capabilities = tuple(capability for _, capability in dict.fromkeys(kinds) if capability)
    return Environment(
        gpu=tuple(_counted(kinds.count(kind), kind[0]) for kind in dict.fromkeys(kinds)),
        compute_capability=capabilities if len(capabilities) == len(set(kinds)) and capabilities else None,
        driver=gpus[0].driver if gpus else module,
        kernel_module=module,
        os=interpreter.read_system(),
        arch=interpreter.read_architecture(),
        wsl=kernel.is_wsl(root),
        python=interpreter.read_python(),
        glibc=interpreter.read_glibc(),
        not_understood=notes,
    )


def _instead(
    root: Path, module: str | None, program: str | None, problem: str
) -> tuple[tuple[nvidia_smi.Gpu, ...], tuple[str, ...]]:
    """GPUs without the help of nvidia-smi, and what to say about that."""
    traces = kernel.find_traces(root)
    if not program and not traces:
        return (), ()
    models = kernel.read_models(root)
    if module and models:
        return tuple(nvidia_smi.Gpu(model, None, module) for model in models), (f"nvidia-smi: {problem}",)
    seen = [f"nvidia-smi: {problem}"]
    if module:
        seen.append(f"NVIDIA driver {module} is loaded")
    seen.append(f"found {', '.join(traces[:6])}" if traces else "no NVIDIA device node under /dev")
    raise ProbeError(
        "the GPU of this machine could not be read",
        context=tuple(seen),
        hint="name the target instead: --gpu NAME --driver VERSION, or --gpu none for a CPU stack",
    )


def _counted(count: int, name: str) -> str:
    return name if count == 1 else f"{count}x {name}"
