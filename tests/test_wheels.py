"""The stub wheels of the tests are wheels: pip takes them, and the same arguments give the same bytes."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

from wheels import Wheel

if TYPE_CHECKING:
    from pathlib import Path

TORCH = Wheel("torch", "2.6.0+cpu", requires=("sympy==1.13.1",), requires_python=">=3.9", imports=("torch",))
SYMPY = Wheel("sympy", "1.13.1", extras=("dev",), requires=('pytest>=7; extra == "dev"',))


def test_the_same_arguments_give_the_same_bytes() -> None:
    assert TORCH.data == TORCH._replace().data
    assert TORCH.sha256 != TORCH._replace(version="2.6.1+cpu").sha256


def test_pip_installs_them(tmp_path: Path) -> None:
    for wheel in (TORCH, SYMPY):
        wheel.write(tmp_path)
    line = [sys.executable, "-m", "pip", "install", "--no-index", "--find-links", str(tmp_path), "torch"]
    target = tmp_path / "installed"
    subprocess.run([*line, "--target", str(target)], check=True, capture_output=True, timeout=60)
    program = "import torch; print(torch.__version__)"
    done = subprocess.run([sys.executable, "-c", program], cwd=target, check=True, capture_output=True, text=True)
    assert done.stdout == "2.6.0+cpu\n"
    assert (target / "sympy-1.13.1.dist-info" / "METADATA").read_bytes() == SYMPY.metadata
