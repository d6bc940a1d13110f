"""The target flags, the same wherever a target is taken."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from compatsolver.model.request import PLATFORMS, POLICIES

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

CATALOG_VARIABLE = "COMPATSOLVER_CATALOG"

OVERLAY_VARIABLE = "COMPATSOLVER_OVERLAY"

_MACHINE = ("gpu", "driver", "python", "platform", "glibc", "wsl", "container", "environment")
_CHOICE = ("cuda", "policy", "catalog", "overlay")


def add_target_flags(parser: ArgumentParser) -> None:
    """Declare the flags that describe a machine, and those that choose among answers for it."""
    target = parser.add_argument_group(
        "target",
        "With none of these this machine is probed. With any of them nothing about GPU\n"
        "and driver is read from it; platform, Python and glibc default to this\n"
        "interpreter's and are shown as assumed.",
    )
    target.add_argument("--gpu", action="append", metavar="GPU", help="name, 8.9, sm_89 or none; repeat it for several")
    target.add_argument("--driver", metavar="VERSION", help="NVIDIA driver, as in 535.98")
    target.add_argument("--python", metavar="VERSION", help="as in 3.12; 3.14t is the free-threaded build")
    target.add_argument("--platform", metavar="PLATFORM", help=" | ".join(PLATFORMS))
    target.add_argument("--glibc", metavar="VERSION", help="C library of a Linux system, as in 2.35")
    target.add_argument("--wsl", action="store_true", help="Linux under WSL, on a Windows driver")
    target.add_argument("--container", metavar="TEXT", help="the container it runs in, as its image is named")
    target.add_argument("--environment", metavar="FILE", help="YAML or JSON about it; flags win over the file")

    choice = parser.add_argument_group("choice")
    choice.add_argument("--cuda", metavar="SPEC", help="CUDA runtime wanted, as in '==12.6.*', or none")
    choice.add_argument("--policy", choices=POLICIES, default=POLICIES[0], help="which answer counts as best")
    add_catalog_flags(choice)


def add_catalog_flags(group: Any) -> None:
    """Declare `--catalog` and `--overlay`, whose defaults are the files that environment variables name."""
    overlays = [name for name in os.environ.get(OVERLAY_VARIABLE, "").split(os.pathsep) if name]
    group.add_argument(
        "--catalog",
        metavar="FILE",
        default=os.environ.get(CATALOG_VARIABLE) or None,
        help=f"another compiled catalogue than the bundled one (or {CATALOG_VARIABLE})",
    )
    group.add_argument(
        "--overlay",
        metavar="FILE",
        action="append",
        default=overlays,
        help=f"YAML that adds or corrects facts; repeat it for several (or {OVERLAY_VARIABLE})",
    )


def machine_of(options: Namespace) -> dict[str, Any]:
    """The flags that describe a machine, as the keyword arguments of the library; what was not given is None."""
    return {name: getattr(options, name) for name in _MACHINE}


def target_of(options: Namespace) -> dict[str, Any]:
    """The flags as the keyword arguments of the library; what was not given is None."""
    return {name: getattr(options, name) for name in (*_MACHINE, *_CHOICE)}
