"""Code that is compiled on this machine: by torch.compile, and as an operator of one's own."""

from __future__ import annotations

import shutil
import tempfile
from typing import Any

import torch

CPU_SOURCE = """
#include <torch/library.h>
#include <ATen/ATen.h>
at::Tensor shifted_square(const at::Tensor& x) { return x * x + 1; }
TORCH_LIBRARY(compatsolver_check, library) { library.def("shifted_square", &shifted_square); }
"""
CUDA_SOURCE = """
#include <torch/library.h>
#include <ATen/ATen.h>
__global__ void kernel(const float* x, float* y, int64_t count) {
  int64_t i = blockIdx.x * int64_t(blockDim.x) + threadIdx.x;
  if (i < count) y[i] = x[i] * x[i] + 1;
}
at::Tensor shifted_square(const at::Tensor& x) {
  auto y = at::empty_like(x);
  kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}
TORCH_LIBRARY(compatsolver_check, library) { library.def("shifted_square", &shifted_square); }
"""


def compiled(settings: dict[str, Any]) -> dict[str, Any]:
    """Compile a small network and compare it, gradients included, with the same uncompiled."""
    device = settings["device"]
    torch.manual_seed(0)
    network = torch.nn.Sequential(torch.nn.Linear(64, 128), torch.nn.GELU(), torch.nn.Linear(128, 64)).to(device)
    inputs = torch.randn(32, 64, device=device)
    plain = _run(network, inputs)
    fast = _run(torch.compile(network), inputs)
    errors = {name: float((fast[name] - plain[name]).norm() / plain[name].norm()) for name in plain}
    problems = [f"{name} differs by {error:.3g} from eager" for name, error in errors.items() if not error <= 1e-3]
    return {"numbers": {"relative_errors": errors, "tolerance": 1e-3}, "problems": problems}


def _run(network: Any, inputs: Any) -> dict[str, Any]:
    network.zero_grad()
    result = network(inputs)
    result.square().mean().backward()
    return {"result": result.detach(), "gradient": next(iter(network.parameters())).grad.clone()}


def custom_operator(settings: dict[str, Any]) -> dict[str, Any]:
    """Build an operator with the host's compiler, on a GPU with nvcc, load it and call it."""
    from torch.utils import cpp_extension

    device = settings["device"]
    if device == "cpu" and not any(shutil.which(name) for name in ("c++", "g++", "clang++", "cl")):
        return {"skipped": "there is no C++ compiler"}
    if device != "cpu" and not cpp_extension.CUDA_HOME:
        return {"skipped": "there is no nvcc"}
    if not cpp_extension.is_ninja_available():
        return {"skipped": "ninja, which torch builds extensions with, is not installed"}
    sources = {"cpp_sources": CPU_SOURCE} if device == "cpu" else {"cpp_sources": "", "cuda_sources": CUDA_SOURCE}
    with tempfile.TemporaryDirectory() as folder:
        cpp_extension.load_inline("compatsolver_check", **sources, build_directory=folder, is_python_module=False)
        inputs = torch.arange(1000, dtype=torch.float32, device=device) / 1000
        found = torch.ops.compatsolver_check.shifted_square(inputs)
    error = float((found - (inputs * inputs + 1)).abs().max())
    problems = [] if error <= 1e-6 else [f"the operator is wrong by {error:.3g}"]
    return {"numbers": {"largest_error": error}, "problems": problems}
