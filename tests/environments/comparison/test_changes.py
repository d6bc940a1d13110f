"""What pip has to be told so that a change really happens, and changes that are not proposed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import compatsolver
from compatsolver import Environment
from compatsolver.model.probed import Observed

if TYPE_CHECKING:
    from compatsolver.model.comparison import Comparison

STACK = {"torch": "2.9.1+cu128", "nvidia-nccl-cu12": "2.27.5", "peft": "0.18.0"}
INDEX = "--extra-index-url https://download.pytorch.org/whl/cu128"


def machine(packages: dict[str, str], **axes: Any) -> Environment:
    """A machine that was read, with these packages."""
    told = {"gpu": ("NVIDIA L4",), "driver": "570.133.20", "os": "Ubuntu 24.04", "python": "3.12.3", "glibc": "2.39"}
    return Environment(**told | axes, packages=packages, observed=(Observed("device_count", "1", "NVML"),))


def compared(*machines: Environment) -> Comparison:
    return compatsolver.compare(*machines)


def test_torchvision_moves_to_the_build_of_its_torch() -> None:
    """The default index serves both in one build, which pip prints of torch's companion nowhere."""
    usual = machine(STACK | {"torchvision": "0.24.1"})
    odd = machine({"torch": "2.9.1+cpu", "peft": "0.18.0", "torchvision": "0.24.1+cpu"})
    (change,) = compared(usual, usual, odd).changes
    assert change.commands == (f"pip install 'torch==2.9.1+cu128' 'torchvision==0.24.1+cu128' {INDEX}",)


def test_a_build_that_pip_would_take_for_the_wanted_one_goes_first() -> None:
    """`peft==0.18.0` is what pip finds in 0.18.0+ours, and it would do nothing."""
    usual, odd = machine(STACK), machine(STACK | {"peft": "0.18.0+ours"})
    (change,) = compared(usual, usual, odd).changes
    assert change.commands == ("pip uninstall --yes peft", "pip install 'peft==0.18.0'")


def test_a_build_that_is_on_no_index_gets_no_command() -> None:
    usual, odd = machine(STACK | {"peft": "0.18.0+ours"}), machine(STACK | {"peft": "0.17.1"})
    (change,) = compared(usual, usual, odd).changes
    assert (change.machines, change.verified, change.commands) == (("machine 3",), True, ())


def test_another_python_is_another_environment() -> None:
    usual, odd = machine(STACK), machine(STACK | {"peft": "0.17.1"}, python="3.11.9")
    (change,) = compared(usual, usual, odd).changes
    assert [(fix.change, fix.to, fix.applicability) for fix in change.fixes] == [
        ("python", "3.12", "unsafe"),
        ("peft", "0.18.0", "safe"),
    ]
    assert change.commands == ()


def test_the_stack_that_runs_on_both_is_the_model() -> None:
    """CUDA 13 has no code for a V100, so that the other machine moves, and no driver has to."""
    old = machine({"torch": "2.12.0+cu126"}, gpu=("Tesla V100-SXM2-16GB",), driver="535.161.08")
    new = machine({"torch": "2.12.0+cu130"}, driver="580.95.05")
    found = compared(old, new)
    assert [(change.machines, change.like, change.verified) for change in found.changes] == [
        (("machine 2",), "machine 1", True)
    ]
    assert found.lasting == ("compute capability",)


def test_a_stack_that_cannot_run_on_the_other_gpu_is_told_with_its_obstacle() -> None:
    blackwell = machine({"torch": "2.9.1+cu130"}, gpu=("NVIDIA GeForce RTX 5090",), driver="580.95.05")
    volta = machine({"torch": "2.9.1+cu126"}, gpu=("Tesla V100-SXM2-16GB",), driver="580.95.05")
    (change,) = compared(blackwell, volta).changes
    assert (change.verified, change.commands) == (False, ())
    assert change.obstacles
    assert not any(fix.verified for fix in change.fixes)


def test_wsl_installs_what_linux_does() -> None:
    found = compared(machine(STACK), machine(STACK, wsl=True))
    assert found.verdict == "alike"


def test_a_gpu_that_could_not_be_read_leaves_it_open() -> None:
    found = compared(machine(STACK), machine(STACK, gpu=None))
    assert (found.verdict, [entry.fact for entry in found.missing]) == (
        "undetermined",
        ["compute capability of machine 2"],
    )
