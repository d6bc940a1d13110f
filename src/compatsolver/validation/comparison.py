"""What was found against what was expected: the lock's packages, and what the catalogue says of the build."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from compatsolver.model.request import Target, normalised
from compatsolver.model.validation import FAILED, GPU_RUN, ProposedFact
from compatsolver.requirements.pylock import read_lock

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from compatsolver.catalog.catalogue import Build, Catalog
    from compatsolver.model.validation import CheckResult

_PLATFORMS = {"Linux": "linux", "Windows": "windows", "Darwin": "macos"}
_MACHINES = {"AMD64": "x86_64"}


def against_lock(identity: CheckResult, lock: Path) -> CheckResult:
    """The identity, failed where a package of the lock is absent or another version; raises InputError for no lock."""
    numbers = identity.numbers
    python = ".".join(str(numbers.get("python") or "").split(".")[:2])
    listing = read_lock(lock, Target(platform=platform_of(numbers), python=python, glibc=numbers.get("glibc")))
    installed = {normalised(name): version for name, version in numbers.get("packages", {}).items()}
    problems = []
    for pin in listing.requirements:
        wanted, found = pin.specifier.removeprefix("=="), installed.get(pin.name)
        if found is None:
            problems.append(f"{pin.name} {wanted} is in the lock and is not installed")
        elif not _same(wanted, found):
            problems.append(f"{pin.name} is {found}, the lock has {wanted}")
    return identity._replace(status=FAILED, problems=(*identity.problems, *problems)) if problems else identity


def _same(wanted: str, found: str) -> bool:
    """Equal versions; a lock without a local version leaves the build open."""
    return wanted in (found, found.partition("+")[0])


def platform_of(numbers: Mapping[str, Any]) -> str:
    """The platform in the catalogue's terms."""
    machine = str(numbers.get("machine"))
    return f"{_PLATFORMS.get(str(numbers.get('system')), 'linux')}-{_MACHINES.get(machine, machine)}"


def against_catalogue(
    catalog: Catalog, identity: CheckResult, environment: Mapping[str, Any], device: str
) -> tuple[ProposedFact, ...]:
    """What the build says of itself and the catalogue does not; nothing for a build that it does not hold."""
    torch = identity.numbers.get("torch")
    if not torch:
        return ()
    version, _, tag = str(torch["version"]).partition("+")
    platform = platform_of(identity.numbers)
    build = _build(catalog, version, tag or _default_tag(torch), platform)
    if build is None:
        return ()
    subject = f"torch {version}+{tag}, {platform}" if tag else f"torch {version}, {platform}"
    evidence = GPU_RUN if device == "cuda" and environment["gpus"] else None
    return tuple(ProposedFact(subject, *row, evidence) for row in _differences(build, torch, environment["packages"]))


def _default_tag(torch: Mapping[str, Any]) -> str:
    """The build of a version without local part, as the default index serves it."""
    return "cu" + str(torch["cuda"]).replace(".", "") if torch["cuda"] else "cpu"


def _build(catalog: Catalog, version: str, tag: str, platform: str) -> Build | None:
    for position, candidate in enumerate(catalog.components["torch"].candidates):
        if (candidate.version, candidate.build, candidate.platform) == (version, tag, platform):
            return catalog.build(position)
    return None


def _differences(build: Build, torch: Mapping[str, Any], packages: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """Fact, prediction, finding. A finding of fewer digits is held against as many of the prediction."""
    for fact, predicted in (("cuda", build.cuda), ("cudnn", build.cudnn), ("nccl", build.nccl)):
        found = torch.get(fact)
        if predicted and found and not f"{predicted}.".startswith(f"{found}."):
            yield fact, predicted, found
    predicted, found = (build.triton or "").removeprefix("=="), packages.get("triton")
    if predicted[:1].isdigit() and found and predicted != found:
        yield "triton", predicted, found
    if build.sass is not None and torch["archs"]:  # torch gives an empty list where it sees no GPU
        known, seen = {*build.sass, *(build.ptx or ())}, set(torch["archs"])
        if known != seen:
            yield "archs", " ".join(sorted(known)) or "none", " ".join(sorted(seen)) or "none"
