"""The shape of `measured/<component>.yaml`: what `catalog measure` found in wheels, kept as it was found."""

from datetime import date
from typing import Literal

from compatsolver.authoring.rows import Row

KERNELS = ("/libtorch_cuda.so", "/libtorch_cuda_cu.so")
"""The library of torch with its kernels; torch 1.13 had divided it."""


class CodeRow(Row):
    """A library with device code: the fat binaries in it, and in how many of them there is code for a target."""

    library: str
    fat_binaries: int
    targets: dict[str, int]


class MeasuredWheel(Row):
    """A wheel, known by its hash, and what was found in it on a day.

    `platform` is the catalogue's name of the wheel's tag. `build` is the local version that the wheel tells of itself
    and `cuda` the runtime that it says it is built with; null: it does not say. `requires` holds what METADATA
    declares of torch, triton and NVIDIA's packages. Floors are null off Linux. `bundled`: CUDA libraries in the wheel.
    """

    wheel: str
    sha256: str
    measured: date
    version: str
    platform: Literal["linux-x86_64", "linux-aarch64", "windows-x86_64", "macos-arm64", "macos-x86_64"]
    build: str | None
    cuda: str | None
    glibc: str | None
    glibcxx: str | None
    cxx11_abi: bool | None
    requires: dict[str, str] = {}
    bundled: list[str] = []
    code: list[CodeRow] = []

    def kernels(self) -> set[str]:
        """The targets that a wheel of torch as a whole is compiled for.

        Those with code in more than half of the fat binaries of the library with its kernels: single ones are also
        compiled for `sm_90a` and the like, and what it links (MAGMA, cuDNN) for other GPUs.
        """
        own = (row for row in self.code if row.library.endswith(KERNELS))
        return {target for row in own for target, count in row.targets.items() if 2 * count > row.fat_binaries}
