"""What a training step holds in memory, counted; `validation/sizing` estimates the same from the shape."""

from __future__ import annotations

import time
from typing import Any

import torch

TIMED_STEPS = 3


def step(settings: dict[str, Any]) -> dict[str, Any]:
    """Measure one way of training one shape: bytes by kind, the peak, and the time of a step."""
    tuning = settings["load"]("tuning")
    device, shape = settings["device"], settings["shape"]
    model = _model(tuning, settings)
    trainable = [parameter for parameter in model.parameters() if parameter.requires_grad]
    optimizer = torch.optim.AdamW(trainable, lr=1e-3)
    inputs = tuning.batch(device, settings["batch"], settings["sequence"], shape["vocab_size"])
    _step(model, optimizer, inputs)
    optimizer.zero_grad()
    _reset_peak(device)
    saved = Saved(model)
    with torch.autograd.graph.saved_tensors_hooks(saved.pack, lambda tensor: tensor):
        loss = model(input_ids=inputs, labels=inputs).loss
    loss.backward()
    gradients = sum(_size(parameter.grad) for parameter in trainable)
    optimizer.step()
    peak = _peak(device)
    states = [each for state in optimizer.state.values() for each in state.values() if torch.is_tensor(each)]
    numbers = {
        "weights": sum(_size(each) for each in _tensors(model)),
        "trainable_parameters": sum(parameter.numel() for parameter in trainable),
        "gradients": gradients,
        "optimizer": sum(_size(each) for each in states if each.dim()),
        "activations": saved.bytes,
        "peak": peak,
        "step_seconds": _timed(model, optimizer, inputs, device),
    }
    problems = [] if torch.isfinite(loss) else ["the loss is not finite"]
    return {"numbers": numbers, "problems": problems}


def _model(tuning: Any, settings: dict[str, Any]) -> Any:
    method, device, shape = settings["method"], settings["device"], settings["shape"]
    if method == "qlora":
        import bitsandbytes

        model = tuning.adapted(tuning.quantised_model(bitsandbytes, device, shape))
    else:
        model = tuning.tiny_model(device, shape)
        model = tuning.adapted(model) if method == "lora" else model
    if settings["checkpointing"]:
        model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
        if method != "full":
            model.enable_input_require_grads()
    return model.train()


class Saved:
    """Counts what autograd keeps for the backward pass: each storage once, without the model's own."""

    def __init__(self, model: Any) -> None:
        self.seen = {each.untyped_storage().data_ptr() for each in _tensors(model)}
        self.bytes = 0
        self.kept: list[Any] = []

    def pack(self, tensor: Any) -> Any:
        """Called by autograd for each tensor it saves; holding on keeps its address from being given again."""
        storage = tensor.untyped_storage()
        if storage.data_ptr() not in self.seen:
            self.seen.add(storage.data_ptr())
            self.kept.append(storage)
            self.bytes += storage.nbytes()
        return tensor


def _tensors(model: Any) -> list[Any]:
    """Parameters and buffers, and the scales of those in 4 bits."""
    tensors = [*model.parameters(), *model.buffers()]
    for parameter in model.parameters():
        state = getattr(parameter, "quant_state", None)
        while state is not None:
            tensors += [each for each in (state.absmax, state.offset) if torch.is_tensor(each)]
            state = state.state2
    return tensors


def _size(tensor: Any) -> int:
    return tensor.numel() * tensor.element_size()


def _step(model: Any, optimizer: Any, inputs: Any) -> None:
    optimizer.zero_grad()
    model(input_ids=inputs, labels=inputs).loss.backward()
    optimizer.step()


def _timed(model: Any, optimizer: Any, inputs: Any, device: str) -> float:
    """Median seconds of a step."""
    times = []
    for _ in range(TIMED_STEPS):
        start = time.perf_counter()
        _step(model, optimizer, inputs)
        if device != "cpu":
            torch.cuda.synchronize()
        times.append(time.perf_counter() - start)
    return sorted(times)[TIMED_STEPS // 2]


def _reset_peak(device: str) -> None:
    if device != "cpu":
        torch.cuda.reset_peak_memory_stats()


def _peak(device: str) -> int | None:
    """The allocator's peak; on a CPU nobody counts it."""
    return None if device == "cpu" else torch.cuda.max_memory_allocated()
