"""`compatsolver lock [REQUIREMENT…] -o FILE`: a plan with everything below it, for installers to take as it is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from compatsolver.cli.index import add_index_flags, index_of
from compatsolver.cli.parser import new_parser
from compatsolver.cli.requirements import add_requirement_flags, requirements_of
from compatsolver.cli.streams import Progress, emit, say, wants_colour
from compatsolver.cli.target import add_target_flags, target_of
from compatsolver.errors import InputError, InsufficientFacts, NoSolution

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from compatsolver.locking.locked import Locked

FILES = {
    "pylock": "pylock.toml",
    "requirements": "requirements.txt",
    "uv": "pyproject.toml",
    "conda": "environment.yml",
    "pixi": "pixi.toml",
    "dockerfile": "Dockerfile",
}
"""Format → the file it is written to where no other is named."""
STDOUT = "-"
AXES = ("gpu", "driver", "python", "platform", "glibc")


def parse(arguments: Sequence[str]) -> Namespace:
    """Read the flags; requirements may stand before, between and after them."""
    parser = new_parser(
        "compatsolver lock",
        "From a target and requirements to a lock: every package below the plan, with files\n"
        "and hashes, resolved on a package index for the target.",
    )
    parser.add_argument(
        "requirements",
        nargs="*",
        metavar="REQUIREMENT",
        help="peft, 'torch==2.6.0', a wheel's path or URL",
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="where the lock goes; - is standard output")
    parser.add_argument("--format", choices=tuple(FILES), default="pylock", help="the format of the lock")
    parser.add_argument("--base-image", metavar="IMAGE", help="of the Dockerfile, as in IMAGE@DIGEST")
    parser.add_argument("--wheelhouse", metavar="DIR", help="download every file of the lock there as well")
    parser.add_argument(
        "-e", "--editable", action="append", default=[], metavar="PATH", help="refused, with the reason"
    )
    parser.add_argument(
        "--also", metavar="AXIS=VALUE,…", action="append", default=[], help="another target, as in python=3.13"
    )
    add_index_flags(parser)
    add_requirement_flags(parser)
    add_target_flags(parser)
    options = parser.parse_intermixed_args(arguments)
    if options.base_image and options.format != "dockerfile":
        parser.error("--base-image goes with --format dockerfile")
    return options


def run(options: Namespace) -> int:
    """Write the lock and say what is in it; where there is none, print why."""
    from compatsolver import api

    progress = Progress()
    requires = [*options.requirements, *(f"-e {path}" for path in options.editable)]
    settings = index_of(options) | requirements_of(options) | target_of(options)
    try:
        lock = api.lock(requires, progress=progress, also=[_axes(text) for text in options.also], **settings)
        _write(lock, options)
        if options.wheelhouse:
            _gather(lock, options, progress)
    except (NoSolution, InsufficientFacts) as refusal:
        progress.close()
        return _explain(refusal)
    finally:
        progress.close()
    return 0


def _axes(text: str) -> Any:
    """The axes of another target; the C library goes with its platform."""
    axes: dict[str, Any] = {}
    for part in text.split(","):
        name, equals, value = part.strip().partition("=")
        if not equals or name not in AXES:
            raise InputError(f"{part!r} is no axis of a target", hint=f"write {', '.join(AXES)}, as in python=3.13")
        axes[name] = value
    return {"glibc": None, **axes} if "platform" in axes else axes


def _write(lock: Locked, options: Namespace) -> None:
    settings = {"base_image": options.base_image} if options.base_image else {}
    if options.output == STDOUT:
        emit(next(iter(lock.rendered(options.format, **settings).values())))
    else:
        written = lock.write(options.output or FILES[options.format], options.format, **settings)
        files = sum(len(package.files) for package in lock.packages)
        emit(f"{', '.join(map(str, written))}: {len(lock.packages)} packages, {files} files\n")
    for text in lock.conditions:
        say(f"condition: {text}\n")
    for text in (*lock.remarks, *lock.notes):
        say(f"note: {text}\n")
    for text in lock.cannot_express(options.format):
        say(f"not in this format: {text}\n")


def _gather(lock: Locked, options: Namespace, progress: Progress) -> None:
    from compatsolver.locking.wheelhouse import install_line

    indexes = {"index_url": options.index_url, "extra_index_urls": options.extra_index_url}
    listing = lock.download(options.wheelhouse, progress, **indexes)[0]
    progress.close()
    emit(f"without network: {install_line(Path(listing), lock.targets[0].platform or '')}\n")


def _explain(refusal: NoSolution | InsufficientFacts) -> int:
    from compatsolver.render.text import plan_text

    emit(plan_text(refusal.plan, colour=wants_colour()))
    return refusal.exit_code
