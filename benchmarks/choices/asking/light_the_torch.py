"""light-the-torch: the backends it finds for the driver, and pip's choice among the wheels as it patches it."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any
from unittest import mock

from light_the_torch import _cb, _patch
from pip._internal.index.package_finder import CandidateEvaluator
from pip._internal.models.candidate import InstallationCandidate
from pip._internal.models.link import Link
from pip._vendor.packaging.version import Version

INDEX = "https://download.pytorch.org/whl"


def answer(entry: dict[str, Any]) -> dict[str, Any]:
    system = entry["platform"].partition("-")[0].title()
    with (
        mock.patch.object(_cb, "_detect_nvidia_driver_version", return_value=Version(entry["driver"])),
        mock.patch.object(_cb.platform, "system", return_value=system),
    ):
        backends = _cb.detect_compatible_computation_backends()
    links = {wheel: Link(f"{INDEX}/torch-{wheel.replace('+', '%2B')}-py3-none-any.whl") for wheel in entry["wheels"]}
    candidates = [InstallationCandidate("torch", wheel, link) for wheel, link in links.items()]
    with _patch.patch_candidate_selection(backends):
        found = CandidateEvaluator.create("torch").compute_best_candidate(candidates).best_candidate
    if found is None:
        return {"indexes": [], "version": None}
    version, _, build = str(found.version).partition("+")
    return {"indexes": [build], "version": version}


print(json.dumps([answer(entry) for entry in json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))]))
