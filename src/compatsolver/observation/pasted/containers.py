"""Containers: images and what their tags promise, Dockerfiles, the container runtime's refusals, hosted notebooks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from compatsolver.observation.pasted.phrases import Found, found, package, phrase
from compatsolver.observation.pasted.statements import is_statement

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compatsolver.observation.pasted.phrases import Lines

_PATH = r"[a-z0-9.][\w./-]{1,120}"
_KNOWN = r"(?:nvidia|pytorch|vllm|huggingface|runpod|lmsysorg|rocm|tensorflow|nvcr\.io|ghcr\.io|quay\.io|docker\.io)/"
_IMAGE = re.compile(
    rf"(?:\bFROM(?:\s--platform=\S{{1,40}})?\s{{1,4}}|\bimage\b\s{{0,4}}[:=]\s{{0,4}}\"?"
    rf"|\bbase\b\s{{0,4}}[:=]\s{{0,4}})(?P<named>{_PATH}(?::[\w.-]{{1,120}})?)"
    rf"|(?<![\w/.@:-])(?P<known>{_KNOWN}{_PATH}(?::[\w.-]{{1,120}})?)",
    re.ASCII,
)
_NEEDLES = (
    *("from ", "image", "base", "docker", "podman", "nerdctl", "singularity", "apptainer", "enroot", "nvcr.io"),
    *("ghcr.io", "nvidia/", "pytorch/", "vllm/", "huggingface/", "runpod/", "lmsysorg/", "rocm/"),
    *("tensorflow/", "quay.io"),
)
_RUN = re.compile(r"\b(?P<tool>docker|podman|nerdctl|singularity|apptainer|enroot)\s(?:run|exec|compose|build)\b")
_TAG_CUDA = re.compile(
    r"(?:^|[^a-z])(?:cuda|cu)[-_]?(?P<cuda>\d{1,2}\.\d{1,2}(?:\.\d{1,2})?|1[0-3]\d{1,2}(?!\d)|1[0-3](?![\d.]))"
)
_IS_STEP = re.compile(r"\bFROM\b|\b(?:docker|podman|image)\b.{0,12}\b(?:run|pull|build)\b")
_TAG_CUDNN = re.compile(r"cudnn(?P<cudnn>\d{1,2})(?!\d)")
_TAG_SYSTEM = re.compile(r"(?P<name>ubuntu|rockylinux|ubi|centos|debian)(?P<version>\d{1,2}(?:\.\d{2})?)")
_TAG_PYTHON = re.compile(r"(?:^|[-_:])py(?:thon)?(?P<python>3\.\d{1,2})")
_TAG_TORCH = re.compile(r"(?:torch|pytorch)[-_]?(?P<torch>\d\.\d{1,2}(?:\.\d{1,2})?)")

PHRASES = (
    phrase("unsatisfied condition", r"unsatisfied condition: cuda\s?>=\s?(?P<required_cuda>\d{1,2}\.\d{1,2})"),
    phrase("nvidia_require_cuda", r"NVIDIA_REQUIRE_CUDA\s?=\s?\"?cuda>=(?P<required_cuda>\d{1,2}\.\d{1,2})"),
    phrase(
        "image",
        r"(?:CUDA|cuda)[- ](?P<container_cuda>\d{1,2}(?:\.\d{1,2}){0,2})(?:\.x)? (?:docker |container |base "
        r"|devel )?image",
    ),
    phrase("cuda:", r"container image CUDA: (?P<container_cuda>\d{1,2}\.\d{1,2})"),
    phrase("container", r"container:? (?:with )?CUDA:? (?P<container_cuda>\d{1,2}\.\d{1,2})"),
    phrase("cuda_version", r"\bCUDA_VERSION=[\"']?(?P<container_cuda>\d{1,2}\.\d{1,2}\.\d{1,3})"),
    phrase("kaggle", r"/kaggle/(?:input|working)|\bKAGGLE_\w{3,30}=", container="Kaggle notebook"),
    phrase("google.colab", r"google\.colab|/content/drive", container="Google Colab"),
)


def read(lines: Lines) -> Iterator[Found]:
    """Images, with the versions that their tags tell, and what a runtime asks for."""
    for each in PHRASES:
        yield from each.read(lines)
    for index in lines.having_any(*_NEEDLES):
        text = lines.texts[index]
        if len(text) > 1500:
            continue
        images = [match["named"] or match["known"] for match in _IMAGE.finditer(text)]
        run = _RUN.search(text) if not images else None
        if not (images or run) or not (_IS_STEP.search(text) or is_statement(text)):
            continue
        for image in filter(_is_image, images):
            yield from of_image(image, index)
        if run:
            yield Found("container", run["tool"], index)


def of_image(image: str, index: int) -> Iterator[Found]:
    """The image, and what its tag promises; a development image has the compiler too."""
    yield Found("container", image, index)
    name, _, tag = image.rpartition(":") if ":" in image or "/" not in image else (image, "", "")
    told = f"cuda{tag}" if name.endswith("/cuda") or name == "cuda" else tag or name
    if cuda := _TAG_CUDA.search(told):
        yield from found("container_cuda", spread(cuda["cuda"]), index)
        if "devel" in tag:
            yield from found("nvcc", cuda["cuda"] if "." in cuda["cuda"] else None, index)
        if name == "pytorch/pytorch":
            yield from found("torch_cuda", cuda["cuda"], index)
    if cudnn := _TAG_CUDNN.search(tag):
        yield Found("container_cudnn", cudnn["cudnn"], index)
    if system := _TAG_SYSTEM.search(tag):
        yield Found("os", f"{system['name'].capitalize()} {system['version']}", index)
    if python := _TAG_PYTHON.search(tag):
        yield Found("python", python["python"], index)
    if name == "pytorch/pytorch" and (release := re.match(r"\d\.\d{1,2}\.\d{1,2}", tag)):
        yield from package("torch", release[0], index)
    elif torch := _TAG_TORCH.search(told):
        yield from package("torch", torch["torch"], index)
    elif name.startswith("vllm/") and (release := re.match(r"v(\d+\.\d+\.\d+\S{0,10})$", tag)):
        yield from package("vllm", release[1], index)


def spread(level: str) -> str:
    """How image tags write levels: `12.8` for 128, `12.8.1` for 1281, `12` alone."""
    return level if "." in level else ".".join((level[:2], *level[2:]))


def _is_image(image: str) -> bool:
    """A path of the source tree or of a web page is no image."""
    return ("/" in image or ":" in image or "cuda" in image) and not re.search(
        r"\.(?:py|html?|git|md|io/en|sh|ya?ml|whl|cpp|so)\b", image.lower()
    )
