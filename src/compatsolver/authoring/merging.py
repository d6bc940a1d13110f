"""The rows of an overlay, completed from those they correct or start from, put among the rows of the tables.

Everything here is in the form it is written in: mappings and lists, not yet rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, get_args, get_type_hints

from compatsolver.authoring import yamlfile
from compatsolver.authoring.lint.order import build_key
from compatsolver.authoring.load import sentence
from compatsolver.authoring.pack import NOT_PACKED
from compatsolver.authoring.rows import Place, Problem, reader_of
from compatsolver.authoring.schema import BuildRow, Fact, Tables
from compatsolver.errors import InputError
from compatsolver.model.version import Capability, NumericVersion, package_version

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Mapping

SCHEMA = "compatsolver.overlay/1"
INFERRED = "inferred"

_OF_THE_ROW = ("evidence", "sources", "notes")
_NOT_OF_AN_OVERLAY = ("diagnosis", "horizon", *NOT_PACKED)
_SHAPES = {name: shape for name, shape in get_type_hints(Tables).items() if name not in _NOT_OF_AN_OVERLAY}
_Written = dict[str, Any]


class _Order(NamedTuple):
    """The columns that tell rows of a list apart, and where a row stands; None is where it was added."""

    key: tuple[str, ...]
    place: Callable[[_Written], Any] | None = None
    newest_first: bool = False

    def key_of(self, row: Mapping[str, Any]) -> Hashable:
        """What a row is known by."""
        return tuple(repr(row.get(column)) for column in self.key)


_RELEASES = _Order(("version",), lambda row: package_version(row["version"]), newest_first=True)
_BUILDS = _Order(("build", "platform"), lambda row: build_key(row["build"], row["platform"]))
_LISTS = {
    "components": _Order(("name",)),
    "capabilities": _Order(("compute_capability",), lambda row: Capability.parse(row["compute_capability"]), True),
    "products": _Order(("name",), lambda row: row["name"]),
    "nvidia_smi_names": _Order(("name",), lambda row: row["name"]),
    "other_vendors": _Order(("vendor",)),
    "branches": _Order(("branch",), lambda row: int(row["first_major"]), True),
    "toolkits": _Order(("version",), lambda row: NumericVersion.parse(row["version"]), True),
    "compatibility": _Order(("cuda",)),
    "cudnn": _Order(("cudnn",)),
    "torch": _RELEASES,
    "traits": _Order(("trait",)),
}


def merge(tables: _Written, name: str, raw: Any) -> _Written:
    """The tables with the rows of an overlay in them; `name` is its file's, for messages.

    Raises InputError with every problem of its shape, `file:line: where: what`. What it means is for the lints.
    """
    problems = list(_head_problems(raw))
    if not problems:
        overlay = _Overlay(tables, name, problems)
        tables = tables | {section: overlay.section(section, raw[section]) for section in raw if section in _SHAPES}
    if problems:
        raise unsound([sentence(name, raw, problem) for problem in problems])
    return tables


def unsound(problems: list[str]) -> InputError:
    """The error for an overlay that cannot be laid on."""
    count = "1 problem" if len(problems) == 1 else f"{len(problems)} problems"
    return InputError(
        f"the overlay has {count}", context=tuple(problems), hint="docs/overlays.md describes what an overlay may say"
    )


def _head_problems(raw: Any) -> Iterator[Problem]:
    if not isinstance(raw, yamlfile.Mapping):
        yield Problem((), "an overlay is a mapping of `schema`, `title`, `sources` and tables")
        return
    if raw.get("schema") != SCHEMA:
        yield Problem(("schema",), f"should be {SCHEMA}")
    title = raw.get("title")
    if not isinstance(title, str) or not title.strip():
        yield Problem(("title",), "should be a text, by which answers name the overlay")
    for key in raw:
        if key not in ("schema", "title", *_SHAPES):
            yield Problem((key,), "not a table", f"use one of {', '.join(_SHAPES)}")


class _Overlay:
    """One overlay on its way into the tables, and what is wrong with it."""

    def __init__(self, tables: _Written, name: str, problems: list[Problem]) -> None:
        self.tables = tables
        self.name = name
        self.problems = problems

    def section(self, section: str, written: Any) -> Any:
        """The rows of one table with those of the overlay among them."""
        known, shape = self.tables[section], _SHAPES[section]
        if section in _LISTS:
            return self.rows(written, known, _LISTS[section], get_args(shape)[0], (section,))
        if section == "libraries" and isinstance(written, dict):
            kind = get_args(get_args(shape)[1])[0]
            return known | {
                library: self.rows(rows, known.get(library, []), _RELEASES, kind, (section, library))
                for library, rows in written.items()
            }
        before = len(self.problems)
        reader_of(shape)(written, (section,), self.problems)
        if len(self.problems) > before:
            return known
        for row in written.values():
            row.file = self.name
        return dict(sorted((known | written).items()))

    def rows(self, written: Any, known: list[Any], order: _Order, kind: Any, place: Place) -> list[Any]:
        """A list with every written row in the place of the known row of the same key, or new among them."""
        if not isinstance(written, list):
            self.problems.append(Problem(place, "should be a list"))
            return known
        by_key = {order.key_of(row): row for row in known}
        for position, entry in enumerate(written):
            here = (*place, position)
            row = entry
            if isinstance(entry, yamlfile.Mapping):
                row = self.completed(entry, by_key, order, here)
                if issubclass(kind, Fact):
                    row.setdefault("evidence", INFERRED)
            before = len(self.problems)
            reader_of(kind)(row, here, self.problems)
            if len(self.problems) == before:
                by_key[order.key_of(row)] = row
        if order.place is None or self.problems:
            return list(by_key.values())
        try:
            return sorted(by_key.values(), key=order.place, reverse=order.newest_first)
        except ValueError as error:
            self.problems.append(Problem(place, str(error)))
            return known

    def completed(
        self, written: yamlfile.Mapping, known: Mapping[Hashable, _Written], order: _Order, place: Place
    ) -> yamlfile.Mapping:
        """A written row with the columns it leaves out, from the row it corrects or the one that `like` names."""
        row = yamlfile.Mapping(written)
        row.line, row.lines, row.file = written.line, dict(written.lines), self.name
        like, builds = row.pop("like", None), row.pop("builds", None)
        same = known.get(order.key_of(row))
        template = self.template(like, row, known, order) if like is not None else same
        if like is not None and template is None:
            self.problems.append(Problem((*place, "like"), f"there is no row {like!r} to start from"))
        if order is _BUILDS and same is None and template is not None:
            row.setdefault("default_index", False)
            if "index" not in written:
                self.problems.append(Problem((*place, "index"), "the key is missing", "write where it is served"))
        _complete(row, template or {}, is_same=template is same, key=order.key)
        if order is _RELEASES and place[0] == "torch":
            row["builds"] = self.rows(
                builds or [], (same or {}).get("builds", []), _BUILDS, BuildRow, (*place, "builds")
            )
        return row

    def template(self, like: Any, row: _Written, known: Mapping[Hashable, _Written], order: _Order) -> _Written | None:
        """The row that `like` names: by its key, and a torch build as `2.14.1+cu126` on the same platform."""
        if order is not _BUILDS:
            return known.get(order.key_of({order.key[0]: like}))
        version, _, build = str(like).partition("+")
        builds: list[_Written] = [b for r in self.tables["torch"] if r["version"] == version for b in r["builds"]]
        wanted = (build, row.get("platform"))
        return next((entry for entry in builds if (entry["build"], entry["platform"]) == wanted), None)


def _complete(row: yamlfile.Mapping, template: _Written, *, is_same: bool, key: tuple[str, ...]) -> None:
    """Fill in the columns that were not written.

    A row that states something states it by its own sources, and where it does not say how well it is known it is
    inferred. What a correction leaves as it was keeps its evidence; in a row that is only like another nothing does.
    """
    inherited = {column: value for column, value in template.items() if column != "builds"}
    stated = {column for column in row if column not in key}
    if stated or not is_same:
        levels = template.get("evidence")
        if isinstance(levels, dict):
            doubted = stated & levels.keys() if is_same else levels.keys()
            row["evidence"] = levels | dict.fromkeys(doubted, INFERRED) | row.get("evidence", {})
        inherited = {column: value for column, value in inherited.items() if column not in _OF_THE_ROW}
    archs, by_row = inherited.pop("archs", None), {"evidence": INFERRED, "sources": row.get("sources", [])}
    if isinstance(row.get("archs"), dict):
        row["archs"] = {"ptx": []} | by_row | row["archs"]
    elif archs is not None:
        row.setdefault("archs", archs if is_same else archs | by_row)
    for column, value in inherited.items():
        row.setdefault(column, value)
    for column in row:
        row.lines.setdefault(column, row.line)
