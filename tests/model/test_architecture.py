"""Which compiled code runs on which GPU, against NVIDIA's rules on binary and PTX compatibility."""

from __future__ import annotations

import pytest

from compatsolver.model.architecture import Target, serves
from compatsolver.model.version import Capability

TEGRA = frozenset(Capability(*numbers) for numbers in ((5, 3), (6, 2), (7, 2), (8, 7), (10, 1), (11, 0)))


@pytest.mark.parametrize(
    ("code", "runs_on", "not_on"),
    [
        ("sm_80", ["8.0", "8.6", "8.9"], ["7.5", "9.0", "12.0"]),
        ("sm_86", ["8.6", "8.9"], ["8.0", "9.0"]),
        ("sm_120", ["12.0", "12.1"], ["10.0", "11.0"]),
        ("sm_90a", ["9.0"], ["8.9", "10.0"]),
        ("sm_100a", ["10.0"], ["10.3", "12.0"]),
        ("sm_100f", ["10.0", "10.3"], ["10.1", "11.0", "12.0", "9.0"]),
        ("sm_103f", ["10.3"], ["10.0"]),
        ("compute_70", ["7.0", "7.5", "8.0", "12.1"], ["6.1"]),
        ("compute_90a", ["9.0"], ["8.9", "10.0", "12.0"]),
        ("sm_101f", ["10.1"], ["10.0", "10.3"]),
        ("compute_100f", ["10.0", "10.3"], ["10.1", "11.0", "12.0"]),
        ("compute_103f", ["10.3"], ["10.0", "12.0"]),
        ("compute_120f", ["12.0", "12.1"], ["10.0", "13.0"]),
    ],
)
def test_code_runs_within_its_major_and_ptx_on_all_that_follow(
    code: str, runs_on: list[str], not_on: list[str]
) -> None:
    target = Target.parse(code)
    assert [text for text in [*runs_on, *not_on] if serves(target, Capability.parse(text), TEGRA)] == runs_on


@pytest.mark.parametrize(("code", "device"), [("sm_80", "8.7"), ("sm_87", "8.9"), ("sm_70", "7.2"), ("sm_61", "6.2")])
def test_tegra_chips_neither_serve_nor_are_served_by_their_neighbours(code: str, device: str) -> None:
    assert not serves(Target.parse(code), Capability.parse(device), TEGRA)
    assert serves(Target.parse(code), Capability.parse(device), frozenset())


def test_a_tegra_chip_runs_its_own_code_and_ptx() -> None:
    assert serves(Target.parse("sm_87"), Capability(8, 7), TEGRA)
    assert serves(Target.parse("compute_80"), Capability(8, 7), TEGRA)


@pytest.mark.parametrize("code", ["sm_80", "sm_90a", "sm_100f", "compute_120"])
def test_a_target_is_read_back(code: str) -> None:
    assert str(Target.parse(code)) == code


@pytest.mark.parametrize("code", ["", "80", "sm_8", "sm_80b", "sm80", "ptx_80"])
def test_what_is_no_target_is_refused(code: str) -> None:
    with pytest.raises(ValueError, match="not an architecture target"):
        Target.parse(code)
