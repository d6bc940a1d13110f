"""What is measured in a wheel, and what comes of a file that is none."""

from __future__ import annotations

from datetime import date
from io import BytesIO
from typing import TYPE_CHECKING
from zipfile import ZipFile

import pytest

from compatsolver.authoring import yamlfile
from compatsolver.authoring.measure.record import record
from compatsolver.authoring.measure.wheel import constants, measure
from compatsolver.authoring.rowtext import row_text
from compatsolver.authoring.schema_measured import MeasuredWheel
from compatsolver.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

NAME = "torch-2.9.1-cp312-cp312-manylinux_2_28_x86_64.whl"
DAY = date(2026, 11, 30)


def test_a_wheel_says_what_it_is_and_what_its_libraries_need(wheel: bytes) -> None:
    told: list[str] = []
    found = measure(BytesIO(wheel), NAME, lambda member, _: told.append(member))
    assert (found.name, found.version, found.requires_python, found.size) == ("torch", "2.9.1", ">=3.10", len(wheel))
    assert found.variables == {"__version__": "2.9.1+cu128", "cuda": "12.8", "hip": None}
    assert found.bundled == ("cudnn64_9.dll", "libcudart-0a1b2c3d.so.12")
    assert found.glibc == "2.2.5"
    library = next(one for one in found.libraries if one.path == "torch/lib/libtorch_cuda.so")
    assert dict(library.targets) == {"sm_100f": 1, "sm_90a": 1, "sm_75": 1, "compute_120": 1}
    assert library.linkage
    assert library.linkage.soname == "libmade.so"
    assert "libc.so.6" in library.linkage.needed
    assert told == [one.path for one in found.libraries]
    assert [one.path for one in found.libraries if one.linkage is None] == [
        "torch/lib/libcudart-0a1b2c3d.so.12",
        "torch/lib/cudnn64_9.dll",
    ]


def test_the_row_is_read_back_as_it_was_written(wheel: bytes) -> None:
    row = record(measure(BytesIO(wheel), NAME), "0" * 64, DAY)
    (read,) = yamlfile.read(row_text(row).encode())
    assert read == row
    assert MeasuredWheel.read(read).kernels() == {"sm_100f", "sm_90a", "sm_75", "compute_120"}
    assert row["requires"] == {"nvidia-cudnn-cu12": "==9.10.2.21", "triton": "==3.5.1"}
    assert (row["build"], row["cuda"], row["platform"]) == ("cu128", "12.8", "linux-x86_64")


def test_constants_are_read_without_the_libraries(wheel: bytes) -> None:
    assert constants(BytesIO(wheel), NAME)["cuda"] == "12.8"


def test_a_wheel_for_any_platform_has_no_row(wheel: bytes) -> None:
    with pytest.raises(InputError, match="no wheel of a platform"):
        record(measure(BytesIO(wheel), "torch-2.9.1-py3-none-any.whl"), "0" * 64, DAY)


def test_every_way_to_cut_a_wheel_short_is_told(wheel: bytes) -> None:
    for length in range(0, len(wheel) - 1, 97):
        with pytest.raises(InputError, match="not a wheel"):
            measure(BytesIO(wheel[:length]), NAME)


def test_damage_inside_is_told(wheel: bytes) -> None:
    place = wheel.index(b"libtorch_cuda.so") + 2000
    with pytest.raises(InputError, match="not all of one"):
        measure(BytesIO(wheel[:place] + bytes(64) + wheel[place + 64 :]), NAME)


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        (NAME, b"<!DOCTYPE html><html><body>Sign in</body></html>", "not a wheel"),
        (NAME, b"", "not a wheel"),
        ("torch-2.9.1.tar.gz", b"", "not the name of a wheel"),
        ("notes.txt", b"", "not the name of a wheel"),
    ],
)
def test_what_is_no_wheel_is_told(name: str, data: bytes, says: str) -> None:
    with pytest.raises(InputError, match=says):
        measure(BytesIO(data), name)


def test_an_archive_without_metadata_is_no_wheel() -> None:
    buffer = BytesIO()
    with ZipFile(buffer, "w") as archive:
        archive.writestr("torch/version.py", "")
    with pytest.raises(InputError, match="it has no METADATA"):
        measure(buffer, NAME)


def test_a_wheel_beyond_four_gigabytes_is_read(tmp_path: Path, wheel: bytes) -> None:
    path = tmp_path / NAME
    with path.open("wb") as file:
        file.truncate(5 << 30)  # a hole, which takes no space; members behind it need the 64-bit fields
    with ZipFile(BytesIO(wheel)) as source, ZipFile(path, "a") as archive:
        for member in source.namelist():
            archive.writestr(member, source.read(member))
    with path.open("rb") as file:
        found = measure(file, NAME)
    assert found.size > 5 << 30
    assert sum(one.fat_binaries for one in found.libraries) == 1
