"""The pip commands that move the packages of a machine, where they would run as they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.emitters import pip
from compatsolver.environments.comparison.builds import TORCH, build_of
from compatsolver.explanation.fixes.premises import USUAL_PLATFORM
from compatsolver.model.resolution import Pin
from compatsolver.records.book import Book

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.environments.comparison.moving import Move, Moved

_RUNTIMES = {"nvidia-nccl": "nccl_releases", "nvidia-cudnn": "cudnn_releases"}


def install_commands(catalog: Catalog, change: Moved) -> tuple[str, ...]:
    """One line after another; none where there is something that no index is known to have, or Python itself moves.

    What torch requires in another version is installed after it: together the two have no solution.
    """
    wanted = [move for move in change.moves if move.after and move.name not in change.brought]
    if change.python or not all(_is_to_be_had(catalog, change, move) for move in wanted):
        return ()
    pins = {move: _pin(catalog, change, move) for move in wanted}
    first = [pin for move, pin in pins.items() if not _is_runtime(move)]
    later = [[pin] for move, pin in pins.items() if _is_runtime(move)]
    platform = change.machine.stack.platform or USUAL_PLATFORM
    lines = list(_uninstalled(change, pins))
    for each in ([first] if first else []) + later:
        lines += pip.install_commands(each, platform)
    return tuple(lines)


def _uninstalled(change: Moved, pins: Mapping[Move, Pin]) -> Iterator[str]:
    """What has to go first. pip takes any build of a release for the one of the default index, and would leave it."""
    gone = [move.name for move in change.moves if move.after is None]
    gone += [move.name for move, pin in pins.items() if _release(move.before) == pin.version and not pin.index]
    if gone or change.leftovers:
        yield f"pip uninstall --yes {' '.join([*gone, *change.leftovers])}"


def _release(version: str | None) -> str:
    return (version or "").partition("+")[0]


def _pin(catalog: Catalog, change: Moved, move: Move) -> Pin:
    version, _, local = (move.after or "").partition("+")
    build = build_of(catalog, change.machine.stack)
    beside = tuple(catalog.payload["built_beside"].get(move.name, ()))
    if build is not None and local and (move.name == TORCH or _is_paired(catalog, move.name)):
        return Pin(move.name, version, local, build.index, built_beside=beside)
    return Pin(move.name, version, built_beside=beside)


def _is_paired(catalog: Catalog, name: str) -> bool:
    """Whether torch's index has builds of it that match torch's."""
    return bool(catalog.payload["paired"].get(name) == TORCH)


def _is_to_be_had(catalog: Catalog, change: Moved, move: Move) -> bool:
    """Whether some index is known to have it, under the version as it is written."""
    if _is_runtime(move):
        return _is_released(catalog, move)
    if move.name == TORCH:
        build = build_of(catalog, change.machine.stack)
        return build is not None and build.is_published
    return _is_paired(catalog, move.name) or "+" not in (move.after or "")


def _is_runtime(move: Move) -> bool:
    return move.name.startswith(tuple(_RUNTIMES))


def _is_released(catalog: Catalog, move: Move) -> bool:
    table = next(table for prefix, table in _RUNTIMES.items() if move.name.startswith(prefix))
    rows: Sequence[dict[str, object]] = Book(catalog).tables.get(table, ())
    return any(row["version"] == move.after and move.name in str(row["packages"]) and not row["yanked"] for row in rows)
