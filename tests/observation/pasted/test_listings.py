from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    Read = Callable[[str], dict[str, tuple[str, ...]]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Package    Version\n---------- -----------\ntorch      2.5.1+cu121\npeft       0.13.2",
            {"torch": "2.5.1+cu121", "peft": "0.13.2"},
        ),
        ("torch==2.5.1+cu121\nflash_attn==2.7.0.post2", {"torch": "2.5.1+cu121", "flash-attn": "2.7.0.post2"}),
        ("vllm @ file:///build/vllm-0.6.3-cp312-cp312-linux_x86_64.whl", {"vllm": "0.6.3"}),
        ("Name: xformers\nVersion: 0.0.28\nSummary: text", {"xformers": "0.0.28"}),
        ("├── torch v2.6.0\n│   └── triton v3.2.0", {"torch": "2.6.0", "triton": "3.2.0"}),
        ("ii  libcudnn9-cuda-12   9.5.1.17-1   amd64   cuDNN", {"libcudnn9-cuda-12": "9.5.1.17-1"}),
        ("libnccl2/unknown,now 2.22.3-1+cuda12.6 amd64 [installed]", {"libnccl2": "2.22.3-1+cuda12.6"}),
        ("cuda-toolkit-12-4-12.4.1-1.x86_64", {"cuda-toolkit-12-4": "12.4.1-1"}),
        (
            "Requirement already satisfied: torch>=1.10 in /usr/lib/python3/dist-packages (from -r a.txt) (2.1.0)",
            {"torch": "2.1.0"},
        ),
        ("[conda] cudatoolkit               11.1.1              h6406543_8    conda-forge", {"cudatoolkit": "11.1.1"}),
    ],
)
def test_listings(read: Read, text: str, expected: dict[str, str]) -> None:
    values = read(text)
    assert {f"package:{name}": (version,) for name, version in expected.items()} == {
        axis: value for axis, value in values.items() if axis.startswith("package:")
    }


@pytest.mark.parametrize(
    ("build", "cuda"),
    [
        ("py3.10_cuda11.7_cudnn8.5.0_0", "11.7"),
        ("cuda112py39hbeb36f4_200", "11.2"),
        ("cuda126_generic_py311_h4daf872_200", "12.6"),
        ("cpu_generic_py311_h1234567_0", "none"),
        ("py3.8_cpu_0", "none"),
    ],
)
def test_conda_builds_tell_the_runtime(read: Read, build: str, cuda: str) -> None:
    values = read(
        f"# Name   Version   Build  Channel\npytorch                   2.1.0           {build}    conda-forge\n"
    )
    assert values["torch_cuda"] == (cuda,)
    assert values["package:torch"] == ("2.1.0",)
    assert values["conda_build"] == (f"torch 2.1.0 {build} conda-forge",)


def test_python_in_a_listing_is_python(read: Read) -> None:
    assert read("python                    3.9.18               h0755675_1_cpython    conda-forge")["python"] == (
        "3.9.18",
    )


def test_the_last_step_of_a_session_counts(read: Read) -> None:
    values = read(
        "$ pip install torch==2.4.0 --index-url https://download.pytorch.org/whl/cu118\n"
        "Successfully installed torch-2.4.0+cu118 triton-3.0.0\n$ pip install -U xformers\n"
        "  Attempting uninstall: torch\n    Found existing installation: torch 2.4.0+cu118\n    Uninstalling "
        "torch-2.4.0+cu118:\n"
        "      Successfully uninstalled torch-2.4.0+cu118\nSuccessfully installed torch-2.5.1 xformers-0.0.28.post3\n"
    )
    assert values["package:torch"] == ("2.5.1",)
    assert values["replaced"] == ("torch==2.4.0+cu118",)
    assert values["package:triton"] == ("3.0.0",)
    assert values["package:xformers"] == ("0.0.28.post3",)
    assert values["index"] == ("https://download.pytorch.org/whl/cu118",)
    assert values["requested"] == ("torch==2.4.0", "xformers")


def test_changes_of_uv(read: Read) -> None:
    values = read("Installed 2 packages in 31ms\n - torch==2.6.0+cu124\n + torch==2.7.1\n + triton==3.3.1\n")
    assert values["package:torch"] == ("2.7.1",)
    assert values["replaced"] == ("torch==2.6.0+cu124",)


def test_requirements_diff(read: Read) -> None:
    values = read("diff --git a/requirements.txt b/requirements.txt\n-torch==2.3.0\n+torch>=2.5,<2.6\n")
    assert values["requested"] == ("torch>=2.5,<2.6",)
    assert values["replaced"] == ("torch==2.3.0",)
    assert "package:torch" not in values


def test_wheel_names_tell_what_they_were_made_for(read: Read) -> None:
    values = read("pip install flash_attn-2.7.3+cu12torch2.5cxx11abiFALSE-cp310-cp310-linux_x86_64.whl")
    assert values["package:flash-attn"] == ("2.7.3+cu12torch2.5cxx11abiFALSE",)
    assert values["built_for"] == ("flash-attn torch 2.5", "flash-attn cuda 12", "flash-attn cxx11abi false")
    assert values["wheel_tags"] == ("flash-attn 2.7.3+cu12torch2.5cxx11abiFALSE cp310-cp310-linux_x86_64",)


def test_a_wheel_that_was_refused_is_not_there(read: Read) -> None:
    values = read("ERROR: torch-2.1.0-cp38-cp38-linux_x86_64.whl is not a supported wheel on this platform.")
    assert values["unavailable"] == ("torch==2.1.0",)
    assert "package:torch" not in values


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "lmdeploy 0.6.0 requires torch<=2.4.0,>=2.0.0, but you have torch 2.5.1+cu121 which is incompatible.",
            {
                "declared": ("lmdeploy 0.6.0 requires torch<=2.4.0,>=2.0.0",),
                "package:lmdeploy": ("0.6.0",),
                "package:torch": ("2.5.1+cu121",),
            },
        ),
        (
            "ERROR: Could not find a version that satisfies the requirement torchvision==0.9.0 (from "
            "versions: 0.17.0, 0.17.1)",
            {"unavailable": ("torchvision==0.9.0",), "available_versions": ("torchvision 0.17.0 0.17.1",)},
        ),
        ("ERROR: No matching distribution found for triton==2.0.0", {"unavailable": ("triton==2.0.0",)}),
        ("    vllm 0.5.0 depends on torch==2.3.0", {"declared": ("vllm 0.5.0 requires torch==2.3.0",)}),
        ("    The user requested torch==2.4.0", {"requested": ("torch==2.4.0",)}),
        (
            "  ╰─▶ Because only torch==2.3.0 is available and there are no versions of torchaudio==2.0.1, we "
            "can conclude",
            {"unavailable": ("torchaudio==2.0.1",)},
        ),
        (
            "hint: You're using CPython 3.13 (`cp313`), but `flash-attn` (v2.6.3) only has wheels with the "
            "following Python ABI "
            "tags: `cp310`, `cp311`",
            {"python": ("3.13",), "available_pythons": ("flash-attn 2.6.3 cp310 cp311",)},
        ),
        (
            "error: Distribution `torch==2.4.1 @ registry+https://example.org/simple` can't be installed "
            "because it doesn't have "
            "a source distribution or wheel for the current platform",
            {"unavailable": ("torch==2.4.1",)},
        ),
        (
            "          virtual packages : __archspec=1=zen3, __cuda=12.5=0, __glibc=2.31=0",
            {"driver_cuda": ("12.5",), "glibc": ("2.31",)},
        ),
    ],
)
def test_resolvers(read: Read, text: str, expected: dict[str, tuple[str, ...]]) -> None:
    assert read(text) == expected
