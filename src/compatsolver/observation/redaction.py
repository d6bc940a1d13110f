"""Make a machine's document fit to be shared: no names of people and hosts, no serial numbers, no private packages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from compatsolver.observation.pasted.secrets import redacted

if TYPE_CHECKING:
    from compatsolver.model.environment import Environment
    from compatsolver.model.probed import Observed

_PRIVATE = "not_from_index"
_PLACE = re.compile(r"(?<![\w.])(?:/[\w.+@~-]+){2,}|\b[A-Za-z]:\\[^\s;,]+")
_PUBLIC = ("/usr/", "/lib", "/proc/", "/sys/", "/dev/", "/etc/", "/var/lib/dpkg", "/run/.containerenv", "/opt/conda")
_KEPT = 2
"""Parts at the end of a private path that are kept, a library and its folder; of a short path the last alone."""


def shareable(environment: Environment) -> Environment:
    """The environment without what tells whose it is.

    Packages that were not installed from an index are left out, since their names may be nobody else's business; so are
    the UUIDs of GPUs and the folders outside of the system's own. Every text goes through the rules of pastes. What
    findings tell is made anew from what is left.
    """
    from compatsolver.observation.faults import faults

    private = {row.value for row in environment.observed if row.axis == _PRIVATE}
    left = environment._replace(
        container=environment.container and _clean(environment.container),
        packages={name: _clean(text) for name, text in environment.packages.items() if name not in private},
        env={name: _clean(text) for name, text in environment.env.items()},
        not_understood=tuple(map(_clean, environment.not_understood)),
        devices=tuple(device._replace(uuid=None) for device in environment.devices),
        libraries=tuple(library._replace(path=_clean(library.path)) for library in environment.libraries),
        observed=tuple(_row(row) for row in environment.observed if row.axis != _PRIVATE),
        findings=(),
    )
    return left._replace(findings=tuple(faults(left)))


def _row(row: Observed) -> Observed:
    return row._replace(value=row.value and _clean(row.value), how=_clean(row.how))


def _clean(text: str) -> str:
    return _PLACE.sub(lambda match: _shortened(match[0]), redacted(text))


def _shortened(path: str) -> str:
    if path.startswith(_PUBLIC):
        return path
    parts = re.split(r"[\\/]", path)
    return "…/" + "/".join(parts[-_KEPT:] if len(parts) > 2 * _KEPT else parts[-1:])
