"""`compatsolver matrix`: the cells of a CI matrix from the same facts as a plan."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from compatsolver.cli.files import write_whole
from compatsolver.cli.parser import new_parser
from compatsolver.cli.requirements import add_requirement_flags, requirements_of
from compatsolver.cli.streams import emit
from compatsolver.cli.target import add_catalog_flags
from compatsolver.errors import InputError
from compatsolver.model.cell import COVERS
from compatsolver.requirements.textfile import read_text

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Sequence

    from compatsolver.model.cell import Matrix

FORMATS = ("markdown", "github", "gitlab", "nox", "json", "csv")
NOTHING_HOLDS = 1


def parse(arguments: Sequence[str]) -> Namespace:
    """Read the flags; requirements may stand before, between and after them."""
    parser = new_parser(
        "compatsolver matrix",
        "Cells for CI, each of them a plan that holds. An axis has several values: repeat its\n"
        "flag or join them by commas. A range (torch>=2.6) is an axis of release lines.",
    )
    parser.add_argument("requirements", nargs="*", metavar="REQUIREMENT", help="as for pip: 'torch>=2.6' transformers")
    _add_axes(parser)
    choice = parser.add_argument_group("choice")
    choice.add_argument("--cover", choices=COVERS, default=COVERS[0], help="which combinations stand for all")
    choice.add_argument("--max-cells", type=int, metavar="N", help="keep the N cells that tell most")
    choice.add_argument("--vary", metavar="NAMES", action="append", help="packages whose ranges are axes; all")
    choice.add_argument("--explain-excluded", action="store_true", help="say why each other combination does not hold")
    choice.add_argument("--format", choices=FORMATS, default=FORMATS[0], help="how the answer is printed")
    kept = parser.add_argument_group("a matrix that is kept")
    kept.add_argument("--lock", metavar="FILE", type=Path, help="keep the cells in FILE, and print those it has")
    kept.add_argument("--update", action="store_true", help="write FILE anew")
    kept.add_argument("--diff", action="store_true", help="print what would change in FILE")
    add_requirement_flags(parser)
    add_catalog_flags(choice)
    return parser.parse_intermixed_args(arguments)


def _add_axes(parser: ArgumentParser) -> None:
    axes = parser.add_argument_group("axes")
    axes.add_argument("--gpu", action="append", metavar="GPUS", help="machines; T4+H100 has both, none has none")
    axes.add_argument("--driver", action="append", metavar="VERSIONS", help="NVIDIA drivers")
    axes.add_argument("--python", action="append", metavar="VERSIONS", help="default: what the project supports")
    axes.add_argument("--platform", action="append", metavar="PLATFORMS", help="default: this interpreter's")
    axes.add_argument("--cuda", action="append", metavar="SPECS", help="CUDA runtimes, as in 12.6")
    axes.add_argument("--glibc", metavar="VERSION", help="C library of the Linux machines")


def run(options: Namespace) -> int:
    """Print the cells, or what would change in those that are kept; the exit code says whether anything holds."""
    from compatsolver import api

    matrix = api.matrix(
        options.requirements,
        gpu=_split(options.gpu),
        driver=_split(options.driver),
        python=_split(options.python),
        platform=_split(options.platform),
        cuda=_split(options.cuda),
        **requirements_of(options),
        glibc=options.glibc,
        vary=_split(options.vary) if options.vary else None,
        cover=options.cover,
        max_cells=options.max_cells,
        explain_excluded=options.explain_excluded,
        catalog=options.catalog,
        overlay=options.overlay,
    )
    emit(_kept(matrix, options) if options.lock else _rendered(matrix, options.format))
    return 0 if matrix.cells else NOTHING_HOLDS


def _kept(matrix: Matrix, options: Namespace) -> str:
    """The cells of the file, or those of today where there is none yet or it is written anew."""
    from compatsolver.cells.stability import compared, read_cells, with_cells
    from compatsolver.render.document import document
    from compatsolver.render.matrix import changes_text

    if options.lock.exists() and (options.diff or not options.update):
        cells = read_cells(read_text(options.lock), str(options.lock), matrix.asked)
        if options.diff:
            return changes_text(compared(cells, matrix.cells))
        return _rendered(with_cells(matrix, cells), options.format)
    if options.diff:
        raise InputError(f"{options.lock} is not there, so nothing can differ from it", hint="leave out --diff first")
    write_whole(options.lock, document(matrix.to_dict()).encode(), "--lock")
    return _rendered(matrix, options.format)


def _rendered(matrix: Matrix, form: str) -> str:
    if form == "json":
        from compatsolver.render.document import document

        return document(matrix.to_dict())
    if form == "markdown":
        from compatsolver.render.matrix import matrix_markdown

        return matrix_markdown(matrix)
    if form == "csv":
        from compatsolver.emitters.matrices.table import render_csv

        return render_csv(matrix)
    from importlib import import_module

    return str(import_module(f"compatsolver.emitters.matrices.{form}").render(matrix))


def _split(values: list[str] | None) -> list[str]:
    parts = [part.strip() for value in values or () for part in value.split(",")]
    if not all(parts):
        raise InputError(f"an empty value in {','.join(values or ())!r}", hint="put a single comma between values")
    return parts
