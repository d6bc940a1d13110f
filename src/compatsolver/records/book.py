"""The tables opened for look-ups: rows, and sources in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from compatsolver.catalog.tables import tables_of
from compatsolver.errors import InputError
from compatsolver.model.facts import Known
from compatsolver.model.provenance import Source
from compatsolver.model.version import NumericVersion, package_version

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from packaging.version import Version

    from compatsolver.catalog.catalogue import Catalog

Row = dict[str, Any]


class Book:
    """A catalogue and the tables it was made from."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self.tables = tables_of(catalog)

    def sources(self, references: Iterable[str]) -> tuple[str, ...]:
        """References `id#where in it` as people read them, each once."""
        return tuple(dict.fromkeys(str(self._source(text)) for text in references))

    def known(self, value: Any, *rows: Mapping[str, Any], evidence: str | None = None) -> Known:
        """A value with the sources of the rows it is from, and the first one's evidence unless another is given.

        A row of a torch build has evidence by column, so that none is taken from it.
        """
        if value is None or not rows:
            return Known(value)
        cited = (reference for row in rows for reference in row.get("sources", ()))
        level = rows[0].get("evidence")
        return Known(value, evidence or (level if isinstance(level, str) else None), self.sources(cited))

    def stated(self, value: Any, *rows: Mapping[str, Any], evidence: str | None = None) -> Known:
        """A value that is known also where it is null: there is none."""
        return self.known(False if value is None else value, *rows, evidence=evidence)._replace(value=value)

    def _source(self, reference: str) -> Source:
        identifier, _, where = reference.partition("#")
        row = self.tables["sources"][identifier]
        retrieved = row["retrieved"]
        return Source(row["title"], row["url"], where, retrieved and retrieved.isoformat())


def read_version(text: str) -> Version:
    """A version (PEP 440) as typed; raises InputError."""
    try:
        return package_version(text)
    except ValueError:
        raise InputError(f"{text!r} is not a version (PEP 440)", hint="write it as in 2.9.1") from None


def day(value: Any) -> str | None:
    """A day as ISO 8601; a text, such as a month, stays."""
    return value if value is None or isinstance(value, str) else str(value.isoformat())


def inside(text: str, bounds: Mapping[str, str]) -> bool:
    """Whether a numeric version lies within bounds as they are written."""
    version = NumericVersion.parse(text)
    compared = {key: NumericVersion.parse(value) for key, value in bounds.items()}
    return (
        version >= compared.get("at_least", version)
        and version <= compared.get("at_most", version)
        and ("below" not in compared or version < compared["below"])
        and ("above" not in compared or version > compared["above"])
    )
