"""`compatsolver catalog ACTION`: look at the facts, check, compile, compare, measure and refresh them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from compatsolver.catalog.load import BUNDLED, MATRICES, bundled, open_catalog, read
from compatsolver.cli.files import write_whole
from compatsolver.cli.measuring import add_measure
from compatsolver.cli.parser import PARSER_SETTINGS, new_parser
from compatsolver.cli.refreshing import add_refresh
from compatsolver.cli.streams import emit
from compatsolver.cli.target import add_catalog_flags
from compatsolver.errors import CatalogError, InputError

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Sequence


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

    diff = actions.add_parser("diff", help="what changed from one catalogue to another", **PARSER_SETTINGS)
    diff.add_argument("old", metavar="OLD", type=Path, help="a compiled catalogue, or a directory of tables")
    diff.add_argument("new", metavar="NEW", type=Path, nargs="?", help="the same; by default the bundled catalogue")
    diff.add_argument("--provenance", action="store_true", help="tell changes of evidence, sources and notes as well")
    diff.add_argument("--format", choices=("text", "json"), default="text", help="how the answer is printed")
    diff.set_defaults(action=_diff)

    figures = actions.add_parser("figures", help="rows, sources and evidence of every table", **PARSER_SETTINGS)
    figures.add_argument(
        "tables", metavar="CATALOG", type=Path, nargs="?", help="as for diff; by default the bundled one"
    )
    figures.set_defaults(action=_figures)

    schema = actions.add_parser("schema", help="the shape of the tables as JSON Schema, for editors", **PARSER_SETTINGS)
    schema.set_defaults(action=_schema)

    for made_from_tables in (lint, compile_):
        made_from_tables.add_argument(
            "--matrices", metavar="DIR", type=Path, default=MATRICES, help="by default data/matrices of this checkout"
        )
    add_measure(actions)
    add_refresh(actions)
    return parser.parse_args(arguments)


def run(options: Namespace) -> int:
    """Do the action; errors carry their own exit codes."""
    if "matrices" in options:
        _require_directory(options.matrices)
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
    from compatsolver.authoring.lint import lint
    from compatsolver.authoring.load import load_tables

    problems = lint(load_tables(options.matrices))
    if problems:
        raise CatalogError(
            f"{len(problems)} problems in {options.matrices}", problems=tuple(str(problem) for problem in problems)
        )
    emit(f"{options.matrices}: no problems found\n")


def _compile(options: Namespace) -> None:
    from compatsolver.authoring.compile import compile_directory

    data = compile_directory(options.matrices)
    write_whole(options.output, data, "--output")
    emit(f"{options.output}: {len(data)} bytes, catalogue {read(data, str(options.output)).version}\n")


def _diff(options: Namespace) -> None:
    from compatsolver.authoring.difference import differences

    (old, old_name), (new, new_name) = _tables(options.old), _tables(options.new)
    changes = differences(old, new, provenance=options.provenance)
    if options.format == "json":
        from compatsolver.render.document import document

        listed = [change._asdict() | {"where": list(change.where)} for change in changes]
        emit(document({"schema": "compatsolver.difference/1", "old": old_name, "new": new_name, "changes": listed}))
        return
    emit("".join(f"{change}\n" for change in changes) or f"{old_name} and {new_name} say the same\n")


def _tables(path: Path | None) -> tuple[dict[str, Any], str]:
    """The tables in a directory, of a compiled catalogue, or of the bundled one, and how to call them."""
    from compatsolver.catalog.tables import tables_of, unpack

    if path is not None and path.is_dir():
        from compatsolver.authoring.load import load_tables
        from compatsolver.authoring.pack import pack

        return unpack(pack(load_tables(path))), str(path)
    catalog = bundled() if path is None else open_catalog(path)
    return tables_of(catalog), f"{catalog.version} ({catalog.digest[:12]})"


def _figures(options: Namespace) -> None:
    from compatsolver.authoring.figures import figures

    tables, name = _tables(options.tables)
    emit(f"{name}\n" + "".join(f"{each}\n" for each in figures(tables)))


def _schema(_options: Namespace) -> None:
    from compatsolver.authoring.editors import tables_schema
    from compatsolver.render.document import document

    emit(document(tables_schema()))


def _require_directory(matrices: Path) -> None:
    if not matrices.is_dir():
        raise InputError(
            f"{matrices}: there are no tables of facts here",
            hint="run this in a source checkout, or name the directory with --matrices",
        )
