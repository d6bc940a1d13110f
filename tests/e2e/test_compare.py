"""`compatsolver compare` from the command line: documents, formats, exit codes, and what is refused."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import jsonschema
import pytest

from process import ROOT, assert_refused, command

if TYPE_CHECKING:
    from pathlib import Path

SCHEMA = json.loads((ROOT / "docs/schema/comparison.schema.json").read_text(encoding="utf-8"))
NODE = "gpu: NVIDIA L4\ndriver: {driver}\nos: Ubuntu 24.04\npython: 3.12.3\nglibc: 2.39\npackages:\n{packages}"
STACK = {"torch": "2.9.1+cu128", "nvidia-nccl-cu12": "2.27.5", "peft": "0.18.0"}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with the documents of three nodes, two of which are alike."""
    for name, nccl, driver in (
        ("a", "2.27.5", "570.133.20"),
        ("b", "2.27.5", "575.57.08"),
        ("c", "2.27.3", "570.133.20"),
    ):
        packages = {**STACK, "nvidia-nccl-cu12": nccl}
        listed = "".join(f"  {package}: {version}\n" for package, version in packages.items())
        (tmp_path / f"{name}.yaml").write_text(NODE.format(driver=driver, packages=listed), encoding="utf-8")
    return tmp_path


def test_the_exit_code_is_the_verdict(place: Path) -> None:
    (place / "d.yaml").write_text("gpu: NVIDIA L4\npython: 3.12.3\n", encoding="utf-8")
    for names, code in ((("a", "b"), 0), (("a", "b", "c"), 1), (("a", "d"), 3)):
        done = command("compare", *(f"{name}.yaml" for name in names), cwd=place)
        assert (done.returncode, done.stderr) == (code, "")


def test_text_names_the_odd_one_and_the_command(place: Path) -> None:
    done = command("compare", "a.yaml", "b.yaml", "c.yaml", cwd=place)
    assert done.stdout.startswith("c stands out among the 3.\n")
    assert "    pip install 'nvidia-nccl-cu12==2.27.5'\n" in done.stdout


def test_json_is_one_document(place: Path) -> None:
    done = command("compare", "a.yaml", "c.yaml", "--format", "json", cwd=place)
    found = json.loads(done.stdout)
    jsonschema.Draft202012Validator(SCHEMA).validate(found)
    assert (found["verdict"], found["collective"]["verdict"]) == ("different", "breaks")


def test_collecting_is_printed_and_not_run(place: Path) -> None:
    done = command("compare", "--collect", "slurm", cwd=place)
    assert (done.returncode, len(done.stdout.splitlines())) == (0, 3)
    assert not (place / "nodes").exists()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "no machine was given"),
        (("a.yaml",), "1 machine was given"),
        (("a.yaml", "none.yaml"), "none.yaml"),
        (("a.yaml", "none.txt"), "none.txt"),
        (("a.yaml", "none.toml"), "none.toml"),
        (("--collect", "ssh"), "no host"),
    ],
)
def test_what_cannot_be_read_is_refused(place: Path, arguments: tuple[str, ...], says: str) -> None:
    assert_refused(command("compare", *arguments, cwd=place), 2, says)
