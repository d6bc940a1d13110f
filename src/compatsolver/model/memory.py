"""How much memory training takes: the shape of a model, the way it is trained, and the bytes that follow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

SCHEMA = "compatsolver.fit/1"
METHODS = ("full", "lora", "qlora")
PRECISIONS = ("mixed", "bf16", "fp32")
OPTIMIZERS = ("adamw", "adamw-8bit", "sgd", "sgd-momentum")
ATTENTION = ("q_proj", "k_proj", "v_proj", "o_proj")
FEED_FORWARD = ("gate_proj", "up_proj", "down_proj")
LINEARS = (*ATTENTION, *FEED_FORWARD)
GIB = 1 << 30


class ModelShape(NamedTuple):
    """A causal decoder with gated feed-forward layers and RMS norms, as Llama, Mistral and Qwen are.

    `hidden` and `feed_forward` are widths, `heads` and `key_value_heads` counts, `head` is the width of one, `biases`
    the linear layers of a block that have one, `norms_heads` whether queries and keys are normalised (Qwen 3), `tied`
    whether the head is the embedding.
    """

    name: str
    vocabulary: int
    hidden: int
    feed_forward: int
    layers: int
    heads: int
    key_value_heads: int
    head: int
    tied: bool = False
    biases: tuple[str, ...] = ()
    norms_heads: bool = False

    def linear(self, name: str) -> tuple[int, int]:
        """Input and output width of a linear layer of a block."""
        queries, keys = self.heads * self.head, self.key_value_heads * self.head
        return {
            "q_proj": (self.hidden, queries),
            "k_proj": (self.hidden, keys),
            "v_proj": (self.hidden, keys),
            "o_proj": (queries, self.hidden),
            "gate_proj": (self.hidden, self.feed_forward),
            "up_proj": (self.hidden, self.feed_forward),
            "down_proj": (self.feed_forward, self.hidden),
        }[name]

    @property
    def linear_parameters(self) -> int:
        """Weights of all linear layers in the blocks, without biases."""
        return self.layers * sum(width * out for width, out in map(self.linear, LINEARS))

    @property
    def parameters(self) -> int:
        """All parameters."""
        biases = sum(self.linear(name)[1] for name in self.biases)
        norms = 2 * self.hidden + (2 * self.head if self.norms_heads else 0)
        embeddings = self.vocabulary * self.hidden * (1 if self.tied else 2)
        return embeddings + self.linear_parameters + self.layers * (biases + norms) + self.hidden


class Training(NamedTuple):
    """A way of training. `adapted` are the linear layers that get adapters of `rank`, for LoRA and QLoRA.

    `precision`: `mixed` keeps fp32 weights and computes in bf16, `bf16` has everything in bf16, `fp32` in fp32.
    Adapters are always fp32, on a base in bf16 or fp32. `sequence` is in tokens. `accumulates`: gradients of earlier
    batches are there when the next one is computed.
    """

    method: str = "full"
    batch: int = 1
    sequence: int = 2048
    precision: str = "mixed"
    optimizer: str = "adamw"
    checkpointing: bool = False
    accumulates: bool = False
    rank: int = 8
    adapted: tuple[str, ...] = ("q_proj", "v_proj")


class Room(NamedTuple):
    """A GPU and whether the estimate fits into its memory; `memory_gib` None is unknown, and so is `fits` then."""

    gpu: str
    memory_gib: float | None
    fits: bool | None
    largest_batch: int | None


class MemoryEstimate(NamedTuple):
    """Bytes by kind on each GPU. `activations` are kept for the backward pass, `working` comes and goes at its start.

    `stepping` is what the optimiser takes while it steps. `reserve` is for the CUDA context, the libraries and the
    allocator: an allowance, not a measurement.
    """

    shape: ModelShape
    training: Training
    parameters: int
    trainable: int
    weights: int
    gradients: int
    optimizer: int
    activations: int
    working: int
    stepping: int
    reserve: int
    rooms: tuple[Room, ...] = ()

    @property
    def total(self) -> int:
        """The peak: activations go as gradients come, and the optimiser steps when they are gone."""
        backward = self.activations + self.working
        if self.training.accumulates:
            backward += self.gradients
        return self.weights + self.optimizer + self.reserve + max(backward, self.gradients + self.stepping)

    def to_dict(self) -> dict[str, Any]:
        """The document, in the published order of keys."""
        kinds: Mapping[str, int] = {
            name: getattr(self, name)
            for name in ("weights", "gradients", "optimizer", "activations", "working", "stepping", "reserve", "total")
        }
        return {
            "schema": SCHEMA,
            "model": self.shape._asdict() | {"biases": list(self.shape.biases)},
            "training": self.training._asdict() | {"adapted": list(self.training.adapted)},
            "parameters": self.parameters,
            "trainable_parameters": self.trainable,
            "bytes": dict(kinds),
            "gpus": [room._asdict() for room in self.rooms],
        }
