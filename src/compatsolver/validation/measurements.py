"""Training steps that are measured, and what the formula says of them."""

from __future__ import annotations

from typing import Any

from compatsolver.model.memory import ModelShape, Training
from compatsolver.model.validation import PASSED, CheckResult
from compatsolver.validation.sizing import estimate
from compatsolver.validation.suite import TUNING, Check

TINY = ModelShape("tiny", 256, 64, 128, layers=2, heads=4, key_value_heads=2, head=16)
SMALL = ModelShape("small", 8192, 512, 1408, layers=6, heads=8, key_value_heads=4, head=64)
_BATCHES = {TINY: (2, 64), SMALL: (2, 256)}
_WAYS = (
    ("full", "fp32", False),
    ("full", "mixed", False),
    ("full", "mixed", True),
    ("lora", "bf16", False),
    ("lora", "bf16", True),
    ("qlora", "bf16", False),
)
_COMPARED = ("weights", "gradients", "optimizer", "activations")


def _named() -> dict[str, tuple[ModelShape, Training]]:
    ways = {}
    for shape, (batch, sequence) in _BATCHES.items():
        for method, precision, checkpointing in _WAYS:
            name = f"memory-{shape.name}-{method}-{precision}" + ("-checkpointing" if checkpointing else "")
            ways[name] = (shape, Training(method, batch, sequence, precision, checkpointing=checkpointing))
    return ways


_MEASURED = _named()


def _check(name: str, shape: ModelShape, training: Training) -> Check:
    packages = (*TUNING, "bitsandbytes") if training.method == "qlora" else TUNING
    settings: dict[str, Any] = {
        "shape": {
            "vocab_size": shape.vocabulary,
            "hidden_size": shape.hidden,
            "intermediate_size": shape.feed_forward,
            "num_hidden_layers": shape.layers,
            "num_attention_heads": shape.heads,
            "num_key_value_heads": shape.key_value_heads,
        },
        **{key: getattr(training, key) for key in ("method", "batch", "sequence", "precision", "checkpointing")},
    }
    title = f"memory of {shape.name}, {name.partition(shape.name + '-')[2]}"
    return Check(name, title, "memory", "step", packages, optional=True, settings=settings)


MEASUREMENTS = tuple(_check(name, *way) for name, way in _MEASURED.items())


def held_against_formula(result: CheckResult) -> CheckResult:
    """A measurement with the estimate of each kind of bytes and its relative error; other results as they are."""
    way = _MEASURED.get(result.name)
    if way is None or result.status != PASSED:
        return result
    found = estimate(*way)
    estimated = {kind: getattr(found, kind) for kind in _COMPARED} | {"peak": found.total - found.reserve}
    errors = {kind: round(value / result.numbers[kind] - 1, 5) for kind, value in estimated.items()}
    return result._replace(numbers={**result.numbers, "estimated": estimated, "relative_errors": errors})
