"""How a driver's version is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from compatsolver.catalog.hosts import read_driver
from compatsolver.errors import InputError

if TYPE_CHECKING:
    from compatsolver.catalog.catalogue import Catalog


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("535.161.08", "535.161.08"),
        (" 595.71 ", "595.71"),
        ("31.0.15.3598", "535.98"),
        ("30.0.14.7141", "471.41"),
        ("32.0.15.6094", "560.94"),
        ("32.0.16.2011", "620.11"),
    ],
)
def test_a_driver_is_read_as_nvidia_smi_or_windows_prints_it(text: str, version: str, catalog: Catalog) -> None:
    assert str(read_driver(catalog, text)) == version


@pytest.mark.parametrize(
    "text",
    [
        "535.161.08.01",
        "570.86.15.0",
        "31.0.101.5590",  # Intel's
        "31.0.21001.45002",  # AMD's
        "32.0.19.9912",  # would be 999.12
        "31.0.15.98.1",
        "31.0.15.x",
    ],
)
def test_other_numbers_of_four_fields_are_refused(text: str, catalog: Catalog) -> None:
    with pytest.raises(InputError, match="neither an NVIDIA driver version") as caught:
        read_driver(catalog, text)
    assert "nvidia-smi" in (caught.value.hint or "")


@pytest.mark.parametrize(("text", "hint"), [("12.8", "--cuda"), ("53598", "535.98"), ("banana", "nvidia-smi")])
def test_what_is_no_driver_is_refused_with_a_hint(text: str, hint: str, catalog: Catalog) -> None:
    with pytest.raises(InputError, match="not a driver version") as caught:
        read_driver(catalog, text)
    assert hint in (caught.value.hint or "")
