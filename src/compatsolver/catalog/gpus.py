"""Which GPU a text means. What the catalogue's own names mean was read when it was compiled, and is looked up."""

# Annotations are values here: a named tuple would compile each that is kept as text (decision 6).
from typing import NamedTuple

from compatsolver.catalog.catalogue import Catalog

_SILENT_BRANDS = ("nvidia ", "geforce ", "tesla ")


class GpuMatch(NamedTuple):
    """What a text about a GPU means.

    `capabilities` holds one entry where all meanings agree, several where the text is ambiguous, none where it is
    unknown; `candidates` are in the last two cases the meanings, or the nearest names. `vendor` is set for a GPU of
    another maker and `index_family` is what PyTorch offers for it (`rocm`, `xpu`, or None for its default builds).
    `platform` is set where only machines of that platform have such a GPU.
    """

    name: str
    capabilities: tuple[str, ...] = ()
    candidates: tuple[str, ...] = ()
    vendor: str | None = None
    index_family: str | None = None
    platform: str | None = None
    count: int = 1  # type: ignore[assignment]  # hides tuple.count, which nobody asks of it


def find_gpu(catalog: Catalog, text: str) -> GpuMatch:
    """What `text` means; a text that means nothing here comes back without capabilities, never as a guess."""
    read = catalog.payload.get("gpu_names", {}).get(plain_name(text))
    if read is not None:
        name, capability, platform = read
        return GpuMatch(name, (capability,), platform=platform)
    from compatsolver.catalog.gpu_words import read_gpu

    return read_gpu(catalog, text)


def plain_name(text: str) -> str:
    """A name in lower case and single spaces, without the brands that tell no two GPUs apart."""
    name = " ".join(text.casefold().split())
    for brand in _SILENT_BRANDS:
        name = name.removeprefix(brand)
    return name
