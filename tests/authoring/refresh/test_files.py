"""Wheel names as rows."""

from __future__ import annotations

import pytest

from compatsolver.authoring.refresh.files import wheel_rows
from compatsolver.index.pages import RemoteFile

KNOWN = ["3.9", "3.10", "3.11", "3.12", "3.13", "3.13t"]


@pytest.mark.parametrize(
    ("names", "rows"),
    [
        (["a-1-py3-none-any.whl"], [{"platform": "any", "pythons": "any"}]),
        (
            ["a-1-py3-none-manylinux_2_24_x86_64.whl", "a-1-py3-none-win_amd64.whl"],
            [
                {"platform": "linux-x86_64", "pythons": "any", "glibc": "2.24"},
                {"platform": "windows-x86_64", "pythons": "any"},
            ],
        ),
        (
            [
                "a-1-cp312-cp312-manylinux_2_17_aarch64.manylinux2014_aarch64.whl",
                "a-1-cp313-cp313t-manylinux_2_28_aarch64.whl",
            ],
            [{"platform": "linux-aarch64", "pythons": ["3.13t", "3.12"], "glibc": "2.28"}],
        ),
        (
            ["a-1-cp39-abi3-macosx_11_0_arm64.whl", "a-1-cp39-abi3-musllinux_1_2_x86_64.whl"],
            [{"platform": "macos-arm64", "pythons": ["3.13", "3.12", "3.11", "3.10"]}],
        ),
        (["a-1-cp27-cp27mu-manylinux1_x86_64.whl", "a-1.tar.gz"], []),
    ],
)
def test_file_names_become_rows(names: list[str], rows: list[dict[str, object]]) -> None:
    assert wheel_rows([RemoteFile(name, "", {}) for name in names], ">=3.10", KNOWN) == rows
