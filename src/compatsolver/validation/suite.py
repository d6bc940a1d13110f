"""The checks, in the order they are run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

_NOTHING: Mapping[str, Any] = {}


class Check(NamedTuple):
    """One check: a function of a script under `checks/`.

    `packages`: without which it is skipped. `seconds`: its limit. `on_cpu`: whether a CPU can do it. `optional`: a GPU
    is confirmed without it, because it is about something that a stack need not have.
    """

    name: str
    title: str
    script: str
    function: str
    packages: tuple[str, ...] = ()
    seconds: float = 120
    on_cpu: bool = True
    optional: bool = False
    settings: Mapping[str, Any] = _NOTHING


_FORMATS = {"fp32": "fp32", "tf32": "TF32", "fp16": "fp16", "bf16": "bf16", "fp8": "fp8 (E4M3)"}
_NOT_EVERYWHERE = ("tf32", "bf16", "fp8")
TUNING = ("transformers", "peft")
TINY = {
    "vocab_size": 256,
    "hidden_size": 64,
    "intermediate_size": 128,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
}
_STEP = {"shape": TINY, "method": "full", "batch": 2, "sequence": 64, "precision": "fp32", "checkpointing": False}

IDENTITY = Check("identity", "imports and builds", "identity", "identity")
SUITE = (
    Check("devices", "devices and allocations", "identity", "devices"),
    *(
        Check(
            f"matmul-{name}",
            f"multiplication in {title}",
            "arithmetic",
            "matmul",
            optional=name in _NOT_EVERYWHERE,
            settings={"format": name},
        )
        for name, title in _FORMATS.items()
    ),
    Check("cublaslt", "cuBLASLt", "arithmetic", "cublaslt", on_cpu=False),
    Check("convolution", "convolution (cuDNN)", "arithmetic", "convolution"),
    Check("attention", "attention kernels", "arithmetic", "attention"),
    Check("solve", "linear systems (cuSOLVER)", "arithmetic", "solve"),
    Check("triton", "Triton kernel", "kernels", "kernel", ("triton",), on_cpu=False, optional=True),
    Check("compile", "torch.compile", "compiling", "compiled", seconds=300, optional=True),
    Check("custom-op", "operator built here", "compiling", "custom_operator", seconds=300, optional=True),
    Check("lora", "LoRA on a tiny model", "tuning", "lora", TUNING, optional=True),
    Check("qlora", "QLoRA in 4 bits", "tuning", "qlora", (*TUNING, "bitsandbytes"), optional=True),
    Check("collectives", "collectives (torchrun)", "collectives", "launch", seconds=180),
    Check("step", "a training step", "memory", "step", ("transformers",), optional=True, settings=_STEP),
)
