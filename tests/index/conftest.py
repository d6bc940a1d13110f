"""A loopback index for every test that asks for one, and clients that do not wait between attempts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from compatsolver.index.cache import Cache
from compatsolver.index.client import Client
from compatsolver.index.connection import Connection
from compatsolver.index.settings import Settings
from loopback import running

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from loopback import Loopback

NO_PAUSES = (0.0, 0.0, 0.0)


@pytest.fixture
def loopback() -> Iterator[Loopback]:
    with running() as server:
        yield server


@pytest.fixture
def client(loopback: Loopback, tmp_path: Path) -> Iterator[Callable[..., Client]]:
    """Makes a client of the indexes of the server, by default of `simple`, with a cache of the test."""
    made: list[Client] = []

    def make(*indexes: str, timeout: float = 5.0, **options: bool) -> Client:
        addresses = tuple(f"{loopback.address}/{name}/" for name in indexes or ("simple",))
        settings = Settings(addresses, addresses[-1], timeout=timeout)
        connection = Connection(settings, pauses=NO_PAUSES)
        made.append(Client(settings, Cache(tmp_path / "cache"), connection=connection, **options))
        return made[-1]

    yield make
    for one in made:
        one.connection.close()
