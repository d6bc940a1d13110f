"""A Dockerfile and the requirements it installs.

Wheels bring CUDA with them, so a slim Python image will do; where an extension of torch is built, the image has to hold
the toolkit of torch's CUDA. The driver is the host's and never in the image.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from compatsolver.emitters import requirements
from compatsolver.emitters.images import slim_python
from compatsolver.emitters.locked import absolute_path, comments, indexes, only_python, opening, relative_path
from compatsolver.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from compatsolver.model.lock import Lock, LockedPackage

NAME, BUILT = "Dockerfile", "requirements-build.txt"
UV_IMAGE = "ghcr.io/astral-sh/uv:0.13"
PLATFORMS = {"linux-x86_64": "linux/amd64", "linux-aarch64": "linux/arm64"}
_IMAGE = re.compile(r"[a-z0-9][\w.:/-]*(?:@sha256:[0-9a-f]{64})?", re.ASCII)


def render(lock: Lock, base_image: str | None = None) -> Mapping[str, str]:
    """The Dockerfile first, then what it copies; `base_image` is an image, with its digest at best.

    Raises InputError where the lock is for several Pythons or for no Linux, where a local file lies outside the
    directory of the Dockerfile, where `base_image` is no name of an image, and where an extension of torch is built
    and no toolkit is known.
    """
    platforms = [PLATFORMS[target.platform] for target in lock.targets if target.platform in PLATFORMS]
    if not platforms:
        raise InputError(f"the lock is for no Linux, and a {NAME} makes Linux images", hint="lock for Linux")
    python, image = only_python(lock, NAME), _base(lock, base_image)
    built = extensions(lock)
    head = (*opening(lock), *_how(lock, platforms))
    lines = [
        comments(head),
        f"FROM {image}",
        f"COPY --from={UV_IMAGE} /uv /usr/local/bin/uv",
        *_settings(lock),
        "WORKDIR /workspace",
        f"RUN uv venv --python {python} /opt/venv",
        *_copies(lock, built),
        f"RUN uv pip install {_flags(lock)} -r {requirements.NAME}",
        *(_building(lock) if built else ()),
        "",
    ]
    ready = [package for package in lock.packages if package not in built]
    files = {NAME: "\n".join(lines), requirements.NAME: requirements.hashed(ready, opening(lock))}
    return files | ({BUILT: requirements.hashed(built, opening(lock))} if built else {})


def cannot_express(lock: Lock, base_image: str | None = None) -> tuple[str, ...]:
    """What may differ between two images built from these files."""
    lost = [] if base_image and "@" in base_image else ["the base image: its tag moves; give --base-image IMAGE@DIGEST"]
    if extensions(lock) and not base_image:
        lost.append("whether NVIDIA still serves that tag of its image: old ones are removed, and none was looked up")
    sources = [package.name for package in lock.packages if not _has_wheel(package)]
    if sources:
        lost.append(f"what {', '.join(sources)} needs to be built: that is taken, unlocked, while the image is built")
    return (*lost, f"the release of uv: {UV_IMAGE} is the newest of its line")


def extensions(lock: Lock) -> tuple[LockedPackage, ...]:
    """The packages that are built against torch: without a wheel, and requiring it."""
    return tuple(entry for entry in lock.packages if not _has_wheel(entry) and "torch" in entry.requires)


def _has_wheel(package: LockedPackage) -> bool:
    return any(file.is_wheel for file in package.files)


def _base(lock: Lock, given: str | None) -> str:
    if given:
        if not _IMAGE.fullmatch(given):
            raise InputError(f"{given!r} is not the name of an image", hint="write IMAGE, IMAGE:TAG or IMAGE@DIGEST")
        return given
    if not extensions(lock):
        return slim_python(only_python(lock, NAME).rstrip("t"))
    if not lock.accelerator.toolkit:
        names = ", ".join(package.name for package in extensions(lock))
        raise InputError(
            f"{names} is built in the image, and the toolkit for it is not known",
            hint="give an image that holds nvcc with --base-image",
        )
    return f"nvidia/cuda:{lock.accelerator.toolkit}-devel-ubuntu22.04"


def _how(lock: Lock, platforms: Sequence[str]) -> Iterator[str]:
    """What the host needs, and the two commands."""
    if lock.accelerator.cuda:
        version = f" {lock.accelerator.driver} or newer" if lock.accelerator.driver else ""
        yield f"The host needs an NVIDIA driver{version} and the NVIDIA Container Toolkit; the image holds no driver."
    yield f"Build it: docker build --platform {','.join(dict.fromkeys(platforms))} -t locked-environment ."
    gpus = " --gpus all" if lock.accelerator.cuda else ""
    yield f"Run it:   docker run --rm{gpus} locked-environment python -c 'import torch; print(torch.version.cuda)'"


def _settings(lock: Lock) -> Iterator[str]:
    yield 'ENV VIRTUAL_ENV=/opt/venv PATH="/opt/venv/bin:$PATH" UV_PYTHON_INSTALL_DIR=/opt/python'
    if not lock.accelerator.cuda:
        return
    yield "ENV NVIDIA_VISIBLE_DEVICES=all NVIDIA_DRIVER_CAPABILITIES=compute,utility"
    if lock.accelerator.driver:
        yield f'ENV NVIDIA_REQUIRE_DRIVER="driver>={lock.accelerator.driver}"'
    if lock.accelerator.capabilities:
        yield f'ENV TORCH_CUDA_ARCH_LIST="{";".join(lock.accelerator.capabilities)}"'


def _copies(lock: Lock, built: Sequence[LockedPackage]) -> Iterator[str]:
    yield f"COPY {requirements.NAME}{f' {BUILT}' if built else ''} ./"
    for package in lock.packages:
        path = package.files[0].path if package.direct else None
        if path:
            inside = relative_path(path)
            if absolute_path(path) or ".." in inside.split("/"):
                raise InputError(
                    f"{path} lies outside the directory of the {NAME}", hint="copy it there and lock it from there"
                )
            yield f'COPY ["{inside}", "{inside}"]'


def _flags(lock: Lock) -> str:
    strategy = f" {requirements.BEST_MATCH}" if indexes(lock.packages) else ""
    return f"--no-cache --require-hashes{strategy}"


def _building(lock: Lock) -> Iterator[str]:
    """Extensions see the torch that is installed, which isolation would hide from them."""
    yield "RUN uv pip install --no-cache setuptools wheel packaging ninja"
    yield f"RUN uv pip install {_flags(lock)} --no-deps --no-build-isolation -r {BUILT}"
