"""A lock that can be written in each of the formats, and whose files can be gathered in one folder."""

from __future__ import annotations

from contextlib import ExitStack
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from compatsolver.errors import InputError, ProbeError
from compatsolver.files import replacing
from compatsolver.model.lock import Lock

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

FORMATS = {
    "pylock": "pylock",
    "requirements": "requirements",
    "uv": "uv_project",
    "conda": "conda",
    "pixi": "pixi",
    "dockerfile": "dockerfile",
}
"""Format → the emitter that writes it."""


class Locked(Lock):
    """A lock, with what can be done with it."""

    __slots__ = ()

    def rendered(self, form: str = "pylock", **settings: Any) -> Mapping[str, str]:
        """File name → text in one of the formats, the main file first; raises InputError where it cannot be."""
        if form not in FORMATS:
            raise InputError(f"there is no format {form!r}", hint=f"use one of {', '.join(FORMATS)}")
        files: Mapping[str, str] = import_module(f"compatsolver.emitters.{FORMATS[form]}").render(self, **settings)
        return files

    def cannot_express(self, form: str = "pylock") -> tuple[str, ...]:
        """What a format has no words for."""
        lost: tuple[str, ...] = import_module(f"compatsolver.emitters.{FORMATS[form]}").cannot_express(self)
        return lost

    def write(self, path: str | Path, form: str = "pylock", **settings: Any) -> list[Path]:
        """Write the main file to a path and the others beside it, all before the first takes the place of an old one.

        Raises ProbeError where that cannot be.
        """
        main = Path(path)
        texts = list(self.rendered(form, **settings).items())
        files = {main if number == 0 else main.parent / name: text for number, (name, text) in enumerate(texts)}
        try:
            with ExitStack() as written:
                for file, text in files.items():
                    file.parent.mkdir(parents=True, exist_ok=True)
                    written.enter_context(replacing(file, text.encode()))
        except OSError as error:
            raise ProbeError(
                f"{main}: the lock cannot be written: {error.strerror or error}", hint="choose a place you may write to"
            ) from error
        return list(files)

    def download(
        self,
        folder: str | Path,
        progress: Callable[[str], None] = lambda words: None,
        *,
        index_url: str | None = None,
        extra_index_urls: Sequence[str] = (),
    ) -> list[Path]:
        """Put all files of the lock into a folder, with a requirements file; see `locking.wheelhouse`.

        A lock holds no credentials: where the addresses of the indexes have some, they are given here once more.
        """
        from compatsolver.index.settings import read_settings
        from compatsolver.locking.wheelhouse import gather

        return gather(self, Path(folder), progress, read_settings(index_url, extra_index_urls))
