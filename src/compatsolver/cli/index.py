"""The flags that say which package index is asked, and how."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def add_index_flags(parser: ArgumentParser) -> None:
    """Declare them in a group of their own."""
    group = parser.add_argument_group(
        "index", "Without these, pip's and uv's configuration and environment say which index is asked."
    )
    group.add_argument("--index-url", metavar="URL", help="the index that stands for the default one")
    group.add_argument(
        "--extra-index-url",
        metavar="URL",
        action="append",
        default=[],
        help="asked first; it alone serves what it has",
    )
    group.add_argument("--pytorch-index-url", metavar="URL", help="a mirror of PyTorch's indexes")
    group.add_argument("--pre", action="store_true", help="take pre-releases as well")
    group.add_argument("--refresh", action="store_true", help="ask for every page anew")
    group.add_argument("--offline", action="store_true", help="work from the cache, and say what it lacks")


def index_of(options: Namespace) -> dict[str, Any]:
    """The flags as keyword arguments of the library."""
    return {
        "index_url": options.index_url,
        "extra_index_urls": options.extra_index_url,
        "pytorch_index_url": options.pytorch_index_url,
        "prereleases": options.pre,
        "refresh": options.refresh,
        "offline": options.offline,
    }
