"""Fine-tuning of a tiny causal model that is made from its configuration: nothing is downloaded."""

from __future__ import annotations

import tempfile
from typing import Any

import torch

STEPS = 5
RANK = 8
ADAPTED = ["q_proj", "v_proj"]
SHAPE = {
    "vocab_size": 256,
    "hidden_size": 64,
    "intermediate_size": 128,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
}
NF4_TOLERANCE = 0.2


def lora(settings: dict[str, Any]) -> dict[str, Any]:
    """Adapters alone get gradients and change, the loss falls, and what is saved comes back the same."""
    from peft import PeftModel

    device = settings["device"]
    base = tiny_model(device)
    before = {name: tensor.clone() for name, tensor in base.state_dict().items()}
    model = adapted(base)
    losses, problems = trained(model, device, torch.optim.AdamW)
    problems += [f"{name} of the base model changed" for name in _changed(model, before)]
    inputs = batch(device)
    model.eval()
    with tempfile.TemporaryDirectory() as folder, torch.no_grad():
        model.save_pretrained(folder)
        again = PeftModel.from_pretrained(tiny_model(device), folder).eval()
        difference = float((model(inputs).logits - again(inputs).logits).abs().max())
    if difference > 1e-5:
        problems.append(f"the reloaded adapter answers otherwise, by up to {difference:.3g}")
    return {"numbers": {"losses": losses, "reloaded_difference": difference}, "problems": problems}


def tiny_model(device: str, shape: dict[str, Any] | None = None, kind: torch.dtype = torch.float32) -> Any:
    """A Llama of random weights, the same each time."""
    from transformers import AutoModelForCausalLM, LlamaConfig

    torch.manual_seed(0)
    return AutoModelForCausalLM.from_config(LlamaConfig(**(shape or SHAPE))).to(device, kind)


def adapted(model: Any) -> Any:
    """The model with adapters on the query and value projections."""
    from peft import LoraConfig, get_peft_model

    torch.manual_seed(1)
    return get_peft_model(model, LoraConfig(r=RANK, target_modules=ADAPTED, task_type="CAUSAL_LM"))


def batch(device: str, rows: int = 4, length: int = 32, vocabulary: int = SHAPE["vocab_size"]) -> Any:
    """Token numbers, the same each time."""
    return torch.randint(vocabulary, (rows, length), generator=torch.Generator().manual_seed(2)).to(device)


def trained(model: Any, device: str, optimizer: Any) -> tuple[Any, ...]:
    """Take a few steps on one batch; the losses, and what is wrong with gradients or losses."""
    trainable = [parameter for parameter in model.parameters() if parameter.requires_grad]
    optimizer, inputs = optimizer(trainable, lr=1e-2), batch(device)
    losses, strangers = [], set()
    model.train()
    for _ in range(STEPS):
        optimizer.zero_grad()
        loss = model(input_ids=inputs, labels=inputs).loss
        loss.backward()
        strangers |= {name for name, each in model.named_parameters() if each.grad is not None and "lora_" not in name}
        optimizer.step()
        losses.append(loss.item())
    problems = [f"{name} has a gradient and is no adapter" for name in sorted(strangers)]
    if not any(each.grad is not None and float(each.grad.norm()) > 0 for each in trainable):
        problems.append("no adapter got a gradient")
    if not losses[-1] < losses[0]:
        problems.append(f"the loss does not fall: {losses[0]:.4f} before, {losses[-1]:.4f} after {STEPS} steps")
    return losses, problems


def _changed(model: Any, before: dict[str, Any]) -> list[Any]:
    after = {_base_name(name): tensor for name, tensor in model.state_dict().items()}
    return [name for name, tensor in before.items() if not torch.equal(after[name], tensor)]


def _base_name(name: str) -> str:
    return name.replace("base_model.model.", "", 1).replace(".base_layer", "")


def qlora(settings: dict[str, Any]) -> dict[str, Any]:
    """A layer in 4 bits answers nearly as before; on a model of such layers adapters learn with an 8-bit optimiser."""
    import bitsandbytes

    device = settings["device"]
    torch.manual_seed(0)
    dense = torch.nn.Linear(256, 256, bias=False)
    inputs = torch.randn(64, 256)
    found = quantised(bitsandbytes, dense, device)(inputs.to(device)).float().cpu()
    error = float((found - dense(inputs)).norm() / dense(inputs).norm())
    problems = [] if error <= NF4_TOLERANCE else [f"the 4-bit layer is off by {error:.3g}"]
    optimizer = bitsandbytes.optim.AdamW8bit
    losses, more = trained(adapted(quantised_model(bitsandbytes, device)), device, optimizer)
    numbers = {"relative_error": error, "tolerance": NF4_TOLERANCE, "losses": losses, "optimizer": optimizer.__name__}
    return {"numbers": numbers, "problems": problems + more}


def quantised(bitsandbytes: Any, dense: Any, device: str) -> Any:
    """The layer in NF4, computing in the type it had; moving it to the device is what quantises it."""
    options = {"bias": False, "compute_dtype": dense.weight.dtype, "quant_type": "nf4", "compress_statistics": True}
    layer = bitsandbytes.nn.Linear4bit(dense.in_features, dense.out_features, **options)
    layer.load_state_dict({"weight": dense.weight.data})
    return layer.to(device)


def quantised_model(
    bitsandbytes: Any, device: str, shape: dict[str, Any] | None = None, kind: torch.dtype = torch.float32
) -> Any:
    """The tiny model with every linear layer but the head in 4 bits."""
    model = tiny_model("cpu", shape, kind)
    dense = [name for name, each in model.named_modules() if isinstance(each, torch.nn.Linear) and name != "lm_head"]
    for name in dense:
        parent, _, attribute = name.rpartition(".")
        setattr(model.get_submodule(parent), attribute, quantised(bitsandbytes, model.get_submodule(name), device))
    for parameter in model.parameters():
        parameter.requires_grad_(False)
    return model.to(device)
