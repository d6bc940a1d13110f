"""A frozen world: the default index and PyTorch's, of stub wheels with the versions of the plan to be locked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import compatsolver
from loopback import Listed, running
from wheels import Wheel

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from compatsolver.locking.locked import Locked
    from compatsolver.model.resolution import Resolution
    from loopback import Loopback

TARGET: dict[str, Any] = {"gpu": "RTX 4090", "driver": "535.98", "python": "3.12", "platform": "linux-x86_64"}
GLIBC = "2.35"
LIBRARIES = ("transformers", "peft", "accelerate")
NATIVE = "cp312-cp312-manylinux_2_28_x86_64"


class World:
    """The two indexes, and the plan that they were made for."""

    def __init__(self, loopback: Loopback, plan: Resolution) -> None:
        self.loopback = loopback
        self.plan = plan
        self.pins = {pin.name: pin for pin in plan.pins}
        self.simple = loopback.serve("simple", [])
        torch = self.pins["torch"]
        assert torch.build
        assert torch.index
        self.builds = f"whl/{torch.build}"
        self.pytorch = loopback.serve(self.builds, [])
        self.torch = f"{torch.version}+{torch.build}"

    def add(self, *wheels: Wheel, index: str = "simple", **said: Any) -> None:
        """Put wheels on an index."""
        for wheel in wheels:
            listed = Listed(wheel.filename, wheel.data, wheel.name, requires_python=wheel.requires_python, **said)
            self.loopback.serve(index, [listed])

    def lock(self, *requires: str, **options: Any) -> Locked:
        """Lock on these indexes."""
        settings = {"glibc": GLIBC, **TARGET, "index_url": self.simple}
        settings |= {"pytorch_index_url": f"{self.loopback.address}/whl"} | options
        return compatsolver.lock(requires, **settings)


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """The plan's packages, torch on PyTorch's index alone, and what they require of each other and of others."""
    monkeypatch.setenv("COMPATSOLVER_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    plan = compatsolver.resolve(LIBRARIES, glibc=GLIBC, **TARGET)
    with running() as loopback:
        made = World(loopback, plan)
        pinned = {name: pin.version for name, pin in made.pins.items()}
        made.add(Wheel("torch", made.torch, NATIVE, ("sympy", "typing-extensions>=4")), index=made.builds)
        made.add(
            Wheel("transformers", pinned["transformers"], requires=("huggingface-hub", "numpy", "tokenizers")),
            Wheel("peft", pinned["peft"], requires=("torch", "transformers", "accelerate", "numpy")),
            Wheel("accelerate", pinned["accelerate"], requires=("torch", "numpy", "safetensors")),
            Wheel("sympy", "1.14.0", requires=("mpmath<2",)),
            Wheel("mpmath", "1.3.0"),
            Wheel("mpmath", "2.0.0"),
            Wheel("typing-extensions", "4.15.0"),
        )
        for name in ("huggingface-hub", "numpy", "tokenizers", "safetensors"):
            made.add(Wheel(name, pinned[name], NATIVE if name != "huggingface-hub" else "py3-none-any"))
        yield made
