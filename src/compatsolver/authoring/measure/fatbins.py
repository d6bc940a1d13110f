"""CUDA device code in the bytes of a library: for which GPUs, as machine code or as PTX.

nvcc lays device code in *fat binaries*: a header of 16 bytes, then entries, each with a header of its own and a
payload, compressed or not. Headers are never compressed, so the targets can be read as the bytes go by. NVIDIA does not
document the format; docs/measuring.md says on which compilers' output the offsets here were checked.
"""

from __future__ import annotations

import struct
from collections import Counter
from typing import TYPE_CHECKING

from compatsolver.model.architecture import Target
from compatsolver.model.version import Capability

if TYPE_CHECKING:
    from collections.abc import Iterator

MAGIC = b"\x50\xed\x55\xba"
PTX, MACHINE_CODE = 1, 2
FOR_ONE_CAPABILITY, FOR_A_FAMILY = 0x100000, 0x200000
"""Flags of an entry: its target is written `sm_90a`, `sm_100f`."""

_HEADER = struct.Struct("<4sHHQ")  # magic, version, length of the header, length of the entries
_VERSION = 1
_ENTRY = struct.Struct("<HHIQ12xI8xQ")  # kind, version, length of the header, of the payload, capability, flags
_ENTRY_VERSION = 0x0101


class FatBinaries:
    """The fat binaries in the pieces of a library; holds no more than a piece of it and a header at a time.

    `count` is their number and `targets` says in how many of them there is code for a target, once `rest` was read.
    """

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self.count = 0
        self.targets: Counter[Target] = Counter()
        self._pieces = pieces
        self._window = b""
        self._place = 0  # of the next byte, in the window
        self._offset = 0  # of the window, in the library

    def rest(self) -> Iterator[tuple[int, bytes]]:
        """Read to the end; yields what lies between the fat binaries, each stretch with its offset."""
        while self._has(_HEADER.size):
            start = self._window.find(MAGIC, self._place)
            if start < 0:
                yield self._taken(len(self._window) - len(MAGIC) + 1)
            elif start > self._place:
                yield self._taken(start)
            elif not self._pass_fat_binary():
                yield self._taken(start + len(MAGIC))
        yield self._taken(len(self._window))

    def _has(self, length: int) -> bool:
        """Whether that many bytes are left; brings them into the window."""
        while len(self._window) - self._place < length:
            piece = next(self._pieces, b"")
            if not piece:
                return False
            self._offset += self._place
            self._window = self._window[self._place :] + piece
            self._place = 0
        return True

    def _taken(self, end: int) -> tuple[int, bytes]:
        """The bytes of the window up to `end`, and their offset."""
        stretch = (self._offset + self._place, self._window[self._place : end])
        self._place = end
        return stretch

    def _skip(self, length: int) -> None:
        while length > len(self._window) - self._place:
            length -= len(self._window) - self._place
            self._offset += len(self._window)
            self._place = 0
            self._window = next(self._pieces, b"")
            if not self._window:
                return
        self._place += length

    def _pass_fat_binary(self) -> bool:
        """Read the headers of the fat binary that begins here and go behind it; False where none does."""
        _, version, header, left = _HEADER.unpack_from(self._window, self._place)
        if version != _VERSION or header != _HEADER.size:
            return False
        self._place += header
        found = set()
        while left >= _ENTRY.size and self._has(_ENTRY.size):
            kind, version, header, payload, number, flags = _ENTRY.unpack_from(self._window, self._place)
            if version != _ENTRY_VERSION or not _ENTRY.size <= header <= header + payload <= left:
                break
            if kind in (PTX, MACHINE_CODE):
                found.add(_target(kind, number, flags))
            self._skip(header + payload)
            left -= header + payload
        self.count += bool(found)
        self.targets.update(found)
        return True


def _target(kind: int, number: int, flags: int) -> Target:
    scope = "a" if flags & FOR_ONE_CAPABILITY else "f" if flags & FOR_A_FAMILY else ""
    return Target(Capability(number // 10, number % 10), kind == PTX, scope)
