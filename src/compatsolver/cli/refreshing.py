"""`compatsolver catalog refresh [SOURCE]`: what the world has that the tables have not, as a proposal."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from compatsolver.catalog.load import MATRICES
from compatsolver.cli.files import write_whole
from compatsolver.cli.parser import PARSER_SETTINGS
from compatsolver.cli.streams import Progress, emit, say
from compatsolver.errors import InputError

if TYPE_CHECKING:
    from argparse import Namespace
    from datetime import date

    from compatsolver.authoring.refresh.proposal import Proposal
    from compatsolver.authoring.schema import Tables


def add_refresh(actions: Any) -> None:
    """The action and its flags."""
    refresh = actions.add_parser(
        "refresh",
        help="propose what the tables lack",
        description="Proposes rows that the tables lack, as an overlay to review. No table is changed. What was read\n"
        "is kept, so that a refresh that was interrupted goes on where it stopped.",
        **PARSER_SETTINGS,
    )
    refresh.add_argument(
        "sources",
        nargs="*",
        metavar="SOURCE",
        help="a package, the address of PyTorch's index of a tag, or a saved page of NVIDIA's CUDA release notes; "
        "by default every package",
    )
    refresh.add_argument("--since", metavar="DAY", help="first upload that counts; by default the tables' horizon")
    refresh.add_argument("--index-url", metavar="URL", help="instead of the configured package indexes")
    refresh.add_argument("--output", metavar="FILE", type=Path, help="by default the proposal is printed")
    refresh.add_argument(
        "--matrices", metavar="DIR", type=Path, default=MATRICES, help="by default data/matrices of this checkout"
    )
    refresh.set_defaults(action=_refresh)


def _refresh(options: Namespace) -> None:
    from datetime import date

    from compatsolver.authoring.load import load_tables
    from compatsolver.authoring.refresh.proposal import joined, proposal_text

    since, day = options.since and _day(options.since), date.today()
    tables = load_tables(options.matrices)
    pages = [source for source in options.sources if _is_page(source)]
    packages = [source for source in options.sources if "://" not in source and not _is_page(source)]
    addresses = [source for source in options.sources if "://" in source]
    found = _from_pages(pages, tables, day)
    if packages or addresses or not pages:
        found.append(_from_indexes(options, packages, addresses, tables, since or tables.horizon, day))
    proposal = joined(found)
    if proposal.is_empty:
        say("".join(f"{line}\n" for line in (*proposal.remarks, "the tables lack nothing of this")))
        return
    _write(proposal_text(proposal, day), options.output)


def _from_pages(pages: list[str], tables: Tables, day: date) -> list[Proposal]:
    from compatsolver.authoring.refresh.nvidia import propose_toolkits

    return [propose_toolkits(Path(page), tables, day) for page in pages]


def _from_indexes(
    options: Namespace, packages: list[str], addresses: list[str], tables: Tables, since: date, day: date
) -> Proposal:
    from compatsolver.authoring.refresh.index import propose_packages
    from compatsolver.authoring.refresh.proposal import joined
    from compatsolver.authoring.refresh.pytorch_index import propose_tag
    from compatsolver.index.cache import Cache, default_folder
    from compatsolver.index.client import Client
    from compatsolver.index.settings import read_settings

    progress = Progress()
    with closing(progress), Client(read_settings(options.index_url), Cache(default_folder())) as client:
        found = [propose_tag(address, client, tables, day) for address in addresses]
        if packages or not addresses:
            found.append(propose_packages(packages, client, tables, since, day, progress))
        return joined(found)


def _is_page(source: str) -> bool:
    return bool(re.search(r"\.x?html?$", source, re.IGNORECASE)) and "://" not in source


def _day(text: str) -> date:
    from datetime import date

    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InputError(f"--since: not a day: {text!r}", hint="write it as 2026-06-30") from None


def _write(text: str, output: Path | None) -> None:
    if output is None:
        emit(text)
        return
    write_whole(output, text.encode(), "--output")
    say(f"{output}: written; nothing else was changed\n")
