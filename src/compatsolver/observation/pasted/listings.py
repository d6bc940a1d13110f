"""Lists of installed packages: pip, uv, conda, poetry, dpkg and rpm, the lines of collect_env, `pip show`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from compatsolver.observation.formats.values import package_name
from compatsolver.observation.pasted.phrases import Found, package
from compatsolver.observation.pasted.report_keys import PACKAGES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compatsolver.observation.pasted.phrases import Lines

_RELEASE = r"\d[\w.!+~:-]{0,60}"
_DIGIT_OR_NAME = re.compile(r"\d|^\W{0,4}Name:")
_BRACKETED = re.compile(
    rf"\[(?:pip3?|conda)\]\s{{1,4}}(?P<name>[\w.-]{{2,60}})(?:==|\s{{1,60}})(?P<version>{_RELEASE})(?P<rest>.{{0,200}})"
)
_FROZEN = re.compile(
    rf"(?<![\w.\[\]-])(?P<name>[A-Za-z][\w.-]{{0,60}})(?:\[[\w,-]{{1,60}}\])?==(?P<version>{_RELEASE})(?!\.?\*|[\w(])"
)
_FROZEN_LINE = re.compile(r"^[^\w\[\]]{0,6}(?:[Uu]sing |have )?[A-Za-z][\w.-]{0,60}(?:\[[\w,-]{1,60}\])?==\d")
_DIRECT = re.compile(
    r"^(?P<name>[A-Za-z][\w.-]{0,60}) @ \S{0,300}?/(?P=name)-(?P<version>\d[\w.+%]{0,60}?)(?:-(?:cp|py)\d|\.tar|#|$)"
)
_COLUMNS = re.compile(
    rf"^\W{{0,8}}(?P<name>[A-Za-z_][\w.-]{{0,60}})(?:\s{{2,80}}|\t\s{{0,40}})v?(?P<version>{_RELEASE})"
    r"(?:\s{1,80}(?P<build>[\w.*+-]{1,60}))?(?:\s{1,80}(?P<channel>[\w./:-]{1,80}))?\s*$"
)
_CONDA_BUILD = re.compile(
    r"(?:py\d[\w.]{0,40}|cuda[\w.]{0,40}|cpu\w{0,40}|gpu\w{0,40}|h[0-9a-f]{5,12}|pyh\w{1,40}|\w{1,40}_\d{1,9}"
    r"|nompi\w{0,40})(?:[_.-]\w[\w.]{0,40}){0,4}|pypi"
)
_CUDA_IN_BUILD = re.compile(r"(?:^|_|-)cuda_?(\d{1,2}\.\d{1,2}|\d{2,3})(?=_|\.|py|$)")
_CPU_IN_BUILD = re.compile(r"(?:^|_)cpu(?:_|$)")
_TREE = re.compile(rf"^[\s│├└─|`+~-]{{1,40}}(?P<name>[A-Za-z][\w.-]{{0,60}}) v(?P<version>{_RELEASE})(?:\s|$)")
_DPKG = re.compile(
    r"^\W{0,4}[hi][iuU]\s{1,4}(?P<name>[a-z0-9][a-z0-9.+-]{1,60})(?::\w{1,10})?\s{1,60}(?P<version>\d\S{0,60})"
)
_APT = re.compile(
    r"^(?P<name>[a-z0-9][a-z0-9.+-]{1,60})/\S{1,60} (?P<version>\d\S{0,60}) \w{1,10}\s{0,4}\[(?:installed|upgradable)"
)
_RPM = re.compile(
    r"^(?P<name>(?:lib|nvidia|cuda|kmod|nccl|cudnn|glibc|gcc|datacenter)[\w+.-]{0,60}?)-"
    r"(?P<version>\d[\w.+~]{0,30}-\d[\w.+~]{0,40}?)"
    r"\.(?:x86_64|aarch64|noarch)$"
)
_SHOWN = re.compile(r"^\W{0,4}Version:\s{1,4}(?P<version>\d\S{0,60})")
_NAME = re.compile(r"^\W{0,4}Name:\s{1,4}(?P<name>[\w.-]{2,60})\s*$")
_SATISFIED = re.compile(
    r"Requirement already satisfied: (?P<name>[A-Za-z][\w.-]{0,60}).{0,300}\((?P<version>\d[\w.+]{0,60})\)\s*$"
)
_COMMAND = re.compile(
    r"\b(?:pip3?|uv|conda|mamba|micromamba|poetry|pixi|pdm)(?:\.exe)?\s(?:[\w=./-]{1,40}\s){0,4}?(?:install"
    r"|add|create|update|run|sync|download|uninstall)\b"
)
_WISH = re.compile(
    r"because |require[sd]?\b|depends on|conflict|satisf|incompatible|no matching|could not find|\(from |>="
    r"|<=|~=|!=|<\d"
    r"|you can|please |try |should |instead|recommend|downgrad|upgrad|resolv|constraint|no version"
    r"|collecting |works|worked|fails too|^\s*-[a-z]",
    re.IGNORECASE,
)


def read(lines: Lines) -> Iterator[Found]:
    """Every installed package, under the name of the listing."""
    for index in lines.distinct:
        text = lines.texts[index]
        if len(text) > 2000 or not _DIGIT_OR_NAME.search(text):
            continue
        for dialect, each in _line(lines, index, text):
            yield each._replace(dialect=dialect)


def _line(lines: Lines, index: int, text: str) -> Iterator[tuple[str, Found]]:
    if text.lstrip().startswith("[") and (match := _BRACKETED.search(text)):
        dialect = "conda list" if "[conda]" in text else "pip list"
        for each in package(match["name"], match["version"], index):
            yield dialect, each
        if dialect == "conda list":
            yield from _conda(match["name"], match["version"], match["rest"], index)
    elif match := _TREE.match(text):
        for each in package(match["name"], match["version"], index):
            yield "uv tree", each
    elif match := _DPKG.match(text) or _APT.match(text) or _RPM.match(text):
        yield "system packages", Found(f"package:{package_name(match['name'])}", match["version"], index)
    elif match := _SATISFIED.search(text):
        for each in package(match["name"], match["version"], index):
            yield "pip list", each
    elif "==" in text or " @ " in text:
        yield from _frozen(text, index)
    elif match := _NAME.match(text):
        shown = next((m for each in lines.texts[index + 1 : index + 4] if (m := _SHOWN.match(each))), None)
        for each in package(match["name"], shown["version"], index + 1) if shown else ():
            yield "pip show", each
    elif match := _COLUMNS.match(text):
        yield from _columns(match, index)


def _frozen(text: str, index: int) -> Iterator[tuple[str, Found]]:
    """`name==version`, unless the line is a command, a wish or a resolver's argument."""
    if direct := _DIRECT.match(text):
        for each in package(direct["name"], direct["version"].replace("%2B", "+"), index):
            yield "pip freeze", each
    elif _FROZEN_LINE.match(text) and not _COMMAND.search(text) and not _WISH.search(text):
        for match in _FROZEN.finditer(text):
            for each in package(match["name"], match["version"], index):
                yield "pip freeze", each


def _columns(match: re.Match[str], index: int) -> Iterator[tuple[str, Found]]:
    """A row of `pip list` (two columns) or `conda list` (four): known by a version with a dot and conda's build."""
    name, version, build = match["name"], match["version"], match["build"]
    is_conda = bool(build and _CONDA_BUILD.fullmatch(build))
    known = package_name(name) in PACKAGES
    if not ("." in version or known or is_conda) or name.lower() in _NOT_PACKAGES:
        return
    if build and not is_conda and not known and not build.startswith(("/", ".")):
        return
    dialect = "conda list" if is_conda else "pip list"
    for each in package(name, version, index):
        yield dialect, each
    if is_conda:
        yield from _conda(name, version, f"{build} {match['channel'] or ''}", index)


def _conda(name: str, version: str, rest: str, index: int) -> Iterator[tuple[str, Found]]:
    """What conda's build string says about CUDA."""
    build, _, channel = " ".join(rest.split()).partition(" ")
    if not build or build.startswith("pypi"):
        return
    name = package_name(name)
    yield "conda list", Found("conda_build", f"{name} {version} {build} {channel}".strip(), index)
    cuda = _CUDA_IN_BUILD.search(build)
    if name in ("torch", "libtorch"):
        if cuda:
            digits = cuda[1] if "." in cuda[1] else f"{cuda[1][:-1]}.{cuda[1][-1]}"
            yield "conda list", Found("torch_cuda", digits, index)
        elif _CPU_IN_BUILD.search(build):
            yield "conda list", Found("torch_cuda", "none", index)


_NOT_PACKAGES = frozenset(
    ("package", "name", "version", "gpu", "fan", "thread", "line", "linux", "driver", "epoch", "step")
)
