"""A Triton kernel, compiled for the GPU and run on it; a file of its own because Triton reads the source of kernels."""

from __future__ import annotations

from typing import Any

import torch
import triton
import triton.language as tl

COUNT = 4096 + 17
BLOCK = 256


@triton.jit
def multiply_add(x: Any, y: Any, out: Any, count: Any, BLOCK: tl.constexpr) -> None:  # noqa: N803  # as Triton writes constants
    """out = x·y + x, the last block cut off where the data ends."""
    places = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = places < count
    left = tl.load(x + places, mask=mask)
    tl.store(out + places, left * tl.load(y + places, mask=mask) + left, mask=mask)


def kernel(settings: dict[str, Any]) -> dict[str, Any]:
    """Run the kernel and compare it with torch."""
    torch.manual_seed(0)
    x, y = torch.randn(COUNT, device="cuda"), torch.randn(COUNT, device="cuda")
    out = torch.empty_like(x)
    multiply_add[(triton.cdiv(COUNT, BLOCK),)](x, y, out, COUNT, BLOCK=BLOCK)
    error = float((out - (x * y + x)).abs().max())
    problems = [] if error <= 1e-5 else [f"the kernel is wrong by {error:.3g}"]
    return {"numbers": {"largest_error": error, "triton": triton.__version__}, "problems": problems}
