"""`compatsolver facts SUBJECT`: what the catalogue knows, with evidence and sources."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.cli.parser import new_parser
from compatsolver.cli.streams import emit
from compatsolver.cli.target import add_catalog_flags
from compatsolver.errors import InsufficientFacts
from compatsolver.model.facts import UNKNOWN
from compatsolver.model.request import PLATFORMS

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

FORMATS = ("text", "json")


def parse(arguments: Sequence[str]) -> Namespace:
    """Read the flags; the words of a subject need no quotes."""
    parser = new_parser(
        "compatsolver facts",
        "What the catalogue knows, each value with its evidence and sources.\n"
        "Subjects: torch==2.9.1+cu128, torch==2.9.1, bitsandbytes==0.46.1, peft,\n"
        "gpu RTX 4090, driver 535.98, cuda 12.4, cudnn 9.10.2.21, nccl 2.27.5.",
    )
    parser.add_argument("subject", nargs="+", metavar="SUBJECT", help="a package, or a kind of part and its name")
    parser.add_argument("--platform", metavar="PLATFORM", help=" | ".join(PLATFORMS))
    parser.add_argument("--format", choices=FORMATS, default=FORMATS[0], help="how the answer is printed")
    add_catalog_flags(parser)
    return parser.parse_intermixed_args(arguments)


def run(options: Namespace) -> int:
    """Print the facts; the exit code is 3 where nobody knows whether the subject exists."""
    from compatsolver import api

    found = api.facts(
        " ".join(options.subject), platform=options.platform, catalog=options.catalog, overlay=options.overlay
    )
    if options.format == "json":
        from compatsolver.render.document import document

        emit(document(found.to_dict()))
    else:
        from compatsolver.render.facts_text import facts_text

        emit(facts_text(found))
    return InsufficientFacts.exit_code if found.exists == UNKNOWN else 0
