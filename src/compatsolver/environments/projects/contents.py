"""The files of a project, from a lock: what the emitters make of it, and what is the same in every project."""

from __future__ import annotations

import re
from importlib import resources
from string import Template
from typing import TYPE_CHECKING

from compatsolver.emitters import dockerfile, pylock, requirements
from compatsolver.emitters.locked import asked, only_python, target_words
from compatsolver.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from compatsolver.model.lock import Lock

README, LOCK, PYTHON = "README.md", "pylock.toml", ".python-version"
SETUP = "setup.sh"
_SCRIPTS = ("train_lora.py", "find_batch.py", "texts.py", "loss_curve.py", "smoke_test.py")
_HIDDEN = {".gitignore": "gitignore", ".dockerignore": "dockerignore"}
_FILES = {
    SETUP: "makes `.venv` from the lock, by uv or pip",
    "smoke_test.py": "whether the environment works",
    "train_lora.py": "training",
    "texts.py": "what is trained on",
    "find_batch.py": "the largest batch that fits",
    "loss_curve.py": "the loss as a picture",
    requirements.SHORT: "what was asked for and the versions it got, for people",
    requirements.NAME: "every package with its hashes, for installers",
    dockerfile.BUILT: "packages that are compiled against torch, after it",
    LOCK: "the lock with all it knows, for `compatsolver check` and `sync`",
    PYTHON: "the version of Python that the lock is for",
    dockerfile.NAME: "the environment as an image",
}


def contents(lock: Lock, name: str, base_image: str | None = None) -> Mapping[str, str]:
    """File name → text of the project `name` around a lock; `base_image` is that of its Dockerfile.

    Raises InputError for a lock of several Pythons, one with a file of this machine, which no other one has, and as the
    Dockerfile does.
    """
    for package in lock.packages:
        if package.direct and package.files[0].path:
            raise InputError(
                f"{package.files[0].path} is on this machine only, and a project is for others too",
                hint=f"name {package.name} by its version or by the address of a file",
            )
    files = {
        **{script: _template(script) for script in _SCRIPTS},
        **{file: _template(template) for file, template in _HIDDEN.items()},
        **_locked(lock, base_image),
        PYTHON: f"{only_python(lock, PYTHON)}\n",
    }
    if not is_windows(lock):
        files[SETUP] = _template(SETUP)
    return {README: _readme(lock, name, files), **files}


def commands(lock: Lock) -> tuple[str, ...]:
    """From the project's directory to a falling loss."""
    python = _program(lock, "python")
    return (*_setup(lock), f"{python} smoke_test.py", f"{python} train_lora.py")


def is_windows(lock: Lock) -> bool:
    """Whether it is Windows that the project is for."""
    return any((target.platform or "").startswith("windows") for target in lock.targets)


def _locked(lock: Lock, base_image: str | None) -> Mapping[str, str]:
    """The lock for people, for installers and as a document; a Dockerfile where it is for Linux."""
    for_installers = requirements.render(lock)
    if _is_for_linux(lock):
        for_installers = {**for_installers, **dockerfile.render(lock, base_image)}
    return {**for_installers, **pylock.render(lock)}


def _is_for_linux(lock: Lock) -> bool:
    return any(target.platform in dockerfile.PLATFORMS for target in lock.targets)


def _template(name: str) -> str:
    return (resources.files(__package__) / "templates" / name).read_text(encoding="utf-8")


def _readme(lock: Lock, name: str, files: Mapping[str, str]) -> str:
    return (
        Template(_template(README))
        .substitute(
            name=name,
            target=target_words(lock.targets[0]),
            setup="\n".join(_setup(lock)),
            python=_program(lock, "python"),
            torchrun=_program(lock, "torchrun"),
            processes="gpu" if lock.accelerator.cuda else "2",
            files="\n".join(f"| `{file}` | {words} |" for file, words in _FILES.items() if file in files),
            locked=locked_words(lock),
            container=_container(lock, name),
        )
        .rstrip()
        + "\n"
    )


def locked_words(lock: Lock) -> str:
    """What was asked for, with the versions it got, and how many packages there are."""
    named = ", ".join(f"{package.name} {package.version}" for package in asked(lock))
    return f"{named}; {len(lock.packages)} packages in all"


def _setup(lock: Lock) -> tuple[str, ...]:
    if not is_windows(lock):
        return (f"sh {SETUP}",)
    version = only_python(lock, PYTHON)
    return (
        f"py -{version} -m venv .venv",
        f"{_program(lock, 'python')} -m pip install --require-hashes -r {requirements.NAME}",
    )


def _program(lock: Lock, name: str) -> str:
    return rf".venv\Scripts\{name}" if is_windows(lock) else f".venv/bin/{name}"


def _container(lock: Lock, name: str) -> str:
    if not _is_for_linux(lock):
        return ""
    tag = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "project"
    gpus = " --gpus all --ipc=host" if lock.accelerator.cuda else ""
    return Template(_template("container.md")).substitute(tag=tag, gpus=gpus)
