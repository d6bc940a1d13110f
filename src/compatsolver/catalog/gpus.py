"""Which GPU a text means. What the catalogue's own names mean was read when it was compiled, and is looked up."""

from compatsolver.catalog.catalogue import Catalog
from compatsolver.model.host import GpuMatch

_SILENT_BRANDS = ("nvidia ", "geforce ", "tesla ")


def find_gpu(catalog: Catalog, text: str) -> GpuMatch:
    """What `text` means; a text that means nothing here comes back without capabilities, never as a guess."""
    read = catalog.payload.get("gpu_names", {}).get(plain_name(text))
    if read is not None:
        name, capability, platform = read
        return GpuMatch(name, (capability,), platform=platform)
    from compatsolver.catalog.gpu_words import read_gpu

    return read_gpu(catalog, text)


def names_read(catalog: Catalog) -> dict[str, tuple[str, str, str | None]]:
    """Products' names, as `find_gpu` looks them up, that mean one GPU: what to call it, capability, platform."""
    from compatsolver.catalog.gpu_words import read_gpu

    read = {}
    for text, _, _ in catalog.payload["gpus"]:
        plain = plain_name(text)
        match = read_gpu(catalog, plain)
        if len(match.capabilities) == 1 and match.count == 1:
            read[plain] = (match.name, match.capabilities[0], match.platform)
    return read


def plain_name(text: str) -> str:
    """A name in lower case and single spaces, without the brands that tell no two GPUs apart."""
    name = " ".join(text.casefold().split())
    for brand in _SILENT_BRANDS:
        name = name.removeprefix(brand)
    return name
