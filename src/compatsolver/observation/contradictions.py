"""Values that cannot both be true of one environment are stated, not merged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from packaging.version import InvalidVersion, Version

from compatsolver.model.observation import PACKAGE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from compatsolver.model.observation import Observation

_SINGLE = {
    "driver": "versions of the driver",
    "driver_cuda": "CUDA ceilings of the driver",
    "kernel_module": "versions of the loaded kernel module",
    "python": "versions of Python",
    "glibc": "versions of glibc",
    "torch_cuda": "CUDA runtimes of torch",
    "nvcc": "releases of nvcc",
    "arch": "processor architectures",
    "cuda_available": "answers of torch.cuda.is_available()",
}
_STACK = ("torch", "torchvision", "torchaudio", "triton", "bitsandbytes", "flash-attn", "xformers", "vllm", "numpy")


def contradictions(observations: Iterable[Observation]) -> tuple[str, ...]:
    """A sentence for each axis with two values neither of which is a shorter form of the other."""
    observations = list(observations)
    wanted = {**_SINGLE, **{PACKAGE + name: f"versions of {name}" for name in _STACK}}
    sentences = []
    for axis, words in wanted.items():
        distinct = _distinct([each for each in observations if each.axis == axis])
        if len(distinct) > 1:
            told = ", ".join(f"{each.value} ({_place(each)})" for each in distinct)
            sentences.append(f"{_NUMBERS.get(len(distinct), len(distinct))} {words} are reported: {told}")
    return tuple(sentences)


_NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five"}


def _place(observation: Observation) -> str:
    return f"line {observation.line}" if observation.line else observation.reader


def _distinct(observations: list[Observation]) -> list[Observation]:
    """One observation for each value; of "2.6.0" and "2.6.0+cu124" only the longer, in order of appearance."""
    kept: list[Observation] = []
    for new in observations:
        if any(is_same(each.value, new.value) and len(each.value) >= len(new.value) for each in kept):
            continue
        kept = [each for each in kept if not is_same(each.value, new.value)]
        kept.append(new)
    return kept


def is_same(one: str, other: str) -> bool:
    """Whether two values can be one thing, told more and less exactly: `12.4`, `12.4.131`; `+cu124`, `2.6.0+cu124`."""
    if one == other:
        return True
    first, first_local = _parts(one)
    second, second_local = _parts(other)
    if first_local and second_local and first_local != second_local:
        return False
    if not {first, second}.isdisjoint(("", "*")):
        return True
    try:
        if Version(first) == Version(second):
            return True
    except InvalidVersion:
        pass
    short, long = sorted((first.removesuffix(".*"), second.removesuffix(".*")), key=len)
    return long.startswith(short + ".") and (short.count(".") < 2 or short.isdigit())


def _parts(value: str) -> tuple[str, str]:
    public, _, local = value.partition("+")
    return public, local
