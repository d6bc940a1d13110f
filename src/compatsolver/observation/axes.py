"""The axes of a target as callers give them one by one: texts, with free words around what they name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from compatsolver.errors import InputError
from compatsolver.model.component import NONE
from compatsolver.model.request import Target

if TYPE_CHECKING:
    from collections.abc import Mapping

    from compatsolver.model.options import Options


_PLAIN_MARKS = str.maketrans("", "", " .-")


def described(options: Options) -> Target:
    """The axes that were given, or the target given in their place."""
    axes = read_axes(options)
    target = options.get("target")
    if target is None:
        return axes
    if axes != Target():
        raise InputError("a target and single axes of one were given", hint="give the target, or its axes one by one")
    return target._replace(gpus=None if target.gpus is None else read_gpus(target.gpus or NONE))


def read_axes(given: Mapping[str, Any]) -> Target:
    """A target from `gpu`, `driver`, `python`, `platform`, `glibc`, `wsl` and `container`; raises InputError."""
    driver, platform = written(given, "driver"), written(given, "platform")
    if driver and not driver.replace(".", "").isdecimal():
        from compatsolver.observation.target import driver_number

        driver = driver_number(driver) or driver
    return Target(
        gpus=read_gpus(given.get("gpu")),
        driver=driver,
        python=written(given, "python"),
        platform=platform.lower() if platform else None,
        glibc=written(given, "glibc"),
        wsl=bool(given.get("wsl")),
        container=written(given, "container"),
    )


def written(given: Mapping[str, Any], axis: str) -> str | None:
    """A value that has to be a text; a number would lose digits (3.10 is 3.1), so it is refused rather than guessed."""
    value = given.get(axis)
    if value is None:
        return None
    if not isinstance(value, str):
        raise InputError(f"{axis} is {value!r}, which is no text", hint=f'quote it, as in {axis}="{value}"')
    if not value.strip():
        raise InputError(f"{axis} is empty", hint="leave it out where it is not known")
    return value


def read_gpus(gpu: Any) -> tuple[str, ...] | None:
    """The GPUs of one machine, from a text or a list of texts; an empty tuple for `none`, None where none was given."""
    if gpu is None:
        return None
    words = list(gpu) if isinstance(gpu, (list, tuple)) else [gpu]
    if not words or not all(isinstance(word, str) and word.strip() for word in words):
        raise InputError(
            f"the GPU is {gpu!r}, which names none",
            hint='name it as a text, such as "RTX 4090" or "8.9", or give "none" for a CPU stack',
        )
    without = [word for word in words if word.strip().lower() in (NONE, "cpu")]
    if without and len(without) < len(words):
        raise InputError(
            "`--gpu none` contradicts another GPU", hint="name the GPUs the machine has, or `none` for a CPU stack"
        )
    return () if without else _names_in(words)


def _names_in(words: list[str]) -> tuple[str, ...] | None:
    """One text for each GPU; what is more than a single name is read as an environment's text about them is."""
    if all(_is_one_name(word) for word in words):
        return tuple(dict.fromkeys(word.strip() for word in words))
    from compatsolver.model.environment import Environment
    from compatsolver.observation.target import target_of

    return target_of(Environment(gpu=tuple(words))).gpus


def _is_one_name(word: str) -> bool:
    """Whether a text is so plain, as in "RTX 4090", that nothing in it can stand between two names."""
    return word.translate(_PLAIN_MARKS).isalnum() and "and" not in word.casefold()
