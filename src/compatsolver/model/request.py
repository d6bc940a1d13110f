"""What was asked: a target, requirements on packages, and a policy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

POLICIES = ("newest",)
PLATFORMS = ("linux-x86_64", "linux-aarch64", "windows-x86_64", "macos-arm64", "macos-x86_64")


class Requirement(NamedTuple):
    """A package and the versions wanted of it: normalised `name`, PEP 440 `specifier`, `text` as typed."""

    name: str
    specifier: str
    text: str


@dataclass(frozen=True, kw_only=True)
class Target:
    """The machine as it was described. `None` is "not given", which is not the same as unknown.

    `gpus`: names, capabilities or `sm_XX` as typed; an empty tuple asks for a CPU stack. `assumed` names the axes
    whose values were filled in from this interpreter, and `probed` says that this machine was read. `unread` holds
    what was given for an axis and says nothing that can be understood, as in "driver: no version in 'latest'", and
    `remarks` what reading this machine met with.
    """

    gpus: tuple[str, ...] | None = None
    driver: str | None = None
    python: str | None = None
    platform: str | None = None
    glibc: str | None = None
    wsl: bool = False
    container: str | None = None
    assumed: tuple[str, ...] = ()
    probed: bool = False
    unread: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def host_platform(self) -> str | None:
        """The platform with WSL told apart: Linux wheels on a Windows driver."""
        if self.wsl and self.platform:
            return self.platform.replace("linux", "wsl")
        return self.platform


@dataclass(frozen=True, kw_only=True)
class Request:
    """All an answer depends on besides the catalogue. `cuda` is a PEP 440 specifier on the runtime, or `none`."""

    target: Target
    requirements: tuple[Requirement, ...] = ()
    cuda: str | None = None
    policy: str = "newest"
