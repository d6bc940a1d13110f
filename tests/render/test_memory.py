"""An estimate of memory as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.model.memory import MemoryEstimate, ModelShape, Room, Training
from compatsolver.render.memory_text import memory_text, size

if TYPE_CHECKING:
    from collections.abc import Callable

SHAPE = ModelShape("Llama-3.1-8B", 128256, 4096, 14336, layers=32, heads=32, key_value_heads=8, head=128)
FOUND = MemoryEstimate(
    shape=SHAPE,
    training=Training("lora", precision="bf16", checkpointing=True, accumulates=True),
    parameters=8_030_261_248,
    trainable=3_407_872,
    weights=16_074_153_984,
    gradients=13_631_488,
    optimizer=27_262_976,
    activations=1_621_000_000,
    working=2_101_346_304,
    stepping=13_631_488,
    reserve=1 << 30,
    rooms=(Room("GeForce RTX 4090", 24, True, 2), Room("Tesla T4", 16, False, 0), Room("GH200", None, None, None)),
)


def test_text_is_the_golden_one(golden: Callable[[str, str], str]) -> None:
    written = memory_text(FOUND)
    assert written == golden("fit.txt", written)
    assert max(map(len, written.splitlines())) <= 80


def test_sizes_are_in_the_unit_of_a_gpu_unless_they_vanish_in_it() -> None:
    assert (size(24 << 30), size(3 << 20)) == ("24.00 GiB", "3.00 MiB")
