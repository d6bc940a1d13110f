"""Which subject is meant, and the page of the book on it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from compatsolver.errors import InputError, UnknownComponent
from compatsolver.model.request import PLATFORMS, normalised
from compatsolver.records.book import Book
from compatsolver.records.gpus import gpu_facts
from compatsolver.records.libraries import library_facts, release_list
from compatsolver.records.runtimes import cuda_facts, driver_facts, pinned_facts
from compatsolver.records.torch import build_facts, release_facts

if TYPE_CHECKING:
    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.model.facts import Facts

_PACKAGE = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]*?)\s*(?:==\s*([0-9][\w.!-]*)(?:\+([\w.]+))?)?", re.ASCII)
EXAMPLES = "use one of: torch==2.9.1+cu128, bitsandbytes==0.46.1, gpu RTX 4090, driver 535.98, cuda 12.4, cudnn 9.10.2"
_RUNTIMES = ("cudnn", "nccl")
_KINDS = ("gpu", "driver", "cuda", *_RUNTIMES)


def facts_on(catalog: Catalog, text: str, platform: str | None = None) -> Facts:
    """What the catalogue knows of a subject as people write it; raises InputError and UnknownComponent.

    `platform` is the one whose builds and drivers are meant, this interpreter's where it is None.
    """
    if platform is None:
        from compatsolver.observation.live import here

        platform = here.platform()
    if platform not in PLATFORMS:
        raise InputError(f"the platform {platform!r} is unknown", hint="use one of " + ", ".join(PLATFORMS))
    book = Book(catalog)
    kind, _, rest = text.strip().partition(" ")
    if rest and kind.lower() in _KINDS:
        return _part(book, kind.lower(), rest.strip(), platform)
    match = _PACKAGE.fullmatch(text.strip())
    if not match:
        raise InputError(f"{text!r} is no subject that facts are known on", hint=EXAMPLES)
    return _package(book, normalised(match[1]), match[2], match[3], platform)


def _part(book: Book, kind: str, text: str, platform: str) -> Facts:
    if kind == "gpu":
        return gpu_facts(book, text)
    if kind == "driver":
        return driver_facts(book, text, platform)
    return cuda_facts(book, text) if kind == "cuda" else pinned_facts(book, kind, text)


def _package(book: Book, name: str, version: str | None, build: str | None, platform: str) -> Facts:
    alias = book.catalog.aliases.get(name)
    name = alias.component if alias else name
    if name == "torch" and version:
        return build_facts(book, version, build, platform) if build else release_facts(book, version)
    if name != "torch" and name not in book.tables["libraries"]:
        raise _unknown(book, name)
    if version is None:
        return release_list(book, name)
    return library_facts(book, name, version)


def _unknown(book: Book, name: str) -> UnknownComponent | InputError:
    if name in _KINDS:
        return InputError(f"{name} alone names no subject", hint=EXAMPLES)
    from difflib import get_close_matches

    near = get_close_matches(name, ["torch", *book.tables["libraries"]], n=3)
    return UnknownComponent(
        f"the catalogue holds no facts on {name!r}", near=tuple(near), hint=None if near else EXAMPLES
    )
