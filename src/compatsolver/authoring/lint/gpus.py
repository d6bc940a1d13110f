"""GPUs: their capabilities are known and agree, whatever the name, and other vendors' names are told apart."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from compatsolver.authoring.lint.problem import Finding, Lint

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compatsolver.authoring.schema import GpuRow, SmiNameRow, Tables


def gpu_capability_known(tables: Tables) -> Iterator[Finding]:
    """The capability of every GPU has a row in architectures.yaml: without it nothing can be said about the GPU."""
    known = {row.compute_capability for row in tables.capabilities}
    for row in _gpus(tables):
        if row.compute_capability not in known:
            message = f"{row.name}: no capability {row.compute_capability} in architectures.yaml"
            yield Finding(row, message, "add it or correct the row")


def chip_capability(tables: Tables) -> Iterator[Finding]:
    """Products with the same chip have one capability: it is a property of the chip."""
    first: dict[str, GpuRow] = {}
    for row in tables.products:
        if row.chip is not None:
            other = first.setdefault(row.chip, row)
            if row.compute_capability != other.compute_capability:
                message = f"{row.name} has {row.compute_capability}, {other.name} with its chip {row.chip}"
                yield Finding(row, f"{message} {other.compute_capability}", "correct a capability or a chip")


def product_meanings(tables: Tables) -> Iterator[Finding]:
    """A name with several capabilities is a fault of the tables unless every row says in `notes` which GPU it means."""
    meanings: dict[str, set[str]] = {}
    for row in tables.products:
        meanings.setdefault(row.name.casefold(), set()).add(row.compute_capability)
    for row in tables.products:
        capabilities = meanings[row.name.casefold()]
        if len(capabilities) > 1 and not row.notes:
            message = f"{row.name} has the capabilities {' and '.join(sorted(capabilities))}"
            yield Finding(row, message, "correct one, or say in the notes of each which GPU is meant")


def printed_name_agrees(tables: Tables) -> Iterator[Finding]:
    """The driver's name for a GPU and the marketing name, where they are the same words, have the same capability."""
    products: dict[str, set[str]] = {}
    for product in tables.products:
        products.setdefault(_bare(product.name), set()).add(product.compute_capability)
    for row in tables.nvidia_smi_names:
        capabilities = products.get(_bare(row.name))
        if capabilities and row.compute_capability not in capabilities:
            message = (
                f"{row.name} has {row.compute_capability}, the product of that name {' or '.join(sorted(capabilities))}"
            )
            yield Finding(row, message, "correct one of them")


def _gpus(tables: Tables) -> list[GpuRow | SmiNameRow]:
    return [*tables.products, *tables.nvidia_smi_names]


def _bare(name: str) -> str:
    return name.casefold().removeprefix("nvidia ")


def other_vendor_patterns(tables: Tables) -> Iterator[Finding]:
    """Patterns for other vendors compile and match no NVIDIA GPU, which would then be turned away."""
    names = [row.name for row in _gpus(tables)]
    for row in tables.other_vendors:
        try:
            pattern = re.compile(row.pattern, re.IGNORECASE)
        except re.error as error:
            yield Finding(row, f"the pattern for {row.vendor} does not compile: {error}", "correct it")
            continue
        caught = [name for name in names if pattern.search(name)]
        if caught:
            message = f"the pattern for {row.vendor} matches {len(caught)} NVIDIA names, such as {caught[0]!r}"
            yield Finding(row, message, "make it narrower")


LINTS: tuple[Lint, ...] = (
    gpu_capability_known,
    chip_capability,
    product_meanings,
    printed_name_agrees,
    other_vendor_patterns,
)
