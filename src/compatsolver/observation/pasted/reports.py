"""Environment reports: a key and a value a line, as PyTorch, vLLM, DeepSpeed, Hugging Face and others print them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from compatsolver.observation.formats.gpu_names import gpu_names
from compatsolver.observation.formats.values import ABSENT
from compatsolver.observation.pasted.phrases import Found, found
from compatsolver.observation.pasted.report_keys import key_table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compatsolver.observation.pasted.phrases import Lines

KEYS = key_table()

_PAIR = re.compile(
    r"^[^\w\"']{0,12}(?P<key>\w(?:[^\s:=]|\s(?!\s)){0,60}?)[`\"'*]{0,3}"
    r"(?:\s{0,40}:(?!:)|\s{0,4}=(?!=)|\s{0,2}\.{3,80}|\s{3,60}|\t)\s{0,80}(?P<value>\S.{0,300})$"
)
_COLUMN_GAP = re.compile(r"\s{2,80}|\t")
_VERSION = re.compile(r"(?<![\w.])[vV]?(\d+(?:\.\d+)+(?:\.?(?:post|dev|rc|a|b)\d{0,9}){0,4}(?:[+-][\w.]+)?)")
_COMPILER = re.compile(r"(\d{1,2}\.\d{1,2}(?:\.\d{1,3})?)(?:\s|$|\s*\()")
_DRIVER = re.compile(r"\d{1,3}(?:\.\d{1,4}){1,3}|\d{3}(?=\D|$)")
_PLATFORM = re.compile(
    r"(?P<os>Linux|Windows|macOS|Darwin)-(?P<kernel>[\w.+-]{1,80}?)"
    r"(?:-(?P<arch>x86_64|aarch64|arm64|AMD64|ppc64le))?(?:-64bit|-i386-64bit|-SP\d)?"
    r"(?:-with-(?:glibc)?(?P<glibc>\d[\d.]*)?\S*)?$"
)
_OS = re.compile(r"(?P<os>[^(]{2,80})(?:\((?P<arch>x86_64|aarch64|arm64|64-bit|ppc64le)\))?")
_SYSTEM = re.compile(
    r"linux|windows|ubuntu|debian|mac|darwin|centos|red hat|rhel|rocky|alma|fedora|suse|sles|nixos|mint|pop!_os|amazon"
    r"|arch|manjaro|kali|jetpack|l4t|wsl|dgx|oracle|openeuler|anolis|kylin|tencentos|gentoo|photon",
    re.IGNORECASE,
)
_MAKER = re.compile(
    r"nvidia|geforce|quadro|tesla|titan|[rg]tx|radeon|amd|intel|apple|instinct|jetson|orin", re.IGNORECASE
)
_GPU_NUMBER = re.compile(r"^GPU\s?[\d,]{1,30}:?\s{1,20}")
_GPU_LINE = re.compile(r"^\W{0,8}GPU\s?(?P<numbers>\d[\d,]{0,30})(?::|\s{2,30})\s{0,4}(?P<gpu>[A-Z][^\n]{2,80})$")
_GPU_TAIL = re.compile(r"\s{0,9}[(,;].{0,300}$|\.?\s{1,9}Max memory.{0,300}$")
_CAPABILITY_TAIL = re.compile(r"\(arch=(\d{1,2}\.\d)\)")
_GPU_CAPABILITY = re.compile(r"GPU\s?[\d,]{1,30} Compute Capability:\s*(\d{1,2}\.\d)")


def read(lines: Lines) -> Iterator[Found]:
    """Every pair whose key is known."""
    is_collect_env = "used to build pytorch" in lines.whole or "is debug build" in lines.whole
    for index in lines.distinct:
        text = lines.texts[index]
        pair = _PAIR.match(text) if len(text) < 500 else None
        if pair:
            key = " ".join(pair["key"].replace("`", " ").lower().split())
            if key in KEYS:
                dialect, axis = KEYS[key]
                if dialect == "collect_env" and not is_collect_env:
                    dialect = "environment report"
                for each in _values(axis, _COLUMN_GAP.split(pair["value"].strip())[0], index):
                    yield each._replace(dialect=dialect)
            elif key == "cuda":
                yield from _bare_cuda(lines, pair["value"], index)
        if "GPU" in text:
            yield from _listed_gpu(text, index)


def _values(axis: str, value: str, index: int) -> Iterator[Found]:
    if value.casefold().strip("[]") in ABSENT and axis != "cuda_available":
        if (axis in ("torch_cuda", "torch_hip") and value.casefold() == "none") or (
            axis == "nvcc" and value.casefold() in ("not found", "none")
        ):
            yield Found(axis, "none", index)
        return
    if axis.startswith("package:"):
        yield from _release(axis, value, index)
    elif axis == "kernel":
        yield from _platform(value, index)
    elif axis == "os":
        yield from _system(value, index)
    elif axis == "gpu":
        yield from _gpu(value, index)
    elif axis in ("gcc", "clang"):
        compilers = _COMPILER.findall(value)
        yield from found(axis, compilers[-1] if compilers else None, index)
    elif axis == "cuda_available":
        word = re.match(r"\w+", value)
        yield from found(axis, word[0].replace("available", "true") if word else None, index)
    elif axis == "nvcc":
        yield from found(axis, max(_VERSION.findall(value), key=len, default=None), index)
    elif axis in ("driver", "kernel_module"):
        driver = _DRIVER.search(value)
        yield from found(axis, driver[0] if driver else None, index)
    elif axis in ("cuda_home", "arch", "device_count", "compute_capability"):
        yield from found(axis, value.split(" ")[0].strip("'\","), index)
    elif "libcudnn" not in value:
        number = _VERSION.search(value) or re.search(r"(?<=release )(\d+\.\d+)|^v?(\d[\d.]{0,20})", value)
        yield from found(axis, number[0] if number else None, index)


def _release(axis: str, value: str, index: int) -> Iterator[Found]:
    """A package's release, and in Hugging Face's "2.2.0 (True)" whether CUDA was available."""
    first = value.split(" ")[0].strip("\"'`,;.")
    build = re.search(r"\((cu\d{2,3}|cpu)\)", value)
    if build and "+" not in first and axis == "package:torch":
        first = f"{first}+{build[1]}"
    if re.match(r"v?\d", first) and ("." in first or len(value.split()) == 1):
        yield from found(axis, first.removeprefix("v"), index)
    tail = re.search(r"\((True|False|GPU|CUDA|NA)\)\s*$", value)
    if axis == "package:torch" and tail:
        yield from found("cuda_available", {"GPU": "true", "CUDA": "true", "NA": "false"}.get(tail[1], tail[1]), index)


def _platform(value: str, index: int) -> Iterator[Found]:
    """What Python's `platform.platform()` packs into one word; a bare kernel release too."""
    match = _PLATFORM.match(value.strip("'\""))
    if not match:
        if re.match(r"\d+\.\d+\.\d+", value):
            yield from found("kernel", value.split(" ")[0], index)
        return
    yield from found(
        "kernel" if match["os"] == "Linux" else "os",
        match["kernel"] if match["os"] == "Linux" else f"{match['os']} {match['kernel']}",
        index,
    )
    yield from found("arch", match["arch"], index)
    yield from found("glibc", match["glibc"], index)
    if "microsoft" in value.lower():
        yield Found("wsl", "2" if "WSL2" in value or "standard" in value else "1", index)


def _system(value: str, index: int) -> Iterator[Found]:
    match = _OS.match(value)
    if match and _SYSTEM.search(match["os"]):
        yield from found("os", match["os"], index)
        if match["arch"] and match["arch"] != "64-bit":
            yield from found("arch", match["arch"], index)


def _gpu(value: str, index: int) -> Iterator[Found]:
    """A name that is known to be one, or has its maker and a number in it."""
    if tail := _CAPABILITY_TAIL.search(value):
        yield from found("compute_capability", tail[1], index)
    name = _GPU_TAIL.sub("", _GPU_NUMBER.sub("", value)).strip("\"'")
    if any(gpu_names(name, name.lower())) or (_MAKER.search(name) and re.search(r"\d", name)):
        yield from found("gpu", name, index)


def _listed_gpu(text: str, index: int) -> Iterator[Found]:
    """`GPU 0: NAME` or `GPU 0,1  NAME`; nvidia-smi's own lines, with their UUID, are its reader's."""
    if capability := _GPU_CAPABILITY.search(text):
        yield from found("compute_capability", capability[1], index)
    elif "UUID" not in text and (match := _GPU_LINE.match(text)):
        for each in _gpu(match["gpu"], index):
            yield each._replace(dialect="collect_env")


def _bare_cuda(lines: Lines, value: str, index: int) -> Iterator[Found]:
    """`CUDA: 12.6` means the runtime where the lines around it are PyTorch's version and HIP (bitsandbytes)."""
    around = " ".join(lines.lowered[max(index - 1, 0) : index + 2])
    number = _VERSION.match(value)
    if number and "pytorch:" in around and "hip:" in around:
        for each in found("torch_cuda", number[1], index):
            yield each._replace(dialect="bitsandbytes")
