"""Shift single facts and see what notices: a lint, a scenario or an incident. `nox -s mutation` runs it.

    python tests/mutation/survey.py --each 3 --seed 1 --results mutants.jsonl [--table toolkits] [--column driver]

`--each` is how many shifts of every column of every table are tried, drawn by `--seed`; `--each 0` tries all of them. A
mutant takes seconds and is written to `--results` once it is judged: a survey that was stopped goes on from there, and
`--again` asks once more about those that nothing noticed. Results for other tables than today's are left aside.
"""

from __future__ import annotations

import gc
import json
import os
import sys
from argparse import ArgumentParser, Namespace
from collections import Counter
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from noticing import NOTHING, SILENT, Sections, Traced, notices, sections_of, traced_cases, written_tables
from shifts import HURTS, Site, Tables, shifted, sites

from compatsolver.authoring.difference import differences
from compatsolver.authoring.pack import read_tables
from compatsolver.catalog.digest import digest_of
from compatsolver.catalog.load import MATRICES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

Result = dict[str, Any]


class Known(NamedTuple):
    """The right tables, what is compiled from them, and the cases that are answered right by it."""

    tables: Tables
    sections: Sections
    digest: str
    cases: Sequence[Traced]


@cache
def known() -> Known:
    """Read once, before the processes are forked that share it."""
    tables = written_tables(Path(MATRICES))
    sections = sections_of(read_tables(tables))
    return Known(tables, sections, digest_of(json.dumps(sections).encode()), traced_cases(sections, tables))


def main(arguments: Sequence[str] | None = None) -> None:
    options = _options(arguments)
    drawn = {_key(site.place, site.value): site for site in _drawn(sites(known().tables), options)}
    found = {
        key: result
        for result in _read(options.results)
        if result["tables"] == known().digest and (key := _key(result["place"], result["value"])) in drawn
    }
    done = {key for key, result in found.items() if not (options.again and result["who"] == NOTHING)}
    left = [site for key, site in drawn.items() if key not in done]
    for number, result in enumerate(_judged(left, options), start=1):
        found[_key(result["place"], result["value"])] = result
        if sys.stderr.isatty():
            print(f"\r{number} of {len(left)}", end="", file=sys.stderr)
    _report(list(found.values()))


def judge(site: Site) -> Result:
    """Who notices that a fact is wrong, with what was changed in words."""
    right = known()
    mutant = shifted(right.tables, site)
    verdict = notices(mutant, str(site.place[0]), right.sections, right.cases)
    told = "; ".join(map(str, differences(right.tables, mutant))) or f"{site.place} becomes {site.value}"
    return {"tables": right.digest, "table": site.table, **site._asdict(), **verdict._asdict(), "told": told}


def _judged(left: Sequence[Site], options: Namespace) -> Iterator[Result]:
    """The results of mutants in the order in which they come, each written down first."""
    gc.freeze()  # a collection in a child would copy the pages that it shares
    with get_context("fork").Pool(options.jobs, maxtasksperchild=25) as pool:
        for result in pool.imap_unordered(judge, left):
            with options.results.open("a", encoding="utf-8") as file:
                file.write(json.dumps(result, ensure_ascii=False) + "\n")
            yield result


def _read(path: Path) -> list[Result]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


def _key(place: Sequence[str | int], value: Any) -> str:
    return json.dumps([*place, value])


def _drawn(found: Iterable[Site], options: Namespace) -> Iterator[Site]:
    """Some shifts of every column of every table, mixed: a survey that is stopped has seen some of each."""
    strata: dict[tuple[str, str], list[Site]] = {}
    for site in found:
        if options.table in (None, site.table) and options.column in (None, site.column):
            strata.setdefault((site.table, site.column), []).append(site)
    drawn: list[Site] = []
    for stratum, held in sorted(strata.items()):
        drawn += Random(f"{options.seed} {stratum}").sample(held, min(options.each or len(held), len(held)))
    yield from Random(options.seed).sample(drawn, len(drawn))


def _options(arguments: Sequence[str] | None) -> Namespace:
    parser = ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--each", type=int, default=3, help="shifts of every column of every table; 0 is all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--table", help="of this table alone, as libraries/peft")
    parser.add_argument("--column", help="of this column alone")
    parser.add_argument("--results", type=Path, default=Path("mutants.jsonl"), help="file to go on from")
    parser.add_argument("--again", action="store_true", help="ask again about what nothing noticed")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    return parser.parse_args(arguments)


def _report(results: list[Result]) -> None:
    """What nothing notices, then how many of each table are noticed and by whom."""
    for result in sorted(results, key=lambda result: (result["table"], result["told"])):
        if result["who"] == NOTHING:
            print(f"{'!' if _hurts(result) else ' '} {result['table']} {result['column']}: {result['told']}")
    columns = ("lint", "case", NOTHING, SILENT)
    print(f"\n{'table':32}" + "".join(f"{name:>9}" for name in columns) + f"{'noticed':>9}")
    for table in sorted({result["table"] for result in results}):
        counted = Counter(result["who"] for result in results if result["table"] == table)
        print(f"{table:32}" + "".join(f"{counted[name]:9}" for name in columns) + f"{_rate(counted):>9}")
    every = Counter(result["who"] for result in results)
    hurting = Counter(result["who"] for result in results if _hurts(result))
    for name, counted in (("all", every), ("those that would hurt", hurting)):
        print(f"{name:32}" + "".join(f"{counted[who]:9}" for who in columns) + f"{_rate(counted):>9}")


def _rate(counted: Counter[str]) -> str:
    """The share that is noticed of those which change what answers are made from."""
    noticed, total = counted["lint"] + counted["case"], sum(counted.values()) - counted[SILENT]
    return f"{noticed / total:.0%}" if total else "-"


def _hurts(result: Result) -> bool:
    return (result["place"][0], result["column"]) in HURTS


if __name__ == "__main__":
    main()
