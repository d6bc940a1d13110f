"""`compatsolver compare A B …`: how machines or locks differ, and what would make them one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.cli.parser import new_parser
from compatsolver.cli.streams import emit, wants_colour
from compatsolver.cli.target import add_catalog_flags
from compatsolver.environments.comparison.collecting import WAYS, collecting
from compatsolver.model.comparison import ALIKE, DIFFERENT, UNDETERMINED

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

FORMATS = ("text", "json")
EXIT_CODES = {ALIKE: 0, DIFFERENT: 1, UNDETERMINED: 3}


def parse(arguments: Sequence[str]) -> Namespace:
    """Read the flags."""
    parser = new_parser(
        "compatsolver compare",
        "How machines differ, what of it matters and why, which of them is the odd one,\n"
        "and the smallest change that makes them one. Each is an environment document\n"
        "(compatsolver probe --format json), a pasted listing or report (.txt), or a\n"
        "lock (.toml), which then says what is meant.",
        "exit codes: 0 alike in what matters · 1 different · 2 unreadable · 3 facts missing",
    )
    parser.add_argument("machines", nargs="*", metavar="FILE", help="two or more; with --collect the nodes' names")
    parser.add_argument(
        "--collect",
        choices=WAYS,
        help="print the commands that make the documents on every node; nothing is run",
    )
    parser.add_argument("--format", choices=FORMATS, default=FORMATS[0], help="how the answer is printed")
    add_catalog_flags(parser.add_argument_group("choice"))
    return parser.parse_intermixed_args(arguments)


def run(options: Namespace) -> int:
    """Print the comparison, or the commands that collect what it takes; the exit code is the verdict."""
    if options.collect:
        emit("".join(f"{line}\n" for line in collecting(options.collect, options.machines)))
        return 0
    from compatsolver import api

    found = api.compare(*options.machines, catalog=options.catalog, overlay=options.overlay)
    if options.format == "json":
        from compatsolver.render.document import document

        emit(document(found.to_dict()))
    else:
        from compatsolver.render.comparison_text import comparison_text

        emit(comparison_text(found, colour=wants_colour()))
    return EXIT_CODES[found.verdict]
