"""Policy `closest`: the fewest changes, and the smallest."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import compatsolver
from compatsolver.errors import InputError
from compatsolver.model.environment import Environment
from compatsolver.solver.closest import nearest

if TYPE_CHECKING:
    from collections.abc import Mapping


def plan(installed: Mapping[str, str], *requires: str, driver: str = "535.98") -> compatsolver.Plan:
    environment = Environment(
        gpu=("RTX 4090",), driver=driver, python="3.11", os="Ubuntu 22.04", glibc="2.35", packages=installed
    )
    return compatsolver.plan(requires, environment=environment, policy="closest")


def pins(answer: compatsolver.Plan) -> dict[str, str]:
    return {pin.name: f"{pin.version}+{pin.build}" if pin.build else pin.version for pin in answer.pins}


INSTALLED = {
    "torch": "2.6.0+cu124",
    "torchvision": "0.21.0",
    "torchaudio": "2.6.0",
    "transformers": "5.1.0",
    "numpy": "2.1.0",
    "rich": "13.9.4",
}


def test_what_fits_stays() -> None:
    answer = plan(INSTALLED)
    assert {name: pins(answer)[name] for name in INSTALLED if name != "rich"} == {
        name: version for name, version in INSTALLED.items() if name != "rich"
    }
    assert any(note.startswith("stays as installed: torch 2.6.0+cu124") for note in answer.notes)


def test_a_package_is_added_beside_what_stays() -> None:
    answer = plan(INSTALLED, "accelerate")
    assert pins(answer)["torch"] == "2.6.0+cu124"
    assert pins(answer)["transformers"] == "5.1.0"
    assert "accelerate" in pins(answer)


def test_a_wish_that_torch_cannot_stay_beside_takes_what_depends_on_it_along() -> None:
    answer = plan(INSTALLED, "torch>=2.8")
    assert pins(answer)["torch"].startswith("2.8.0+")
    assert (pins(answer)["torchvision"], pins(answer)["numpy"]) == ("0.23.0", "2.1.0")
    assert "torch 2.6.0+cu124 becomes 2.8.0+cu128" in answer.notes
    assert "torchvision 0.21.0, which was not asked for, cannot stay beside the rest: it becomes 0.23.0" in answer.notes


def test_the_same_release_in_another_build_before_another_release() -> None:
    assert pins(plan({"torch": "2.6.0+cpu"}))["torch"].startswith("2.6.0+cu")


def test_a_torch_without_local_version_is_the_default_index_build() -> None:
    assert pins(plan({"torch": "2.6.0"}))["torch"] == "2.6.0+cu124"


def test_the_fewest_packages_change() -> None:
    answer = plan({"torch": "2.9.1", "torchaudio": "2.9.1", "torchvision": "0.23.0"})
    assert (pins(answer)["torch"], pins(answer)["torchaudio"]) == ("2.9.1+cu128", "2.9.1")
    assert pins(answer)["torchvision"] == "0.24.1"


def test_a_release_the_catalogue_does_not_know_matters_only_if_asked_for() -> None:
    assert "transformers" not in pins(plan({"torch": "2.6.0", "transformers": "4.0.0rc1"}))
    assert "transformers" in pins(plan({"torch": "2.6.0", "transformers": "4.0.0rc1"}, "transformers"))


def test_a_conflict_stays_one() -> None:
    assert plan(INSTALLED, driver="470.82.01").verdict == "conflict"


def test_packages_are_needed() -> None:
    with pytest.raises(InputError, match="no packages"):
        compatsolver.plan(gpu="RTX 4090", policy="closest")


@pytest.mark.parametrize(
    ("installed", "order"),
    [
        ("2.3", ("2.3", "2.4", "2.2", "2.5", "2.1")),
        ("2.5+cu126", ("2.5", "2.4", "2.3", "2.2", "2.1")),
        ("2.3.1", ("2.4", "2.3", "2.5", "2.2", "2.1")),
        ("9", ("2.5", "2.4", "2.3", "2.2", "2.1")),
        ("nonsense", ("2.5", "2.4", "2.3", "2.2", "2.1")),
    ],
)
def test_near_is_counted_in_releases(installed: str, order: tuple[str, ...]) -> None:
    assert nearest(("2.5", "2.4", "2.3", "2.2", "2.1"), installed) == order
