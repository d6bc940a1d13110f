"""Packages around torch that say what they were built for and what they found."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from compatsolver.observation.formats.values import cuda_level
from compatsolver.observation.pasted.phrases import Found, found, package, phrase

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from compatsolver.observation.pasted.phrases import Lines

_RELEASE = r"\d+\.\d+(?:\.\w+)*(?:\+[\w.]+)?"

PHRASES = (
    phrase("bitsandbytes v", rf"bitsandbytes v(?P<bitsandbytes>{_RELEASE})"),
    phrase("xformers version", rf"xformers version:? {{1,8}}(?P<xformers>{_RELEASE})"),
    phrase("bin ", r"^\W{0,4}bin \S{3,300}?(?P<present_library>libbitsandbytes_\w{2,20}\.(?:so|dll))"),
    phrase(
        "libbitsandbytes_cpu",
        r"(?:Defaulting to|Loading binary \S{0,300}?)(?P<present_library>libbitsandbytes_cpu\.\w{2,3})",
    ),
    phrase("deepspeed", rf"DeepSpeed(?: info:)?:? version[= ]{{1,2}}(?P<deepspeed>{_RELEASE})"),
    phrase("unsloth", r"Unsloth:? (?P<unsloth>20\d\d\.\d{1,2}\.\d{1,2}):? Fast"),
    phrase("transformers", rf"Transformers(?: =|:) (?P<transformers>{_RELEASE})\.(?:\s|$)"),
    phrase("triton:", rf"CUDA Toolkit: \d{{1,2}}\.\d\. Triton: (?P<triton>{_RELEASE})"),
    phrase("cudnn", r"\bcuDNN(?: version)?[ :=]{1,3}v?(?P<cudnn>\d{1,2}\.\d{1,2}(?:\.\d{1,2}){0,2})(?![\w.])"),
    phrase(
        "loaded runtime cudnn",
        r"Loaded runtime CuDNN library: (?P<cudnn>\d[\d.]{1,7}\d) but source was compiled with: "
        r"(?P<cudnn_compiled>\d[\d.]{1,7}\d)",
    ),
    phrase("nv_libnccl_package", r"NV_LIBNCCL_PACKAGE=\"?libnccl2=(?P<libnccl2>[\w.+-]{3,40})"),
    phrase(
        "compiled against numpy",
        r"(?:compiled using|run in|cannot be run in) NumPy (?:1\.x cannot be run in\s)?(?:NumPy )?(?P<numpy>2\.\d\.\d)",
        span=2,
    ),
)
_XFORMERS = re.compile(
    rf"PyTorch\s{{1,4}}(?P<torch>{_RELEASE})(?: with CUDA (?P<cuda>\d{{3,5}}|None))? \(you have (?P<have>{_RELEASE})\)"
    r"|Python\s{1,4}(?P<python>3\.\d{1,2}(?:\.\d{1,2})?) \(you have (?P<have_python>3\.\d{1,2}(?:\.\d{1,2})?)\)"
)
_PAIR_CUDA = re.compile(
    r"\b(?:and|whereas|while) (?P<name>torchvision|torchaudio) (?:has|was compiled with) CUDA [Vv]ersion[= ]"
    r"(?P<cuda>\d{1,2}\.\d{1,2})",
    re.IGNORECASE,
)
_DEEPSPEED = re.compile(
    r"deepspeed wheel compiled w\.[ .]{1,40}torch (?P<torch>\d[\d.]{1,6}), cuda (?P<cuda>\d[\d.]{1,6})"
)
_XFORMERS_INFO = re.compile(r"^\W{0,4}build\.(?P<part>cuda|torch|python)_version:\s{1,60}(?P<value>[\w.+]{1,40})")
_NEEDS = re.compile(
    r"(?:^|[\s:])(?P<name>[A-Za-z][\w-]{1,40})==(?P<version>\d[\w.+]{0,40}) requires "
    r"(?P<other>[A-Za-z][\w-]{1,40})(?P<wish>[<>=!~]{1,2}[\w.,<>=!~]{1,40}), but found (?P=other)=="
    r"(?P<found>\d[\w.+]{0,40}?)\.?(?:\s|$)"
)


def read(lines: Lines) -> Iterator[Found]:
    """Releases found, and what packages were built for."""
    for each in PHRASES:
        yield from each.read(lines)
    for needle, pattern, span, values in _SENTENCES:
        for index in lines.having(needle):
            for match in pattern.finditer(lines.joined(index, span)):
                yield from values(match, index)


def _xformers(match: re.Match[str], index: int) -> Iterator[Found]:
    """Both sides of each line: what the wheel was built for and what is there."""
    if match["python"]:
        yield Found("built_for", f"xformers python {match['python']}", index)
        yield from found("python", match["have_python"], index)
        return
    yield Found("built_for", f"xformers torch {match['torch']}", index)
    if match["cuda"] and (level := cuda_level(match["cuda"])):
        yield Found("built_for", f"xformers cuda {level}", index)
    yield from package("torch", match["have"], index)


def _pair(match: re.Match[str], index: int) -> Iterator[Found]:
    yield Found("built_for", f"{match['name'].lower()} cuda {match['cuda']}", index)


def _deepspeed(match: re.Match[str], index: int) -> Iterator[Found]:
    yield Found("built_for", f"deepspeed torch {match['torch']}", index)
    yield Found("built_for", f"deepspeed cuda {match['cuda']}", index)


def _xformers_info(match: re.Match[str], index: int) -> Iterator[Found]:
    value = cuda_level(match["value"]) if match["part"] == "cuda" else match["value"]
    if value:
        yield Found("built_for", f"xformers {match['part']} {value}", index, "xformers.info")


def _needs(match: re.Match[str], index: int) -> Iterator[Found]:
    """`A==1 requires B>=2, but found B==1`."""
    yield Found(
        "declared",
        f"{match['name'].lower()} {match['version']} requires {match['other'].lower()}{match['wish']}",
        index,
    )
    yield from package(match["name"], match["version"], index)
    yield from package(match["other"], match["found"], index)


_SENTENCES: tuple[tuple[str, re.Pattern[str], int, Callable[[re.Match[str], int], Iterator[Found]]], ...] = (
    ("you have", _XFORMERS, 1, _xformers),
    ("cuda version", _PAIR_CUDA, 2, _pair),
    ("deepspeed wheel compiled", _DEEPSPEED, 1, _deepspeed),
    ("build.", _XFORMERS_INFO, 1, _xformers_info),
    ("but found", _NEEDS, 1, _needs),
)
