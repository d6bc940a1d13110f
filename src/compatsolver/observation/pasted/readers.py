"""Every reader, once: its name as answers show it, and the function that looks at the lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.observation.pasted import (
    compilers,
    containers,
    libraries,
    listings,
    loader,
    nvidia_smi,
    prose,
    reports,
    resolvers,
    sessions,
    shell,
    system,
    torch_messages,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from compatsolver.observation.pasted.phrases import Found, Lines

READERS: tuple[tuple[str, Callable[[Lines], Iterator[Found]]], ...] = (
    ("nvidia-smi", nvidia_smi.read),
    ("torch message", torch_messages.read),
    ("resolver", resolvers.read),
    ("installer", sessions.read),
    ("package listing", listings.read),
    ("environment report", reports.read),
    ("library message", libraries.read),
    ("loader", loader.read),
    ("compiler", compilers.read),
    ("system", system.read),
    ("container", containers.read),
    ("shell", shell.read),
    ("words", prose.read),
)
