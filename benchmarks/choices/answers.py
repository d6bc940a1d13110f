"""What a tool answers, before the tables say which file that is."""

from __future__ import annotations

from typing import NamedTuple

DEFAULT = "default"
"""The default package index, in the place of one of PyTorch's."""


class Answer(NamedTuple):
    """The indexes torch is taken from, the first that has one for the machine; the newest there, or `version`.

    Without indexes the tool has no answer.
    """

    indexes: tuple[str, ...] = ()
    version: str | None = None


class Question(NamedTuple):
    """A target as it is put to a peer; `wheels` is what PyTorch's indexes hold for it, as `2.9.1+cu126`."""

    gpu: str
    capability: str
    device: str
    driver: str
    platform: str
    python: str
    glibc: str
    wheels: tuple[str, ...]
