"""`compatsolver check pylock.toml`: the lock, a machine and an environment, from the command line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import jsonschema
import pytest

from compatsolver.emitters import pylock
from locks import lock_of
from process import ROOT, assert_refused, command

if TYPE_CHECKING:
    from pathlib import Path

SCHEMA = json.loads((ROOT / "docs/schema/diagnosis.schema.json").read_text(encoding="utf-8"))
MACHINE = "gpu: RTX 4090\ndriver: 535.98\nos: Ubuntu 24.04\npython: 3.12.3\n"
DRIFTED = MACHINE + "packages: {torch: 2.14.1+cu130, sympy: 1.14.0, triton: 3.8.0, rich: 14.2.0}\n"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with a lock that an older catalogue allowed, and an environment that has moved away from it."""
    (tmp_path / "pylock.toml").write_text(pylock.render(lock_of())["pylock.toml"], encoding="utf-8")
    (tmp_path / "drifted.yaml").write_text(DRIFTED, encoding="utf-8")
    return tmp_path


def test_a_lock_alone_is_held_against_its_own_machine(place: Path) -> None:
    done = command("check", "pylock.toml", cwd=place)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Nothing that was read is incompatible.\n")
    assert "driver 535.98" in done.stdout
    assert "note made with catalogue 2026.11.30 (digest 0123456789ab)" in " ".join(done.stdout.split())


def test_drift_is_named_in_text(place: Path) -> None:
    done = command("check", "pylock.toml", "--environment", "drifted.yaml", cwd=place)
    assert done.returncode == 1, done.stderr
    assert done.stdout.startswith("The environment is not the locked one: 2 packages differ.\n")
    assert "drift      locked peft 0.17.1, environment has none\n" in done.stdout
    assert "drift      locked torch 2.14.1+cu126, environment has 2.14.1+cu130\n" in done.stdout
    assert "rich" not in done.stdout


def test_drift_is_named_for_programs(place: Path) -> None:
    done = command("check", "pylock.toml", "drifted.yaml", "--format", "json", cwd=place)
    jsonschema.Draft202012Validator(SCHEMA).validate(json.loads(done.stdout))
    drift = [
        {"package": "peft", "locked": "0.17.1", "found": None},
        {"package": "torch", "locked": "2.14.1+cu126", "found": "2.14.1+cu130"},
    ]
    assert json.loads(done.stdout)["drift"] == drift
    github = command("check", "pylock.toml", "drifted.yaml", "--format", "github", cwd=place).stdout
    assert github.count("::error title=drift::locked ") == 2
    markdown = command("check", "pylock.toml", "drifted.yaml", "--format", "markdown", cwd=place).stdout
    assert markdown.count("- **Drift:** locked ") == 2


def test_the_locked_packages_may_not_run_on_another_machine(place: Path) -> None:
    done = command("check", "pylock.toml", "--gpu", "RTX 5090", "--driver", "575.64.05", cwd=place)
    assert done.returncode == 1, done.stderr
    assert "torch==2.14.1+cu126" in done.stdout
    assert "arch_above_wheel_max" in done.stdout


def test_what_was_written_into_a_lock_must_be_readable(place: Path) -> None:
    path = place / "pylock.toml"
    path.write_text(path.read_text(encoding="utf-8").replace('driver = "535.98"', "driver = 535.98"), encoding="utf-8")
    assert_refused(command("check", "pylock.toml", cwd=place), 2, "pylock.toml", "driver", "[tool.compatsolver]")
