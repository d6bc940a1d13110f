"""Requirements of a project."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from compatsolver.errors import InputError, InvalidRequirement
from compatsolver.model.request import Listing, Target
from compatsolver.requirements.project import read_project

if TYPE_CHECKING:
    from pathlib import Path

LINUX = Target(python="3.11", platform="linux-x86_64")
PROJECT = """\
[project]
name = "Tuning_Tool"
dependencies = [
  "torch>=2.6",
  "triton-windows; sys_platform == 'win32'",
]

[project.optional-dependencies]
train = ["peft", "tuning-tool[Data_Sets]"]
data-sets = ["datasets"]
all = ["tuning-tool[train,data-sets]", "tuning.tool[all]"]
"""


def read(folder: Path, text: str, *extras: str, target: Target = LINUX) -> Listing:
    path = folder / "pyproject.toml"
    path.write_text(text, encoding="utf-8")
    return read_project(path, extras, target)


@pytest.mark.parametrize(
    ("extras", "names"),
    [
        ((), ["torch"]),
        (("data-sets",), ["torch", "datasets"]),
        (("Data.Sets", "data_sets"), ["torch", "datasets"]),
        (("train",), ["torch", "peft", "datasets"]),
        (("all",), ["torch", "datasets", "peft"]),
    ],
)
def test_dependencies_and_extras(extras: tuple[str, ...], names: list[str], tmp_path: Path) -> None:
    assert [entry.name for entry in read(tmp_path, PROJECT, *extras).requirements] == names


def test_places_are_lines(tmp_path: Path) -> None:
    entry = read(tmp_path, PROJECT).requirements[0]
    assert entry.origin == f"{tmp_path / 'pyproject.toml'}:4"


@pytest.mark.parametrize(
    ("text", "extras", "says"),
    [
        ("[project\n", (), r"pyproject.toml:1: not TOML"),
        ("[project]\n\nname = \n", (), r"pyproject.toml:3: not TOML"),
        ("[tool.poetry]\n", (), r"no \[project\] table"),
        ("project = 1\n", (), r"no \[project\] table"),
        ('[project]\ndynamic = ["dependencies"]\n', (), "project.dependencies is dynamic"),
        ('[project]\ndynamic = ["optional-dependencies"]\n', ("a",), "project.optional-dependencies is dynamic"),
        ("[project]\ndependencies = 'torch'\n", (), "not a list of texts"),
        ("[project]\n", ("train",), "no extra train"),
    ],
)
def test_what_cannot_be_read_is_said(text: str, extras: tuple[str, ...], says: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=says) as caught:
        read(tmp_path, text, *extras)
    assert caught.value.hint


def test_requirements_that_are_none_name_their_lines(tmp_path: Path) -> None:
    with pytest.raises(InvalidRequirement) as caught:
        read(tmp_path, '[project]\ndependencies = [\n  "torch=>2",\n  "peft @ https://x.example/y.whl",\n]\n')
    assert [line.partition(": ")[0][-2:] for line in caught.value.context] == [":3", ":4"]


@pytest.mark.parametrize(
    ("wanted", "python", "noted"),
    [(">=3.10", "3.11", False), (">=3.12", "3.11", True), ("<3.11.5", "3.11", False), (">=3.12", "3.14t", False)],
)
def test_a_python_the_project_does_not_admit_is_noted(wanted: str, python: str, noted: bool, tmp_path: Path) -> None:
    target = Target(python=python, platform="linux-x86_64")
    listing = read(tmp_path, f'[project]\nrequires-python = "{wanted}"\n', target=target)
    assert bool(listing.notes) is noted
