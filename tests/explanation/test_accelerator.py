"""What the builds of a lock ask of GPU and host."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from asking import asked
from compatsolver.catalog.hosts import understand
from compatsolver.explanation.accelerator import accelerator
from compatsolver.model.lock import NO_ACCELERATOR, Accelerator
from compatsolver.model.request import Target

if TYPE_CHECKING:
    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.model.host import Host

DRIVER = "595.71.05"
"""Newer than any of these builds need, and left out of account."""


def host(catalog: Catalog, *gpus: str) -> Host:
    target = Target(gpus=gpus, driver=DRIVER, python="3.12", platform="linux-x86_64", glibc="2.35")
    return understand(catalog, target)


@pytest.mark.parametrize(
    ("gpus", "torch", "cuda", "expected"),
    [
        (("RTX 4090",), "2.9.1+cu126", "12.6", Accelerator(("8.9",), "12.6", "12.6.3", "525.60.13")),
        (("RTX 5090",), "2.9.1+cu128", "12.8", Accelerator(("12.0",), "12.8", "12.8.1", "570")),
        (("RTX 5090", "T4", "T4"), "2.9.1+cu130", "13.0", Accelerator(("7.5", "12.0"), "13.0", "13.0.3", "580")),
    ],
    ids=["by minor-version compatibility", "a new card needs a newer driver", "two kinds of card"],
)
def test_the_oldest_driver_serves_runtime_and_cards(
    gpus: tuple[str, ...], torch: str, cuda: str, expected: Accelerator, catalog: Catalog
) -> None:
    assert accelerator(catalog, host(catalog, *gpus), [asked(catalog, f"torch=={torch}")], cuda) == expected


def test_a_cpu_build_asks_for_nothing(catalog: Catalog) -> None:
    pins = [asked(catalog, "torch==2.9.1+cpu")]
    assert accelerator(catalog, host(catalog), pins, None) == NO_ACCELERATOR
