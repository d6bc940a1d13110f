"""What is not known, in words: the fact, why it matters, and how to get it. Guards carry these to the user."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.model.rule import Unknown

if TYPE_CHECKING:
    from compatsolver.authoring.universe import TorchBuild

_STANDING = {"expected": "announced", "likely": "likely"}


def publication(build: TorchBuild) -> Unknown:
    """Nobody has seen this build on an index."""
    row = build.row
    name = f"torch {build.version}+{row.build}"
    look = f"pip index versions torch --index-url {row.index}" if row.index else f"pip download torch=={build.version}"
    return Unknown(
        fact=f"whether {name} is published for {row.platform}",
        why=f"its publication is {_STANDING.get(row.published, row.published)}: no index that lists it was read",
        how=look,
    )


def arch_list(build: TorchBuild) -> Unknown:
    """The wheel exists but what it is compiled for was not read."""
    return Unknown(
        fact=f"the arch list of torch {build.version}+{build.row.build} for {build.row.platform}",
        why="which GPUs the wheel has kernels for was not found in any source",
        how='python -c "import torch; print(torch.cuda.get_arch_list())"  # with that build installed',
    )


def disputed_code(capability: str, why: str, settle: str) -> Unknown:
    """Reports disagree on whether code for one capability runs on another."""
    return Unknown(
        fact=f"whether these builds run on compute capability {capability}",
        why=why,
        how=settle,
    )
