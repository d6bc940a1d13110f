"""Arithmetic on the device against the same in float64 on the CPU.

An error is relative, in the Frobenius norm. The inputs are rounded to the type first and then taken as exact, so that
the multiplication alone is measured. docs/validate.md says where the tolerances come from.
"""

from __future__ import annotations

from typing import Any

import torch

TOLERANCES = {"fp32": 1e-5, "tf32": 2e-3, "fp16": 2e-3, "bf16": 1.6e-2, "fp8": 1.6e-2}
TYPES = {"fp32": torch.float32, "tf32": torch.float32, "fp16": torch.float16, "bf16": torch.bfloat16}
ROWS, INNER, COLUMNS = 384, 512, 640
FP8_SINCE = (8, 9)
NO_KERNEL = ("No available kernel", "No viable backend")
TF32_SINCE = BF16_SINCE = (8, 0)


def matmul(settings: dict[str, Any]) -> dict[str, Any]:
    """Multiply in the number format of `settings`."""
    kind, device = settings["format"], settings["device"]
    lacking = _lacking(kind, device)
    if lacking:
        return {"skipped": lacking}
    torch.manual_seed(0)
    left, right = torch.randn(ROWS, INNER), torch.randn(INNER, COLUMNS)
    if kind == "fp8":
        return _fp8(left, right, device)
    if device != "cpu":
        torch.backends.cuda.matmul.allow_tf32 = kind == "tf32"
    left, right = left.to(TYPES[kind]), right.to(TYPES[kind])
    product = left.to(device) @ right.to(device)
    return judged(product, left.double() @ right.double(), TOLERANCES[kind])


def _lacking(kind: str, device: str) -> str | None:
    """Why the device does not have a number format."""
    if device == "cpu":
        return "TF32 is a number format of GPUs" if kind == "tf32" else None
    since = {"tf32": TF32_SINCE, "bf16": BF16_SINCE, "fp8": FP8_SINCE}.get(kind)
    found = torch.cuda.get_device_capability()
    if since and found < since:
        return f"{kind} needs compute capability {since[0]}.{since[1]}, this is {found[0]}.{found[1]}"
    return None


def _fp8(left: Any, right: Any, device: str) -> dict[str, Any]:
    """Scaled multiplication of E4M3 numbers, the second operand stored by columns as the kernels want it."""
    if not hasattr(torch, "_scaled_mm") or not hasattr(torch, "float8_e4m3fn"):
        return {"skipped": f"torch {torch.__version__} has no multiplication in fp8"}
    left, right = left.to(torch.float8_e4m3fn), right.t().contiguous().to(torch.float8_e4m3fn)
    one = torch.ones((), device=device)
    try:
        product = torch._scaled_mm(left.to(device), right.to(device).t(), one, one, out_dtype=torch.bfloat16)
    except NotImplementedError as error:
        return {"skipped": f"fp8 on {device}: {error}".splitlines()[0]}
    return judged(product, left.double() @ right.double().t(), TOLERANCES["fp8"])


def judged(found: Any, reference: Any, tolerance: float) -> dict[str, Any]:
    """Compare with the reference."""
    error = relative(found, reference)
    problems = [] if error <= tolerance else [f"relative error {error:.3g} is above {tolerance:g}"]
    return {"numbers": {"relative_error": error, "tolerance": tolerance}, "problems": problems}


def relative(found: Any, reference: Any) -> float:
    """Relative error in the Frobenius norm; a NaN is infinitely wrong."""
    reference = reference.double().cpu()
    error = float((found.double().cpu() - reference).norm() / reference.norm())
    return error if error == error else float("inf")


def together(errors: dict[str, Any], tolerance: float, **numbers: Any) -> dict[str, Any]:
    """Several results under one tolerance."""
    problems = [f"{name}: relative error {error:.3g} is above {tolerance:g}" for name, error in errors.items()]
    kept = [problem for problem, error in zip(problems, errors.values()) if not error <= tolerance]
    return {"numbers": {"relative_errors": errors, "tolerance": tolerance, **numbers}, "problems": kept}


def cublaslt(settings: dict[str, Any]) -> dict[str, Any]:
    """Multiply, add a bias and apply an activation in one call, which is what cuBLASLt has that cuBLAS has not."""
    device = settings["device"]
    torch.backends.cuda.preferred_blas_library("cublaslt")
    torch.manual_seed(0)
    bias, left, right = torch.randn(COLUMNS), torch.randn(ROWS, INNER), torch.randn(INNER, COLUMNS)
    half = [tensor.half() for tensor in (bias, left, right)]
    found = torch._addmm_activation(*(tensor.to(device) for tensor in half))
    bias, left, right = (tensor.double() for tensor in half)
    return judged(found, (bias + left @ right).relu(), TOLERANCES["fp16"])


def convolution(settings: dict[str, Any]) -> dict[str, Any]:
    """A convolution and its gradients: cuDNN on a GPU."""
    device = settings["device"]
    if device != "cpu" and not torch.backends.cudnn.is_available():
        return {"problems": ["torch finds no cuDNN"]}
    torch.backends.cudnn.allow_tf32 = False
    torch.manual_seed(0)
    image, kernel = torch.randn(2, 8, 32, 32), torch.randn(16, 8, 3, 3)
    found = _convolved(image.to(device), kernel.to(device))
    reference = _convolved(image.double(), kernel.double())
    errors = {name: relative(found[name], reference[name]) for name in reference}
    return together(errors, TOLERANCES["fp32"])


def _convolved(image: Any, kernel: Any) -> dict[str, Any]:
    image, kernel = image.clone().requires_grad_(), kernel.clone().requires_grad_()
    result = torch.nn.functional.conv2d(image, kernel, padding=1)
    result.square().mean().backward()
    return {"result": result.detach(), "image gradient": image.grad, "kernel gradient": kernel.grad}


def attention(settings: dict[str, Any]) -> dict[str, Any]:
    """Causal attention and its gradients with every kernel torch has for it here."""
    from torch.nn.attention import SDPBackend, sdpa_kernel

    device = settings["device"]
    kind = torch.float32 if device == "cpu" else torch.float16
    torch.manual_seed(0)
    inputs = [torch.randn(2, 4, 128, 64).to(kind) for _ in range(3)]
    reference = _attended([tensor.double() for tensor in inputs])
    errors, unavailable = {}, {}
    names = ("MATH", "FLASH_ATTENTION", "EFFICIENT_ATTENTION", "CUDNN_ATTENTION")
    for name in (name for name in names if hasattr(SDPBackend, name)):
        try:
            with sdpa_kernel(getattr(SDPBackend, name)):
                found = _attended([tensor.to(device) for tensor in inputs])
        except RuntimeError as error:
            if not str(error).startswith(NO_KERNEL):
                raise
            unavailable[name.lower()] = "no kernel for this device, type and shape"
            continue
        errors[name.lower()] = max(relative(found[part], reference[part]) for part in reference)
    tolerance = TOLERANCES["fp32" if device == "cpu" else "fp16"] * 5
    return together(errors, tolerance, unavailable=unavailable)


def _attended(inputs: list[Any]) -> dict[str, Any]:
    leaves = [tensor.clone().requires_grad_() for tensor in inputs]
    result = torch.nn.functional.scaled_dot_product_attention(*leaves, is_causal=True)
    result.square().sum().backward()
    return {"result": result.detach(), **{name: leaf.grad for name, leaf in zip("qkv", leaves)}}


def solve(settings: dict[str, Any]) -> dict[str, Any]:
    """Linear systems by LU and by Cholesky, and eigenvalues: cuSOLVER and MAGMA on a GPU."""
    device, size = settings["device"], 256
    torch.manual_seed(0)
    matrix, right = torch.randn(size, size), torch.randn(size, 4)
    positive = matrix @ matrix.t() / size + torch.eye(size)
    on_device, right_there = positive.to(device), right.to(device)
    reference = torch.linalg.solve(positive.double(), right.double())
    errors = {
        "lu": relative(torch.linalg.solve(on_device, right_there), reference),
        "cholesky": relative(torch.cholesky_solve(right_there, torch.linalg.cholesky(on_device)), reference),
        "eigenvalues": relative(torch.linalg.eigvalsh(on_device), torch.linalg.eigvalsh(positive.double())),
    }
    return together(errors, 1e-4)
