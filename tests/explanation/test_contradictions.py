"""What a document says twice and differently is said, and no number of a chip is taken for another chip."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from compatsolver.model.diagnosis import ERROR

if TYPE_CHECKING:
    from collections.abc import Callable

    from compatsolver.model.diagnosis import Diagnosis


def test_a_capability_that_no_named_gpu_has_is_a_contradiction(explained: Callable[..., Diagnosis]) -> None:
    diagnosis = explained("", gpu="GeForce RTX 4090", compute_capability="8.6")
    assert [text for text in diagnosis.contradictions if "8.6" in text and "8.9" in text]


@pytest.mark.parametrize(
    "environment",
    [
        {"gpu": "GeForce RTX 4090", "compute_capability": "8.9"},
        {"gpu": "Jetson Thor", "compute_capability": "10.1"},
        {"gpu": "RTX 4090 and Tesla T4", "compute_capability": "7.5"},
        {"gpu": "RTX 99999", "compute_capability": "8.6"},
    ],
)
def test_a_capability_that_fits_is_none(environment: dict[str, str], explained: Callable[..., Diagnosis]) -> None:
    assert explained("", **environment).contradictions == ()


@pytest.mark.parametrize("printed", ["sm_80 sm_101a", "sm_80 sm_110", "sm_80 compute_90"])
def test_a_printed_list_serves_a_chip_by_either_of_its_numbers(
    printed: str, explained: Callable[..., Diagnosis]
) -> None:
    text = f"The current PyTorch install supports CUDA capabilities {printed}.\n"
    diagnosis = explained(f"NVIDIA Thor with CUDA capability sm_110 is not compatible.\n{text}", gpu="NVIDIA Thor")
    assert [finding.kind for finding in diagnosis.findings] == ["none"]


def test_a_printed_list_without_either_number_is_refused(explained: Callable[..., Diagnosis]) -> None:
    text = "The current PyTorch install supports CUDA capabilities sm_80 sm_90 sm_120.\n"
    diagnosis = explained(text, gpu="NVIDIA Thor")
    assert [finding.kind for finding in diagnosis.findings if finding.severity == ERROR] == ["arch_above_wheel_max"]
