"""`compatsolver check FILE`, `check -r requirements.txt`: which pins cannot work on that machine, without solving."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from compatsolver.cli.explain import EXIT_CODES, FORMATS, rendered
from compatsolver.cli.parser import new_parser
from compatsolver.cli.requirements import add_requirement_flags, requirements_of
from compatsolver.cli.streams import emit
from compatsolver.cli.target import add_target_flags, target_of
from compatsolver.errors import InputError

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

_LISTS = (".txt", ".in")
_LOCK = ".toml"


def parse(arguments: Sequence[str]) -> Namespace:
    """Read the flags; requirements may stand before, between and after them."""
    parser = new_parser(
        "compatsolver check",
        "Does somebody's pin list fit a machine? Says which pins cannot work there and why.\n"
        "The machine is that of the target flags, of the environment file, or this one.\n"
        "--python may also be the path of a Python environment: its packages are checked.",
    )
    parser.add_argument(
        "files",
        nargs="*",
        metavar="FILE",
        type=Path,
        help="environment (YAML, JSON), list (.txt), pylock.toml",
    )
    parser.add_argument("--format", choices=FORMATS, default=FORMATS[0], help="how the answer is printed")
    add_requirement_flags(parser)
    add_target_flags(parser)
    return parser.parse_intermixed_args(arguments)


def run(options: Namespace) -> int:
    """Print what does not fit; the exit code is the verdict."""
    from compatsolver import api

    _refuse_missing(options.files)
    environments = [path for path in options.files if path.suffix not in (*_LISTS, _LOCK)]
    options.requirement += [path for path in options.files if path.suffix in _LISTS]
    options.environment = environments[0] if environments else options.environment
    locks = [path for path in options.files if path.suffix == _LOCK]
    installed = _place(options.python)
    options.python = None if installed else options.python
    diagnosis = api.check(installed=installed, locks=locks, **requirements_of(options), **target_of(options))
    emit(rendered(diagnosis, options.format))
    return EXIT_CODES[diagnosis.verdict]


def _refuse_missing(files: Sequence[Path]) -> None:
    for path in files:
        if not path.exists():
            raise InputError(
                f"{path}: there is no such file",
                hint="FILE is an environment (YAML, JSON), a list of pins (.txt) or pylock.toml; a list may also have"
                " another name with -r",
            )


def _place(python: str | None) -> Path | None:
    """The path of an environment where `--python` is one, and not a version."""
    if python is None:
        return None
    path = Path(python)
    return path if len(path.parts) > 1 or path.exists() else None
