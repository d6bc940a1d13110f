"""Fine-tune a causal language model with LoRA: on one GPU, on several under torchrun, or on a CPU.

    python train_lora.py                                    a tiny random model on made-up text, without network
    python train_lora.py --model Qwen/Qwen2.5-0.5B --data texts.jsonl --out runs/first
    torchrun --nproc-per-node=gpu train_lora.py             one process for each GPU; 2 is two processes
    python train_lora.py --resume                           go on where the run in --out stopped
    python train_lora.py --find-batch                       the largest batch that fits into memory

The directory `--out` gets metrics.jsonl (a line for each step), checkpoint.pt, loss.svg and the adapter.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

import torch
from peft import LoraConfig, get_peft_model, get_peft_model_state_dict, set_peft_model_state_dict
from torch import distributed
from tqdm import tqdm
from transformers import AutoModelForCausalLM, LlamaConfig

from find_batch import Peak, largest_batch
from loss_curve import draw
from texts import TINY, Rows, blocks

TINY_SHAPE = {
    "vocab_size": 256,
    "hidden_size": 128,
    "intermediate_size": 352,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "initializer_range": 0.1,
}
"""Weights wide enough that adapters alone can make something of a random model."""
KINDS = {"bf16": torch.bfloat16, "fp16": torch.float16, "fp32": torch.float32}
FIXED = ("model", "rank", "adapt")
"""What a run cannot change when it is resumed."""
LARGEST_GRADIENT = 1.0
MEASURED_STEPS = 2


def count(text: str) -> int:
    """A whole number from 1 on."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 1 on")
    return int(text)


def arguments(words: list[str] | None = None) -> argparse.Namespace:
    """What the command line says, or the words given."""
    parser = argparse.ArgumentParser(description="Fine-tune a causal language model with LoRA.", allow_abbrev=False)
    parser.add_argument("--model", default=TINY, help="a name on the Hugging Face Hub, a path, or `tiny`")
    parser.add_argument("--data", type=Path, help='JSON or JSON lines of {"text"} or {"prompt", "completion"}')
    parser.add_argument("--out", type=Path, default=Path("runs/lora"), help="the directory of this run")
    parser.add_argument(
        "--steps", type=count, default=100, help="optimiser steps in all, those of a resumed run included"
    )
    parser.add_argument("--batch", type=count, default=8, help="sequences at a time, in each process")
    parser.add_argument("--accumulate", type=count, default=1, help="batches for each optimiser step")
    parser.add_argument("--sequence", type=count, default=128, help="tokens in a sequence")
    parser.add_argument("--learning-rate", type=float, help="2e-4, and 3e-3 for the tiny model, unless given")
    parser.add_argument("--warmup", type=int, default=10, help="steps in which the learning rate rises")
    parser.add_argument("--rank", type=count, default=8, help="of the adapters")
    parser.add_argument("--adapt", default="all-linear", help="layers that get adapters, as in q_proj,v_proj")
    parser.add_argument("--precision", choices=("auto", *KINDS), default="auto", help="of the base model")
    parser.add_argument("--device", choices=("auto", "cuda", "cpu"), default="auto", help="where to compute")
    parser.add_argument(
        "--checkpointing", action="store_true", help="compute activations again: less memory, more time"
    )
    parser.add_argument("--save-every", type=count, default=50, metavar="STEPS", help="between two checkpoints")
    parser.add_argument("--seed", type=int, default=0, help="of the adapters and of the order of the data")
    parser.add_argument("--resume", action="store_true", help="go on from the checkpoint in --out")
    parser.add_argument("--find-batch", action="store_true", help="try batches up to the first that does not fit")
    parser.add_argument(
        "--memory", type=float, metavar="GIB", help="what --find-batch may take; by default all there is"
    )
    parser.add_argument("--measure", type=Path, metavar="FILE", help=argparse.SUPPRESS)
    return parser.parse_args(words)


class Place(NamedTuple):
    """This process among all that train together, and its device."""

    rank: int
    size: int
    device: Any


def join(device: str) -> Place:
    """The group of processes that torchrun describes in the environment, or this process alone."""
    rank, size, local = (
        int(os.environ.get(name, usual)) for name, usual in (("RANK", 0), ("WORLD_SIZE", 1), ("LOCAL_RANK", 0))
    )
    is_cuda = torch.cuda.is_available() if device == "auto" else device == "cuda"
    if is_cuda:
        torch.cuda.set_device(local)
    if size > 1:
        distributed.init_process_group("nccl" if is_cuda and distributed.is_nccl_available() else "gloo")
    return Place(rank, size, torch.device("cuda", local) if is_cuda else torch.device("cpu"))


def precision_on(device: Any) -> str:
    """bf16 from compute capability 8.0 on, fp16 with a scaled loss below it, fp32 on a CPU."""
    if device.type != "cuda":
        return "fp32"
    return "bf16" if torch.cuda.get_device_capability(device) >= (8, 0) else "fp16"


def adapted_model(options: argparse.Namespace, device: Any, precision: str) -> Any:
    """The base model, frozen, with adapters in fp32."""
    torch.manual_seed(options.seed)
    if options.model == TINY:
        base = AutoModelForCausalLM.from_config(LlamaConfig(**TINY_SHAPE)).to(KINDS[precision])
    else:
        base = AutoModelForCausalLM.from_pretrained(options.model).to(KINDS[precision])
    base.config.use_cache = False
    layers = options.adapt if options.adapt == "all-linear" else options.adapt.split(",")
    adapters = LoraConfig(r=options.rank, lora_alpha=2 * options.rank, target_modules=layers, task_type="CAUSAL_LM")
    model = get_peft_model(base, adapters).to(device).train()
    if options.checkpointing:
        model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
        model.enable_input_require_grads()
    return model


class Trainer:
    """Model, optimiser and loss scaler, and how far they have come."""

    def __init__(self, options: argparse.Namespace, place: Place) -> None:
        self.options, self.place = options, place
        self.precision = precision_on(place.device) if options.precision == "auto" else options.precision
        self.model = adapted_model(options, place.device, self.precision)
        self.trained = [parameter for parameter in self.model.parameters() if parameter.requires_grad]
        self.learning_rate = options.learning_rate or (3e-3 if options.model == TINY else 2e-4)
        self.optimizer = torch.optim.AdamW(self.trained, lr=self.learning_rate, weight_decay=0.0)
        self.scaler = torch.amp.GradScaler(place.device.type, enabled=self.precision == "fp16")
        self.step = 0
        self.called = self.model
        if place.size > 1:
            self.called = torch.nn.parallel.DistributedDataParallel(self.model)

    def take_step(self, batches: list[Any]) -> dict[str, Any]:
        """One optimiser step on the mean of some batches; what there is to say of it."""
        start, loss = time.perf_counter(), torch.zeros((), device=self.place.device)
        for inputs in batches:
            part = self.called(input_ids=inputs, labels=inputs).loss / len(batches)
            self.scaler.scale(part).backward()
            loss += part.detach()
        self.scaler.unscale_(self.optimizer)
        norm = torch.nn.utils.clip_grad_norm_(self.trained, LARGEST_GRADIENT)
        rate = self.learning_rate * min(1.0, (self.step + 1) / max(1, self.options.warmup))
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.optimizer.zero_grad()
        if self.place.size > 1:
            distributed.all_reduce(loss)
        self.step += 1
        tokens = sum(inputs.numel() for inputs in batches) * self.place.size
        numbers = {"step": self.step, "loss": loss.item() / self.place.size, "learning_rate": rate}
        seconds = time.perf_counter() - start
        known = norm.item() if norm.isfinite() else None
        return numbers | {"gradient_norm": known, "seconds": seconds, "tokens_per_second": tokens / seconds}

    def save(self, file: Path) -> None:
        """Write a checkpoint, whole or not at all."""
        state = {
            "step": self.step,
            "fixed": [getattr(self.options, name) for name in FIXED],
            "adapter": get_peft_model_state_dict(self.model),
            "optimizer": self.optimizer.state_dict(),
            "scaler": self.scaler.state_dict(),
        }
        beside = file.with_suffix(".new")
        torch.save(state, beside)
        beside.replace(file)

    def restore(self, file: Path) -> None:
        """Go back to a checkpoint of a run with the same model and adapters."""
        state = torch.load(file, map_location="cpu", weights_only=True)
        for name, value in zip(FIXED, state["fixed"], strict=True):
            if value != getattr(self.options, name):
                sys.exit(f"{file} is of a run with --{name} {value}: resume it with that")
        set_peft_model_state_dict(self.model, state["adapter"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.scaler.load_state_dict(state["scaler"])
        self.step = state["step"]


def opened(options: argparse.Namespace) -> tuple[Path, Path]:
    """The checkpoint and the metrics of a run; ends with words where they are of another run, or of none."""
    checkpoint, metrics = options.out / "checkpoint.pt", options.out / "metrics.jsonl"
    if options.resume and not checkpoint.exists():
        sys.exit(f"{checkpoint} is not there, so there is nothing to resume")
    if metrics.exists() and not options.resume:
        sys.exit(f"{options.out} holds a run: --resume goes on with it, --out names another directory")
    options.out.mkdir(parents=True, exist_ok=True)
    return checkpoint, metrics


def cut(metrics: Path, step: int) -> None:
    """Leave out the lines of steps that were taken after the checkpoint, which are taken again."""
    lines = metrics.read_text(encoding="utf-8").splitlines() if metrics.exists() else []
    kept = [line for line in lines[:step] if line.endswith("}")]
    beside = metrics.with_suffix(".new")
    beside.write_text("".join(f"{line}\n" for line in kept), encoding="utf-8")
    beside.replace(metrics)


def train(options: argparse.Namespace, trainer: Trainer, metrics: Path, checkpoint: Path) -> None:
    """Take the steps that are left; the first process writes a line for each, and checkpoints."""
    place, batch = trainer.place, options.batch
    rows = Rows(blocks(options.model, options.data, options.sequence), options.seed)
    steps = range(trainer.step, options.steps)
    with (metrics if place.rank == 0 else Path(os.devnull)).open("a", encoding="utf-8") as log:
        bar = tqdm(steps, initial=trainer.step, total=options.steps, unit="step", disable=place.rank > 0 or None)
        for step in bar:
            numbers = [
                (step * options.accumulate + part) * place.size + place.rank for part in range(options.accumulate)
            ]
            batches = [rows[range(number * batch, (number + 1) * batch)].to(place.device) for number in numbers]
            found = trainer.take_step(batches)
            if not math.isfinite(found["loss"]):
                sys.exit(f"step {trainer.step}: the loss is {found['loss']}; try a lower --learning-rate")
            log.write(json.dumps(found) + "\n")
            log.flush()
            bar.set_postfix(loss=f"{found['loss']:.4f}")
            if place.rank == 0 and (trainer.step % options.save_every == 0 or trainer.step == options.steps):
                trainer.save(checkpoint)


def measure(options: argparse.Namespace, file: Path) -> None:
    """Take a few steps on random tokens, and write how much memory they took."""
    place = join(options.device)
    peak = Peak(place.device, options.memory)
    trainer = Trainer(options, place)
    shape = options.batch, options.sequence
    for _ in range(MEASURED_STEPS):
        inputs = torch.randint(trainer.model.config.vocab_size, shape, device=place.device)
        trainer.take_step([inputs] * min(2, options.accumulate))
    found = {"peak": peak.bytes(), "measured": peak.words, "precision": trainer.precision}
    file.write_text(json.dumps(found | {"config": trainer.model.config.to_dict()}, default=str), encoding="utf-8")


def run(options: argparse.Namespace) -> None:
    """Train, or go on training, and leave what came of it in `--out`."""
    checkpoint, metrics = opened(options)
    place = join(options.device)
    trainer = Trainer(options, place)
    if options.resume:
        trainer.restore(checkpoint)
    if place.rank == 0:
        cut(metrics, trainer.step)
        print(f"{options.model} on {place.size} × {place.device.type} in {trainer.precision}, from step {trainer.step}")
    train(options, trainer, metrics, checkpoint)
    if place.rank == 0:
        trainer.model.save_pretrained(options.out / "adapter")
        draw(metrics, options.out / "loss.svg")
        print(f"{options.out}: metrics.jsonl, loss.svg, checkpoint.pt, adapter/")
    if place.size > 1:
        # Were the wrapper the last to hold the group, it would wait for Gloo's thread, and that for Python's lock.
        del trainer
        distributed.destroy_process_group()


def main() -> None:
    """Do what the command line says."""
    options = arguments()
    if options.measure:
        measure(options, options.measure)
    elif options.find_batch:
        sys.exit(largest_batch(sys.argv, options))
    else:
        run(options)


if __name__ == "__main__":
    main()
