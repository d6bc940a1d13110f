"""Symptoms: patterns from the catalogue, matched on the text that was pasted."""

from __future__ import annotations

import operator
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from packaging.specifiers import SpecifierSet

from compatsolver.explanation.diagnosis.names import TEXT, Names, filled
from compatsolver.model.diagnosis import INFO
from compatsolver.model.resolution import Because, Missing
from compatsolver.model.version import NumericVersion

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from compatsolver.catalog.catalogue import Catalog

_MOST_MATCHES = 12
_LONGEST_QUOTE = 160
_LONGEST_LINE = 4000
_ENDS = {"at_least": operator.ge, "above": operator.gt, "at_most": operator.le, "below": operator.lt}
_VERSION = re.compile(r"\d+(?:\.\d+)*(?:\.?(?:post|rc|a|b|dev)\d+)*")


@dataclass(frozen=True)
class Hit:
    """A symptom that was seen: its row, the names its templates can use, and the line that shows it."""

    row: Mapping[str, Any]
    names: Names
    line: int
    quote: str

    @property
    def kind(self) -> str | None:
        """The kind it proves; None where it only suggests."""
        kind: str | None = self.row.get("kind")
        return kind

    @property
    def is_notice(self) -> bool:
        """Whether it is a remark that can be ignored, and no failure."""
        return self.row.get("severity") == INFO

    @property
    def suggests(self) -> tuple[str, ...]:
        """Kinds it would be a consequence of."""
        return tuple(self.row.get("suggests", ()))

    def text(self, key: str) -> str:
        """A filled template of the row, empty where nothing is known to fill it with."""
        return filled(self.row.get(key), self.names) or ""

    def because(self, catalog: Catalog) -> Because:
        """The line as evidence, with the sources that say what it means."""
        return Because(
            statement=f"line {self.line} says: {self.quote}",
            evidence=self.row["evidence"],
            sources=tuple(str(catalog.source(position)) for position in self.row["sources"]),
        )

    def asks(self) -> tuple[Missing, ...]:
        """The facts that would decide."""
        return tuple(Missing(fact=row["fact"], why=row["why"], how=row["how"]) for row in self.row.get("asks", ()))


def symptoms(catalog: Catalog, names: Names) -> tuple[Hit, ...]:
    """All symptoms that the text shows and whose conditions hold, in the order of the tables."""
    text = _bounded(names[TEXT])
    lowered = text.lower()
    hits = []
    for row in catalog.diagnosis.get("symptoms", ()):
        if any(mark in lowered for mark in row["marks"]):
            hit = _first_hit(row, names, text)
            if hit:
                hits.append(hit)
    return tuple(hits)


def _bounded(text: str) -> str:
    """Lines cut to a length at which even a pattern with gaps stays quick."""
    if max(map(len, text.split("\n")), default=0) <= _LONGEST_LINE:
        return text
    return "\n".join(line[:_LONGEST_LINE] for line in text.split("\n"))


def _first_hit(row: Mapping[str, Any], names: Names, text: str) -> Hit | None:
    """The first match whose conditions hold; conditions on the whole text are looked at once, not for each match."""
    conditions = row.get("when", ())
    on_text = [condition for condition in conditions if condition["fact"].startswith(TEXT) and "matches" in condition]
    if not all(holds(condition, names) for condition in on_text):
        return None
    on_match = [condition for condition in conditions if condition not in on_text]
    for number, match in enumerate(re.finditer(row["pattern"], text, re.IGNORECASE)):
        if number >= _MOST_MATCHES:
            break
        groups = {name: value for name, value in match.groupdict().items() if value}
        known = names.with_groups(groups)
        if all(holds(condition, known) for condition in on_match):
            return Hit(row, known, text.count("\n", 0, match.start()) + 1, _quote(text, match))
    return None


def _quote(text: str, match: re.Match[str]) -> str:
    """The line that the match ends its first line on, shortened around it."""
    start = text.rfind("\n", 0, match.start()) + 1
    end = text.find("\n", match.start())
    line = text[start : end if end >= 0 else len(text)]
    offset = match.start() - start
    if len(line) > _LONGEST_QUOTE and offset > _LONGEST_QUOTE // 3:
        line = "…" + line[offset - 20 :]
    line = " ".join(line.split())
    return line if len(line) <= _LONGEST_QUOTE else line[: _LONGEST_QUOTE - 1] + "…"


def holds(condition: Mapping[str, Any], names: Names) -> bool:
    """Whether a condition of a symptom holds; on a fact that nobody knows only `known: false` does."""
    fact = condition["fact"]
    value = filled(fact, names) if "{" in fact else names.get(fact)
    if condition.get("known") is not None and condition["known"] != (value is not None):
        return False
    asked = [(check, condition[key]) for key, check in _CHECKS.items() if condition.get(key) is not None]
    return not asked or (value is not None and all(check(value, wanted, names) for check, wanted in asked))


def _matches(value: str, pattern: str, _names: Names) -> bool:
    return re.search(pattern, value, re.IGNORECASE) is not None


def _differs(value: str, template: str, names: Names) -> bool:
    other = filled(template, names)
    return other is not None and other != value


def _lacks(value: str, template: str, names: Names) -> bool:
    inside = filled(template, names)
    return inside is not None and inside.lower() not in value.lower()


def _published(spelling: str, wanted: bool, names: Names) -> bool:
    return (names.parts["published"](spelling) is not None) == wanted


def _within(value: str, bounds: Mapping[str, str], names: Names) -> bool:
    version = _number(value)
    if version is None:
        return False
    for end, bound in bounds.items():
        limit = _number(filled(bound, names) or "")
        if limit is None or not _ENDS[end](version, limit):
            return False
    return True


def _number(text: str) -> NumericVersion | None:
    found = re.search(r"\d+(?:\.\d+)*", text)
    return NumericVersion.parse(found[0]) if found else None


def _versions(value: str, specifier: str, _names: Names) -> bool:
    found = _VERSION.search(value.partition("+")[0])
    return found is not None and SpecifierSet(specifier).contains(found[0], prereleases=True)


_CHECKS: dict[str, Callable[[str, Any, Names], bool]] = {
    "matches": _matches,
    "differs": _differs,
    "lacks": _lacks,
    "published": _published,
    "within": _within,
    "versions": _versions,
}
