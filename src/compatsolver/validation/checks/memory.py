"""What a training step holds in memory, counted; `validation/sizing` estimates the same from the shape."""

from __future__ import annotations

import time
from typing import Any

import torch

TIMED_STEPS = 3


def step(settings: dict[str, Any]) -> dict[str, Any]:
    """Measure one way of training one shape: bytes by kind, the peak, and the time of a step."""
    tuning, device = settings["load"]("tuning"), settings["device"]
    model = _model(tuning, settings)
    trainable = [parameter for parameter in model.parameters() if parameter.requires_grad]
    optimizer = torch.optim.AdamW(trainable, lr=1e-3)
    inputs = tuning.batch(device, settings["batch"], settings["sequence"], settings["shape"]["vocab_size"])
    training = Step(model, optimizer, inputs, settings["precision"] == "mixed" and settings["method"] == "full")
    training()
    saved = Saved(model)
    with torch.autograd.graph.saved_tensors_hooks(saved.pack, lambda tensor: tensor):
        loss = training.loss()
    loss.backward()
    states = [each for state in optimizer.state.values() for each in state.values() if torch.is_tensor(each)]
    numbers = {
        "weights": sum(_size(each) for each in _tensors(model)),
        "trainable_parameters": sum(parameter.numel() for parameter in trainable),
        "gradients": sum(_size(parameter.grad) for parameter in trainable),
        "optimizer": sum(_size(each) for each in states if each.dim()),
        "activations": saved.bytes,
    }
    del loss, saved
    standing = numbers["weights"] + numbers["optimizer"]
    numbers["peak"] = standing + _peak_on_cpu(training) if device == "cpu" else _peak_on_gpu(training)
    numbers["step_seconds"] = _timed(training, device)
    return {"numbers": numbers}


def _model(tuning: Any, settings: dict[str, Any]) -> Any:
    method, device, shape = settings["method"], settings["device"], settings["shape"]
    is_full = method == "full"
    fp32 = settings["precision"] == "fp32" or (is_full and settings["precision"] == "mixed")
    kind = torch.float32 if fp32 else torch.bfloat16
    if method == "qlora":
        import bitsandbytes

        model = tuning.quantised_model(bitsandbytes, device, shape, kind)
    else:
        model = tuning.tiny_model(device, shape, kind)
    if not is_full:
        model = tuning.adapted(model)
    if settings["checkpointing"]:
        model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
        if not is_full:
            model.enable_input_require_grads()
    return model.train()


class Step:
    """A training step on one batch, from no gradients to changed weights."""

    def __init__(self, model: Any, optimizer: Any, inputs: Any, autocast: bool) -> None:
        self.model, self.optimizer, self.inputs, self.autocast = model, optimizer, inputs, autocast

    def __call__(self) -> None:
        """Take the step."""
        self.loss().backward()
        self.optimizer.step()

    def loss(self) -> Any:
        """The loss, all gradients forgotten."""
        self.optimizer.zero_grad()
        with torch.autocast(self.inputs.device.type, torch.bfloat16, enabled=self.autocast):
            return self.model(input_ids=self.inputs, labels=self.inputs).loss


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


def _timed(training: Step, device: str) -> float:
    """Median seconds of a step."""
    times = []
    for _ in range(TIMED_STEPS):
        start = time.perf_counter()
        training()
        if device != "cpu":
            torch.cuda.synchronize()
        times.append(time.perf_counter() - start)
    return sorted(times)[TIMED_STEPS // 2]


def _peak_on_gpu(training: Step) -> int:
    """The allocator's own peak."""
    training.optimizer.zero_grad()
    torch.cuda.reset_peak_memory_stats()
    training()
    return torch.cuda.max_memory_allocated()


def _peak_on_cpu(training: Step) -> int:
    """The most that a step allocates beyond what stands, added up from the profiler's record of the allocator."""
    from torch.profiler import profile

    training.optimizer.zero_grad()
    with profile(profile_memory=True) as record:
        training()
    events = record.profiler.kineto_results.events()
    changes = sorted((each.start_ns(), each.nbytes()) for each in events if each.name() == "[memory]")
    level = highest = 0
    for _, change in changes:
        level += change
        highest = max(highest, level)
    return highest
