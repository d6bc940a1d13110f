"""Install commands of pip and uv, for builds of the default index and of PyTorch's."""

from __future__ import annotations

import pytest

from compatsolver.emitters import pip, uv
from compatsolver.model.resolution import Pin

LINUX, WINDOWS = "linux-x86_64", "windows-x86_64"


def index(build: str) -> str:
    return f"https://download.pytorch.org/whl/{build}"


def torch(build: str, version: str = "2.14.1") -> Pin:
    return Pin("torch", version, build=build, index=index(build))


PLAIN = Pin("torch", "2.15.0", build="cu132")


def test_a_build_of_the_default_index_is_named_by_its_version() -> None:
    assert pip.install_commands([PLAIN], LINUX) == ("pip install 'torch==2.15.0'",)
    assert uv.install_commands([PLAIN], LINUX) == ("uv pip install 'torch==2.15.0'",)


def test_pip_names_the_build_where_another_index_serves_it() -> None:
    pins = [torch("cu126"), Pin("torchvision", "0.29.1", index=index("cu126")), Pin("peft", "0.17.1", extras=("dev",))]
    assert pip.install_commands(pins, LINUX, ["rich>13"]) == (
        "pip install 'torch==2.14.1+cu126' 'torchvision==0.29.1' 'peft[dev]==0.17.1' 'rich>13'"
        " --extra-index-url https://download.pytorch.org/whl/cu126",
    )


def test_uv_names_the_backend() -> None:
    assert uv.install_commands([torch("cu126")], WINDOWS, ["rich>13"]) == (
        'uv pip install --torch-backend=cu126 "torch==2.14.1" "rich>13"',
    )


@pytest.mark.parametrize(("build", "known"), [("cpu", True), ("cu118", True), ("cu132", True), ("cu134", False)])
def test_uv_has_no_command_for_a_backend_newer_than_it_knows(build: str, known: bool) -> None:
    assert uv.serves(torch(build)) is known
    assert bool(uv.install_commands([torch(build)], LINUX)) is known


def test_uv_has_no_command_for_an_index_that_is_not_pytorchs() -> None:
    elsewhere = Pin("torch", "2.14.1", build="cu126", index="https://example.org/whl/cu126")
    assert uv.install_commands([elsewhere], LINUX) == ()


def test_what_is_built_beside_others_comes_after_them() -> None:
    kernels = Pin("flash-attn", "2.8.3", built_beside=("torch", "ninja"))
    assert pip.install_commands([PLAIN, kernels], LINUX, ["rich"]) == (
        "pip install 'torch==2.15.0' 'ninja' 'rich'",
        "pip install --no-build-isolation 'flash-attn==2.8.3'",
    )
    assert uv.install_commands([torch("cu126"), kernels], LINUX) == (
        "uv pip install --torch-backend=cu126 'torch==2.14.1' 'ninja'",
        "uv pip install --no-build-isolation 'flash-attn==2.8.3'",
    )
