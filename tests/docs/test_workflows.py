"""The action and the example workflow follow the schemas that GitHub's own are checked by."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from compatsolver.cli.matrix import parse

ROOT = Path(__file__).parents[2]
WORKFLOW = ROOT / "docs" / "examples" / "matrix-workflow.yml"


@pytest.mark.parametrize(
    ("schema", "path"), [("vendor.github-actions", ROOT / "action.yml"), ("vendor.github-workflows", WORKFLOW)]
)
def test_it_follows_the_schema(schema: str, path: Path) -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, str(path)]
    checked = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert checked.returncode == 0, checked.stdout


def test_the_arguments_of_the_example_are_those_of_the_command() -> None:
    jobs = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))["jobs"]
    (arguments,) = [step["with"]["arguments"] for step in jobs["cells"]["steps"] if "arguments" in step.get("with", {})]
    assert parse(shlex.split(arguments)).cover == "ends"
