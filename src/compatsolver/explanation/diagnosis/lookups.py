"""What the catalogue knows of a value that a symptom names: drivers of a CUDA, toolkits of an architecture, pairs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from packaging.specifiers import SpecifierSet

from compatsolver.explanation.fixes.archive import archived
from compatsolver.model.rule import Kind
from compatsolver.model.version import NumericVersion, package_version
from compatsolver.solver.formulate import position_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from compatsolver.catalog.catalogue import Catalog

_RELEASE = re.compile(r"\d+(?:\.\d+)*(?:\.post\d+)?")


def floor(catalog: Catalog, platform: str | None, cuda: str) -> str | None:
    """The lowest driver that runs a runtime, minor-version compatibility included."""
    system = "windows" if _is_windows(platform) else "linux"
    component, drivers = catalog.components["cuda"], catalog.components["driver"]
    position = position_of(component, cuda if "." in cuda else f"{cuda}.0")
    for rule in catalog.rules_on(()):
        if rule.id.startswith("cuda-driver-floor/") and rule.id.endswith(system):
            literals = {literal.component: literal.allowed for literal in rule.literals}
            if position and not literals["cuda"] & position:
                return drivers.candidates[literals["driver"].bit_length() - 1].version
    return None


def native(catalog: Catalog, platform: str | None, cuda: str) -> str | None:
    """The lowest driver whose own CUDA is at least this one: the toolkit's packaged minimum, else its branch."""
    wanted = ".".join(cuda.split(".")[:2])
    place = 2 if _is_windows(platform) else 1
    found = [row[place] for row in catalog.diagnosis["toolkits"] if _minor(row[0]) == wanted and row[place]]
    if found:
        return str(min(found, key=NumericVersion.parse))
    majors = [
        branch.first_major
        for branch in catalog.branches
        if branch.max_cuda
        and re.fullmatch(r"\d+\.\d+", wanted)
        and NumericVersion.parse(branch.max_cuda) >= NumericVersion.parse(wanted)
    ]
    return str(min(majors)) if majors else None


def _is_windows(platform: str | None) -> bool:
    return platform is not None and platform.startswith(("windows", "wsl"))


def _minor(version: str) -> str:
    return ".".join(version.split(".")[:2])


def _branch(catalog: Catalog, major: str) -> str | None:
    branch = catalog.branch_of(int(major)) if major.isdigit() else None
    return f">={branch.first_major},<{branch.below_major}" if branch else None


def _first_toolkit(catalog: Catalog, text: str) -> str | None:
    """The oldest toolkit that compiles for an architecture; `90a` has features that came later than `90`."""
    accelerated = _toolkit(catalog, text, 3) if text.endswith("a") else None
    return accelerated or _toolkit(catalog, text, 1)


def _last_toolkit(catalog: Catalog, text: str) -> str | None:
    return _toolkit(catalog, text, 2)


def _toolkit(catalog: Catalog, text: str, place: int) -> str | None:
    digits = re.sub(r"\D", "", text)
    capability = f"{digits[:-1]}.{digits[-1:]}"
    return next((row[place] for row in catalog.diagnosis["capabilities"] if row[0] == capability), None)


def _published(catalog: Catalog, platform: str | None, spelling: str) -> str | None:
    """The spelling (`2.6.0+cu126`) unless the tables hold its release, and without that build for the platform."""
    release, _, tag = spelling.partition("+")
    builds = [each for each in catalog.components["torch"].candidates if each.version == release]
    machine = (platform or "").replace("wsl", "linux")
    here = [each for each in builds if each.platform == machine] if machine else builds
    return spelling if not builds or any(each.build == tag for each in here) else None


def _toolkit_for_gcc(catalog: Catalog, gcc: str) -> str | None:
    """The oldest toolkit whose newest gcc is at least this one."""
    rows = [row for row in catalog.diagnosis.get("compilers", ()) if row.get("gcc") and gcc.isdigit()]
    fitting = [row["cuda"] for row in rows if int(row["gcc"]) >= int(gcc)]
    return str(min(fitting, key=NumericVersion.parse)) if fitting else None


def _gcc_for_nvcc(catalog: Catalog, nvcc: str) -> str | None:
    rows = {row["cuda"]: row.get("gcc") for row in catalog.diagnosis.get("compilers", ())}
    return rows.get(_minor(nvcc))


def _conda_cuda(catalog: Catalog, release: str) -> str | None:
    row = archived(catalog, release)
    return str(row["conda"][0]) if row and row.get("conda") else None


def _nccl_symbol(catalog: Catalog, symbol: str) -> str | None:
    return next((row["first"] for row in catalog.diagnosis.get("nccl_symbols", ()) if row["symbol"] == symbol), None)


def _nccl_of_torch(catalog: Catalog, release: str) -> str | None:
    return next((build.nccl for build in _builds(catalog, release) if build.nccl), None)


def _triton_of_torch(catalog: Catalog, release: str) -> str | None:
    declared = next((build.triton for build in _builds(catalog, release) if build.triton), None)
    return declared.removeprefix("==") if declared else None


def _builds(catalog: Catalog, release: str) -> list:  # type: ignore[type-arg]
    candidates = catalog.components["torch"].candidates
    return [catalog.build(place) for place, candidate in enumerate(candidates) if candidate.version == _public(release)]


def _public(text: str) -> str:
    match = _RELEASE.match(text)
    return match[0] if match else text


def _partner(package: str) -> Callable[[Catalog, str], str | None]:
    """The newest release of a package that requires a torch release."""

    def look(catalog: Catalog, release: str) -> str | None:
        component = catalog.components.get(package)
        if component is None:
            return None
        for place, candidate in enumerate(component.candidates):
            if candidate.version[0].isdigit():
                wanted = catalog.release(package, place).requires.get("torch")
                if wanted and wanted.startswith("==") and _admits(wanted, release):
                    return candidate.version
        return None

    return look


def _admits(specifier: str, release: str) -> bool:
    try:
        return SpecifierSet(specifier).contains(package_version(_public(release)))
    except ValueError:
        return False


def _first_bitsandbytes(catalog: Catalog, platform: str | None, digits: str) -> str | None:
    """The oldest bitsandbytes whose wheels hold a binary for a CUDA given as its name spells it (`122`)."""
    component, cuda = catalog.components.get("bitsandbytes"), f"{digits[:-1]}.{digits[-1:]}"
    place = position_of(catalog.components["cuda"], cuda)
    here = position_of(catalog.components["platform"], platform or "linux-x86_64")
    if component is None or not place:
        return None
    missing = 0
    for rule in catalog.rules_by_library["bitsandbytes"].rules:
        literals = {literal.component: literal.allowed for literal in rule.literals}
        lacks = rule.kind is Kind.BNB_CUDA_BINARY
        if lacks and not literals.get("platform", 0) & here and not literals.get("cuda", 0) & place:
            missing |= component.everything & ~literals["bitsandbytes"]
    having = [c.version for i, c in enumerate(component.candidates) if c.version[0].isdigit() and not missing >> i & 1]
    return having[-1] if having else None


def _transformers_of_torch(catalog: Catalog, release: str) -> str | None:
    """The newest transformers that works with a torch release."""
    component, torch = catalog.components.get("transformers"), catalog.components["torch"]
    place = sum(1 << i for i, candidate in enumerate(torch.candidates) if candidate.version == _public(release))
    if component is None or not place:
        return None
    refused = 0
    for rule in catalog.rules_by_library["transformers"].rules:
        literals = {literal.component: literal.allowed for literal in rule.literals}
        if rule.field in ("works_with", "requires") and not literals.get("torch", place) & place:
            refused |= component.everything & ~literals["transformers"]
    working = [c.version for i, c in enumerate(component.candidates) if c.version[0].isdigit() and not refused >> i & 1]
    return working[0] if working else None


LOOKUPS: dict[str, Callable[[Catalog, str], str | None]] = {
    "branch": _branch,
    "conda": _conda_cuda,
    "first": _first_toolkit,
    "gccfornvcc": _gcc_for_nvcc,
    "last": _last_toolkit,
    "nccl": lambda catalog, text: _nccl_symbol(catalog, text) or _nccl_of_torch(catalog, text),
    "toolkitforgcc": _toolkit_for_gcc,
    "torchaudio": _partner("torchaudio"),
    "torchvision": _partner("torchvision"),
    "transformers": _transformers_of_torch,
    "triton": _triton_of_torch,
    "xformers": _partner("xformers"),
}
BY_PLATFORM: dict[str, Callable[[Catalog, str | None, str], str | None]] = {
    "bnbfirst": _first_bitsandbytes,
    "floor": floor,
    "native": native,
    "published": _published,
}
