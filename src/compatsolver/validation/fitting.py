"""Does a way of training fit into a GPU? What was asked is read, and the memory estimated."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from compatsolver.catalog.memory import gpu_memory
from compatsolver.errors import InputError
from compatsolver.model.memory import LINEARS, METHODS, OPTIMIZERS, PRECISIONS, MemoryEstimate, Training
from compatsolver.validation.shapes import find_shape
from compatsolver.validation.sizing import estimate

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from compatsolver.catalog.catalogue import Catalog

ALL_LINEAR = ("all-linear",)


class FitOptions(TypedDict, total=False):
    """What `fit` may be told.

    `gpu`: names; each of them must hold everything, since nothing is sharded. `memory`: a GPU's in GiB, where its name
    does not tell. `catalog`, `overlay`: as for `plan`.
    """

    gpu: str | Sequence[str]
    memory: float | None
    catalog: str | Path | None
    overlay: Sequence[str | Path]


def fitted(
    catalog: Catalog, model: str, training: Training | None, gpu: str | Sequence[str], memory: float | None
) -> MemoryEstimate:
    """The estimate for a model on GPUs by name, or on one of `memory` GiB; raises InputError for what is unreadable."""
    training = training or Training()
    if training.adapted == ALL_LINEAR:
        training = training._replace(adapted=LINEARS)
    _refuse(training)
    if memory is not None and not memory > 0:
        raise InputError(f"{memory:g} GiB is no size of a GPU's memory", hint="give it in GiB: --memory 24")
    gpus = [gpu] if isinstance(gpu, str) else gpu
    known = [gpu_memory(catalog, text) for text in dict.fromkeys(gpus)]
    rooms = [(_name(row.name, row.products), row.gib) for row in known]
    if memory is not None:
        rooms = [(name, memory) for name, _ in rooms] or [(f"a GPU of {memory:g} GiB", memory)]
    return estimate(find_shape(catalog, model), training, rooms)


def _name(name: str, products: tuple[str, ...]) -> str:
    return f"{name} (the smallest of {len(products)})" if products else name


def _refuse(training: Training) -> None:
    choices = ((training.method, METHODS), (training.precision, PRECISIONS), (training.optimizer, OPTIMIZERS))
    for value, allowed in (*choices, *((name, LINEARS) for name in training.adapted)):
        if value not in allowed:
            raise InputError(f"{value!r} is unknown here", hint="use one of " + ", ".join(allowed))
    for name in ("batch", "sequence", "rank"):
        if getattr(training, name) < 1:
            raise InputError(f"{name} is {getattr(training, name)}", hint="give a whole number from 1 on")
