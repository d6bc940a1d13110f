"""Indexes for an installer that has none configured: those of the other tool, so that it asks where `lock` asked."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from compatsolver.index.configuration import pip_environment, pip_files, uv_environment, uv_files

if TYPE_CHECKING:
    from collections.abc import Mapping

    from compatsolver.index.configuration import Configured

_VARIABLES = {"uv": ("UV_DEFAULT_INDEX", "UV_INDEX"), "pip": ("PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL")}


def borrowed(installer: str) -> Mapping[str, str]:
    """Environment variables to start an installer with; none where its own configuration names an index.

    Raises InputError where a configuration file cannot be read.
    """
    sources = {
        "uv": [uv_environment(os.environ), *uv_files(Path.cwd())],
        "pip": [pip_environment(os.environ), *pip_files(os.environ)],
    }
    own, (other,) = sources.pop(installer), sources.values()
    if any(_names_an_index(source) for source in own):
        return {}
    default, more = _VARIABLES[installer]
    index = next((source.index_url for source in other if source.index_url), None)
    extra = next((source.extra_index_urls for source in other if source.extra_index_urls), ())
    return ({default: index} if index else {}) | ({more: " ".join(extra)} if extra else {})


def _names_an_index(source: Configured) -> bool:
    return bool(source.index_url or source.extra_index_urls)
