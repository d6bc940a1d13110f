"""Wheels without contents, as an index or a folder serves them: the name, the version, the tags and what they require.

The same arguments give the same bytes, so a test can know the hash of a wheel before an index offers it.
"""

from __future__ import annotations

from base64 import urlsafe_b64encode
from hashlib import sha256
from io import BytesIO
from typing import TYPE_CHECKING, NamedTuple
from zipfile import ZipFile, ZipInfo

if TYPE_CHECKING:
    from pathlib import Path

ANY = "py3-none-any"
_UNIX = 3


class Wheel(NamedTuple):
    """A wheel to be: `tag` is its last three fields, `requires` are requirements as METADATA writes them.

    `imports` names the modules it installs, each with `__version__` and `code`; none is a wheel of metadata only.
    """

    name: str
    version: str
    tag: str = ANY
    requires: tuple[str, ...] = ()
    requires_python: str | None = None
    extras: tuple[str, ...] = ()
    imports: tuple[str, ...] = ()
    code: str = ""

    @property
    def filename(self) -> str:
        """The name of the file, as the specification of wheels escapes it."""
        return f"{self._stem}-{self.tag}.whl"

    @property
    def metadata(self) -> bytes:
        """METADATA, which PEP 658 serves beside the wheel."""
        lines = ["Metadata-Version: 2.1", f"Name: {self.name}", f"Version: {self.version}"]
        lines += [f"Requires-Python: {self.requires_python}"] if self.requires_python else []
        lines += [f"Provides-Extra: {extra}" for extra in self.extras]
        lines += [f"Requires-Dist: {required}" for required in self.requires]
        return "\n".join([*lines, ""]).encode()

    @property
    def data(self) -> bytes:
        """The file."""
        contents = {f"{module}.py": f"__version__ = {self.version!r}\n{self.code}".encode() for module in self.imports}
        contents[f"{self._stem}.dist-info/METADATA"] = self.metadata
        contents[f"{self._stem}.dist-info/WHEEL"] = self._wheel()
        record = [f"{name},sha256={_encoded(data)},{len(data)}" for name, data in contents.items()]
        record.append(f"{self._stem}.dist-info/RECORD,,\n")
        contents[f"{self._stem}.dist-info/RECORD"] = "\n".join(record).encode()
        buffer = BytesIO()
        with ZipFile(buffer, "w") as archive:
            for name, data in contents.items():
                entry = ZipInfo(name)
                entry.create_system = _UNIX
                archive.writestr(entry, data)
        return buffer.getvalue()

    @property
    def sha256(self) -> str:
        """The hash of the file, in hexadecimal digits."""
        return sha256(self.data).hexdigest()

    def write(self, directory: Path) -> Path:
        """Save the file under its own name."""
        path = directory / self.filename
        path.write_bytes(self.data)
        return path

    @property
    def _stem(self) -> str:
        return f"{self.name.replace('-', '_').replace('.', '_')}-{self.version}"

    def _wheel(self) -> bytes:
        pythons, abis, platforms = (part.split(".") for part in self.tag.split("-"))
        tags = [f"Tag: {python}-{abi}-{platform}" for python in pythons for abi in abis for platform in platforms]
        pure = "true" if platforms == ["any"] else "false"
        return "\n".join(["Wheel-Version: 1.0", "Generator: tests", f"Root-Is-Purelib: {pure}", *tags, ""]).encode()


def _encoded(data: bytes) -> str:
    return urlsafe_b64encode(sha256(data).digest()).rstrip(b"=").decode()
