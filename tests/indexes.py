"""Two package indexes on loopback: a default one and PyTorch's, with stub wheels."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler
from typing import TYPE_CHECKING, Any, NamedTuple

from packaging.tags import sys_tags

from compatsolver.observation.live import here
from locks import located, lock_of, wheels
from serving import on_a_free_port
from wheels import Wheel

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from compatsolver.model.lock import Lock, LockedFile

PYTHON = f"{sys.version_info[0]}.{sys.version_info[1]}"
TAG = str(next(sys_tags()))
"""What this interpreter installs first."""
_OF_PYTORCH = ("torch", "triton")


class Indexes(NamedTuple):
    """A default index and PyTorch's, on loopback; `lock` is complete on them and for this interpreter."""

    directory: Path
    default: str
    pytorch: str

    @property
    def lock(self) -> Lock:
        """The lock of the stub stack, for this interpreter and with the addresses of these indexes."""
        lock = lock_of(PYTHON, pytorch=self.pytorch, place=self._place, tag=TAG)
        return lock._replace(targets=tuple(target._replace(platform=here.platform()) for target in lock.targets))

    def put(self, index: str, wheel: Wheel) -> None:
        """Serve a wheel, with its hash on the project's page."""
        project = self.directory / index / wheel.name
        project.mkdir(parents=True, exist_ok=True)
        path = wheel.write(project)
        with (project / "index.html").open("a", encoding="utf-8") as page:
            page.write(f'<a href="{path.name.replace("+", "%2B")}#sha256={wheel.sha256}">{path.name}</a><br>\n')

    def _place(self, wheel: Wheel) -> LockedFile:
        base = self.pytorch if wheel.name in _OF_PYTORCH else self.default
        return located(wheel, base)


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_arguments: Any) -> None:
        """Say nothing."""


@contextmanager
def serving(directory: Path) -> Iterator[Indexes]:
    """Both indexes, with what would be taken if a version, a build or an index were left open."""
    with on_a_free_port(partial(_Quiet, directory=str(directory))) as host:
        served = Indexes(directory, f"http://{host}/default", f"http://{host}/pytorch")
        for wheel in wheels(PYTHON, TAG).values():
            served.put("pytorch" if wheel.name in _OF_PYTORCH else "default", wheel)
        served.put("default", Wheel("torch", "2.14.1", TAG))
        served.put("default", Wheel("triton", "3.8.0", TAG, imports=("other",)))
        served.put("default", Wheel("sympy", "1.15.0"))
        served.put("pytorch", Wheel("torch", "2.15.0+cu126", TAG, requires=("sympy",)))
        served.put("pytorch", Wheel("sympy", "1.13.0"))
        yield served
