"""One requirement: plain, with extras or a marker, and what is none."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from packaging.utils import canonicalize_name

from compatsolver.errors import InvalidRequirement
from compatsolver.model.request import Requirement, Target, normalised
from compatsolver.requirements.written import read_requirement

LINUX = Target(python="3.11", platform="linux-x86_64")


def read(text: str, target: Target = LINUX) -> Requirement | None:
    return read_requirement(text, target)


@given(st.text("aZ09-_.é", min_size=1))
def test_names_are_compared_as_packaging_compares_them(name: str) -> None:
    assert normalised(name) == canonicalize_name(name)


@given(st.from_regex(r"[a-zA-Z0-9]([a-zA-Z0-9_-]*[a-zA-Z0-9])?", fullmatch=True))
def test_a_name_alone_asks_for_any_version(name: str) -> None:
    assert read(name) == Requirement(name=canonicalize_name(name), specifier="", text=name)


@pytest.mark.parametrize(
    ("text", "name", "specifier", "extras"),
    [
        ("torch", "torch", "", ()),
        ("  Torch >= 2.6, <2.10 ", "torch", ">= 2.6, <2.10", ()),
        ("flash_attn==2.7.4.post1", "flash-attn", "==2.7.4.post1", ()),
        ("torch==2.9.1+cu128", "torch", "==2.9.1+cu128", ()),
        ("transformers[torch]", "transformers", "", ("torch",)),
        ("transformers[Torch, sentence_piece]>=5", "transformers", ">=5", ("sentence-piece", "torch")),
        ("torch (>=2.6)", "torch", ">=2.6", ()),
    ],
)
def test_reads(text: str, name: str, specifier: str, extras: tuple[str, ...]) -> None:
    found = read(text)
    assert found is not None
    assert (found.name, found.specifier, found.extras) == (name, specifier, extras)


def test_a_marker_is_no_part_of_the_text() -> None:
    found = read('bitsandbytes>=0.46 ; sys_platform == "linux"')
    assert found is not None
    assert found.text == "bitsandbytes>=0.46"


def test_a_requirement_for_other_targets_is_left_out() -> None:
    assert read("triton; sys_platform == 'linux'", Target(python="3.11", platform="windows-x86_64")) is None


@pytest.mark.parametrize("text", ["", "=>2", "torch=>2 3", "torch 2.6", "torch==2.6 torchvision", "torch[", "1 2 3"])
def test_what_is_no_requirement_is_answered_with_an_example(text: str) -> None:
    with pytest.raises(InvalidRequirement) as caught:
        read(text)
    assert "PEP 508" in (caught.value.hint or "")


@pytest.mark.parametrize(
    "text",
    [
        "torch @ https://example.com/torch-2.9.1-cp311-cp311-linux_x86_64.whl",
        "https://example.com/torch.whl",
        "git+https://github.com/pytorch/pytorch",
        "./torch.whl",
        "../torch",
        "/srv/wheels/torch.whl",
        "C:\\wheels\\torch.whl",
        "torch-2.9.1-cp311-cp311-linux_x86_64.whl",
        "torch.tar.gz",
    ],
)
def test_paths_and_urls_are_for_lock_alone(text: str) -> None:
    with pytest.raises(InvalidRequirement, match="path or a URL") as caught:
        read(text)
    assert "only `lock`" in (caught.value.hint or "")


def test_words_name_the_place() -> None:
    found = read_requirement("torch<2.9", LINUX, origin="requirements.txt:4")
    assert found is not None
    assert found.words == "torch<2.9 (requirements.txt:4)"


@pytest.mark.parametrize(
    ("text", "imported"),
    [("torch>=2.6,<2.10", set()), ("transformers[torch]", {"packaging.requirements"})],
)
def test_the_common_form_needs_no_parser(text: str, imported: set[str]) -> None:
    program = (
        "import sys; from compatsolver.requirements.written import read_requirement;"
        "from compatsolver.model.request import Target; read_requirement(sys.argv[1], Target());"
        "print(*{'packaging.requirements', 'compatsolver.requirements.markers'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program, text], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) == imported
