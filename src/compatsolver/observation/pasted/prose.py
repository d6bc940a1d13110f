"""What people write in their own words: "RTX 3080, driver 528.24, torch 2.1.0+cu121, Windows 10".

Only words that say what a number is count. A line about what is advised, tried elsewhere or required is no statement
about this machine.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from compatsolver.observation.pasted.phrases import Found, found, package
from compatsolver.observation.pasted.report_keys import PACKAGES
from compatsolver.observation.pasted.statements import is_statement

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compatsolver.observation.pasted.phrases import Lines

_SUFFIX = r"(?: ?(?:Ti|SUPER|Super|D|Laptop GPU|Mobile|Max-Q|Ada Generation|Ada|Blackwell|Generation|Server Edition|Workstation Edition)\b){0,3}"
_SIZE = r"(?:[ -]\d{1,3} ?GB\b)?"
GPU = re.compile(
    rf"(?:NVIDIA )?(?:GeForce )?\b(?:RTX|GTX)[ -]?(?:PRO )?(?:A?\d{{4}}|\d{{3}}|TITAN X)(?: ?Ti\b)?{_SUFFIX}{_SIZE}"
    rf"|(?:NVIDIA )?\bTesla[ -]?[A-Z]\d{{1,4}}\w?(?:-(?:SXM\d?|PCIE|PCIe)\d?(?:-\d{{1,3}}GB)?)?"
    rf"|(?:NVIDIA )?\bTITAN (?:RTX|Xp|X|V|Black|Z)\b|(?:NVIDIA )?\bQuadro (?:RTX )?[A-Z]{{0,2}}\d{{3,4}}\b"
    rf"|(?:NVIDIA )?\b(?:A|H|B|L|V|P|T|K|GH|GB|A800|H800|H20)(?:10G|40S|100|200|300|800|10|16|20|30|40|80|4|2)(?:m)?\b(?:[ -](?:SXM\d?|PCIe|PCIE|NVL|HBM3e?|80GB|40GB|96GB|141GB)\b){{0,3}}"
    rf"|(?:NVIDIA )?\bJetson (?:AGX |Xavier |Orin )?(?:Thor|Orin|Xavier|Nano|NX|TX[12])(?: (?:Nano|NX|AGX))?|\bNVIDIA Thor\b|\bDGX Spark\b"
    rf"|\bAMD Radeon(?: (?:RX|PRO|Pro|VII))?(?: ?\w?\d{{3,5}}\w{{0,3}}(?: ?XTX?| XT| GRE)?)?|\bRX \d{{4}}(?: XTX?)?|\b(?:AMD )?(?:Instinct )?MI\d{{2,3}}[AX]?\b"
    rf"|\bIntel Arc(?: [AB]\d{{3}})?|\bApple M[1-5](?: (?:Pro|Max|Ultra))?",
    re.ASCII,
)
_SHORT = re.compile(r"^(?:NVIDIA )?[A-Z]{1,2}\d{1,3}[A-Z]?$", re.ASCII)
_SPOKEN = PACKAGES - {"datasets", "ray", "lightning", "apex", "outlines", "ninja", "dgl", "onnx"}
_NAMES = "|".join(sorted((re.escape(name).replace(r"\-", "[-_ ]") for name in _SPOKEN), key=len, reverse=True))
_PACKAGE = re.compile(
    rf"(?<![\w./-])(?P<name>{_NAMES})(?: version| 版本|版本)?(?:\s{{0,4}}(?:[:=]|==|is|为|是)\s{{0,4}}|\s{{1,8}}|-v?(?=\d))"
    r"\(?v?(?P<version>\d{1,4}(?:\.\w{1,12}){1,5}(?:\+[\w.]{2,20})?)(?![\w%])(?P<build> \((?:cu\d{2,3}|cpu|CUDA \d{1,2}\.\d)\))?",
    re.IGNORECASE | re.ASCII,
)
_DRIVER = re.compile(
    r"(?:\bdriver(?:[ _]version)?|驱动(?:版本)?)(?:\s{0,3}[:=]\s{0,3}|\s(?:is |version )?|)(?:R)?(?P<driver>\d{3}(?:\.(?:\d{1,3}|x{1,3})){1,2}|\d{3}(?=\s?(?:branch|series|[,;)\s]|$)))(?![\d.]*\d)"
    r"|(?:NVIDIA )?(?P<before>\d{3}\.\d{2,3}(?:\.\d{2})?) (?:NVIDIA )?driver\b",
    re.IGNORECASE | re.ASCII,
)
_CEILING = re.compile(
    r"nvidia-smi\b[^\n]{0,40}?\bCUDA(?: version)?[ :=]{1,4}(?P<after>\d{1,2}\.\d)|CUDA(?: version)?[ :=]{1,4}(?P<before>\d{1,2}\.\d)\s{0,4}\(?(?:nvidia-smi|from nvidia-smi|driver)"
    r"|driver\b[^\n]{0,30}?\bCUDA Version: (?P<header>\d{1,2}\.\d)",
    re.IGNORECASE,
)
_WHEEL_CUDA = re.compile(
    r"\b(?:torch|pytorch)\b(?: nightly| build| wheel|\s)(?:[^\n,;]{0,12}?)\b(?P<build>cu\d{2,3})\b", re.IGNORECASE
)
_PYTHON = re.compile(
    r"\bpython ?(?:==|=|:|version)? ?(?P<python>3\.\d{1,2}(?:\.\d{1,2})?)(?![\w.*])|\bpy(?P<short>3\d{1,2})\b",
    re.IGNORECASE | re.ASCII,
)


def read(lines: Lines) -> Iterator[Found]:
    """Statements about this machine, line by line."""
    for index, text in enumerate(lines.texts):
        if not 3 < len(text) < 600:
            continue
        for part in re.split(r"\s#\s", text):
            stated = is_statement(part)
            yield from _hardware(part, index, stated)
            if stated:
                yield from _software(part, index)


def _hardware(text: str, index: int, stated: bool) -> Iterator[Found]:
    if stated:
        for match in GPU.finditer(text):
            if not _SHORT.match(match[0]) or _stands_alone(text, match):
                yield from found("gpu", match[0], index)
    for match in _DRIVER.finditer(text):
        if stated:
            yield from found("driver", match["driver"] or match["before"], index)
    for match in _CEILING.finditer(text):
        yield from found("driver_cuda", match["after"] or match["before"] or match["header"], index)


def _stands_alone(text: str, match: re.Match[str]) -> bool:
    """A short name such as T4 must not be part of a path, a list of letters or an expression."""
    before = text[match.start() - 1] if match.start() else " "
    after = text[match.end()] if match.end() < len(text) else " "
    return before in " (:|,+x×'\"/" and after in " ),.;:|+'\"/-"


def _software(text: str, index: int) -> Iterator[Found]:
    for match in _PACKAGE.finditer(text):
        name = re.sub(r"[_ ]", "-", match["name"].lower())
        version = match["version"].rstrip(".")
        build = re.search(r"cu\d{2,3}|cpu", match["build"] or "")
        if build and "+" not in version and name in ("torch", "pytorch", "torchvision", "torchaudio"):
            version = f"{version}+{build[0]}"
        yield from package(name, version, index)
    told = re.compile(r"torch\W{1,4}v?\d", re.IGNORECASE).search(text)
    for match in _WHEEL_CUDA.finditer(text) if not told else ():
        yield from found("package:torch", match["build"], index)
    for match in _PYTHON.finditer(text):
        yield from found("python", match["python"] or f"3.{match['short'][1:]}", index)
