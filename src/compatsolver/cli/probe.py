"""`compatsolver probe`: this machine as an environment document."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from compatsolver.cli.parser import new_parser
from compatsolver.cli.streams import emit, wants_colour
from compatsolver.errors import ProbeError

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

FORMATS = ("text", "json")


def parse(arguments: Sequence[str]) -> Namespace:
    """Read the flags."""
    parser = new_parser(
        "compatsolver probe",
        "What this machine has: driver, GPUs, system, packages, CUDA libraries and\n"
        "compilers, each with how it was got. The JSON is an environment document, which\n"
        "--environment takes on another machine.",
    )
    parser.add_argument("--format", choices=FORMATS, default=FORMATS[0], help="how the answer is printed")
    parser.add_argument("--redact", action="store_true", help="leave out what tells whose machine it is")
    parser.add_argument(
        "--python",
        metavar="PATH",
        type=Path,
        help="an interpreter or environment whose packages are read, in place of its own",
    )
    return parser.parse_args(arguments)


def run(options: Namespace) -> int:
    """Print the document; 6 where there may be a GPU and nothing tells which. No answer needs the catalogue here."""
    from compatsolver.observation.live.collect import probe

    environment = probe(python=options.python)
    if options.redact:
        from compatsolver.observation.redaction import shareable

        environment = shareable(environment)
    if options.format == "json":
        from compatsolver.render.document import document

        emit(document(environment.to_dict()))
    else:
        from compatsolver.render.environment_text import environment_text

        emit(environment_text(environment, colour=wants_colour()))
    return ProbeError.exit_code if environment.gpu is None else 0
