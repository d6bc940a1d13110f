"""Locks as PEP 751 has them, read for a target."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from compatsolver import check
from compatsolver.errors import InputError
from compatsolver.model.request import Target
from compatsolver.requirements.pylock import read_lock

if TYPE_CHECKING:
    from pathlib import Path

LINUX = Target(platform="linux-x86_64", python="3.12", glibc="2.35")
LOCK = """
lock-version = "1.0"
created-by = "somebody"

[[packages]]
name = "torch"
version = "2.1.2+cu121"
index = "https://example.org/simple"
[[packages.wheels]]
name = "torch-2.1.2+cu121-cp312-cp312-linux_x86_64.whl"
url = "https://example.org/t.whl"
hashes = {sha256 = "00"}

[[packages]]
name = "colorama"
version = "0.4.6"
marker = "sys_platform == 'win32'"
[[packages.wheels]]
name = "colorama-0.4.6-py3-none-any.whl"
url = "https://example.org/c.whl"
hashes = {sha256 = "00"}

[[packages]]
name = "ours"
directory = {path = "."}
"""


@pytest.fixture
def lock(tmp_path: Path) -> Path:
    path = tmp_path / "pylock.toml"
    path.write_text(LOCK, encoding="utf-8")
    return path


def test_pins_of_the_target_are_read(lock: Path) -> None:
    listing = read_lock(lock, LINUX)
    assert [entry.text for entry in listing.requirements] == ["torch==2.1.2+cu121"]
    assert "ours has no version" in listing.notes[0]


def test_a_lock_is_checked_against_a_card(lock: Path) -> None:
    found = check(locks=[lock], gpu="RTX 5090", driver="575.64.05", python="3.12", platform="linux-x86_64")
    assert found.verdict == "incompatible"
    assert "arch_above_wheel_max" in {finding.kind for finding in found.findings} | {"python_no_wheel"}


@pytest.mark.parametrize("text", ["", "lock-version = 'x'", "[project]\nname = 'a'", "not toml ["])
def test_what_is_no_lock_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "pylock.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="no lock file"):
        read_lock(path, LINUX)
