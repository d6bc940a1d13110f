"""An environment document's free texts as observations: "2x RTX 5070", "docker, CUDA 12.1", "+cu121 (2.1.0)"."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from compatsolver.model.component import NONE
from compatsolver.model.observation import AXES, DOCUMENT, PACKAGE, VARIABLE, Observation, Reading
from compatsolver.model.probed import is_told_by_driver
from compatsolver.observation.contradictions import contradictions
from compatsolver.observation.faults import DISAGREEMENT
from compatsolver.observation.formats.values import normalised, package_name, release
from compatsolver.observation.pasted.containers import of_image, spread
from compatsolver.observation.pasted.secrets import redacted
from compatsolver.observation.target import driver_number, glibc_version, is_negative, is_wsl, python_version, target_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compatsolver.model.environment import Environment

_LEVEL = re.compile(r"(?<![\w.])\d{1,2}(?:\.\d{1,3}){1,2}(?![\w.])", re.ASCII)
_COUNT = re.compile(r"^\s*(\d{1,3})\s?[x×*]\s", re.ASCII)
_MIG = re.compile(r"\b\d{1,2}g\.\d{1,3}gb\b", re.IGNORECASE | re.ASCII)
_L4T = re.compile(r"\b(?:L4T|R)\s?R?(\d{2}\.\d{1,2}(?:\.\d{1,2})?)", re.ASCII)
_JETPACK = re.compile(r"\bJetPack\s?(\d(?:\.\d){0,2})", re.IGNORECASE | re.ASCII)
_WINDOWS_BUILD = re.compile(r"\b(?:10\.0\.)?(\d{5}(?:\.\d{1,5})?)\b", re.ASCII)
_CONTAINER_CUDA = re.compile(
    r"\b(?:CUDA[ -]?|cu)(\d{1,2}\.\d{1,2}(?:\.\d{1,2})?|1[0-3]\d{1,2}|1[0-3])\b", re.IGNORECASE | re.ASCII
)
_IMAGE_WORD = re.compile(
    r"[\w.-]{0,60}(?:/[\w./-]{1,100}|cuda[\w.-]{2,60}|:[\w.-]{3,60}|-cu\d{3}[\w.-]{0,60}"
    r"|cu\d{3,4}-[\w.-]{2,60})[\w.:-]{0,80}",
    re.ASCII,
)
_VLLM = re.compile(r"\b(?P<name>vllm|sglang) v?(?P<version>\d+\.\d+\.\d+)", re.IGNORECASE | re.ASCII)
_WISH = re.compile(
    r"(?:===?|>=|<=|~=|!=|<|>)\s?\d[\w.*+]{0,40}(?:\s?,\s?(?:==|>=|<=|~=|!=|<|>)\s?\d[\w.*+]{0,40}){0,4}", re.ASCII
)
_NEEDS = re.compile(
    r"(?:needs|requires|depends on)\s(?P<other>[A-Za-z][\w.-]{0,60})\s?(?P<wish>(?:===?|>=|<=|~=|!=|<"
    r"|>)\s?[\w.,<>=!~*+]{1,60})",
    re.ASCII,
)
_RELEASE = re.compile(r"(?<![\w.+/])v?\d+(?:\.\w+)+(?:\.[xX*])?(?:[+-][\w.+]+)?(?![\w/])", re.ASCII)
_BUILD = re.compile(r"(?<![\w.])\+?(cu\d{2,3}|cpu|rocm[\d.]+)\b(?! dll)", re.IGNORECASE | re.ASCII)


def observations_of(environment: Environment) -> Reading:
    """What the document says, in normal notation; what a text does not say clearly is in `not_understood`."""
    observations = []
    odd = list(environment.not_understood)
    for axis, value, quote in _all(environment):
        text = value if value.isascii() and axis.startswith((PACKAGE, VARIABLE)) else " ".join(value.split())
        observations.append(Observation(axis, redacted(text), DOCUMENT, 0, redacted(quote)[:200]))
    smi = environment.nvidia_smi_cuda or ""
    if smi and not _stated_level(smi):
        odd.append(f"nvidia_smi_cuda: {smi!r} does not say for certain which CUDA version nvidia-smi shows")
    observations += _observed(environment)
    kept = tuple(dict.fromkeys(observations))
    readers = (DOCUMENT,) if kept else ()
    told = [fault.summary for fault in environment.findings if fault.kind == DISAGREEMENT]
    findings = tuple(fault for fault in environment.findings if fault.kind != DISAGREEMENT)
    return Reading(
        observations=kept,
        text=_failures(environment),
        readers=readers,
        not_understood=tuple(odd),
        contradictions=(*contradictions(kept), *told),
        findings=findings,
    )


def _observed(environment: Environment) -> Iterator[Observation]:
    """What was read from a machine and has no key of its own in the document, each with how it was got."""
    keys = {"wsl", "container", "platform", *environment._fields, "driver_cuda", "msvc"}
    for row in environment.observed:
        if row.value not in (None, NONE) and row.axis not in keys and row.axis in AXES:
            yield Observation(row.axis, row.value or "", redacted(row.how), 0, f"{row.axis}: {row.value}")


def _failures(environment: Environment) -> str:
    """Why sources could not tell a GPU, in their own words, among which are the messages of symptoms."""
    if is_told_by_driver(environment.observed):
        return ""
    return "\n".join(redacted(row.how) for row in environment.observed if row[:2] == ("gpu", None))


def _all(environment: Environment) -> Iterator[tuple[str, str, str]]:
    """Axis, value and the text it came from."""
    yield from _hardware(environment)
    yield from _system(environment)
    yield from _tools(environment)
    for name, text in environment.packages.items():
        for axis, value in _package(name, text):
            yield axis, value, f"{name}: {text}"
    for name, text in environment.env.items():
        yield VARIABLE + name, text, f"{name}={text}"


def _hardware(environment: Environment) -> Iterator[tuple[str, str, str]]:
    names = target_of(environment._replace(compute_capability=None)).gpus or ()
    whole = ", ".join(environment.gpu or ())
    for name in names:
        yield "gpu", _COUNT.sub("", name), whole
    counts = [_COUNT.match(name) for name in names]
    if any(counts):
        yield "device_count", str(sum(int(count[1]) if count else 1 for count in counts)), whole
    for text in environment.gpu or ():
        for slice_ in _MIG.findall(text):
            yield "mig", slice_.lower(), text
    if environment.gpu == ():
        yield "device_count", "0", "gpu: none"
    for text in environment.compute_capability or ():
        if value := normalised("compute_capability", text):
            yield "compute_capability", value, text
    for axis, told in (("driver", environment.driver or ""), ("kernel_module", environment.kernel_module or "")):
        if number := (normalised("driver", told) or driver_number(told)):
            yield axis, number, told
    if level := _stated_level(environment.nvidia_smi_cuda or ""):
        yield "driver_cuda", level, environment.nvidia_smi_cuda or ""


def _stated_level(text: str) -> str | None:
    """The one level that a text states; a question mark or another owner ("toolkit") makes it none."""
    levels = set(_LEVEL.findall(text))
    return levels.pop() if len(levels) == 1 and not re.search(r"\?|toolkit|runtime|nvcc", text) else None


def _system(environment: Environment) -> Iterator[tuple[str, str, str]]:
    told = environment.os or ""
    if told:
        yield "os", told, told
    if told and (jetpack := _JETPACK.search(told)):
        yield "jetpack", jetpack[1], told
    if told and (l4t := _L4T.search(told)):
        yield "l4t", l4t[1], told
    if "windows" in told.casefold() and (build := _WINDOWS_BUILD.search(told)):
        yield "windows_build", f"10.0.{build[1]}", told
    if environment.arch and (arch := re.search(r"x86[_-]64|amd64|aarch64|arm64", environment.arch.casefold())):
        yield "arch", normalised("arch", arch[0]) or arch[0], environment.arch
    target = target_of(environment)
    if target.platform and "platform" not in target.assumed:
        yield "platform", target.platform, " ".join(filter(None, (environment.os, environment.arch)))
    if is_wsl(environment):
        generation = re.search(r"WSL ?([12])", f"{told} {environment.wsl}", re.IGNORECASE)
        yield "wsl", generation[1] if generation else "yes", f"wsl: {environment.wsl}"
    for axis, text, value in (
        ("python", environment.python or "", _python(environment.python or "")),
        ("glibc", environment.glibc or "", glibc_version(environment.glibc or "")),
    ):
        if value:
            yield axis, value, text


def _python(text: str) -> str | None:
    whole = re.fullmatch(r"\s*(?:C?Python )?(3\.\d{1,2}\.\d{1,2}t?)\s*", text, re.ASCII)
    return whole[1] if whole else python_version(text)


def _tools(environment: Environment) -> Iterator[tuple[str, str, str]]:
    if environment.nvcc:
        yield from _compiler("nvcc", environment.nvcc)
    if environment.gcc:
        yield from _compiler(
            "msvc" if re.search(r"visual|msvc|\bvs\b", environment.gcc, re.IGNORECASE) else "gcc", environment.gcc
        )
    text = environment.container or ""
    if not text or is_negative(text):
        return
    yield "container", text, text
    levels = set(map(spread, _CONTAINER_CUDA.findall(text)))
    for word in _IMAGE_WORD.findall(text):
        for axis, value, _, _ in of_image(word.strip(".,"), 0):
            if (axis != "container" and axis != "container_cuda") or (axis == "container_cuda" and not levels):
                yield axis, value, text
    if len(levels) == 1:
        yield "container_cuda", levels.pop(), text
    if engine := _VLLM.search(text):
        yield PACKAGE + engine["name"].lower(), engine["version"], text


def _compiler(axis: str, text: str) -> Iterator[tuple[str, str, str]]:
    """A release; "11.x" is `11`; of a range nothing is known for certain."""
    if is_negative(text):
        yield axis, "none", text
    elif axis == "msvc":
        yield axis, text, text
    elif len(numbers := re.findall(r"\d{1,2}(?:\.\d{1,3}){0,2}", text)) == 1:
        yield axis, numbers[0], text


def _package(name: str, text: str) -> Iterator[tuple[str, str]]:
    """The release and build, or what was asked for, or `*` where the package is there and nothing more is told."""
    name = package_name(re.sub(r"\s*\(.*", "", name))
    axis = PACKAGE + name
    needs = _NEEDS.search(text)
    outside = re.sub(r"\([^)]*\)", " ", text)
    releases = list(dict.fromkeys(_RELEASE.findall(outside)))
    wish = _WISH.search(outside)
    if is_negative(text):
        return
    if whole := release(text):
        yield axis, whole
    elif wish or "requested" in text:
        yield "requested", name + (wish[0].replace(" ", "") if wish else f"=={releases[0]}" if releases else "")
    else:
        releases = releases or ([] if _WISH.search(text) else list(dict.fromkeys(_RELEASE.findall(text))))
        build = _BUILD.search(text)
        told = release(releases[0]) if len(releases) == 1 else None
        if told and build and "+" not in told and not told.endswith("*"):
            told = f"{told}+{build[1].lower()}"
        yield axis, told or (f"+{build[1].lower()}" if build else "*")
    if needs:
        version = release(releases[0]) if releases else "*"
        yield (
            "declared",
            f"{name} {version} requires {package_name(needs['other'])}{needs['wish'].replace(' ', '').rstrip(',')}",
        )
