from __future__ import annotations

import pytest

from compatsolver.observation.contradictions import is_same
from compatsolver.observation.pasted import read_pasted


def test_two_environments_are_told_apart() -> None:
    reading = read_pasted("$ pip show torch\nName: torch\nVersion: 2.4.1\n>>> torch.__version__\n'2.6.0+cu124'\n")
    assert reading.contradictions == ("two versions of torch are reported: 2.4.1 (line 3), 2.6.0+cu124 (line 5)",)


def test_one_value_told_twice_is_none() -> None:
    text = "torch==2.6.0\nPyTorch version: 2.6.0+cu124\nnvcc 12.4\nCuda compilation tools, release 12.4, V12.4.131\n"
    assert read_pasted(text).contradictions == ()


def test_an_installer_at_work_is_none() -> None:
    text = "Successfully installed torch-2.4\nFound existing installation: torch 2.4\nSuccessfully installed torch-2.5"
    assert read_pasted(text).contradictions == ()


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2.6.0", "2.6.0+cu124", True),
        ("2.6", "2.6.0", True),
        ("2.6.0+cu118", "2.6.0+cu124", False),
        ("+cu124", "2.6.0+cu124", True),
        ("+cu118", "2.6.0+cu124", False),
        ("12.4", "12.4.131", True),
        ("12.4", "12.40", False),
        ("535", "535.161.08", True),
        ("1.13.*", "1.13.1", True),
        ("*", "1.13.1", True),
        ("2.1.0", "2.1.1", False),
    ],
)
def test_a_shorter_form_is_the_same(one: str, other: str, same: bool) -> None:
    assert is_same(one, other) is is_same(other, one) is same
