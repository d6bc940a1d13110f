"""An estimate of memory as text at 80 columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.model.memory import GIB
from compatsolver.render.lines import labelled, wrapped

if TYPE_CHECKING:
    from compatsolver.model.memory import MemoryEstimate, Room, Training

_MILLION = 1_000_000
_METHODS = {"full": "full fine-tuning", "lora": "LoRA", "qlora": "QLoRA"}
_KINDS = ("weights", "gradients", "optimizer", "activations", "working", "stepping", "reserve")


def memory_text(found: MemoryEstimate) -> str:
    """The whole estimate, a newline at its end."""
    verdicts = [line for room in found.rooms for line in labelled("room", _room(room))]
    parts = [
        wrapped(_headline(found)),
        [
            *labelled("model", f"{found.shape.name}, {_count(found.parameters)} parameters"),
            *labelled("training", _training(found.training)),
            *labelled("trained", f"{_count(found.trainable)} parameters"),
        ],
        [f"{name.ljust(11)}{size(getattr(found, name)):>12}" for name in _KINDS]
        + [f"peak       {size(found.total):>12}"],
        verdicts,
        labelled(
            "note",
            "Activations go as gradients come, so the peak is less than the sum. The reserve is an "
            "allowance for the CUDA context and the allocator, not a measurement; docs/fit.md has the formula.",
        ),
    ]
    return "\n\n".join("\n".join(lines) for lines in parts if lines) + "\n"


def size(count: int) -> str:
    """Bytes in the unit people compare with a GPU's memory."""
    return f"{count / GIB:.2f} GiB" if count >= GIB // 100 else f"{count / (1 << 20):.2f} MiB"


def _headline(found: MemoryEstimate) -> str:
    way = _METHODS[found.training.method]
    return f"{way[0].upper()}{way[1:]} of {found.shape.name} takes about {size(found.total)} on each GPU"


def _count(number: int) -> str:
    return f"{number / _MILLION:,.2f} million"


def _training(training: Training) -> str:
    words = [_METHODS[training.method], f"batch {training.batch} × {training.sequence} tokens", training.precision]
    words.append(training.optimizer)
    if training.method != "full":
        words.append(f"rank {training.rank} on {', '.join(training.adapted)}")
    if training.checkpointing:
        words.append("gradient checkpointing")
    if training.accumulates:
        words.append("gradients accumulated")
    return ", ".join(words)


def _room(room: Room) -> str:
    if room.memory_gib is None:
        return f"{room.gpu}: the catalogue does not know its memory; give it with --memory"
    verdict = "fits" if room.fits else "does not fit"
    batch = f"the largest batch that does is {room.largest_batch}" if room.largest_batch else "no batch does"
    return f"{room.gpu}, {room.memory_gib:g} GiB: {verdict}; {batch}"
