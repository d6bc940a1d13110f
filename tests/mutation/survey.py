"""Shift single facts and see what notices: a lint, or a scenario. Takes minutes; `nox -s mutation` runs it.

    python tests/mutation/survey.py --each 4 --seed 1 [--column sass]

`--each` is how many facts of every column are shifted, drawn by `--seed`. What nothing notices is listed with its row.
A digest or a snapshot does not count, and tests of the code do not either: only what knows the facts.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections import Counter
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import yaml
from shifts import Site, shifted, sites

from compatsolver.authoring.compile import payload_of
from compatsolver.authoring.difference import differences as changes
from compatsolver.authoring.lint import lint
from compatsolver.authoring.pack import pack, read_tables
from compatsolver.catalog.load import bundled
from compatsolver.catalog.sections import seal
from compatsolver.catalog.tables import tables_of
from compatsolver.errors import CompatError
from scenario import WrongAnswerError, ask, differences

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

SCENARIOS = Path(__file__).parents[1] / "scenarios"
LINT, SCENARIO, NOTHING = "lint", "scenario", "nothing"


def main(arguments: Sequence[str] | None = None) -> None:
    options = _options(arguments)
    tables = tables_of(bundled())
    cases = list(_cases())
    drawn = list(_drawn(sites(tables), options))
    noticed: Counter[tuple[str, str]] = Counter()
    for number, site in enumerate(drawn, start=1):
        mutant = shifted(tables, site)
        verdict = notices(mutant, cases)
        noticed[site.column, verdict] += 1
        if verdict == NOTHING:
            print("; ".join(str(change) for change in changes(tables, mutant)) or f"{site.column} at {site.place}")
        if sys.stderr.isatty():
            print(f"\r{number} of {len(drawn)}", end="", file=sys.stderr)
    _report(noticed)


def notices(mutant: dict[str, Any], cases: Iterable[dict[str, Any]]) -> str:
    """What notices that the tables are wrong: `lint`, `scenario` or `nothing`."""
    try:
        read = read_tables(mutant)
    except CompatError:
        return LINT
    if lint(read):
        return LINT
    with TemporaryDirectory() as folder:
        path = Path(folder) / "catalog.jsonl"
        path.write_bytes(seal(payload_of(read) | {"tables": pack(read)}))
        return SCENARIO if any(_differs(case, path) for case in cases) else NOTHING


def _differs(case: dict[str, Any], catalog: Path) -> bool:
    try:
        return any(differences(case["expect"], ask(case["request"], catalog)))
    except WrongAnswerError:
        return True


def _cases() -> Iterator[dict[str, Any]]:
    for path in sorted(SCENARIOS.rglob("*.yaml")):
        yield from (case for case in yaml.safe_load(path.read_text(encoding="utf-8")) if "xfail" not in case)


def _drawn(found: Iterable[Site], options: Namespace) -> Iterator[Site]:
    """Some facts of every column."""
    columns: dict[str, list[Site]] = {}
    for site in found:
        if options.column in (None, site.column):
            columns.setdefault(site.column, []).append(site)
    random = Random(options.seed)
    for column in sorted(columns):
        yield from random.sample(columns[column], min(options.each, len(columns[column])))


def _options(arguments: Sequence[str] | None) -> Namespace:
    parser = ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--each", type=int, default=3, help="facts of every column")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--column", help="of this column alone")
    return parser.parse_args(arguments)


def _report(noticed: Counter[tuple[str, str]]) -> None:
    print(f"\n{'column':28} {LINT:>8} {SCENARIO:>8} {NOTHING:>8}")
    for column in sorted({column for column, _ in noticed}):
        print(f"{column:28}" + "".join(f" {noticed[column, verdict]:8}" for verdict in (LINT, SCENARIO, NOTHING)))
    found = sum(count for (_, verdict), count in noticed.items() if verdict != NOTHING)
    total = sum(noticed.values())
    print(f"\n{found} of {total} noticed ({found / max(total, 1):.0%})")


if __name__ == "__main__":
    main()
