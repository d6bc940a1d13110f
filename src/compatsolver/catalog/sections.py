"""A catalogue file: lines of JSON, none of which is believed before its hash is checked.

The first line states the hash of the second, the index; the index states the length and the hash of every section. So
the first hash stands for the whole file, and a question pays for the sections that it reads.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from compatsolver.catalog.digest import digest_of
from compatsolver.errors import CatalogError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

COMPILE = "python -m compatsolver catalog compile"

Stored = TypeVar("Stored")
Value = TypeVar("Value")
_MISSHAPEN = (ValueError, TypeError, AttributeError, LookupError, RecursionError)
"""What comes of decoding text that is no JSON, or JSON of another shape than it should have."""


class OnDemand(Mapping[str, Value]):
    """Stored values by name, each decoded when it is first asked for: no question needs them all."""

    def __init__(self, stored: Mapping[str, Any], decode: Callable[[Any], Value]) -> None:
        self._stored = stored
        self._decode = decode
        self._decoded: dict[str, Value] = {}

    def __getitem__(self, name: str) -> Value:
        if name not in self._decoded:
            self._decoded[name] = self._decode(self._stored[name])
        return self._decoded[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._stored)

    def __len__(self) -> int:
        return len(self._stored)


def seal(payload: Mapping[str, Any]) -> bytes:
    """The bytes of a catalogue file that holds these sections."""
    sections = {name: _compact(section).encode() for name, section in payload.items()}
    index = _compact({name: [len(section), digest_of(section)] for name, section in sections.items()}).encode()
    return b"\n".join([_stating(digest_of(index)), index, *sections.values()])


def unseal(data: bytes, name: str) -> tuple[str, Mapping[str, Any]]:
    """The digest of a catalogue file and its sections, each of them checked and decoded when it is asked for.

    Raises CatalogError naming `name` where the index is damaged or the file is shorter or longer than it says; so does
    asking for a section that is damaged.
    """
    start = data.find(b"\n") + 1
    end = data.find(b"\n", start)
    index = data[start : end if end >= start else None]
    digest = digest_of(index)
    if data[: start - 1] != _stating(digest):
        raise _damaged(name)
    places = guarded(partial(_places, start=start + len(index) + 1), name)(index)
    if sum(place.stop - place.start + 1 for place, _ in places.values()) != len(data) - start - len(index):
        raise _damaged(name)

    def decoded(stored: tuple[slice, str]) -> Any:
        place, stated = stored
        section = data[place]
        if digest_of(section) != stated:
            raise _damaged(name)
        return json.loads(section)

    return digest, OnDemand(places, guarded(decoded, name))


def _places(index: bytes, start: int) -> dict[str, tuple[slice, str]]:
    """Where each section is, and the hash that it should have."""
    places = {}
    for section, (length, digest) in json.loads(index).items():
        places[section] = (slice(start, start + length), digest)
        start += length + 1
    return places


def guarded(decode: Callable[[Stored], Value], name: str) -> Callable[[Stored], Value]:
    """`decode`, with a CatalogError naming the file where what is stored has another shape."""

    def decode_or_refuse(stored: Stored) -> Value:
        try:
            return decode(stored)
        except _MISSHAPEN as error:
            raise CatalogError(
                f"{name}: the catalogue file has the hash it states, and is no catalogue: {error}",
                hint="compile it again from its tables, or leave it out for the bundled one",
            ) from None

    return decode_or_refuse


def _damaged(name: str) -> CatalogError:
    return CatalogError(
        f"{name}: the catalogue file is damaged: its contents do not have the hash it states",
        hint="reinstall compatsolver, or in a source checkout run: " + COMPILE,
    )


def _stating(digest: str) -> bytes:
    """The first line."""
    return _compact({"digest": digest}).encode()


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
