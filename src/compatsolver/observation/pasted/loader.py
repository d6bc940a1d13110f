"""The dynamic loader's complaints and listings: libraries, symbols and symbol versions, on Linux and Windows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from compatsolver.observation.formats.values import package_name
from compatsolver.observation.pasted.phrases import Found, found, phrase

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compatsolver.observation.pasted.phrases import Lines

_LIBRARY = r"(?:lib)?[\w+.-]{1,80}?\.(?:so(?:\.\d[\w.]{0,30})?|dll|dylib|pyd)"

PHRASES = (
    phrase("cannot open shared object", rf"(?P<missing_library>{_LIBRARY}): cannot open shared object file"),
    phrase("could not load library", rf"Could not load library (?P<missing_library>{_LIBRARY})\b"),
    phrase("could not load dynamic library", rf"Could not load dynamic library '(?P<missing_library>{_LIBRARY})'"),
    phrase("cannot load library", rf"cannot load library:? ['\"]?(?P<missing_library>{_LIBRARY})"),
    phrase(
        "required library version not found", rf"Required library version not found: (?P<missing_library>{_LIBRARY})"
    ),
    phrase(
        "cuda binary",
        r"(?:CUDA binary (?:at|not found at:?) \S{0,12}['\"(]{0,2}\S{0,300}?[/\\]?)"
        r"(?P<missing_library>libbitsandbytes\w+\.\w+)",
    ),
    phrase("=> not found", rf"(?P<missing_library>{_LIBRARY})\s+=> not found"),
    phrase("library", rf"Library (?P<missing_library>{_LIBRARY}) is not found or cannot be loaded"),
    phrase("error loading", r"Error loading \"\S{0,300}?(?P<missing_library>[\w.-]{1,80}\.dll)\""),
    phrase("dll load failed", r"DLL load failed(?: while importing (?P<failing_module>\w{2,60}))?"),
    phrase("dll", r"(?:Could not find module|Failed to load) '\S{0,300}?(?P<missing_library>[\w.-]{1,80}\.dll)'"),
    phrase(
        "was not found",
        r"(?:because|code execution cannot proceed).{0,40}?(?P<missing_library>[\w.-]{1,80}\.dll) was not found",
    ),
    phrase("undefined symbol", r"undefined symbol: (?P<undefined_symbol>[\w@.$]{2,400})"),
    phrase("symbol not found", r"[Ss]ymbol not found: (?P<undefined_symbol>[\w@.$]{2,400})"),
    phrase("cannot load symbol", r"Cannot load symbol (?P<undefined_symbol>\w{2,100})"),
    phrase("undefined reference", r"undefined reference to [`']?(?P<undefined_symbol>\w[\w:@.$<>]{1,300})"),
    phrase("could not get symbol", r"[Cc]ould not (?:get|load) symbol:? '?(?P<undefined_symbol>\w{2,100})"),
    phrase("glibc_", r"version [`']?GLIBC_(?P<glibc_required>\d\.\d{1,3})[`']? not found"),
    phrase("not found", r"version [`']?(?P<libstdcxx_required>(?:GLIBCXX|CXXABI)_\d[\d.]{0,8})[`']? not found"),
    phrase("libstdc++.so.6.0.", r"libstdc\+\+\.so\.(?P<libstdcxx>6\.0\.\d{1,3})\b"),
    phrase("no module named", r"No module named ['\"]?(?P<missing_module>[A-Za-z_][\w.]{0,100})"),
    phrase("cannot import name", r"cannot import name ['\"](?P<missing_module>\w{1,80})['\"] from ['\"]"),
    phrase("while importing", r"while importing (?P<failing_module>[\w.]{2,80})"),
)
_MISSING_OF_SET = re.compile(r"Unable to load any of \{(?P<list>[^}]{3,600})\}")
_IMPORT_NAME = re.compile(
    r"cannot import name ['\"](?P<name>\w{1,80})['\"] from (?:partially initialized module )?['\"]"
    r"(?P<module>[\w.]{1,120})['\"]"
)
_EXTENSION = re.compile(
    r"(?:^|[\s/\\'\"(])(?P<module>[A-Za-z_]\w{1,80})(?:\.cpython-\d{2,3}\w{0,3}[\w-]{0,40}|\.abi3"
    r"|\.cp\d{2,3}-win\w{0,10})?\.(?:so|pyd)\b(?!\.\d)"
)
_PACKAGE_PATH = re.compile(r"(?:site|dist)-packages[/\\](?P<name>[A-Za-z_][\w.]{0,60})[/\\]")
_PATH = re.compile(rf"(?P<path>(?:[A-Za-z]:\\|\.{{0,3}}/)[^\s:'\"]{{0,300}}?{_LIBRARY})(?=[:\s'\")]|$)")
_LISTED = re.compile(
    r"\blib(?:cudart|cudnn\w{0,40}|nccl|cublas\w{0,4}|cusparse\w{0,4}|nvJitLink|nvrtc\S{0,12}?|cuda|nvidia-ml"
    r"|cufft|cusolver|curand|stdc\+\+|torch\w{0,20}|cupti)\.so(?:\.\d{1,3}){0,4}\b"
)
_LISTING = re.compile(
    r"^\s*(?:[\w./+-]{0,200}\.so[\w.]*[\s,]*){1,60}(?:\.{3})?$|=> /|->|\(libc6|^[-lrwx]{10}|^lib\S+\s"
)
_CUDNN_FILE = re.compile(r"libcudnn\.so\.(\d{1,2}\.\d{1,2}(?:\.\d{1,2})?)\b")
_ERROR = re.compile(r"error|undefined symbol|cannot open|not found|could not load|unable to load|failed", re.IGNORECASE)


def read(lines: Lines) -> Iterator[Found]:
    """Libraries that are missing and present, symbols that are undefined, modules and packages that failed."""
    for each in PHRASES:
        yield from each.read(lines)
    for index in lines.having_any(".so", ".dll", ".pyd", "cannot import"):
        text = lines.texts[index]
        if len(text) > 3000:
            continue
        if _ERROR.search(text):
            yield from _failure(text, index)
        elif _LISTING.search(text):
            for name in dict.fromkeys(_LISTED.findall(text)):
                yield Found("present_library", name, index)
        if cudnn := _CUDNN_FILE.search(text):
            yield from found("cudnn", cudnn[1] if cudnn[1].count(".") > 1 else None, index)


def _failure(text: str, index: int) -> Iterator[Found]:
    """The module and package that an error line is about, and the libraries that it names by path."""
    if names := _MISSING_OF_SET.search(text):
        yield Found("missing_library", next(iter(sorted(names["list"].split(","), key=_preference))).strip(), index)
    if wanted := _IMPORT_NAME.search(text):
        yield Found("failing_package", package_name(wanted["module"].split(".")[0]), index)
    for match in _PATH.finditer(text):
        yield from found("library_path", match["path"], index)
    for match in _PACKAGE_PATH.finditer(text):
        yield from found("failing_package", _owner(match["name"]), index)
    for match in _EXTENSION.finditer(text):
        if not match["module"].startswith("lib"):
            yield from found("failing_module", match["module"], index)
            if owner := _EXTENSION_OWNERS.get(match["module"].split("_cuda")[0].lower()):
                yield Found("failing_package", owner, index)


def _preference(name: str) -> int:
    """Of several spellings of one library the one with the major alone is its soname."""
    return abs(name.strip().rpartition(".so")[2].count(".") - 1)


def _owner(directory: str) -> str:
    return _EXTENSION_OWNERS.get(directory.lower(), directory)


_EXTENSION_OWNERS = {
    "flash_attn": "flash-attn",
    "flash_attn_2": "flash-attn",
    "flash_attn_3": "flash-attn",
    "sgl_kernel": "sgl-kernel",
    "common_ops": "sgl-kernel",
    "exllamav2_ext": "exllamav2",
    "transformer_engine_torch": "transformer-engine",
    "transformer_engine": "transformer-engine",
    "selective_scan": "mamba-ssm",
    "selective_scan_cuda": "mamba-ssm",
    "causal_conv1d": "causal-conv1d",
    "fused_layer_norm": "apex",
    "amp_c": "apex",
    "mmcv": "mmcv",
    "_qattn": "sageattention",
    "nvidia": "nvidia",
}
