"""Does compiled device code run on a GPU?

A *target* is what a compiler was asked for: `sm_86` is machine code (SASS), `compute_120` is PTX for the driver to
compile. Source of the rules: NVIDIA's CUDA C++ programming guide, sections on binary and PTX compatibility, and the
architecture-specific (`a`) and family-specific (`f`) targets introduced with compute capability 9.0 and 10.0.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from compatsolver.model.version import Capability

_TARGET = re.compile(r"(sm|compute)_(\d{1,2})(\d)([af]?)")


@dataclass(frozen=True)
class Target:
    """One entry of an arch list; `scope` is `a` (that capability only), `f` (its family) or empty."""

    capability: Capability
    ptx: bool
    scope: str

    @classmethod
    def parse(cls, text: str) -> Target:
        """Read `sm_90a` or `compute_120`; raises ValueError for anything else."""
        match = _TARGET.fullmatch(text)
        if not match:
            raise ValueError(f"not an architecture target: {text!r}")
        return cls(Capability(int(match[2]), int(match[3])), match[1] == "compute", match[4])

    def __str__(self) -> str:
        kind = "compute" if self.ptx else "sm"
        return f"{kind}_{self.capability.major}{self.capability.minor}{self.scope}"


def serves(target: Target, device: Capability, islands: frozenset[Capability]) -> bool:
    """Whether code for `target` can run on `device`, leaving the driver's part in compiling PTX aside.

    `islands` are the capabilities (Tegra chips) that share code for one capability or family with no neighbour.
    """
    if target.scope == "a":
        return device == target.capability
    if target.ptx and not target.scope:
        return device >= target.capability
    if device in islands or target.capability in islands:
        return device == target.capability
    return device.major == target.capability.major and device.minor >= target.capability.minor
