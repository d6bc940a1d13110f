"""The cells of a matrix against single answers for the same combinations."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import pytest

import compatsolver

if TYPE_CHECKING:
    from compatsolver.model.cell import Cell

ASKED: dict[str, Any] = {
    "gpu": ["T4", "RTX 5090", "T4+H100", "none"],
    "driver": ["535.98", "580.65.06"],
    "python": ["3.9", "3.12"],
    "platform": ["linux-x86_64", "windows-x86_64"],
}
REQUIRES = ["torch>=2.6,<2.10", "transformers>=4.53,<4.56"]


def alone(axes: dict[str, str]) -> compatsolver.Plan:
    """The same combination asked by itself."""
    gpu = axes["gpu"].split("+")
    pins = [f"{name}=={axes[name]}" for name in ("torch", "transformers") if name in axes]
    machine: Any = {axis: axes[axis] for axis in ("driver", "python", "platform")}
    return compatsolver.plan([*REQUIRES, *pins], gpu=gpu, **machine)


def installs(cell: Cell | compatsolver.Plan) -> list[tuple[str, str, str | None]]:
    return [(pin.name, pin.version, pin.build) for pin in cell.pins]


def test_what_holds_is_what_has_a_plan_by_itself() -> None:
    matrix = compatsolver.matrix(["torch>=2.6,<2.10", "transformers==4.53.*"], cover="all", **ASKED)
    held = {tuple(cell.axes.values()): cell for cell in matrix}
    for values in product(*matrix.axes.values()):
        axes = dict(zip(matrix.axes, values, strict=True))
        plan = alone(axes | {"transformers": "4.53.3"})
        assert (plan.verdict == "resolved") == (values in held), axes
        if values in held:
            assert installs(held[values]) == installs(plan)
    assert len(held) == matrix.holding < matrix.combinations


def test_every_combination_that_does_not_hold_is_counted_once_under_values_that_it_has() -> None:
    matrix = compatsolver.matrix(REQUIRES, cover="all", **ASKED)
    assert matrix.holding + sum(entry.combinations for entry in matrix.excluded) == matrix.combinations
    held = [cell.axes for cell in matrix]
    for entry in matrix.excluded:
        assert not any(entry.axes.items() <= axes.items() for axes in held if entry.verdict == "conflict")


def test_what_is_excluded_has_its_reason() -> None:
    matrix = compatsolver.matrix(["torch>=2.6,<2.8"], explain_excluded=True, **ASKED)
    blackwell = [entry for entry in matrix.excluded if entry.axes.get("gpu") == "RTX 5090"]
    assert blackwell
    for entry in blackwell:
        assert entry.verdict == "conflict"
        assert "RTX 5090" in entry.summary
        assert all(fact.sources for fact in entry.because)


def test_no_cell_is_refused_by_check() -> None:
    for cell in compatsolver.matrix(REQUIRES, cover="ends", **ASKED):
        pins = [f"{pin.name}=={pin.version}" + (f"+{pin.build}" if pin.name == "torch" else "") for pin in cell.pins]
        machine: Any = {axis: cell.axes[axis] for axis in ("driver", "python", "platform")}
        found = compatsolver.check(requires=pins, gpu=cell.axes["gpu"].split("+"), **machine)
        assert found.verdict == "compatible", cell.name


def test_the_same_question_gives_the_same_document() -> None:
    asked = [compatsolver.matrix(REQUIRES, cover="pairwise", **ASKED).to_dict() for _ in range(2)]
    assert asked[0] == asked[1]


def test_a_range_is_an_axis_of_release_lines_by_their_last_release() -> None:
    matrix = compatsolver.matrix(["torch>=2.6,<2.9"], python=["3.12"], platform=["linux-x86_64"])
    assert matrix.axes["torch"] == ("2.8.0", "2.7.1", "2.6.0")
    assert matrix.ends["torch"] == ("2.6.0", "2.8.0")


@pytest.mark.parametrize("requirement", ["torch", "torch==2.8.0", "torch==2.8.*"])
def test_without_a_range_there_is_no_axis(requirement: str) -> None:
    assert "torch" not in compatsolver.matrix([requirement], python=["3.12"], platform=["linux-x86_64"]).axes


def test_a_requirement_for_some_machines_only_is_no_axis() -> None:
    requires = ["torch>=2.8", "triton>=3.4; sys_platform == 'linux'"]
    matrix = compatsolver.matrix(requires, python=["3.12"], platform=["linux-x86_64", "macos-arm64"])
    assert "triton" not in matrix.axes
    assert {cell.axes["platform"]: any(pin.name == "triton" for pin in cell.pins) for cell in matrix} == {
        "linux-x86_64": True,
        "macos-arm64": False,
    }


def test_the_project_says_its_pythons_and_the_oldest_torch_it_can_have(tmp_path: Any) -> None:
    project = tmp_path / "pyproject.toml"
    project.write_text('[project]\nname = "x"\nrequires-python = ">=3.12"\ndependencies = ["torch>=2.0"]\n')
    matrix = compatsolver.matrix(project=project, platform=["linux-x86_64"], cover="ends")
    assert {"3.12", "3.13"} <= set(matrix.axes["python"])
    assert not {"3.10", "3.11", "3.13t"} & set(matrix.axes["python"])
    assert matrix.ends["torch"][0] == "2.2.2"


def test_an_unknown_gpu_is_excluded_as_unknown() -> None:
    matrix = compatsolver.matrix(
        ["torch>=2.8"], gpu=["RTX 9990"], python=["3.12"], platform=["linux-x86_64"], explain_excluded=True
    )
    assert not matrix.cells
    assert matrix.excluded[0].verdict == "undetermined"
    assert matrix.excluded[0].axes["gpu"] == "RTX 9990"


@pytest.mark.parametrize(
    ("axes", "message"),
    [
        ({"cover": "some"}, "cover 'some' is unknown"),
        ({"max_cells": 0}, "at most 0 cells"),
        ({"python": "3.12"}, "no list of texts"),
        ({"cuda": ["none"]}, "no CUDA runtime"),
        ({"vary": ["numpy"]}, "numpy has no range"),
        ({"driver": ["latest"]}, "not a driver version"),
        ({"platform": ["beos"]}, "platform 'beos' is unknown"),
    ],
)
def test_what_cannot_be_asked_is_said(axes: dict[str, Any], message: str) -> None:
    with pytest.raises(compatsolver.InputError, match=message):
        compatsolver.matrix(["torch>=2.8"], **({"python": ["3.12"], "platform": ["linux-x86_64"]} | axes))
