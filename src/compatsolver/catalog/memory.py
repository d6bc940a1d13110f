"""What an estimate of memory starts from: how much a GPU has that somebody names, and the shape of a named model."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from compatsolver.catalog.gpu_words import products_of
from compatsolver.catalog.gpus import find_gpu
from compatsolver.errors import UnknownComponent

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from compatsolver.catalog.catalogue import Catalog


class GpuMemory(NamedTuple):
    """A GPU as understood and its memory in GiB: None where nobody knows, the least where its `products` differ."""

    name: str
    gib: float | None
    products: tuple[str, ...] = ()


def gpu_memory(catalog: Catalog, text: str) -> GpuMemory:
    """How much memory `text` means; a capability alone says nothing about it."""
    name = find_gpu(catalog, text).name
    table: Mapping[str, float] = catalog.payload["gpu_memory"]
    products = products_of(catalog, name)
    sizes = {table[product] for product in products if product in table}
    if not sizes or not all(product in table for product in products):
        return GpuMemory(name, None)
    return GpuMemory(name, min(sizes), products if len(sizes) > 1 else ())


def model_config(catalog: Catalog, name: str) -> Mapping[str, Any]:
    """The shape of a model of the table, in the keys of its `config.json`; raises UnknownComponent with near names."""
    models: Mapping[str, Mapping[str, Any]] = {row["name"].lower(): row for row in catalog.payload["models"]}
    wanted = name.rpartition("/")[2].lower()
    if wanted not in models:
        from difflib import get_close_matches

        near = tuple(models[each]["name"] for each in get_close_matches(wanted, models, n=3))
        known = ", ".join(row["name"] for row in models.values())
        hint = None if near else f"give the path of its config.json, or one of {known}"
        raise UnknownComponent(f"the catalogue has no model {name!r}", near=near, hint=hint)
    return models[wanted]
