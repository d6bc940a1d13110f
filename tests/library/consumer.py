"""How another package uses this one; type checkers read it as that package's code."""

from __future__ import annotations

from typing import TYPE_CHECKING

import compatsolver
from compatsolver import NoSolution, Plan, Target

if TYPE_CHECKING:
    from pathlib import Path


def build_for(server: Target, requires: list[str]) -> str | None:
    """The torch build for a server, or None where there is none."""
    try:
        plan: Plan = compatsolver.resolve(requires, target=server, policy="conservative")
    except NoSolution:
        return None
    return plan.torch.build


def command_for(gpu: str | list[str], overlay: Path | None = None) -> str:
    """The command for a workstation."""
    overlays = [overlay] if overlay else []
    plan = compatsolver.resolve(gpu=gpu, driver="535.98", python="3.11", platform="linux-x86_64", overlay=overlays)
    version: str = plan.torch.version
    index: str | None = plan.torch.index
    return f"{plan.install_command('pip')}  # {version} {index}"
