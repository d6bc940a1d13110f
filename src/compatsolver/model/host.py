"""The target as understood: what the words of a request mean in the catalogue's terms."""

# Annotations are values here: a named tuple would compile each that is kept as text (decision 6).
from typing import NamedTuple

from compatsolver.model.rule import Unknown
from compatsolver.model.version import NumericVersion, PythonVersion


class Gpu(NamedTuple):
    """One GPU: the name as understood and its compute capability (`8.9`), empty where it is unknown."""

    name: str
    capability: str


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


class Host(NamedTuple):
    """Facts of the machine; `None` was not given. `gpus` empty asks for a CPU stack.

    `driver_cuda` is the newest CUDA the driver says it runs, where its own version was not given. `unknown` lists facts
    that were given but that the catalogue cannot understand; with any of them nothing is decided.
    """

    platform: str
    python: PythonVersion
    glibc: NumericVersion | None = None
    driver: NumericVersion | None = None
    driver_cuda: NumericVersion | None = None
    gpus: tuple[Gpu, ...] | None = None
    assumed: tuple[str, ...] = ()
    unknown: tuple[Unknown, ...] = ()
