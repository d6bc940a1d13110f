"""What people write in their own words: "RTX 3080, driver 528.24, torch 2.1.0+cu121, Python 3.10".

Only words that say what a number is count. A line about what is advised, tried elsewhere or required is no statement
about this machine.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from compatsolver.observation.formats.gpu_names import gpu_names
from compatsolver.observation.pasted.phrases import Found, found, package
from compatsolver.observation.pasted.report_keys import PACKAGES
from compatsolver.observation.pasted.statements import is_statement

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compatsolver.observation.pasted.phrases import Lines

_WORDS_OF_THEIR_OWN = frozenset(("datasets", "ray", "lightning", "apex", "outlines", "ninja", "dgl", "onnx"))
_BUILDS = frozenset(("torch", "pytorch", "torchvision", "torchaudio"))
_PACKAGE = re.compile(
    r"(?<![\w./-])(?P<name>[A-Za-z][\w-]{1,30}(?: attn| attention)?)(?: version| package| 版本|版本)?"
    r"(?:\s{0,4}(?:[:=]|==|is|为|是)\s{0,4}|\s{1,8}|-v?(?=\d))"
    r"\(?(?:version )?v?"
    r"(?P<version>\d{1,4}(?:\.\d{1,6}){1,4}(?:\.?(?:post|dev|rc|a|b)\d{0,10})?(?:\+[\w.]{2,20})?)(?![\w%+-]|\.\d)"
    r"(?P<build> \((?:cu\d{2,3}|cpu|CUDA \d{1,2}\.\d)\))?",
    re.ASCII,
)
_DRIVER = re.compile(
    r"(?:\bdriver(?:[ _]version)?|驱动(?:版本)?)(?:\s{0,3}[:=]\s{0,3}|\s(?:is |version )?|)R?"
    r"(?P<driver>\d{3}(?:\.(?:\d{1,3}|x{1,3})){1,2}|\d{3}(?=\s?(?:branch|series|[,;)\s]|$)))(?![\d.]*\d)"
    r"|(?P<before>\d{3}\.\d{2,3}(?:\.\d{2})?) (?:nvidia )?driver\b",
    re.IGNORECASE | re.ASCII,
)
_CEILING = re.compile(
    r"nvidia-smi\b.{0,40}?\bCUDA(?: version)?[ :=]{1,4}(?P<after>\d{1,2}\.\d)"
    r"|CUDA(?: version)?[ :=]{1,4}(?P<before>\d{1,2}\.\d)\s{0,4}\(?(?:nvidia-smi|from nvidia-smi|driver)"
    r"|driver\b.{0,30}?\bCUDA Version: (?P<header>\d{1,2}\.\d)",
    re.IGNORECASE,
)
_BUILD = re.compile(
    r"\b(?:py)?torch\b(?!\W{1,4}v?\d)(?: nightly| build| wheel|\s).{0,12}?\b(?P<build>cu\d{2,3})\b", re.IGNORECASE
)
_PYTHON = re.compile(
    r"\bpython ?(?:==|=|:|version)? ?(?P<python>3\.\d{1,2}(?:\.\d{1,2})?)(?![\w.*])|\bpy(?P<short>3\d{1,2})\b",
    re.IGNORECASE | re.ASCII,
)
_CUDA_WHEEL = re.compile(r"nvidia-[a-z-]{3,30}-cu1\d")
_COMMENT = re.compile(r"\s#\s")
_CLAUSE = re.compile(
    r"(?<=[.!?;])\s+(?=(?!Please)[A-Z])|[\u3002\uff1b\uff01\uff1f]"
    r"|[:,]?\s(?=[\w.]{0,60}(?:Error|Exception|Warning)\b|CUDA error\b|(?:there is )?no kernel image\b"
    r"|Torch not compiled\b|The NVIDIA driver on your system\b|FlashAttention only\b|cuDNN error\b)",
    re.ASCII,
)
"""Where a sentence ends, and where the words of a message begin: what they advise is no statement of the line."""


def read(lines: Lines) -> Iterator[Found]:
    """Statements about this machine, line by line; a comment after a command speaks for itself."""
    for index in lines.distinct:
        text = lines.texts[index]
        if 3 < len(text) < 600:
            for part in _COMMENT.split(text) if " # " in text else (text,):
                yield from _stated(part, index)


def _stated(text: str, index: int) -> Iterator[Found]:
    """The values of each clause that is a statement; a ceiling is the driver's wherever it is told."""
    for clause in _CLAUSE.split(text):
        values = [*_hardware(clause, index), *_software(clause, index)]
        if values and is_statement(clause):
            yield from values
        else:
            yield from (each for each in values if each.axis == "driver_cuda")


def _hardware(text: str, index: int) -> Iterator[Found]:
    lowered = text.lower()
    for name in dict.fromkeys(gpu_names(text, lowered)):
        yield from found("gpu", name, index)
    if "driver" in lowered or "驱动" in text:
        for match in _DRIVER.finditer(text):
            yield from found("driver", match["driver"] or match["before"], index)
    if "cuda" in lowered and ("driver" in lowered or "smi" in lowered):
        for match in _CEILING.finditer(text):
            yield from found("driver_cuda", match["after"] or match["before"] or match["header"], index)
    if "torch" in lowered and "cu" in lowered:
        for match in _BUILD.finditer(text):
            yield from found("package:torch", match["build"], index)


def _software(text: str, index: int) -> Iterator[Found]:
    if "." in text:
        for match in _PACKAGE.finditer(text):
            name = re.sub(r"[_ ]", "-", match["name"].lower())
            known = name in PACKAGES or _CUDA_WHEEL.fullmatch(name)
            if not known or name in _WORDS_OF_THEIR_OWN:
                continue
            version = match["version"]
            build = re.search(r"cu\d{2,3}|cpu", match["build"] or "")
            if build and "+" not in version and name in _BUILDS:
                version = f"{version}+{build[0]}"
            yield from package(name, version, index)
    if "3" in text:
        for match in _PYTHON.finditer(text):
            yield from found("python", match["python"] or f"3.{match['short'][1:]}", index)
