"""`compatsolver generations`: what sync has made and kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.cli.parser import new_parser
from compatsolver.cli.streams import emit
from compatsolver.cli.sync import add_environment_flags

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence


def parse(arguments: Sequence[str]) -> Namespace:
    """Read the flags."""
    parser = new_parser(
        "compatsolver generations",
        "The environments that sync has made and kept: from which lock, when, and with which proof.",
    )
    add_environment_flags(parser)
    return parser.parse_args(arguments)


def run(options: Namespace) -> int:
    """Print the list."""
    from compatsolver.environments.generations.entrance import generations

    listing = generations(options.env)
    if options.format == "json":
        from compatsolver.render.document import document

        emit(document(listing.to_dict()))
    else:
        from compatsolver.render.generations_text import generations_text

        emit(generations_text(listing))
    return 0
