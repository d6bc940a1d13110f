"""What was measured in a wheel as a row of `measured/<component>.yaml`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from packaging.requirements import Requirement

from compatsolver.errors import InputError
from compatsolver.model.request import Target
from compatsolver.requirements.markers import applies

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date

    from compatsolver.authoring.measure.measurement import Measurement

_PLATFORMS = (
    (re.compile(r"manylinux\w*_x86_64|linux_x86_64"), "linux-x86_64"),
    (re.compile(r"manylinux\w*_aarch64|linux_aarch64"), "linux-aarch64"),
    (re.compile(r"win_amd64"), "windows-x86_64"),
    (re.compile(r"macosx_\w+_arm64"), "macos-arm64"),
    (re.compile(r"macosx_\w+_x86_64"), "macos-x86_64"),
)
_OF_THE_STACK = re.compile(r"torch|triton|pytorch-triton|(?:nvidia|cuda)-[\w-]+")


def record(measurement: Measurement, sha256: str, day: date) -> dict[str, Any]:
    """The row, in the form it is written in; raises InputError for a wheel of no platform of the catalogue."""
    platform = wheel_platform(measurement.tags)
    if platform is None:
        raise InputError(
            f"{measurement.wheel}: no wheel of a platform in the catalogue", hint="a wheel for any platform has no code"
        )
    version = measurement.variables.get("__version__")
    local = str(version).partition("+")[2] if version else ""
    row = {
        "wheel": measurement.wheel,
        "sha256": sha256,
        "measured": day,
        "version": measurement.version.partition("+")[0],
        "platform": platform,
        "build": local or None,
        "cuda": measurement.variables.get("cuda") or None,
        "glibc": measurement.glibc,
        "glibcxx": measurement.glibcxx,
        "cxx11_abi": measurement.cxx11_abi,
    }
    lists = {
        "requires": stack_requirements(measurement.requires, measurement.tags, platform),
        "bundled": list(measurement.bundled),
        "code": [
            {"library": one.path, "fat_binaries": one.fat_binaries, "targets": dict(one.targets)}
            for one in measurement.libraries
            if one.fat_binaries
        ],
    }
    return row | {column: value for column, value in lists.items() if value}


def wheel_platform(tags: tuple[str, ...]) -> str | None:
    """The platform of the catalogue that a wheel with these tags is for."""
    for tag in tags:
        for pattern, platform in _PLATFORMS:
            if pattern.fullmatch(tag.rpartition("-")[2]):
                return platform
    return None


def stack_requirements(requirements: Sequence[str], tags: tuple[str, ...], platform: str) -> dict[str, str]:
    """What a wheel with these tags requires on that platform of torch, triton and NVIDIA's packages."""
    return dict(_of_the_stack(requirements, Target(platform=platform, python=_python(tags))))


def _of_the_stack(requirements: Sequence[str], target: Target) -> Iterator[tuple[str, str]]:
    for text in requirements:
        requirement = Requirement(text)
        is_required = requirement.marker is None or applies(requirement.marker, target, text)
        if is_required and _OF_THE_STACK.fullmatch(requirement.name.lower().replace("_", "-")):
            yield requirement.name, str(requirement.specifier)


def _python(tags: tuple[str, ...]) -> str:
    """The Python of a wheel; of one for several, the newest that the first tag tells."""
    numbers = re.match(r"cp(\d)(\d+)-", max(tags))
    return f"{numbers[1]}.{numbers[2]}" if numbers else "3.12"
