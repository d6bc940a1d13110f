"""`compatsolver rollback [N]`: return to an environment that sync has kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.cli.parser import new_parser
from compatsolver.cli.sync import add_environment_flags, print_synced

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence


def parse(arguments: Sequence[str]) -> Namespace:
    """Read the flags."""
    parser = new_parser(
        "compatsolver rollback",
        "Return to a generation that sync has kept: one link is changed, nothing is built.",
    )
    parser.add_argument("number", metavar="N", nargs="?", type=int, help="by default the one before that in use")
    add_environment_flags(parser)
    return parser.parse_args(arguments)


def run(options: Namespace) -> int:
    """Print what is in use now."""
    from compatsolver.environments.generations.entrance import rollback

    print_synced(rollback(options.number, options.env), options)
    return 0
