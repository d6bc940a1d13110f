"""Build hook: compile the fact tables into the one catalogue file that the program reads.

A wheel gets the file at `compatsolver/catalog/catalog.jsonl`; an editable install gets it beside the source, where git
ignores it. A table that fails its lint fails the build: no distribution holds facts that were not checked.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

CATALOGUE = "compatsolver/catalog/catalog.jsonl"


class CatalogueBuildHook(BuildHookInterface[Any]):
    """Compile `data/matrices/` at the start of every wheel build."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the compiled catalogue; raises `CatalogError` with every problem of the tables."""
        catalogue = compile_tables(Path(self.root))
        if version == "editable":
            Path(self.root, "src", CATALOGUE).write_bytes(catalogue)
            return
        self.scratch = TemporaryDirectory(prefix="compatsolver-")
        compiled = Path(self.scratch.name, "catalog.jsonl")
        compiled.write_bytes(catalogue)
        build_data["force_include"][str(compiled)] = CATALOGUE

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the temporary copy that a wheel was made from."""
        if version != "editable":
            self.scratch.cleanup()


def compile_tables(root: Path) -> bytes:
    """Compile with the compiler of this source tree, which is not installed yet."""
    sys.path.insert(0, str(root / "src"))
    from compatsolver.authoring.compile import compile_directory

    return compile_directory(root / "data" / "matrices")
