"""The changes that `compare` proposes, carried out by the real pip in real environments, and compared again."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import venv
from io import BytesIO
from typing import TYPE_CHECKING
from zipfile import ZipFile

import pytest

import compatsolver
from wheels import Wheel

if TYPE_CHECKING:
    from pathlib import Path

    from compatsolver.model.comparison import Comparison

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the builds of the stack are those for Linux")

CUDNN, NCCL = Wheel("nvidia-cudnn-cu12", "9.10.2.21"), Wheel("nvidia-nccl-cu12", "2.27.5")
OLD_NCCL, PEFT, OLD_PEFT = NCCL._replace(version="2.27.3"), Wheel("peft", "0.18.0"), Wheel("peft", "0.17.1")
CUDA_12 = Wheel("torch", "2.9.1+cu128", requires=("nvidia-cudnn-cu12==9.10.2.21", "nvidia-nccl-cu12==2.27.5"))
CUDA_13 = Wheel("torch", "2.9.1+cu130", requires=("nvidia-nccl-cu13==2.27.7",))
CPU = Wheel("torch", "2.9.1+cpu")
NCCL_13 = Wheel("nvidia-nccl-cu13", "2.27.7")
SHELF = (CUDNN, NCCL, OLD_NCCL, PEFT, OLD_PEFT, CUDA_12, CUDA_13, CPU, NCCL_13)


USUAL = (CUDA_12, CUDNN, NCCL, PEFT)
MACHINES = (USUAL, USUAL, (CPU, OLD_PEFT), (CUDA_12, CUDNN, OLD_NCCL, PEFT), (CUDA_13, NCCL_13, PEFT))


def pip(environment: Path, line: str) -> None:
    """Run a line as it is printed, the `pip` of these tests told which environment is meant and where wheels are."""
    program, *arguments = shlex.split(line)
    assert program == "pip"
    settings = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(environment.parent / "shelf"), "PIP_CONSTRAINT": ""}
    done = subprocess.run(
        [sys.executable, "-m", "pip", "--python", str(environment / "bin" / "python"), *arguments],
        env=os.environ | settings,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def compared(environments: dict[str, Path]) -> Comparison:
    return compatsolver.compare(*(compatsolver.probe(python=folder) for folder in environments.values()))


@pytest.fixture
def environments(tmp_path: Path) -> dict[str, Path]:
    """Environments by the names that a comparison gives them, beside a shelf of wheels."""
    (tmp_path / "shelf").mkdir()
    for wheel in SHELF:
        wheel.write(tmp_path / "shelf")
    made = {f"machine {number}": tmp_path / str(number) for number, _ in enumerate(MACHINES, start=1)}
    for folder, wheels in zip(made.values(), MACHINES, strict=True):
        venv.create(folder, with_pip=False)
        (site,) = folder.glob("lib/python3.*/site-packages")
        for wheel in wheels:
            ZipFile(BytesIO(wheel.data)).extractall(site)
    return made


def test_the_commands_make_the_odd_ones_like_the_others(environments: dict[str, Path]) -> None:
    before = compared(environments)
    assert (before.verdict, before.odd) == ("different", ("machine 3", "machine 4", "machine 5"))
    assert [(change.machines, change.obstacles) for change in before.changes] == [((name,), ()) for name in before.odd]
    for change in before.changes:
        for line in change.commands:
            pip(environments[change.machines[0]], line)
    after = compared(environments)
    assert (after.verdict, after.differences) == ("alike", ())
