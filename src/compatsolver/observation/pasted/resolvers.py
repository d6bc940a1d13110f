"""Why an installer found no solution, and what `pip check` complains about."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from compatsolver.observation.formats.values import package_name
from compatsolver.observation.pasted.phrases import Found, package

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compatsolver.observation.pasted.phrases import Lines

_NAME = r"(?<![\w.-])[A-Za-z][\w.-]{0,60}"
_WISH = r"(?:===?|>=|<=|~=|!=|<|>)\s?[\w.*+!]{1,40}(?:\s?,\s?(?:===?|>=|<=|~=|!=|<|>)\s?[\w.*+!]{1,40}){0,6}"
_HAVE = re.compile(
    rf"(?P<name>{_NAME}) (?P<version>\d[\w.+]{{0,60}}) (?:requires|has requirement) (?P<other>{_NAME})"
    rf"(?:\[[\w,-]{{1,60}}\])?\s?\(?(?P<wish>{_WISH})\)?"
    rf"(?:;[^,]{{1,80}})?, but you(?:'ll)? have (?P<found_name>{_NAME}) (?P<found>\d[\w.+]{{0,60}})"
)
_NOT_INSTALLED = re.compile(
    rf"(?P<name>{_NAME}) (?P<version>\d[\w.+]{{0,60}}) requires (?P<other>{_NAME})(?P<wish>{_WISH})?, which "
    rf"is not installed"
)
_DEPENDS = re.compile(
    rf"(?P<name>{_NAME})(?: ?(?:==|v)? ?(?P<version>\d[\w.+]{{0,60}}))? (?:depends on|requires) `?"
    rf"(?P<other>{_NAME})(?:\[[\w,-]{{1,60}}\])?\s?(?P<wish>{_WISH})"
)
_USER_REQUESTED = re.compile(
    rf"(?:The user requested|you require|your project depends on|your project requires)(?: \(constraint\))? "
    rf"(?P<name>{_NAME})\s?(?P<wish>{_WISH})"
)
_NOT_FOUND = re.compile(
    rf"(?:No matching distribution found for|Could not find a version that satisfies the requirement) "
    rf"(?P<name>{_NAME})(?:\[[\w,-]{{1,60}}\])?\s?(?P<wish>{_WISH})?"
)
_OFFERED = re.compile(
    rf"satisfies the requirement (?P<name>{_NAME})[^(\n]{{0,120}}\(from versions: (?P<list>[^)\n]{{3,3000}})\)?"
)
_NO_VERSION = re.compile(rf"there (?:is|are) no version(?:s)? of (?P<name>{_NAME})\s?(?P<wish>{_WISH})")
_NO_WHEEL = re.compile(
    rf"(?:Distribution )?`?(?P<name>{_NAME})==(?P<version>[\w.+]{{1,40}})[^`\n]{{0,200}}`? can't be "
    rf"installed because it doesn't have a source distribution or wheel"
)
_TAGS = re.compile(
    rf"`?(?P<name>{_NAME})`?(?:==(?P<pin>[\w.+]{{1,40}}))?(?: \(v(?P<version>[\w.+]{{1,40}})\))? (?:only has"
    rf"|has no) wheels"
    r"(?P<words>[^:\n]{0,160})(?::\s{0,4}(?P<tags>[^\n]{1,300}))?"
)
_CPYTHON = re.compile(r"(?:You're using|Using) C?Python (?P<python>\d\.\d{1,2}(?:\.\d{1,2})?)")
_VIRTUAL = re.compile(r"\b__(?P<name>cuda|glibc|linux|win|osx|archspec)=(?P<value>[\w.]{1,20})")
_UNSUPPORTED_PYTHON = re.compile(r"requires a different Python: (?P<python>\d[\d.]{1,9}) not in")


def read(lines: Lines) -> Iterator[Found]:
    """Requirements that clash or cannot be met, with the releases that the messages name."""
    for index in lines.having_any(*_NEEDLES):
        text = lines.texts[index]
        if len(text) > 3500:
            continue
        yield from _clashes(text, index)
        yield from _missing(text, index)
        for match in _USER_REQUESTED.finditer(text):
            yield Found("requested", _requirement(match), index)
        for pattern in (_CPYTHON, _UNSUPPORTED_PYTHON):
            for match in pattern.finditer(text):
                yield Found("python", match["python"], index)
        for match in _VIRTUAL.finditer(text):
            yield from _virtual(match, index)


_NEEDLES = (
    *("requires", "has requirement", "depends on", "user requested", "no matching distribution"),
    *("satisfies the requirement", "no version", "can't be installed", "wheels", "cpython", "__cuda"),
    *("__glibc", "you require", "using python", "different python"),
)


def _clashes(text: str, index: int) -> Iterator[Found]:
    """`A 1.0 requires B>=2, but you have B 1.0`: a declared requirement, and two installed releases."""
    if have := _HAVE.search(text):
        yield _declared(have, index)
        yield from package(have["name"], have["version"], index)
        yield from package(have["found_name"], have["found"], index)
    elif absent := _NOT_INSTALLED.search(text):
        yield _declared(absent, index)
        yield from package(absent["name"], absent["version"], index)
    else:
        for match in _DEPENDS.finditer(text):
            if match["name"].lower() not in (
                "project",
                "requested",
                "that",
                "it",
                "which",
                "and",
                "package",
                "you",
                "torch.load",
            ):
                yield _declared(match, index)


def _missing(text: str, index: int) -> Iterator[Found]:
    for pattern in (_NOT_FOUND, _NO_VERSION):
        for match in pattern.finditer(text):
            yield Found("unavailable", _requirement(match), index)
    if wheel := _NO_WHEEL.search(text):
        yield Found("unavailable", f"{package_name(wheel['name'])}=={wheel['version']}", index)
    if offered := _OFFERED.search(text):
        versions = [each.strip() for each in offered["list"].split(",")]
        if versions != ["none"]:
            yield Found("available_versions", " ".join((package_name(offered["name"]), *versions)), index)
    if tags := _TAGS.search(text):
        version = tags["version"] or tags["pin"] or "*"
        told = re.findall(r"\b(?:cp|pp)\d{2,3}t?\b|\b\w*(?:linux|macosx|win)\w*\b", tags["tags"] or "")
        if told and "only has" in text:
            yield Found(
                "available_pythons", " ".join((package_name(tags["name"]), version, *dict.fromkeys(told))), index
            )


def _declared(match: re.Match[str], index: int) -> Found:
    name, version = package_name(match["name"]), match["version"] or "*"
    wish = (match["wish"] or "").replace(" ", "")
    return Found("declared", f"{name} {version} requires {package_name(match['other'])}{wish}", index)


def _requirement(match: re.Match[str]) -> str:
    return package_name(match["name"]) + (match["wish"] or "").replace(" ", "")


def _virtual(match: re.Match[str], index: int) -> Iterator[Found]:
    """conda's virtual packages: what it detected of the machine."""
    axis = {"cuda": "driver_cuda", "glibc": "glibc", "linux": "kernel"}.get(match["name"])
    if axis and match["value"] != "0":
        yield Found(axis, match["value"], index, "conda info")
