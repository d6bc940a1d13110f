"""`compatsolver sync LOCK`: the environment of a lock, built beside the one in use and proven before it is taken."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from compatsolver.cli.parser import new_parser
from compatsolver.cli.streams import Progress, emit, say
from compatsolver.cli.target import add_catalog_flags
from compatsolver.environments.generations.installers import CHOICES
from compatsolver.environments.generations.order import ENVIRONMENT, KEEP
from compatsolver.model.generation import LEVELS, QUICK
from compatsolver.model.validation import DEVICES

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Sequence

    from compatsolver.model.generation import Synced

FORMATS = ("text", "json")


def parse(arguments: Sequence[str]) -> Namespace:
    """Read the flags."""
    parser = new_parser(
        "compatsolver sync",
        "Make the environment of a lock: beside the one in use, every file held against its\n"
        "hashes, proven by checks, and only then put in its place. What fails changes nothing.",
        "exit codes: 0 the environment is what the lock says · 1 the proof failed\n"
        "            2 lock or flags unreadable · 6 it could not be built",
    )
    parser.add_argument("lock", metavar="LOCK", type=Path, help="a pylock.toml")
    add_environment_flags(parser)
    parser.add_argument("--prove", choices=LEVELS, default=QUICK, help="what has to pass before it is taken into use")
    parser.add_argument("--device", choices=DEVICES, default=DEVICES[0], help="of the proof; auto is cuda with a GPU")
    parser.add_argument("--keep", metavar="N", type=int, default=KEEP, help="generations to keep, by default 3")
    parser.add_argument("--wheelhouse", metavar="DIR", type=Path, help="install from this folder, without network")
    parser.add_argument("--offline", action="store_true", help="install from what uv has kept, without network")
    parser.add_argument("--python", metavar="PATH|VERSION", help="the interpreter, by default one that the lock is for")
    parser.add_argument("--installer", choices=CHOICES, default=CHOICES[0], help="auto is uv where it is, else pip")
    parser.add_argument("--no-wait", action="store_true", help="fail where another sync is at work, and do not wait")
    add_catalog_flags(parser.add_argument_group("choice"))
    return parser.parse_args(arguments)


def add_environment_flags(parser: ArgumentParser) -> None:
    """Which environment, and how the answer is printed."""
    parser.add_argument("--env", metavar="PATH", type=Path, default=Path(ENVIRONMENT), help="by default .venv")
    parser.add_argument("--format", choices=FORMATS, default=FORMATS[0], help="how the answer is printed")


def run(options: Namespace) -> int:
    """Print what came of it."""
    from compatsolver import api

    progress = Progress()
    try:
        done = api.sync(
            options.lock,
            environment=options.env,
            prove=options.prove,
            keep=options.keep,
            wheelhouse=options.wheelhouse,
            offline=options.offline,
            python=options.python,
            installer=options.installer,
            device=options.device,
            wait=not options.no_wait,
            progress=progress,
            tell=lambda words: say(f"{words}\n"),
            catalog=options.catalog,
            overlay=options.overlay,
        )
    finally:
        progress.close()
    print_synced(done, options)
    return 0


def print_synced(done: Synced, options: Namespace) -> None:
    """Print what a sync or a rollback came to."""
    if options.format == "json":
        from compatsolver.render.document import document

        emit(document(done.to_dict()))
    else:
        from compatsolver.render.generations_text import synced_text

        flags = "" if options.env == Path(ENVIRONMENT) else f" --env {shlex.quote(str(options.env))}"
        emit(synced_text(done, flags))
