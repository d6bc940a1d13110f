"""Compilers and what they refuse: nvcc, ptxas, gcc, clang, MSVC, CMake and the build scripts around them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from compatsolver.observation.pasted.phrases import Found, phrase

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compatsolver.observation.pasted.phrases import Lines

PHRASES = (
    phrase(
        "cuda compilation tools",
        r"Cuda compilation tools, release \d{1,2}\.\d{1,2}, V(?P<nvcc>\d{1,2}\.\d{1,2}\.\d{1,3})",
    ),
    phrase("cuda compilation tools", r"Cuda compilation tools, release (?P<nvcc>\d{1,2}\.\d{1,2})(?!\d|, V)"),
    phrase("build cuda_", r"Build cuda_(?P<nvcc>\d{1,2}\.\d{1,2})\.r"),
    phrase(
        "nvcc",
        r"\bnvcc(?: -V| --version| version| release)?\s{0,12}(?:->|[:=]|is)?\s{0,12}(?:release |version )?V?"
        r"(?P<nvcc>\d{1,2}\.\d{1,2}(?:\.\d{1,3})?)(?![\w.])",
    ),
    phrase(
        "cuda toolkit",
        r"CUDA[ -]toolkit(?: version)?[ :=]{1,3}v?(?P<nvcc>\d{1,2}\.\d{1,2}(?:\.\d{1,3})?)(?= installed|[\s,;)]|$)",
    ),
    phrase("toolkit", r"CUDA (?P<nvcc>\d{1,2}\.\d{1,2}(?:\.\d{1,3})?) (?:driver/)?toolkit"),
    phrase("nvcc:", r"nvcc: (?:command )?not found", nvcc="none"),
    phrase("nvcc", r"'nvcc' is not recognized", nvcc="none"),
    phrase(
        "nvcc",
        r"nvcc was not found|Could not find nvcc|nvcc not found|No such file or directory: '[^'\n]{0,200}nvcc'",
        nvcc="none",
    ),
    phrase("cuda_home", r"CUDA_HOME environment variable is not set", cuda_home="none"),
    phrase("cuda_home", r"CUDA_HOME does not exist|CUDA_HOME is not set|No CUDA toolkit found", cuda_home="none"),
    phrase("unsupported gpu architecture", r"Unsupported gpu architecture '(?P<unsupported_arch>\w{5,14})'"),
    phrase(
        "is not defined for option",
        r"[Vv]alue '(?P<unsupported_arch>(?:sm|compute)_\w{2,5})' is not defined for option",
    ),
    phrase("not a recognized processor", r"'(?P<unsupported_arch>sm_\w{2,5})' is not a recognized processor"),
    phrase("unknown cuda arch", r"Unknown CUDA arch \((?P<unsupported_arch>\d[\d.]{1,4}[a-z]?)\)"),
    phrase("ptxas", r"ptxas[^\n]{0,40}release \d{1,2}\.\d{1,2}, V(?P<ptxas>\d{1,2}\.\d{1,2}\.\d{1,3})"),
    phrase("gcc versions later than", r"gcc versions later than (?P<gcc_limit>\d{1,2}(?:\.\d)?) are not supported"),
    phrase("unsupported gnu version", r"unsupported GNU version! gcc 4\.9 and up", gcc_limit="4.8"),
    phrase("got cuda version", r"got cuda version (?P<nvcc>\d{1,2}\.\d{1,2})"),
    phrase("gcc", r"\bgcc(?:-\d{1,2})? \([^)\n]{1,80}\) (?P<gcc>\d{1,2}\.\d{1,2}\.\d{1,2})"),
    phrase("gcc", r"\b(?:gcc|g\+\+) version (?:is )?(?P<gcc>\d{1,2}\.\d{1,2}\.\d{1,2})"),
    phrase("gcc", r"(?<!\[)\b(?:gcc|g\+\+)[ :=/-]{1,3}v?(?P<gcc>\d{1,2}(?:\.\d{1,2}){1,2})(?![\w.]| and up)"),
    phrase(
        "the c",
        r"The (?:C|CXX|CUDA) compiler identification is (?:GNU (?P<gcc>\d[\d.]{2,8})|NVIDIA "
        r"(?P<nvcc>\d[\d.]{2,10})|Clang (?P<clang>\d[\d.]{2,8})|MSVC (?P<msvc>\d[\d.]{2,12}))",
    ),
    phrase("clang version", r"\bclang version (?P<clang>\d{1,2}\.\d{1,2}(?:\.\d{1,2})?)"),
    phrase("cmake version", r"\bcmake version (?P<cmake>\d\.\d{1,2}(?:\.\d{1,2})?)"),
    phrase("optimizing compiler version", r"Optimizing Compiler Version (?P<msvc>\d{2}\.\d{2}[\d.]{0,10})"),
    phrase("msvc", r"[\\/]MSVC[\\/](?P<msvc>14\.\d{2}\.\d{1,6})"),
    phrase(
        "visual studio", r"(?<!Microsoft )(?P<msvc>Visual Studio (?:Build Tools )?20\d\d)(?! and| \(incl|,? or newer)"
    ),
    phrase("found cuda", r"Found CUDA: \S{1,80} \(found (?:suitable )?version \"(?P<nvcc>\d[\d.]{2,8})\""),
    phrase(
        "found cudatoolkit", r"Found CUDAToolkit: \S{1,120} \(found (?:suitable )?version \"(?P<nvcc>\d[\d.]{2,8})\""
    ),
)
_GENCODE = re.compile(r"-gencode[= ;]\S{0,4}arch=(compute_\d{2,3}[af]?),code=\W{0,3}((?:sm|compute)_\d{2,3}[af]?)")
_ARCH_LIST = re.compile(r"TORCH_CUDA_ARCH_LIST\s{0,3}[=:]\s{0,3}[\"']?([\d.;, +PTXaf]{3,120})")


def read(lines: Lines) -> Iterator[Found]:
    """Releases of compilers, their limits, the architectures that a build asks for."""
    for each in PHRASES:
        for one in each.read(lines):
            if "linux version" not in lines.lowered[one.at]:  # there it is the compiler of the kernel
                yield one
    for index in lines.having("-gencode"):
        names = [name for pair in _GENCODE.findall(lines.texts[index]) for name in pair]
        if names:
            yield Found("build_archs", " ".join(dict.fromkeys(names)), index)
    for index in lines.having("torch_cuda_arch_list"):
        if match := _ARCH_LIST.search(lines.texts[index]):
            numbers = re.findall(r"(\d{1,2})\.(\d)([af]?)(\+PTX)?", match[1])
            names = [f"sm_{major}{minor}{suffix}" for major, minor, suffix, _ in numbers]
            names += [f"compute_{major}{minor}" for major, minor, _, ptx in numbers if ptx]
            if names:
                yield Found("build_archs", " ".join(names), index)
