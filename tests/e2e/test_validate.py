"""The commands `validate` and `fit` as processes, on an environment without torch and on shapes of models."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest
from jsonschema import Draft202012Validator

from process import ROOT, assert_refused, command
from validation.environments import CPU_BUILD, environment

if TYPE_CHECKING:
    from pathlib import Path

needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="environments as Linux has them")
LLAMA = {
    "model_type": "llama",
    "vocab_size": 32000,
    "hidden_size": 4096,
    "intermediate_size": 11008,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
}


def valid(text: str, name: str) -> dict[str, object]:
    """The document, once it has been held against its schema."""
    document: dict[str, object] = json.loads(text)
    schema = json.loads((ROOT / f"docs/schema/{name}.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator(schema).validate(document)
    return document


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> str:
    return environment(tmp_path_factory.mktemp("stack"), {"torch": "2.13.0+cpu"}, CPU_BUILD)


@needs_linux
def test_a_failing_check_is_reported_in_every_format(python: str, tmp_path: Path) -> None:
    asked = ("validate", "--python", python, "--device", "cuda", "--only", "devices")
    done = command(*asked, "--format", "json", "--attestation", tmp_path / "attestation.json")
    document = valid(done.stdout, "validation")
    assert (done.returncode, document["status"], document["confirmed"]) == (1, "failed", False)
    assert not (tmp_path / "attestation.json").exists()
    assert "nothing is confirmed" in done.stderr
    text, xml = command(*asked), command(*asked, "--format", "junit")
    assert (text.returncode, xml.returncode) == (1, 1)
    assert "kind       cpu_only_build" in text.stdout
    assert ElementTree.fromstring(xml.stdout).get("failures") == "1"


@needs_linux
def test_checks_that_pass_on_a_cpu_confirm_nothing(python: str) -> None:
    done = command("validate", "--python", python, "--device", "cpu", "--only", "identity", "--format", "json")
    document = valid(done.stdout, "validation")
    assert (done.returncode, document["status"], document["confirmed"]) == (0, "passed", False)


def test_an_interpreter_that_is_not_there_is_refused(tmp_path: Path) -> None:
    assert_refused(command("validate", "--python", tmp_path / "python"), 2, "interpreter")


@pytest.mark.parametrize(
    ("flags", "code"),
    [
        (("--gpu", "RTX 4090", "--method", "qlora", "--sequence", "512"), 0),
        (("--gpu", "RTX 4090"), 1),
        (("--gpu", "GH200"), 3),
        (("--gpu", "GH200", "--memory", "480"), 0),
        ((), 0),
    ],
)
def test_fit_says_by_its_exit_code_whether_it_fits(tmp_path: Path, flags: tuple[str, ...], code: int) -> None:
    config = tmp_path / "config.json"
    config.write_text(json.dumps(LLAMA), encoding="utf-8")
    done = command("fit", config, *flags, "--format", "json")
    document = valid(done.stdout, "fit")
    assert (done.returncode, document["parameters"]) == (code, 6_738_415_616)


def test_fit_refuses_what_its_formula_does_not_cover(tmp_path: Path) -> None:
    config = tmp_path / "config.json"
    config.write_text(json.dumps(LLAMA | {"model_type": "mamba"}), encoding="utf-8")
    assert_refused(command("fit", config), 2, "mamba", "not understood")
    assert_refused(command("fit", "Qwen2.5-8B"), 2, "Qwen2.5")
    assert_refused(command("fit", config, "--adapt", "everything"), 2)
