"""A lock of stub wheels, as the formats of a lock are tested on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.model.lock import Accelerator, Lock, LockedFile, LockedPackage
from compatsolver.model.request import Target
from wheels import Wheel

if TYPE_CHECKING:
    from collections.abc import Callable

PYTORCH = "https://download.pytorch.org/whl/cu126"
FILES = "https://files.example.org"
CATALOG = {"version": "2026.11.30", "digest": "0123456789abcdef" * 4}
TARGET = Target(gpus=("RTX 4090",), driver="535.98", python="3.12", platform="linux-x86_64", glibc="2.35")
RTX_4090 = Accelerator(capabilities=("8.9",), cuda="12.6", toolkit="12.6.3", driver="525.60.13")


def wheels(python: str = "3.12", tag: str | None = None) -> dict[str, Wheel]:
    """The stub wheels of a small stack, torch from PyTorch's index and with a package that only it brings in."""
    tag = tag or "cp{0}-cp{0}-manylinux_2_28_x86_64".format(python.replace(".", ""))
    stack = (
        Wheel("torch", "2.14.1+cu126", tag, requires=("sympy>=1.13", "triton==3.8.0"), requires_python=">=3.10"),
        Wheel("triton", "3.8.0", tag),
        Wheel("sympy", "1.14.0"),
        Wheel("peft", "0.17.1", requires=("torch>=1.13",)),
    )
    return {wheel.name: wheel for wheel in stack}


def located(wheel: Wheel, base: str = FILES) -> LockedFile:
    """The file of a wheel under a base address, as an index serves it."""
    url = f"{base}/{wheel.name}/{wheel.filename.replace('+', '%2B')}"
    return LockedFile(name=wheel.filename, hashes={"sha256": wheel.sha256}, url=url, size=len(wheel.data))


def lock_of(
    python: str = "3.12",
    *,
    pytorch: str = PYTORCH,
    place: Callable[[Wheel], LockedFile] = located,
    tag: str | None = None,
) -> Lock:
    """The lock of that stack for a Python; `place` says where the file of a wheel is."""
    stack = wheels(python, tag)
    packages = (
        LockedPackage("peft", "0.17.1", (place(stack["peft"]),), requires=("torch",), extras=("dev",)),
        LockedPackage("sympy", "1.14.0", (place(stack["sympy"]),)),
        LockedPackage(
            "torch",
            "2.14.1+cu126",
            (place(stack["torch"]),),
            index=pytorch,
            requires=("sympy", "triton"),
            requires_python=">=3.10",
        ),
        LockedPackage("triton", "3.8.0", (place(stack["triton"]),), index=pytorch),
    )
    return Lock(
        packages=packages,
        targets=(TARGET._replace(python=python),),
        requested=("torch", "peft[dev]"),
        catalog=CATALOG,
        notes=("no fact about peft 0.17.1 is newer than the catalogue",),
        accelerator=RTX_4090,
    )


def with_packages(lock: Lock, *more: LockedPackage) -> Lock:
    """The lock with other packages in their places."""
    return lock._replace(packages=tuple(sorted((*lock.packages, *more), key=lambda package: package.name)))
