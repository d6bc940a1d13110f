"""torch builds: the columns of a row agree with each other and with the tables on CUDA, cuDNN, GPUs and triton."""

from __future__ import annotations

from typing import TYPE_CHECKING

from packaging.specifiers import SpecifierSet

from compatsolver.authoring.lint.hardware import toolkit_minor
from compatsolver.authoring.lint.problem import Finding, Lint
from compatsolver.authoring.rules.hosts import within
from compatsolver.authoring.rules.wheels import admits
from compatsolver.authoring.universe import KNOWN_TO_EXIST
from compatsolver.model.architecture import Target
from compatsolver.model.version import Capability, PythonVersion, package_version

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compatsolver.authoring.schema import Archs, BuildRow, CapabilityRow, Tables

CPU = "cpu"


def build_tag(tables: Tables) -> Iterator[Finding]:
    """A build's tag spells its CUDA: `cu126` is 12.6.x. A wrong pair would give the wrong driver floor.

    Another tag, or more behind it (`cu126.internal`), says nothing about CUDA, which then must be given.
    """
    for name, build in _builds(tables):
        if build.build == CPU:
            continue
        tag, _, more = build.build.partition(".")
        is_usual = tag.startswith("cu") and tag[2:].isdigit()
        spelled = "cu" + "".join(build.cuda.split(".")[:2]) if build.cuda else None
        if (spelled != tag) if is_usual and (spelled or more) else not (is_usual or spelled):
            yield Finding(build, f"{name}: the build is called {build.build} and has CUDA {build.cuda}", "correct one")


def cpu_build(tables: Tables) -> Iterator[Finding]:
    """A CPU build has nothing of CUDA, and macOS has no other builds."""
    for name, build in _builds(tables):
        if build.build == CPU:
            extra = [key for key in ("cuda", "cudnn", "nccl", "archs") if getattr(build, key) is not None]
            if extra:
                yield Finding(build, f"{name} is a CPU build with {', '.join(extra)}", "write null there")
        elif build.platform.startswith("macos"):
            yield Finding(build, f"{name}: there is no CUDA on macOS", "correct the platform or the build")


def offered_build(tables: Tables) -> Iterator[Finding]:
    """A build that plans may use has Pythons, an index and, with CUDA, its version and an arch list (maybe unknown)."""
    for name, build in _builds(tables):
        if build.published not in KNOWN_TO_EXIST:
            continue
        if not build.pythons:
            yield Finding(build, f"{name} is published for no Python", "list the Pythons, or correct `published`")
        if build.index is None and not build.default_index:
            yield Finding(build, f"{name} is published on no index", "write the index it lies on")
        if build.build != CPU and (build.cuda is None or build.archs is None):
            yield Finding(build, f"{name} needs cuda and archs", "write them; `sass: null` says the list is unknown")


def index_tag(tables: Tables) -> Iterator[Finding]:
    """PyTorch's index of a build ends with its tag: another would serve another build."""
    for name, build in _builds(tables):
        index = (build.index or "").rstrip("/")
        if "//download.pytorch.org/" in index and index.rpartition("/")[2] != build.build:
            yield Finding(build, f"{name}: the index is {build.index}", f"let it end with /{build.build}")


def default_index_once(tables: Tables) -> Iterator[Finding]:
    """The default index serves one build of a release per platform, and only builds that are published."""
    for release in tables.torch:
        served: dict[str, str] = {}
        for build in release.builds:
            if not build.default_index:
                continue
            name = f"torch {release.version}, {build.platform}"
            if build.platform in served:
                message = f"{name}: the default index serves {served[build.platform]} and {build.build}"
                yield Finding(build, message, "one of them is served by its own index alone")
            if build.published == "no":
                yield Finding(build, f"{name}: {build.build} is on the default index and not published", "correct one")
            served[build.platform] = build.build


def glibc_on_linux(tables: Tables) -> Iterator[Finding]:
    """Only Linux wheels have a glibc floor."""
    for name, build in _builds(tables):
        if build.glibc is not None and not build.platform.startswith("linux"):
            yield Finding(build, f"{name} needs glibc {build.glibc}", "write null off Linux")


def abi_on_linux(tables: Tables) -> Iterator[Finding]:
    """Only Linux builds have one of two C++ ABIs."""
    for name, build in _builds(tables):
        if build.cxx11_abi is not None and not build.platform.startswith("linux"):
            yield Finding(build, f"{name} states a C++ ABI", "leave it out off Linux")


def build_pythons_admitted(tables: Tables) -> Iterator[Finding]:
    """Wheels are for Pythons that the release's `requires_python` admits: an installer would refuse the others."""
    for release in tables.torch:
        for build in release.builds:
            pythons = build.pythons or []
            refused = [text for text in pythons if not admits(release.requires_python, PythonVersion.parse(text))]
            if refused:
                name = f"torch {release.version} {build.build} {build.platform}"
                message = f"{name} has wheels for Python {', '.join(refused)} and requires {release.requires_python}"
                yield Finding(build, message, "correct one of them")


def column_evidence(tables: Tables) -> Iterator[Finding]:
    """Every column that states a value says how well it is known."""
    for name, build in _builds(tables):
        columns = ("published", "pythons", "glibc", "cuda", "cudnn", "nccl", "triton", "cxx11_abi")
        silent = [
            column for column in columns if getattr(build, column) not in (None, []) and column not in build.evidence
        ]
        if silent:
            yield Finding(build, f"{name}: no evidence for {', '.join(silent)}", "add it to `evidence`")


def targets_placed(tables: Tables) -> Iterator[Finding]:
    """`sass` holds machine code, `ptx` PTX, each target once; only a target of `sass` can be disputed."""
    for name, _, archs in _arch_lists(tables):
        sass, ptx = archs.sass or [], archs.ptx or []
        strangers = [text for text in sass if Target.parse(text).ptx]
        strangers += [text for text in ptx if not Target.parse(text).ptx]
        strangers += [text for text in archs.disputed if text not in sass]
        if strangers:
            yield Finding(archs, f"{name}: {', '.join(strangers)} in the wrong list", "move or correct it")
        if len(set(sass)) < len(sass) or len(set(ptx)) < len(ptx):
            yield Finding(archs, f"{name}: a target stands twice", "keep one")


def targets_known_to_toolkit(tables: Tables) -> Iterator[Finding]:
    """The toolkit of a build compiles for each of its targets: not one older than the GPU or past its removal."""
    rows = {Capability.parse(row.compute_capability): row for row in tables.capabilities}
    for name, build, archs in _arch_lists(tables):
        for text in (*(archs.sass or ()), *(archs.ptx or ())):
            row = rows.get(Target.parse(text).capability)
            if row is None:
                yield Finding(archs, f"{name}: {text} is no capability of architectures.yaml", "add it or correct this")
            elif build.cuda and not compiles(build.cuda, row):
                span = f"{row.first_toolkit or '?'} to {row.last_toolkit or 'today'}"
                tip = "correct the list, or the toolkits of the capability"
                yield Finding(archs, f"{name}: CUDA {build.cuda} has no {text}, which CUDA {span} compiles", tip)


def cudnn_serves_build(tables: Tables) -> Iterator[Finding]:
    """The cuDNN that a build pins runs on at least one of the GPUs it is compiled for."""
    for name, build, archs in _arch_lists(tables):
        if not build.cudnn or not archs.sass:
            continue
        ranges = [row.compute_capability for row in tables.cudnn if within(build.cudnn, row.cudnn)]
        capabilities = [Target.parse(text).capability for text in archs.sass]
        if not any(all(within(str(capability), bounds) for bounds in ranges) for capability in capabilities):
            yield Finding(build, f"{name}: cuDNN {build.cudnn} runs on none of its GPUs", "correct the pin or the list")


def triton_released(tables: Tables) -> Iterator[Finding]:
    """The triton that a build requires is a release of libraries/triton.yaml."""
    releases = [release.version for release in tables.libraries.get("triton", ())]
    for name, build in _builds(tables):
        if build.triton and not any(SpecifierSet(build.triton).contains(version, True) for version in releases):
            yield Finding(build, f"{name}: no triton {build.triton}", "add the release to libraries/triton.yaml")


def pin_released(tables: Tables) -> Iterator[Finding]:
    """The cuDNN and NCCL that a build pins are releases there are; those older than the first one as a wheel aside."""
    for column, releases in (("cudnn", tables.cudnn_releases), ("nccl", tables.nccl_releases)):
        known = {row.version for row in releases}
        oldest = min(map(package_version, known), default=None)
        for name, build in _builds(tables):
            pinned = getattr(build, column)
            if oldest and pinned and pinned not in known and package_version(pinned) > oldest:
                tip = f"correct it, or add the release to {column}.yaml"
                yield Finding(build, f"{name}: there is no {column} {pinned}", tip)


def _builds(tables: Tables) -> Iterator[tuple[str, BuildRow]]:
    for release in tables.torch:
        for build in release.builds:
            yield f"torch {release.version} {build.build} {build.platform}", build


def _arch_lists(tables: Tables) -> Iterator[tuple[str, BuildRow, Archs]]:
    for name, build in _builds(tables):
        if build.archs is not None:
            yield name, build, build.archs


def compiles(cuda: str, row: CapabilityRow) -> bool:
    """Whether a toolkit compiles for a capability."""
    minor = toolkit_minor(cuda)
    return (row.first_toolkit is None or toolkit_minor(row.first_toolkit) <= minor) and (
        row.last_toolkit is None or minor <= toolkit_minor(row.last_toolkit)
    )


LINTS: tuple[Lint, ...] = (
    build_tag,
    cpu_build,
    offered_build,
    index_tag,
    default_index_once,
    glibc_on_linux,
    abi_on_linux,
    build_pythons_admitted,
    column_evidence,
    targets_placed,
    targets_known_to_toolkit,
    cudnn_serves_build,
    triton_released,
    pin_released,
)
