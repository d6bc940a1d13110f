"""`compatsolver catalog measure WHEEL|URL|NAME==VERSION`: what is really inside a wheel."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Any

from compatsolver.cli.parser import PARSER_SETTINGS
from compatsolver.cli.streams import Progress, emit

if TYPE_CHECKING:
    from argparse import Namespace

FORMATS = ("text", "json", "yaml")


def add_measure(actions: Any) -> None:
    """The action and its flags."""
    measure = actions.add_parser(
        "measure",
        help="what is really inside a wheel",
        description="Reads a wheel, of which nothing is unpacked or run: its GPU targets, what it needs of the\n"
        "system, what it says of itself. One on an index is read in pieces and not kept.",
        **PARSER_SETTINGS,
    )
    measure.add_argument("wheel", metavar="WHEEL", help="a file, an address, or NAME==VERSION on an index")
    measure.add_argument("--platform", metavar="PLATFORM", default="linux-x86_64", help="of NAME==VERSION, this wheel")
    measure.add_argument("--python", metavar="X.Y", help="of NAME==VERSION, the wheel for this Python")
    measure.add_argument("--index-url", metavar="URL", help="instead of the configured package indexes")
    measure.add_argument(
        "--format", choices=FORMATS, default=FORMATS[0], help="yaml is the row for data/matrices/measured/"
    )
    measure.set_defaults(action=_measure)


def _measure(options: Namespace) -> None:
    from compatsolver.authoring.measure.sources import opened
    from compatsolver.authoring.measure.wheel import measure
    from compatsolver.index.cache import Cache, default_folder
    from compatsolver.index.client import Client
    from compatsolver.index.settings import read_settings

    progress = Progress()
    with (
        closing(progress),
        Client(read_settings(options.index_url), Cache(default_folder())) as client,
        opened(options.wheel, client, options.platform, options.python) as source,
    ):
        found = measure(source.file, source.name, lambda member, size: progress(f"{member}, {size >> 20} MiB"))
    emit(_rendered(found, source.sha256, options.format))


def _rendered(found: Any, sha256: str | None, form: str) -> str:
    from compatsolver.render.document import document
    from compatsolver.render.measurement import measurement_document, measurement_text

    if form == "json":
        return document(measurement_document(found, sha256))
    if form == "text":
        return measurement_text(found)
    from datetime import date

    from compatsolver.authoring.measure.record import record
    from compatsolver.authoring.rowtext import row_text

    return row_text(record(found, sha256 or "unknown", date.today()))
