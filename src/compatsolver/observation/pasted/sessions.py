"""Installers at work: commands, what they found, took away and put in, and why they could not."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from compatsolver.observation.formats.values import package_name
from compatsolver.observation.formats.wheel_names import wheels_in
from compatsolver.observation.pasted.phrases import Found, package
from compatsolver.observation.pasted.statements import is_statement

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compatsolver.observation.pasted.phrases import Lines

_INSTALLED = re.compile(r"Successfully installed (?P<list>.{3,3900})")
_NAME_VERSION = re.compile(r"(?<!\S)([A-Za-z][\w.]{0,40}(?:-[A-Za-z_][\w.]{0,40}){0,6})-(\d[\w.+]{0,60})(?!\S)")
_FOUND_EXISTING = re.compile(r"Found existing installation: (?P<name>[\w.-]{1,60}) (?P<version>\d\S{0,60})")
_UNINSTALLED = re.compile(
    r"(?:Uninstalling|Successfully uninstalled) (?P<name>[\w.-]{1,60}?)-(?P<version>\d[\w.+]{0,60}?):?(?:\s|$)"
)
_UV_CHANGE = re.compile(r"^\s{0,4}(?P<sign>[+~-]) (?P<name>[A-Za-z][\w.-]{0,60})==(?P<version>\d[\w.+]{0,60})(?:\s|$)")
_ADDITION = re.compile(r"^ {0,4}\+ ?[a-z\"']", re.MULTILINE)
_DIFF = re.compile(
    r"^(?P<sign>[+-])\s{0,8}[\"']?(?P<name>[A-Za-z][\w.-]{0,60})(?:\[[\w,-]{1,60}\])?\s?(?P<wish>(?:==|>=|<="
    r"|~=|!=|<|>)\s?\d[\w.,<>=!~*+ ]{0,60})"
)
_REQUIREMENT_LINE = re.compile(
    r"^(?P<name>[A-Za-z][\w.-]{0,60})(?:\[[\w,-]{1,60}\])?\s?(?P<wish>(?:>=|<=|~=|!=|<|>)\s?\d[\w.,<>=!~*+ "
    r"]{0,60}?)\s{0,40}(?:[;#].{0,300})?$"
)
_TOML_REQUIREMENT = re.compile(
    r"^(?P<name>[A-Za-z][\w.-]{0,60})\s{0,4}=\s{0,4}(?:\{.{0,80}?version\s{0,4}=\s{0,4})?\""
    r"(?P<wish>[<>=!~^*]{0,2}\d[\w.,<>=!~*+ ]{0,60})\""
)
_COMMAND = re.compile(
    r"(?:^|[$#>%&;(`]|\bRUN|\bsudo|\bpython3?|-m|!)\s{0,4}(?P<tool>pip3?|uv|conda|mamba|micromamba|poetry"
    r"|pixi|pdm)(?:\.exe)?"
    r"\s(?:[\w=./-]{1,40}\s){0,4}?(?P<verb>install|add|create|update)\s(?P<rest>.{1,1500})"
)
_ARGUMENT = re.compile(
    r"(?P<name>[A-Za-z][\w.-]{0,60})(?:\[[\w,-]{1,60}\])?(?P<wish>(?:===?|>=|<=|~=|!=|<|>)[\w.*+]{1,40}(?:,"
    r"(?:==|>=|<=|~=|!=|<|>)[\w.*+]{1,40}){0,4})?$"
)
_CONDA_ARGUMENT = re.compile(r"(?P<name>[a-z][\w.-]{0,60})=(?P<wish>\d[\w.*]{0,30})(?:=(?P<build>\S{1,40}))?$")
_INDEX = re.compile(
    r"(?:--index-url|--extra-index-url|--find-links|--default-index|--index|-i|-f)[= ]"
    r"(?P<index>https?://[^\s'\"]{4,200})"
)
_CHANNEL = re.compile(r"(?:-c|--channel)[= ](?P<channel>[\w./:-]{2,100})")
_PYTORCH_INDEX = re.compile(
    r"https://download\.pytorch\.org/whl/(?:nightly/|test/)?(?:cu\d{2,3}|cpu|rocm[\d.]{1,5}|xpu)"
)
_LOOKING = re.compile(r"Looking in (?:indexes|links)")
_BACKEND = re.compile(r"--torch-backend[= ](?P<backend>\w{2,12})")
_BARE = frozenset(
    (
        *("torch", "torchvision", "torchaudio", "vllm", "xformers", "flash-attn", "bitsandbytes", "deepspeed"),
        *("sglang", "pytorch"),
    )
)


def read(lines: Lines) -> Iterator[Found]:
    """What is installed after the last step that is shown, what went away, what was asked for."""
    adds = bool(_ADDITION.search(lines.whole))
    yield from _changes(lines, adds)
    for index in lines.distinct:
        text = lines.texts[index]
        if len(text) > 3000:
            continue
        if "download.pytorch.org/whl" in text and (_LOOKING.search(text) or is_statement(text)):
            for match in _PYTORCH_INDEX.finditer(text):
                yield Found("index", match[0], index)
        if ".whl" in text:
            yield from _wheels(text, index)
        if command := _COMMAND.search(text):
            yield from _command(command, index)
        elif diff := _DIFF.match(text) if adds else None:
            axis = "requested" if diff["sign"] == "+" else "replaced"
            if not _UV_CHANGE.match(text):
                yield _wish(axis, diff["name"], diff["wish"], index, "requirements diff")
        elif wish := _REQUIREMENT_LINE.match(text) or _TOML_REQUIREMENT.match(text):
            yield from _requirement(wish, index)


def _changes(lines: Lines, adds: bool) -> Iterator[Found]:
    """Installations and removals in their order: only the last state of a package is its release."""
    state: dict[str, Found] = {}
    for index, text in enumerate(lines.texts):
        for name, version, is_in in _steps(text, adds):
            axis = f"package:{package_name(name)}"
            old = state.pop(axis, None)
            if not is_in:
                yield Found("replaced", f"{package_name(name)}=={version}", index)
                continue
            if old and old.value != version:
                yield Found("replaced", f"{package_name(name)}=={old.value}", old.at)
            state[axis] = Found(axis, version, index)
    yield from state.values()


def _steps(text: str, adds: bool) -> Iterator[tuple[str, str, bool]]:
    if "nstall" in text:
        if installed := _INSTALLED.search(text):
            for name, version in _NAME_VERSION.findall(installed["list"]):
                yield name, version, True
        elif existing := _FOUND_EXISTING.search(text):
            yield existing["name"], existing["version"], True
        elif gone := _UNINSTALLED.search(text):
            yield gone["name"], gone["version"], False
    elif adds and (change := _UV_CHANGE.match(text)):
        yield change["name"], change["version"], change["sign"] != "-"


def _wheels(text: str, index: int) -> Iterator[Found]:
    """Wheels in commands and logs; what was handed to an installer counts as installed unless it refused it."""
    refused = "not a supported wheel" in text
    is_command = bool(_COMMAND.search(text))
    for wheel in wheels_in(text):
        yield Found("wheel_tags", f"{wheel.name} {wheel.version} {wheel.tags}", index, "wheel name")
        for part, value in wheel.made_for:
            yield Found("built_for", f"{wheel.name} {part} {value}", index, "wheel name")
        if refused:
            yield Found("unavailable", f"{wheel.name}=={wheel.version}", index, "pip")
        elif is_command:
            for each in package(wheel.name, wheel.version, index):
                yield each._replace(dialect="wheel name")


def _command(command: re.Match[str], index: int) -> Iterator[Found]:
    rest, tool = command["rest"], command["tool"]
    for match in _INDEX.finditer(rest):
        yield Found("index", match["index"].rstrip("/"), index, "install command")
    for match in _CHANNEL.finditer(rest) if tool in ("conda", "mamba", "micromamba", "pixi") else ():
        yield Found("index", match["channel"], index, "install command")
    if backend := _BACKEND.search(rest):
        yield Found("index", f"https://download.pytorch.org/whl/{backend['backend']}", index, "install command")
    rest = _CHANNEL.sub(" ", _INDEX.sub(" ", rest))
    for word in re.split(r"[\s'\"]+", re.split(r"[;&|#)`]", rest)[0]):
        conda = _CONDA_ARGUMENT.match(word) if tool not in ("pip", "pip3", "uv") else None
        argument = conda or _ARGUMENT.match(word)
        if not argument or word.startswith("-"):
            continue
        name, wish = package_name(argument["name"]), argument["wish"] or ""
        if wish or name in _BARE:
            wish = f"=={wish}" if conda and wish.count(".") > 1 else f"=={wish}.*" if conda else wish
            yield Found("requested", name + wish, index, "install command")


def _requirement(match: re.Match[str], index: int) -> Iterator[Found]:
    """A line of a requirements file or of pyproject.toml."""
    name, wish = package_name(match["name"]), match["wish"].strip()
    if name == "cuda":
        yield Found("required_cuda", wish.lstrip("=<>~^ "), index, "project file")
    elif name in ("python", "requires-python"):
        yield Found("requested", f"python{wish}", index, "project file")
    elif name not in ("version", "name", "line"):
        wish = wish if wish[0] in "<>=!~^" else f"=={wish}"
        yield Found("requested", name + wish.replace(" ", ""), index, "project file")


def _wish(axis: str, name: str, wish: str, index: int, dialect: str) -> Found:
    return Found(axis, package_name(name) + wish.replace(" ", "").rstrip(","), index, dialect)
