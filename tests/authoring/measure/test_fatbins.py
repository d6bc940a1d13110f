"""Fat binaries in a stream of bytes: generated ones, and those of nvcc."""

from __future__ import annotations

import struct
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from compatsolver.authoring.measure.fatbins import FatBinaries

NVCC = Path(__file__).with_name("made_by_nvcc_13.so")
FLAGS = {"": 0x8011, "a": 0x108011, "f": 0x1208011}


class Entry(NamedTuple):
    """Code in a fat binary, as nvcc lays it there."""

    kind: int
    number: int
    scope: str
    payload: bytes

    @property
    def target(self) -> str:
        return f"{'compute' if self.kind == 1 else 'sm'}_{self.number}{self.scope}"

    @property
    def data(self) -> bytes:
        head = struct.pack("<HHIQ", self.kind, 0x0101, 64, len(self.payload)) + bytes(12)
        return head + struct.pack("<I8xQ16x", self.number, FLAGS[self.scope]) + self.payload


def fat_binary(entries: list[Entry]) -> bytes:
    body = b"".join(entry.data for entry in entries)
    return b"\x50\xed\x55\xba" + struct.pack("<HHQ", 1, 16, len(body)) + body


def read(data: bytes, piece: int) -> tuple[FatBinaries, list[tuple[int, bytes]]]:
    pieces = iter([data[start : start + piece] for start in range(0, len(data), piece)])
    found = FatBinaries(pieces)
    return found, list(found.rest())


# A payload may hold the magic number: it is passed over, not searched.
payloads = st.binary(max_size=60) | st.just(b"\x50\xed\x55\xba\x01\x00\x10\x00")
codes = st.builds(
    Entry, st.sampled_from([1, 2]), st.sampled_from([50, 75, 90, 100, 120]), st.sampled_from("af "), payloads
)
entries = st.lists(codes.map(lambda entry: entry._replace(scope=entry.scope.strip())), min_size=1, max_size=4)
# Between fat binaries there is code, which may hold the magic number too.
gaps = st.binary(max_size=40).filter(lambda data: b"\x50" not in data) | st.just(
    b"\x81\xfa\x50\xed\x55\xba\x75\x08" * 3
)


@given(st.lists(st.tuples(gaps, entries), max_size=4), st.integers(1, 200))
def test_every_target_is_found_however_the_stream_is_cut(library: list[tuple[bytes, list[Entry]]], piece: int) -> None:
    data = b"".join(gap + fat_binary(found) for gap, found in library) + bytes(20)
    code, rest = read(data, piece)
    assert code.count == len(library)
    wanted = Counter(target for _, found in library for target in {entry.target for entry in found})
    assert Counter({str(target): count for target, count in code.targets.items()}) == wanted
    assert all(data[offset : offset + len(stretch)] == stretch for offset, stretch in rest)
    assert b"".join(stretch for _, stretch in rest) == b"".join(gap for gap, _ in library) + bytes(20)


@given(st.binary(max_size=400).map(lambda data: data.replace(b"\x50", b"\x50\xed\x55\xba")), st.integers(1, 50))
def test_noise_is_read_to_its_end(data: bytes, piece: int) -> None:
    _, rest = read(data, piece)
    assert all(data[offset : offset + len(stretch)] == stretch for offset, stretch in rest)


@given(st.integers(0, 300))
def test_a_library_that_stops_inside_a_fat_binary_ends_there(length: int) -> None:
    data = fat_binary([Entry(2, 90, "a", bytes(100)), Entry(1, 120, "", bytes(100))])
    code, _ = read(data[:length], 64)
    assert {str(target) for target in code.targets} <= {"sm_90a", "compute_120"}


def test_what_nvcc_made_is_read() -> None:
    code, rest = read(NVCC.read_bytes(), 1000)
    assert {str(target) for target in code.targets} == {"sm_75", "sm_90a", "sm_100f", "compute_120"}
    assert code.count == 1
    assert sum(len(stretch) for _, stretch in rest) < NVCC.stat().st_size - 12_000  # the code was passed over
