"""Parts of values that templates ask for: `{nvcc|major}`, `{symbol|nccl}`; None where a value has no such part."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from packaging.specifiers import InvalidSpecifier, SpecifierSet

from compatsolver.explanation.diagnosis import lookups
from compatsolver.explanation.fixes.stack import minor_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from compatsolver.catalog.catalogue import Catalog

_NUMBER = re.compile(r"\d+")


def parts_of(catalog: Catalog, platform: str | None) -> dict[str, Callable[[str], str | None]]:
    """Every part by name: those of the text alone and those that the catalogue knows."""
    looked_up = {name: partial(look, catalog) for name, look in lookups.LOOKUPS.items()}
    by_platform = {name: partial(look, catalog, platform) for name, look in lookups.BY_PLATFORM.items()}
    return {**OF_TEXT, **looked_up, **by_platform}


def _tag(text: str) -> str | None:
    minor = minor_of(text)
    return f"cu{minor.replace('.', '')}" if minor else None


def _dotted(text: str) -> str | None:
    """`12.2` of `122`, `cu122` or `2.7.1+cu122`; None of `cpu`."""
    digits = re.sub(r"\D", "", text.rpartition("+")[2])
    return f"{digits[:-1]}.{digits[-1]}" if len(digits) > 1 else None


def _level(text: str) -> str | None:
    """`12.2` of CUDA's encoded 12020."""
    return f"{int(text) // 1000}.{int(text) % 1000 // 10}" if text.isdigit() else minor_of(text)


def _xformers_level(text: str) -> str | None:
    """`12.1` of the 1201 that xformers prints."""
    return f"{int(text) // 100}.{int(text) % 100}" if text.isdigit() and len(text) == 4 else None


def _major(text: str) -> str | None:
    match = _NUMBER.search(text)
    return match[0] if match else None


def _next(text: str) -> str | None:
    """The following number: `11` of `10`, `12.9` of `12.8`."""
    match = re.fullmatch(r"(.*?)(\d+)", text)
    return f"{match[1]}{int(match[2]) + 1}" if match else None


def _file(text: str) -> str:
    return re.split(r"[\\/]", text)[-1]


def _package(text: str) -> str:
    """A module as its package is called."""
    return re.sub(r"[-_.]+", "-", text).lower()


def _local(text: str) -> str | None:
    return text.partition("+")[2] or None


def _public(text: str) -> str:
    return text.partition("+")[0]


def _tuple(text: str) -> str:
    """`8.7.0` of `8, 7, 0`."""
    return ".".join(_NUMBER.findall(text))


def _specifier(text: str) -> str | None:
    """A range that PEP 440 reads: without blanks, commas at its ends and brackets."""
    tidy = text.replace(" ", "").strip(",;.()'\"`")
    try:
        return str(SpecifierSet(tidy)) and tidy
    except InvalidSpecifier:
        return None


def _ranges(text: str) -> str | None:
    """pip's `<1.27 and >=1.21` as PEP 440 writes it."""
    return _specifier(text.replace(" and ", ","))


def _bound(text: str) -> str | None:
    """`12.4` of `>=12.4`."""
    match = re.search(r"\d[\d.]*", text)
    return match[0] if match else None


def _bare(text: str) -> str:
    return text.strip().removeprefix("==").strip("=,; ")


def _cpython(text: str) -> str | None:
    match = re.fullmatch(r"cp(\d)(\d+)", text)
    return f"{match[1]}.{match[2]}" if match else None


def _newest(text: str) -> str | None:
    """The last version of a list as installers print it, oldest first."""
    found = re.findall(r"\d+(?:\.\d+)+(?:\+\w+)?", text)
    return found[-1] if found else None


OF_TEXT: dict[str, Callable[[str], str | None]] = {
    "bare": _bare,
    "bnb": _xformers_level,
    "bound": _bound,
    "cpython": _cpython,
    "dotted": _dotted,
    "file": _file,
    "level": _level,
    "local": _local,
    "lower": str.lower,
    "major": _major,
    "minor": minor_of,
    "newest": _newest,
    "next": _next,
    "package": _package,
    "public": _public,
    "ranges": _ranges,
    "specifier": _specifier,
    "tag": _tag,
    "tagcuda": _dotted,
    "tuple": _tuple,
    "upper": lambda text: {"rocm": "ROCm", "xpu": "XPU"}.get(text, text.upper()),
}
