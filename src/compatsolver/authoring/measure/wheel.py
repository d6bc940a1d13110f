"""Read a wheel from its bytes, member by member: nothing is unpacked, imported or run."""

from __future__ import annotations

import ast
import re
import zipfile
import zlib
from contextlib import contextmanager
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, BinaryIO

from packaging.utils import InvalidWheelFilename, parse_wheel_filename

from compatsolver.authoring.measure.fatbins import FatBinaries
from compatsolver.authoring.measure.linkage import linkage
from compatsolver.authoring.measure.measurement import Library, Measurement
from compatsolver.errors import InputError
from compatsolver.index.metadata import Metadata, read_metadata
from compatsolver.model.version import NumericVersion

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from compatsolver.model.architecture import Target

PIECE = 4 << 20
LARGEST_TEXT = 10 << 20
_LIBRARY = re.compile(r".+\.(?:so(?:\.\d+)*|dll|pyd)", re.IGNORECASE)
_OF_CUDA = re.compile(
    r"(?:lib)?(?:cublas|cudart|cudnn|cufft|cufile|cupti|curand|cusolver|cusparse|nccl|nvjitlink|nvjpeg|nvrtc"
    r"|nvshmem|nvtoolsext)[\w.-]*\.(?:so|dll)\b.*",
    re.IGNORECASE,
)


def measure(file: BinaryIO, name: str, tell: Callable[[str, int], None] = lambda member, size: None) -> Measurement:
    """Read the wheel in a seekable file; `name` is its file name, `tell` hears each library before it is read.

    Raises InputError where it is no wheel, is cut off or damaged.
    """
    with _opened(file, name) as archive:
        return _measured(archive, name, file.seek(0, 2), tell)


def constants(file: BinaryIO, name: str) -> dict[str, str | bool | None]:
    """The constants in the `version.py` of the wheel in a seekable file; raises InputError as `measure` does."""
    with _opened(file, name) as archive:
        return _variables(archive, parse_wheel_filename(name)[0])


@contextmanager
def _opened(file: BinaryIO, name: str) -> Iterator[zipfile.ZipFile]:
    try:
        parse_wheel_filename(name)
        with zipfile.ZipFile(file) as archive:
            yield archive
    except InvalidWheelFilename as error:
        raise InputError(f"{name}: not the name of a wheel: {error}") from None
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise InputError(
            f"{name}: not a wheel, or not all of one: {error}", hint="get the file again and compare its hash"
        ) from None


def _measured(archive: zipfile.ZipFile, name: str, size: int, tell: Callable[[str, int], None]) -> Measurement:
    distribution, _, _, tags = parse_wheel_filename(name)
    metadata = _metadata(archive, name)
    members = [member for member in archive.infolist() if _LIBRARY.fullmatch(member.filename) and member.file_size]
    libraries = tuple(_library(archive, member, tell) for member in members)
    linked = [library.linkage for library in libraries if library.linkage]
    return Measurement(
        wheel=name,
        size=size,
        name=metadata.name,
        version=metadata.version,
        tags=tuple(sorted(str(tag) for tag in tags)),
        requires_python=metadata.requires_python,
        requires=metadata.requires,
        variables=_variables(archive, distribution),
        libraries=libraries,
        bundled=tuple(sorted({base for path in archive.namelist() if _OF_CUDA.fullmatch(base := _base(path))})),
        glibc=_newest(one.glibc for one in linked),
        glibcxx=_newest(one.glibcxx for one in linked),
        cxx11_abi=_agreed(one.cxx11_abi for one in linked),
    )


def _metadata(archive: zipfile.ZipFile, name: str) -> Metadata:
    for member in archive.infolist():
        folder, _, file = member.filename.partition("/")
        if folder.endswith(".dist-info") and file == "METADATA":
            try:
                return read_metadata(_text(archive, member).encode(), is_wheel=True)
            except ValueError as error:
                raise InputError(f"{name}: not a wheel: {error}") from None
    raise InputError(f"{name}: not a wheel: it has no METADATA", hint="name a file made by a build backend")


def _variables(archive: zipfile.ZipFile, distribution: str) -> dict[str, str | bool | None]:
    """The constants that the distribution's `version.py` assigns."""
    wanted = {f"{distribution.replace('-', '_')}/{file}" for file in ("version.py", "_version.py")}
    for member in archive.infolist():
        if member.filename in wanted:
            try:
                module = ast.parse(_text(archive, member))
            except (SyntaxError, ValueError):
                return {}
            return dict(_constants(module))
    return {}


def _constants(module: ast.Module) -> Iterator[tuple[str, str | bool | None]]:
    for statement in module.body:
        if isinstance(statement, ast.Assign):
            targets: Iterable[ast.expr] = statement.targets
        elif isinstance(statement, ast.AnnAssign):
            targets = [statement.target]
        else:
            continue
        value = statement.value
        if isinstance(value, ast.Constant) and isinstance(value.value, (str, bool, type(None))):
            yield from ((target.id, value.value) for target in targets if isinstance(target, ast.Name))


def _text(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> str:
    if member.file_size > LARGEST_TEXT:
        raise InputError(f"{member.filename}: a text of {member.file_size} bytes is not read")
    return archive.read(member).decode("utf-8", "replace")


def _library(archive: zipfile.ZipFile, member: zipfile.ZipInfo, tell: Callable[[str, int], None]) -> Library:
    """Read a library once, front to back. What is not device code goes to a file with holes, for its ELF sections."""
    tell(member.filename, member.file_size)
    with archive.open(member) as stream, TemporaryFile() as image:
        code = FatBinaries(iter(lambda: stream.read(PIECE), b""))
        for offset, stretch in code.rest():
            image.seek(offset)
            image.write(stretch)
        image.truncate(member.file_size)
        linked = linkage(image)
    targets = {str(target): code.targets[target] for target in sorted(code.targets, key=_newest_first)}
    return Library(member.filename, member.file_size, code.count, targets, linked)


def _newest_first(target: Target) -> tuple[bool, int, int, str]:
    return (target.ptx, -target.capability.major, -target.capability.minor, target.scope)


def _base(path: str) -> str:
    return path.rpartition("/")[2]


def _newest(versions: Iterable[str | None]) -> str | None:
    return max((version for version in versions if version), key=NumericVersion.parse, default=None)


def _agreed(answers: Iterable[bool | None]) -> bool | None:
    """What all libraries that tell say; None where none tells or they differ."""
    told = {answer for answer in answers if answer is not None}
    return told.pop() if len(told) == 1 else None
