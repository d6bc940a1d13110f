"""The memory that training takes, from the shape of the model. docs/fit.md has the formula and how well it holds.

What autograd keeps is counted layer by layer as the eager implementation in Transformers writes it, with attention that
keeps no scores. All sizes are bytes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.model.memory import GIB, LINEARS, MemoryEstimate, ModelShape, Room, Training

if TYPE_CHECKING:
    from collections.abc import Iterable

FP32, BF16, INT64 = 4, 2, 8
RESERVE = GIB
NF4_BLOCK, NF4_BLOCKS_OF_SCALES = 64, 256
EIGHT_BIT_BLOCK = 256
MOST_BATCHES = 1 << 16


def estimate(shape: ModelShape, training: Training, gpus: Iterable[tuple[str, float | None]] = ()) -> MemoryEstimate:
    """Bytes by kind, and whether they fit into each GPU (name, memory in GiB or None where it is unknown)."""
    plain = _estimate(shape, training)
    return plain._replace(rooms=tuple(_room(plain, name, memory) for name, memory in gpus))


def _estimate(shape: ModelShape, training: Training) -> MemoryEstimate:
    trainable = trainable_parameters(shape, training)
    width = FP32 if training.method != "full" or training.precision != "bf16" else BF16
    again = _block(shape, training) if training.checkpointing else 0
    return MemoryEstimate(
        shape=shape,
        training=training,
        parameters=shape.parameters,
        trainable=trainable,
        weights=_weights(shape, training),
        gradients=trainable * width,
        optimizer=_states(training, trainable, width),
        activations=activations(shape, training),
        working=max(_loss(shape, training), again + _unpacked(shape, training)),
        stepping=trainable * width,
        reserve=RESERVE,
    )


def _room(plain: MemoryEstimate, name: str, memory: float | None) -> Room:
    if memory is None:
        return Room(name, None, None, None)
    limit = int(memory * GIB)

    def fits(batch: int) -> bool:
        return _estimate(plain.shape, plain.training._replace(batch=batch)).total <= limit

    low, high = 0, 1
    while high < MOST_BATCHES and fits(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return Room(name, memory, plain.total <= limit, low)


def trainable_parameters(shape: ModelShape, training: Training) -> int:
    """All of them, or those of the adapters."""
    if training.method == "full":
        return shape.parameters
    return shape.layers * sum(training.rank * sum(shape.linear(name)) for name in training.adapted)


def _weights(shape: ModelShape, training: Training) -> int:
    if training.method == "full":
        return shape.parameters * (BF16 if training.precision == "bf16" else FP32)
    width = _computing(training)
    adapters = trainable_parameters(shape, training) * FP32
    if training.method == "lora":
        return shape.parameters * width + adapters
    rest = (shape.parameters - shape.linear_parameters) * width
    return rest + _nf4(shape.linear_parameters) + adapters


def _nf4(parameters: int) -> int:
    """Half a byte each, a byte of scale for each block, and a 32-bit scale for each block of those."""
    scales = parameters // NF4_BLOCK
    return parameters // 2 + scales + FP32 * scales // NF4_BLOCKS_OF_SCALES


def _states(training: Training, trainable: int, width: int) -> int:
    if training.optimizer == "adamw-8bit":
        return 2 * trainable + 2 * FP32 * trainable // EIGHT_BIT_BLOCK
    return {"adamw": 2, "sgd-momentum": 1, "sgd": 0}[training.optimizer] * trainable * width


def _computing(training: Training) -> int:
    """Bytes of the type that is computed in."""
    return FP32 if training.precision == "fp32" else BF16


def _flowing(training: Training) -> int:
    """Bytes of the type in which a block hands on its result: fp32 under autocast."""
    return FP32 if training.precision == "fp32" or _is_autocast(training) else BF16


def _is_autocast(training: Training) -> bool:
    return training.precision == "mixed" and training.method == "full"


def activations(shape: ModelShape, training: Training) -> int:
    """What autograd keeps between forward and backward pass."""
    tokens = training.batch * training.sequence
    full = training.method == "full"
    width = _computing(training)
    ends = _norm(shape, training) + FP32 * shape.vocabulary + INT64 + (width * shape.hidden + INT64 if full else 0)
    if training.checkpointing:
        kept = shape.layers * _flowing(training) * shape.hidden
    else:
        kept = shape.layers * _block_per_token(shape, training) - (0 if full else _norm(shape, training))
    return tokens * (ends + kept) + _once(shape, training) + FP32


def _once(shape: ModelShape, training: Training) -> int:
    """Kept once, however many tokens: rotary tables, and under autocast the weights in bf16."""
    recomputed = training.checkpointing
    tables = 0 if recomputed else 2 * _flowing(training) * training.sequence * shape.head
    cast = shape.vocabulary * shape.hidden + (0 if recomputed else shape.linear_parameters)
    return tables + (BF16 * cast if _is_autocast(training) else 0)


def _block(shape: ModelShape, training: Training) -> int:
    """A block that is computed again, when the pass before kept its input alone."""
    return training.batch * training.sequence * _block_per_token(shape, training)


def _unpacked(shape: ModelShape, training: Training) -> int:
    """The largest 4-bit weight, unpacked to be multiplied by."""
    if training.method != "qlora":
        return 0
    return _computing(training) * max(width * out for width, out in map(shape.linear, LINEARS))


def _norm(shape: ModelShape, training: Training) -> int:
    """Input in fp32 and its scale; where the weight is trained the normalised input as well."""
    return FP32 * shape.hidden + FP32 + (_flowing(training) * shape.hidden if training.method == "full" else 0)


def _block_per_token(shape: ModelShape, training: Training) -> int:
    width = _computing(training)
    queries, keys = shape.heads * shape.head, shape.key_value_heads * shape.head
    attention = 2 * width * (queries + keys) + FP32 * shape.heads
    gated = 3 * width * shape.feed_forward
    norms = 2 * _norm(shape, training) + (_head_norms(shape, training) if shape.norms_heads else 0)
    return norms + attention + gated + _inputs(shape, training)


def _head_norms(shape: ModelShape, training: Training) -> int:
    heads = shape.heads + shape.key_value_heads
    kept = FP32 * heads * shape.head + FP32 * heads
    return kept + (_computing(training) * heads * shape.head if training.method == "full" else 0)


def _inputs(shape: ModelShape, training: Training) -> int:
    """Inputs of linear layers that are kept for the gradient of a weight."""
    width = _computing(training)
    if training.method == "full":
        copies = 5 if _is_autocast(training) else 2
        return width * (copies * shape.hidden + shape.feed_forward)
    kept = sum(FP32 * training.rank for _ in training.adapted)
    if width == FP32:
        groups = (("q_proj", "k_proj", "v_proj"), ("gate_proj", "up_proj"), ("down_proj",))
        return kept + sum(FP32 * shape.linear(group[0])[0] for group in groups if {*group} & {*training.adapted})
    return kept + sum(FP32 * shape.linear(name)[0] for name in LINEARS if name in training.adapted)


def _loss(shape: ModelShape, training: Training) -> int:
    """Logits, which the caller holds, and their gradient in fp32 and in the type they were computed in."""
    width = _computing(training)
    per_logit = width + FP32 + (width if width != FP32 else 0)
    return training.batch * training.sequence * shape.vocabulary * per_logit
