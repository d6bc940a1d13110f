"""Warnings and errors of PyTorch and of the packages beside it that say what they found."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from compatsolver.observation.formats.values import capability
from compatsolver.observation.pasted.phrases import Found, phrase

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compatsolver.observation.pasted.phrases import Lines

_NAME = r"[A-Z][\w .,()/-]{2,70}?"
_RELEASE = r"\d+\.\d+(?:\.\w+)*(?:\+[\w.]+)?"

PHRASES = (
    phrase(
        "with cuda capability",
        rf"(?P<gpu>{_NAME}) with CUDA capability (?P<compute_capability>sm_\d{{2,3}})[af]?\b",
        flags=0,
    ),
    phrase(
        "supports cuda capabilities",
        r"supports CUDA capabilities (?P<torch_archs>(?:(?:sm|compute)_\d{2,3}[af]?[\s,]{0,4}){1,40})",
        span=3,
    ),
    phrase(
        "found gpu",
        rf"Found GPU\s?\d{{1,3}} (?P<gpu>{_NAME}) which is of (?:cuda|compute) capability(?: \(CC\))? "
        rf"(?P<compute_capability>\d{{1,2}}\.\d)",
        span=3,
        flags=0,
    ),
    phrase(
        "cuda capability supported by",
        r"Minimum and Maximum cuda capability supported by this version of PyTorch is\s{0,4}"
        r"(?P<torch_capability_range>\(\d{1,2}\.\d\)\s?-\s?\(\d{1,2}\.\d\))",
        span=4,
    ),
    phrase(
        "minimum cuda capability",
        r"minimum cuda capability (?:supported by this library|that we support) is "
        r"(?P<torch_capability_range>\d{1,2}\.\d)",
        span=2,
    ),
    phrase("your installed torch", rf"Your installed torch\s?==\s?(?P<torch>{_RELEASE})"),
    phrase("found version", r"driver\b.{0,60}\(found version (?P<driver_cuda>\d{4,5})\)", span=2),
    phrase("cudadriverversion", r"cudaDriverVersion (?P<driver_cuda>\d{4,5})"),
    phrase("cuda version=", r"PyTorch has CUDA Version=(?P<torch_cuda>\d{1,2}\.\d{1,2})"),
    phrase("has cuda version", r"PyTorch has CUDA version (?P<torch_cuda>\d{1,2}\.\d{1,2})"),
    phrase(
        "detected cuda version",
        r"detected CUDA version \((?P<nvcc>[\d.]{1,9})\).{0,40}mismatch.{0,60}used to "
        r"compile\s{1,4}PyTorch \((?P<torch_cuda>[\d.]{1,9})\)",
        span=2,
    ),
    phrase(
        "does not match the version torch",
        r"Installed CUDA version (?P<nvcc>[\d.]{1,9}) does not match the version torch was compiled with "
        r"(?P<torch_cuda>[\d.]{1,9}?)[,\s]",
        span=2,
    ),
    phrase(
        "cudnn version incompatibility",
        r"compiled\s{1,3}against (?P<cudnn_compiled>\([\d, ]{3,14}\)) but (?:linked against|found runtime "
        r"version) (?P<cudnn>\([\d, ]{3,14}\))",
        span=2,
    ),
    phrase("is required but found", rf"PyTorch >= \S{{1,12}} is required but found (?P<torch>{_RELEASE})"),
    phrase("torch >=", rf"torch >= ?\S{{1,12}} \(found (?P<torch>{_RELEASE})\)"),
    phrase(
        "torch detected gpu",
        rf"Torch detected GPU: (?P<gpu>{_NAME}) VRAM (?P<gpu_memory>\d{{3,7}}) Arch "
        rf"(?P<compute_capability>\(\d{{1,2}}, \d\))",
        flags=0,
    ),
    phrase("torch backend:", r"Torch backend: nVidia CUDA (?P<torch_cuda>[\d.]{3,6}) cuDNN (?P<cudnn>\d{4,6})"),
    phrase("device: cuda", rf"Device: cuda:\d{{1,2}} (?P<gpu>{_NAME})(?: :|$)", flags=0),
    phrase(
        "gpu has compute capability",
        rf"Your (?P<gpu>{_NAME}) GPU has compute capability (?P<compute_capability>\d{{1,2}}\.\d)",
        flags=0,
    ),
    phrase("compute capability:", r"[Cc]ompute capability: ?(?P<compute_capability>\d{1,2}\.\d|\d{2,3})\b"),
    phrase("compute capability", r"GPU with compute capability (?P<compute_capability>\d{1,2}\.\d)"),
    phrase("but your gpu has capability", r"but your GPU has capability (?P<compute_capability>\(\d{1,2}, \d\))"),
    phrase("compute_cap", r"compute_cap[ :=]{1,3}(?P<compute_capability>\d{1,2}\.\d)"),
    phrase(
        "compute capability",
        rf"Device \d{{1,2}}: (?P<gpu>{_NAME}), compute capability (?P<compute_capability>\d{{1,2}}\.\d)",
        flags=0,
    ),
    phrase(
        "pci bus id:",
        rf"name: (?P<gpu>{_NAME}), pci bus id: \S{{4,20}}, compute capability: (?P<compute_capability>\d{{1,2}}\.\d)",
        flags=0,
    ),
    phrase(
        "driver version / runtime",
        r"CUDA Driver Version / Runtime Version\s{1,20}(?P<driver_cuda>[\d.]{3,6}) / (?P<cudart>[\d.]{3,6})",
    ),
    phrase("max memory:", rf"GPU: (?P<gpu>{_NAME})\. (?:Num GPUs = (?P<device_count>\d+)\. )?Max memory:", flags=0),
    phrase(
        "cuda toolkit",
        rf"(?:Py)?torch: (?P<torch>{_RELEASE})\. CUDA(?::| =) (?P<compute_capability>\d{{1,2}}\.\d)\. CUDA "
        rf"Toolkit(?::| =) (?P<torch_cuda>\d{{1,2}}\.\d)",
    ),
    phrase("llm engine (v", rf"LLM engine \(v(?P<vllm>{_RELEASE})\)"),
    phrase("vllm api server version", rf"vLLM API server version (?P<vllm>{_RELEASE})"),
    phrase("nccl version", r"\bNCCL version (?P<nccl>\d\.\d{1,2}\.\d{1,2}(?:\+cuda\d{1,2}\.\d{1,2})?)"),
    phrase(
        "highest compute capability",
        r"Highest compute capability(?: among GPUs detected)?: (?P<compute_capability>\d{1,2}\.\d)",
    ),
    phrase(
        "highest_compute_capability",
        r"highest_compute_capability=(?P<compute_capability>\(\d{1,2}, \d\)), cuda_version_string='"
        r"(?P<torch_cuda>\d{2,4})'",
    ),
    phrase("cuda_version=", r"PyTorch settings found: CUDA_VERSION=(?P<torch_cuda>\d{2,4})"),
    phrase("detected cuda version", r"CUDA SETUP: Detected CUDA version (?P<cudart>\d{2,4})"),
    phrase("torch not compiled with cuda", r"Torch not compiled with CUDA enabled", torch_cuda="none"),
    phrase(
        "torch.cuda.is_available()",
        r"torch\.cuda\.is_available\(\)\s{0,4}(?:[:=]|->|is|returns|returned|gives)\s{0,3}"
        r"(?P<cuda_available>True|False)",
    ),
    phrase("is_available() is", r"(?:torch\.cuda\.)?is_available\(\) is (?P<cuda_available>True|False)"),
    phrase(
        "torch.version.cuda",
        r"torch\.version\.cuda\s{0,4}(?:[:=]{1,2}|->|is|\s)\s{0,3}['\"]?(?P<torch_cuda>\d{1,2}\.\d|None)",
    ),
    phrase(
        "torch.__version__",
        r"torch\.__version__\)?\s{0,3}(?:[:=]{1,2}|->|is|prints?|returns?|gives|shows)\s{0,3}['\"]?"
        rf"(?P<torch>{_RELEASE})",
    ),
    phrase("cuda available", r"\bCUDA (?:is )?available\W{1,4}(?P<cuda_available>True|False)\b"),
    phrase("gpu available:", r"GPU available: (?P<cuda_available>True|False)"),
)
_BUILT_FOR = re.compile(r"^\s*[-*] (?:CC )?(\d{1,2}\.\d) which supports hardware CC")
_ARCH_LIST = re.compile(
    r"[\[(]\s?['\"](?:sm|compute)_\d{2,3}[af]?['\"](?:,\s?['\"](?:sm|compute)_\d{2,3}[af]?['\"]){0,40}\s?[\])]"
)


def read(lines: Lines) -> Iterator[Found]:
    """Values that the messages name."""
    for each in PHRASES:
        yield from each.read(lines)
    yield from _arch_lists(lines)
    yield from _hardware_list(lines)


def _arch_lists(lines: Lines) -> Iterator[Found]:
    """A Python list of architectures is what `torch.cuda.get_arch_list()` returns."""
    for index in lines.having("_"):
        text = lines.texts[index]
        if "sm_" in text and (match := _ARCH_LIST.search(text)):
            names = re.findall(r"(?:sm|compute)_\d{2,3}[af]?", match[0])
            yield Found("torch_archs", " ".join(dict.fromkeys(names)), index)


def _hardware_list(lines: Lines) -> Iterator[Found]:
    """The newer warning lists one capability a line: what the build was made for and which hardware that serves."""
    names: list[str] = []
    first = 0
    for index in lines.having("which supports hardware cc"):
        match = _BUILT_FOR.match(lines.texts[index])
        built = capability(match[1]) if match else None
        if built:
            first = first if names else index
            names.append(f"sm_{built.replace('.', '')}")
    if names:
        yield Found("torch_archs", " ".join(dict.fromkeys(names)), first)
