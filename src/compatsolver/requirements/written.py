"""One requirement as it is written (PEP 508), read for a target."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from compatsolver.errors import InvalidRequirement
from compatsolver.model.request import Requirement, normalised

if TYPE_CHECKING:
    from compatsolver.model.request import Target

_CLAUSE = r"(?:===?|[<>!~]=|[<>])\s*[\w.*+!-]+"
_SPECIFIER = rf"(?:{_CLAUSE}(?:\s*,\s*{_CLAUSE})*)?"
_PLAIN = rf"([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*({_SPECIFIER})"
_PATH = r"[./~]|[A-Za-z]:[\\/]|.*(?:://|\\|\.(?:whl|zip|tar\.(?:gz|bz2|xz))$)"
_EXAMPLE = "write it as PEP 508 has it, e.g. torch>=2.6,<2.10 or torch==2.9.1+cu128"
EDITABLE = "build a wheel of it, and name that file to `lock`"
BY_NAME = "name the package and its versions; only `lock` takes paths and URLs"


def names_a_file(text: str) -> bool:
    """Whether a requirement is a path or a URL, with its project's name before it or not, or an editable install."""
    written = text.strip()
    is_named = re.match(r"-e\b|--editable\b|[\w.-]+\s*(\[[^]]*\])?\s*@", written)
    return bool(is_named or re.match(_PATH, written.partition(" ;")[0]))


def read_requirement(
    text: str, target: Target, *, origin: str | None = None, is_constraint: bool = False
) -> Requirement | None:
    """A requirement, or None where its marker says that it does not count on the target.

    Raises InvalidRequirement where it is none, or names a path or a URL instead of versions. The common form, a name
    and versions, is read without importing packaging's parser.
    """
    text = text.strip()
    name, specifier = (text, "") if _is_bare(text) else _split(text)
    if name:
        return Requirement(
            name=normalised(name), specifier=specifier, text=text, origin=origin, is_constraint=is_constraint
        )
    return _read_full(text, target, origin, is_constraint)


def _is_bare(text: str) -> bool:
    """Whether a text is a name alone, which most are; no pattern has to be compiled to see that."""
    return text.isascii() and text[:1].isalnum() and text[-1:].isalnum() and text.replace("-", "").isalnum()


def _split(text: str) -> tuple[str, str]:
    """Name and versions, as in "torch >=2.6,<2.10"; two empty texts for anything else."""
    plain = re.fullmatch(_PLAIN, text, re.ASCII)
    return ("", "") if plain is None or re.match(_PATH, text) else (plain[1], plain[2].strip())


def _read_full(text: str, target: Target, origin: str | None, is_constraint: bool) -> Requirement | None:
    from packaging import requirements

    try:
        parsed = requirements.Requirement(text)
    except requirements.InvalidRequirement:
        parsed = None
    if re.match(_PATH, text.partition(";")[0]) or (parsed and parsed.url):
        raise InvalidRequirement(f"{text!r} is a path or a URL: no facts are known of what is there", hint=BY_NAME)
    if parsed is None or not re.fullmatch(_SPECIFIER, str(parsed.specifier), re.ASCII):
        raise InvalidRequirement(f"{text!r} is not a requirement on a package and its versions", hint=_EXAMPLE)
    if parsed.marker:
        from compatsolver.requirements.markers import applies

        if not applies(parsed.marker, target, text):
            return None
    return Requirement(
        name=normalised(parsed.name),
        specifier=str(parsed.specifier),
        text=text.partition(";")[0].strip(),
        extras=tuple(sorted(normalised(extra) for extra in parsed.extras)),
        origin=origin,
        is_constraint=is_constraint,
    )
