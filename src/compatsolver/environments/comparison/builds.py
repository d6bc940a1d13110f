"""Which build of torch a stack has, and the CUDA libraries that come with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.explanation.fixes.premises import torch_mask
from compatsolver.model.component import members

if TYPE_CHECKING:
    from compatsolver.catalog.catalogue import Build, Catalog
    from compatsolver.explanation.fixes.stack import Stack

TORCH, NCCL, CUDNN = "torch", "nccl", "cudnn"


def builds_of(catalog: Catalog, stack: Stack) -> list[int]:
    """The positions of the builds that torch can be; one where it is known."""
    return members(torch_mask(catalog, stack)) if stack.torch and not stack.torch.endswith("*") else []


def build_of(catalog: Catalog, stack: Stack) -> Build | None:
    """The build that torch is, where it is known."""
    places = builds_of(catalog, stack)
    return catalog.build(places[0]) if len(places) == 1 else None


def spelled(catalog: Catalog, stack: Stack) -> str | None:
    """torch with its build, as an installer of PyTorch's index would print it, where the build is known."""
    places = builds_of(catalog, stack)
    if len(places) == 1:
        return catalog.components[TORCH].candidates[places[0]].spelling
    return stack.spelling if stack.torch and is_package(stack.torch) else None


def runtime_package(stack: Stack, library: str) -> str | None:
    """The name of the package that holds a CUDA library of the stack's runtime, `nvidia-nccl-cu12`."""
    major = (stack.cuda or "").partition(".")[0]
    return next((name for name in (f"nvidia-{library}-cu{major}", f"nvidia-{library}") if name in stack.packages), None)


def pinned(catalog: Catalog, there: Stack) -> dict[str, str]:
    """The libraries that an installation of torch brings, by the names of their packages."""
    build = build_of(catalog, there)
    major = (there.cuda or "").partition(".")[0]
    libraries = {f"nvidia-{NCCL}-cu{major}": build.nccl, f"nvidia-{CUDNN}-cu{major}": build.cudnn} if build else {}
    return {name: version for name, version in libraries.items() if version}


def is_package(text: str) -> bool:
    """Whether the version of a package is told in whole."""
    return text[:1].isdigit() and not text.endswith("*")
