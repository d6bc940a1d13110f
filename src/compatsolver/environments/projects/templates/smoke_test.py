"""Does this environment hold what is locked, see its GPU, and train? Run it, or let pytest find it."""

from __future__ import annotations

import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

import torch
from packaging.requirements import Requirement

from texts import TINY, Rows, blocks
from train_lora import Trainer, arguments, join

if TYPE_CHECKING:
    from collections.abc import Iterator

LOCKS = ("requirements.txt", "requirements-build.txt")
STEPS = 10


def test_packages_are_those_of_the_lock() -> None:
    """Every version is the one that is locked."""
    wrong = [
        f"{name} is {found or 'missing'}, locked {wanted}" for name, wanted, found in packages() if found != wanted
    ]
    assert not wrong, "; ".join(wrong)


def test_torch_sees_the_gpu_it_is_built_for() -> None:
    """A build with CUDA has a GPU, and computes on it what the CPU computes."""
    if torch.version.cuda is None:
        return
    assert torch.cuda.is_available(), f"torch {torch.__version__} sees no GPU: `compatsolver explain` says why"
    values = torch.randn(64, 64, generator=torch.Generator().manual_seed(0))
    difference = (values.cuda() @ values.cuda()).cpu() - values @ values
    assert difference.norm() < 1e-2 * values.norm(), "the GPU computes something else than the CPU"


def test_the_loss_of_a_tiny_model_falls() -> None:
    """Ten steps of LoRA on made-up text."""
    options = arguments(["--warmup=1", "--sequence=64"])
    trainer = Trainer(options, join("auto"))
    rows = Rows(blocks(TINY, None, options.sequence), options.seed)
    inputs = rows[range(options.batch)].to(trainer.place.device)
    losses = [trainer.take_step([inputs])["loss"] for _ in range(STEPS)]
    assert losses[-1] < losses[0], f"the loss does not fall: {losses[0]:.4f}, then {losses[-1]:.4f}"
    print(f"the loss falls from {losses[0]:.4f} to {losses[-1]:.4f} on {trainer.place.device} in {trainer.precision}")


def packages() -> Iterator[tuple[str, str, str | None]]:
    """Name, locked version and installed version of every package that is for this machine."""
    folder = Path(__file__).parent
    texts = [(folder / lock).read_text(encoding="utf-8") for lock in LOCKS if (folder / lock).exists()]
    for line in "\n".join(texts).splitlines():
        if "==" not in line or line.startswith(("#", " ", "-")):
            continue
        wanted = Requirement(line.rstrip(" \\"))
        if wanted.marker is None or wanted.marker.evaluate():
            yield wanted.name, str(wanted.specifier).removeprefix("=="), installed(wanted.name)


def installed(name: str) -> str | None:
    """The version that is installed here."""
    try:
        return version(name)
    except PackageNotFoundError:
        return None


if __name__ == "__main__":
    failed = []
    for test in (
        test_packages_are_those_of_the_lock,
        test_torch_sees_the_gpu_it_is_built_for,
        test_the_loss_of_a_tiny_model_falls,
    ):
        try:
            test()
        except AssertionError as error:
            failed.append(f"{test.__name__}: {error}")
    print(*(failed or ["passed"]), sep="\n")
    sys.exit(bool(failed))
