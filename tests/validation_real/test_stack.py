"""The checks on the stack of this interpreter: torch, transformers, peft, accelerate, bitsandbytes, on the CPU."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from typing import Any

import pytest

from compatsolver.model.validation import SKIPPED
from compatsolver.validation.measurements import MEASUREMENTS
from compatsolver.validation.shapes import shape_of

EXPECTED_SKIPS = {"matmul-tf32", "cublaslt", "triton"}
LARGEST_ERRORS = {"weights": 0.002, "gradients": 0.0, "optimizer": 0.0, "activations": 0.0, "peak": 0.16}
TINY = [check.name for check in MEASUREMENTS if "-tiny-" in check.name]
CONFIGURATIONS: dict[str, dict[str, Any]] = {
    "llama": {"attention_bias": True, "mlp_bias": True, "tie_word_embeddings": True},
    "mistral": {"head_dim": 32},
    "qwen2": {"num_key_value_heads": 8},
    "qwen3": {"num_key_value_heads": 8, "hidden_size": 1024, "num_attention_heads": 16},
}


def validated(*flags: str) -> dict[str, Any]:
    """The report of `compatsolver validate` on this interpreter's environment."""
    line = [sys.executable, "-m", "compatsolver", "validate", "--device", "cpu", "--format", "json", *flags]
    done = subprocess.run(line, capture_output=True, encoding="utf-8", timeout=1500, check=False)
    assert done.stdout, done.stderr
    document: dict[str, Any] = json.loads(done.stdout)
    return document


def test_everything_that_a_cpu_can_do_passes() -> None:
    report = validated()
    assert {check["name"]: check["problems"] for check in report["checks"] if check["problems"]} == {}
    assert {check["name"] for check in report["checks"] if check["status"] == SKIPPED} == EXPECTED_SKIPS
    assert report["status"] == "passed"
    assert report["confirmed"] is False
    assert report["proposed_facts"] == []


@pytest.mark.parametrize("name", TINY)
def test_the_formula_holds(name: str) -> None:
    report = validated("--memory", "--only", name)
    numbers = next(check["numbers"] for check in report["checks"] if check["name"] == name)
    too_far = {kind: error for kind, error in numbers["relative_errors"].items() if abs(error) > LARGEST_ERRORS[kind]}
    assert too_far == {}


@pytest.mark.parametrize("family", CONFIGURATIONS)
def test_parameters_are_those_of_the_implementation(family: str) -> None:
    assert importlib.util.find_spec("transformers"), "this needs the stack: nox -s validate"
    import torch
    from transformers import AutoConfig, AutoModelForCausalLM

    config = AutoConfig.for_model(family, num_hidden_layers=3, **CONFIGURATIONS[family])
    with torch.device("meta"):
        model = AutoModelForCausalLM.from_config(config)
    counted = sum(parameter.numel() for parameter in model.parameters())
    assert shape_of(config.to_dict(), family).parameters == counted
