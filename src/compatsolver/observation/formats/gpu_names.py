"""Names of GPUs as they stand in sentences; what a name means is the catalogue's affair."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_BRANDS = (
    "rtx",
    "gtx",
    "tesla",
    "titan",
    "quadro",
    "jetson",
    "thor",
    "spark",
    "radeon",
    "rx ",
    "instinct",
    "arc",
    "apple m",
)
_EDITION = (
    r"(?: ?(?:Ti|SUPER|Super|D|Laptop GPU|Mobile|Max-Q|Ada Generation|Ada|Blackwell|Generation|Server Edition"
    r"|Workstation Edition)\b){0,3}"
)
_LONG = re.compile(
    r"(?:NVIDIA )?(?:GeForce )?\b(?:"
    rf"(?:RTX|GTX)[ -]?(?:PRO )?(?:A?\d{{4}}|\d{{3}}|TITAN X)(?: ?Ti\b)?{_EDITION}(?:[ -]\d{{1,3}} ?GB\b)?"
    r"|Tesla[ -]?[A-Z]\d{1,4}\w?(?:-(?:SXM\d?|PCIE|PCIe)\d?(?:-\d{1,3}GB)?)?"
    r"|TITAN (?:RTX|Xp|X|V|Black|Z)\b"
    r"|Quadro (?:RTX )?[A-Z]{0,2}\d{3,4}\b"
    r"|Jetson (?:AGX |Xavier |Orin )?(?:Thor|Orin|Xavier|Nano|NX|TX[12])(?: (?:Nano|NX|AGX))?)"
    r"|\bNVIDIA Thor\b|\bDGX Spark\b"
    r"|\bAMD Radeon(?: (?:RX|PRO|Pro|VII))?(?: ?\w?\d{3,5}\w{0,3}(?: ?XTX?| GRE)?)?|\bRX \d{4}(?: XTX?)?"
    r"|\b(?:AMD )?Instinct MI\d{2,3}[AX]?\b|\bIntel Arc(?: [AB]\d{3})?|\bApple M[1-5](?: (?:Pro|Max|Ultra))?",
    re.ASCII,
)
_SHORT = re.compile(
    r"(?<![^\s(:|,+x'\"/])(?:NVIDIA )?(?:"
    r"A(?:100|10G|10|16|2|30|40|800)|H(?:100|200|800|20)|B(?:100|200|300)|L(?:40S|40|4|20)|V100|P(?:100|40|4)|T4"
    r"|K(?:80|40m?)|GH200|GB(?:10|200|300)|MI\d{3}[AX]?"
    r")(?:[ -](?:SXM\d?|PCIe|PCIE|NVL|HBM3e?|\d{2,3}GB)\b){0,3}(?![^\s),.;:|+'\"/-])(?!\+\s)",
    re.ASCII,
)
_MAY_BE_SHORT = re.compile(r"[ABHIKLPTV]\d", re.ASCII)


def gpu_names(text: str, lowered: str) -> Iterator[str]:
    """Every name of a GPU in a text; `lowered` is the text in lower case."""
    taken: list[tuple[int, int]] = []
    if any(brand in lowered for brand in _BRANDS):
        for match in _LONG.finditer(text):
            taken.append(match.span())
            yield match[0]
    if _MAY_BE_SHORT.search(text):
        for match in _SHORT.finditer(text):
            if not any(start < match.end() and match.start() < end for start, end in taken):
                yield match[0]
