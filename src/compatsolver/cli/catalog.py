"""`compatsolver catalog info|lint|compile`: look at the facts, check them, make the file the program reads."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from compatsolver.catalog.load import BUNDLED, MATRICES, bundled, open_catalog, read
from compatsolver.cli.files import write_whole
from compatsolver.cli.parser import PARSER_SETTINGS, new_parser
from compatsolver.cli.streams import emit
from compatsolver.cli.target import add_catalog_flags
from compatsolver.errors import CatalogError, InputError

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Sequence


ATTESTATIONS = "attestations"
"""The directory beside the tables that has the reports kept as evidence."""


def parse(arguments: Sequence[str]) -> Namespace:
    """Read the action and its flags; `options.action` is the function that does it."""
    parser = new_parser("compatsolver catalog", "The facts behind the answers: look at them, check them, compile them.")
    actions = parser.add_subparsers(required=True, metavar="ACTION")

    info = actions.add_parser("info", help="version, digest, horizon and age", **PARSER_SETTINGS)
    add_catalog_flags(info)
    info.set_defaults(action=_info)

    lint = actions.add_parser("lint", help="check the tables of facts", **PARSER_SETTINGS)
    lint.set_defaults(action=_lint)

    compile_ = actions.add_parser("compile", help="lint, then write the compiled catalogue", **PARSER_SETTINGS)
    compile_.add_argument(
        "--output", metavar="FILE", type=Path, default=BUNDLED, help="by default where the program looks for it"
    )
    compile_.set_defaults(action=_compile)

    for made_from_tables in (lint, compile_):
        made_from_tables.add_argument(
            "--matrices", metavar="DIR", type=Path, default=MATRICES, help="by default data/matrices of this checkout"
        )
    return parser.parse_args(arguments)


def run(options: Namespace) -> int:
    """Do the action; errors carry their own exit codes."""
    action: Callable[[Namespace], None] = options.action
    action(options)
    return 0


def _info(options: Namespace) -> None:
    from datetime import date

    catalog = open_catalog(options.catalog) if options.catalog else bundled()
    if options.overlay:
        from compatsolver.authoring.overlay import overlaid

        catalog = overlaid(catalog, [Path(name) for name in options.overlay])
    age = date.today() - date.fromisoformat(catalog.horizon)
    emit(
        f"version    {catalog.version}\n"
        f"digest     {catalog.digest}\n"
        f"horizon    {catalog.horizon}\n"
        f"age        {age.days} days\n"
        f"holds      {len(catalog.components)} components, {len(catalog.rules)} rules\n"
        + "".join(f"rows       {rows:>6} {table}\n" for table, rows in catalog.rows.items())
        + "".join(f"overlay    {entry['title']} ({entry['file']}, {entry['digest']})\n" for entry in catalog.overlay)
    )


def _lint(options: Namespace) -> None:
    _require_directory(options.matrices)
    from compatsolver.authoring.lint import lint
    from compatsolver.authoring.load import load_tables
    from compatsolver.validation.attestations import problems_in

    problems = [str(problem) for problem in lint(load_tables(options.matrices))]
    problems += problems_in(Path(options.matrices).with_name(ATTESTATIONS))
    if problems:
        raise CatalogError(f"{len(problems)} problems in {options.matrices}", problems=tuple(problems))
    emit(f"{options.matrices}: no problems found\n")


def _compile(options: Namespace) -> None:
    _require_directory(options.matrices)
    from compatsolver.authoring.compile import compile_directory

    data = compile_directory(options.matrices)
    write_whole(options.output, data, "--output")
    emit(f"{options.output}: {len(data)} bytes, catalogue {read(data, str(options.output)).version}\n")


def _require_directory(matrices: Path) -> None:
    if not matrices.is_dir():
        raise InputError(
            f"{matrices}: there are no tables of facts here",
            hint="run this in a source checkout, or name the directory with --matrices",
        )
