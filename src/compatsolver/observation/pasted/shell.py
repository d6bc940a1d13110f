"""Shells and Python prompts: variables that are set, commands with their answers, values that an interpreter echoes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from compatsolver.model.observation import VARIABLE
from compatsolver.observation.pasted.phrases import Found, found, package, phrase
from compatsolver.observation.pasted.statements import is_statement

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compatsolver.observation.pasted.phrases import Lines

_VARIABLE = re.compile(
    r"(?<![\w$.])(?P<name>LD_LIBRARY_PATH|LD_PRELOAD|CUDA_[A-Z_]{3,40}|NVIDIA_[A-Z_]{3,40}"
    r"|NCCL_[A-Z0-9_]{2,40}|BNB_CUDA_VERSION"
    r"|TORCH_[A-Z_]{3,40}|TRITON_[A-Z_]{3,40}|PYTORCH_[A-Z_]{3,40}|HIP_VISIBLE_DEVICES|ROCR_VISIBLE_DEVICES"
    r"|HSA_OVERRIDE_GFX_VERSION"
    r"|CONDA_OVERRIDE_[A-Z]{4,12}|UV_[A-Z_]{4,40}|PIP_[A-Z_]{4,40}|CUDACXX|NVCC_[A-Z_]{4,30}|MAX_JOBS"
    r"|DS_[A-Z_]{4,40}|VLLM_[A-Z_]{3,40}"
    r"|FLASH_ATTENTION_[A-Z_]{4,40}|PYTHONPATH|VIRTUAL_ENV|CONDA_PREFIX|NV_[A-Z_]{4,40}|CC|CXX)"
    r"(?:['\"]\])?\s{0,2}=(?!=)\s{0,2}(?P<value>\"[^\"\n]{0,600}\"|'[^'\n]{0,600}'|[^\s;'\"]{0,600})"
)
_ASSIGNMENT = re.compile(r"^[^\w]{0,8}(?:export|set|setenv|declare -x|ENV) [A-Z_]{2,40}=")
_ECHO = re.compile(r"(?:echo|printenv) [\"']?\$?\{?(?P<name>[A-Z_][A-Z0-9_]{2,40})\}?")
_PROMPT = re.compile(r"^\s*(?:>>>|In \[\d{1,4}\]:)\s?(?P<code>.{1,400})")
_PRINT = re.compile(r"(?:^|[$#%>]\s{0,3}|\s)python[\d.]{0,4}(?:\.exe)? -c\s{1,3}(?P<code>.{5,600})")
_ANSWER = re.compile(r"^\s*(?:Out\[\d{1,4}\]:\s?)?(?P<text>.{1,600})$")
_EXPRESSIONS = (
    ("torch_cuda", re.compile(r"torch\.version\.cuda")),
    ("torch_hip", re.compile(r"torch\.version\.hip")),
    ("cuda_available", re.compile(r"torch\.cuda\.is_available\(\)")),
    ("device_count", re.compile(r"torch\.cuda\.device_count\(\)")),
    ("gpu", re.compile(r"torch\.cuda\.get_device_name\([\w:'\"]{0,10}\)")),
    ("compute_capability", re.compile(r"torch\.cuda\.get_device_capability\([\w:'\"]{0,10}\)")),
    ("nccl", re.compile(r"torch\.cuda\.nccl\.version\(\)")),
    ("cudnn", re.compile(r"torch\.backends\.cudnn\.version\(\)")),
    ("torch_cxx11_abi", re.compile(r"torch(?:\._C)?\._?(?:GLIBCXX_USE_CXX11_ABI|compiled_with_cxx11_abi\(\))")),
    ("module", re.compile(r"\b(?P<module>[a-z_]\w{1,40})\.__version__")),
)
_VALUE = re.compile(r"\(\d{1,3}(?:, ?\d{1,3}){1,3}\)|'[^'\n]{0,100}'|\"[^\"\n]{0,100}\"|[^\s,()]{1,80}")
_ALIASES = {"np": "numpy", "flash_attn": "flash-attn"}

PHRASES = (
    phrase(
        "python",
        r"(?:^|[\s,(|;])Python:? {0,8}(?:version |==)?v?(?P<python>[23]\.\d{1,2}(?:\.\d{1,2})?t?)(?:(?:a|b|rc)\d{1,2})?"
        r"(?![\w*]|\.\d|\.x)",
    ),
    phrase("cpython", r"\bCPython (?P<python>3\.\d{1,2}(?:\.\d{1,2})?)"),
    phrase("python3.", r"[/\\](?:lib[/\\])?python(?P<python>3\.\d{1,2})[/\\](?:site|dist)-packages"),
    phrase("python3", r"[/\\]Python(?P<python>3\d{1,2})[/\\](?:lib|Lib|python)", flags=0),
    phrase("cpython-", r"\.cpython-(?P<python>3\d{1,2})-"),
    phrase("uname", r"uname -m.{0,20}?\b(?P<arch>x86_64|aarch64|arm64)\b", span=2),
    phrase("/usr/local/cuda-", r"/usr/local/cuda-(?P<nvcc>\d{1,2}\.\d{1,2})/bin/nvcc\b"),
)
_FROM_PATH = re.compile(r"3(\d{1,2})$")


def read(lines: Lines) -> Iterator[Found]:
    """Variables, and what a prompt answered to a known question."""
    for each in PHRASES:
        for one in each.read(lines):
            joined = _FROM_PATH.fullmatch(one.value) if one.axis == "python" and "." not in one.value else None
            yield one._replace(value=f"3.{joined[1]}") if joined else one
    for index in lines.distinct:
        text = lines.texts[index]
        if len(text) > 3000:
            continue
        if "=" in text:
            values = list(_variables(text, index))
            if values and (_ASSIGNMENT.match(text) or is_statement(text)):
                yield from values
        if "echo" in text or "printenv" in text:
            yield from _echo(lines, text, index)
        if ">>>" in text or "In [" in text or " -c" in text:
            yield from _question(lines, text, index)


def _variables(text: str, index: int) -> Iterator[Found]:
    for match in _VARIABLE.finditer(text):
        value = match["value"].strip("\"'").rstrip(",")
        if "$(" not in value:
            yield Found(VARIABLE + match["name"], value, index)
            if match["name"] == "CUDA_HOME" and value:
                yield Found("cuda_home", value, index)


def _echo(lines: Lines, text: str, index: int) -> Iterator[Found]:
    match = _ECHO.search(text)
    if match and index + 1 < len(lines.texts):
        answer = lines.texts[index + 1].strip()
        if answer and "$" not in answer and not answer.startswith(">"):
            yield Found(VARIABLE + match["name"], answer[:600], index + 1)


def _question(lines: Lines, text: str, index: int) -> Iterator[Found]:
    """One or more expressions in a line of code and, in the line after it, as many values."""
    match = _PROMPT.match(text) or _PRINT.search(text)
    if not match:
        return
    asked = sorted(
        (place.start(), axis, place) for axis, pattern in _EXPRESSIONS for place in pattern.finditer(match["code"])
    )
    place, answer = _answer(lines, index)
    if not asked or not answer:
        return
    if len(asked) == 1:
        values = [answer.strip()]
    else:
        inner = answer.strip()
        inner = inner[1:-1] if inner.startswith("(") and inner.endswith(")") else inner
        values = _VALUE.findall(inner)
    if len(values) != len(asked):
        return
    for (_, axis, question), quoted in zip(asked, values, strict=True):
        value = quoted.strip("'\"")
        if axis == "module":
            name = question["module"]
            yield from package(_ALIASES.get(name, name), value, place)
        else:
            yield from found(axis, value, place)


def _answer(lines: Lines, index: int) -> tuple[int, str | None]:
    """The first line after a question that is not a warning's; an empty or further prompt means no answer."""
    for place in range(index + 1, min(index + 4, len(lines.texts))):
        text = lines.texts[place]
        if _PROMPT.match(text) or not text.strip() or "Traceback" in text or "Error" in text:
            return place, None
        if "Warning" not in text and not text.startswith("  "):
            match = _ANSWER.match(text)
            return place, match["text"] if match else None
    return index, None
