"""What was asked: a target, requirements on packages, and a policy."""

# Annotations are values here: a named tuple would compile each that is kept as text (decision 6).
from collections.abc import Mapping
from typing import NamedTuple

from compatsolver.model.rule import Unknown

POLICIES = ("newest", "conservative", "closest")
PLATFORMS = ("linux-x86_64", "linux-aarch64", "windows-x86_64", "macos-arm64", "macos-x86_64")

_NOTHING: Mapping[str, str] = {}


def normalised(name: str) -> str:
    """A package name, or the name of an extra, as PEP 503 compares it."""
    name = name.lower().replace("_", "-").replace(".", "-")
    while "--" in name:
        name = name.replace("--", "-")
    return name


def project_of(requirement: str) -> str:
    """The name that a requirement begins with (PEP 508), as it was typed; empty where it begins with none."""
    import re

    found = re.match(r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?", requirement)
    return found[0] if found else ""


class Requirement(NamedTuple):
    """A package and the versions wanted of it: normalised `name`, PEP 440 `specifier`, `text` as typed, no marker.

    `origin` says where it was written, as in `requirements.txt:4`; None is the command line or the call. A constraint
    binds a package that is in the plan anyway and brings none in.
    """

    name: str
    specifier: str
    text: str
    extras: tuple[str, ...] = ()
    origin: str | None = None
    is_constraint: bool = False

    @property
    def words(self) -> str:
        """How a message names it."""
        return f"{self.text} ({self.origin})" if self.origin else self.text


class Selection(NamedTuple):
    """Candidates a requirement allows; `unlisted` says what is not known where only unlisted versions could match.

    `torch_builds` is set where a companion's local version asks for a build of torch: torchvision==0.24.1+cu128.
    """

    allowed: int
    unlisted: Unknown | None = None
    torch_builds: int | None = None


class Listing(NamedTuple):
    """Requirements in the order they were written, and what to tell the user about the reading.

    `files` are paths and URLs of distributions, as written, with their project's name before them where it was given.
    """

    requirements: tuple[Requirement, ...] = ()
    notes: tuple[str, ...] = ()
    files: tuple[str, ...] = ()

    def joined(self, other: "Listing") -> "Listing":
        """This listing and then the other."""
        return Listing(self.requirements + other.requirements, self.notes + other.notes, self.files + other.files)


class Target(NamedTuple):
    """The machine as it was described. `None` is "not given", which is not the same as unknown.

    `gpus`: names, capabilities or `sm_XX` as typed; an empty tuple asks for a CPU stack. `driver_cuda` is the CUDA
    version that nvidia-smi prints: what the driver runs at most. `assumed` names the axes whose values were filled in
    from this interpreter, and `probed` says that this machine was read. `unread` holds what was given for an axis and
    says nothing that can be understood, as in "driver: no version in 'latest'", and `remarks` what else reading the
    machine or the environment met with. `python_patch` is the patch release of a Python that was read, `7` of 3.11.7.
    """

    gpus: tuple[str, ...] | None = None
    driver: str | None = None
    driver_cuda: str | None = None
    python: str | None = None
    platform: str | None = None
    glibc: str | None = None
    wsl: bool = False
    container: str | None = None
    assumed: tuple[str, ...] = ()
    probed: bool = False
    unread: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    python_patch: str | None = None

    @property
    def host_platform(self) -> str | None:
        """The platform with WSL told apart: Linux wheels on a Windows driver."""
        if self.wsl and self.platform:
            return self.platform.replace("linux", "wsl")
        return self.platform


class Request(NamedTuple):
    """All an answer depends on besides the catalogue. `cuda` is a PEP 440 specifier on the runtime, or `none`.

    `requirements` are on components of the catalogue, `unchecked` are texts of those on other packages. `installed`
    holds packages with their versions as pip prints them: what policy `closest` stays close to. `notes` is what the
    reading of the request has to tell.
    """

    target: Target
    requirements: tuple[Requirement, ...] = ()
    unchecked: tuple[str, ...] = ()
    cuda: str | None = None
    policy: str = "newest"
    installed: Mapping[str, str] = _NOTHING
    notes: tuple[str, ...] = ()
