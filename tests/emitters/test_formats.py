"""What holds of every format: the same lock gives the same text, and nothing in it leaves its comment or its secret."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from compatsolver.emitters import conda, dockerfile, pixi, pylock, requirements, uv_project
from compatsolver.model.lock import LockedFile, LockedPackage
from locks import lock_of, with_packages

if TYPE_CHECKING:
    from types import ModuleType

FORMATS = [conda, dockerfile, pixi, pylock, requirements, uv_project]
pytestmark = pytest.mark.parametrize("emitter", FORMATS, ids=lambda emitter: emitter.__name__.rpartition(".")[2])


def test_the_same_lock_gives_the_same_files(emitter: ModuleType) -> None:
    assert list(emitter.render(lock_of()).items()) == list(emitter.render(lock_of()).items())
    assert all(text.endswith("\n") for text in emitter.render(lock_of()).values())


def test_what_is_lost_is_said(emitter: ModuleType) -> None:
    assert emitter.cannot_express(lock_of())


def test_no_credentials_are_written(emitter: ModuleType) -> None:
    secret = "https://me:hunter2@example.org/simple"
    file = LockedFile(name="ours-1.0-py3-none-any.whl", hashes={"sha256": "0" * 64}, url=f"{secret}/ours.whl")
    lock = with_packages(lock_of(pytorch=secret), LockedPackage("ours", "1.0", (file,), direct=True))
    lock = lock._replace(requested=("torch", f"ours @ {secret}/ours.whl"))
    for text in emitter.render(lock).values():
        assert "hunter2" not in text
    assert any("https://example.org/simple" in text for text in emitter.render(lock).values())


def test_no_text_of_the_request_leaves_its_comment(emitter: ModuleType) -> None:
    lock = lock_of()
    typed = lock._replace(
        requested=("torch\nRUN evil", "peft"),
        conditions=("needs driver >=580\nevil",),
        targets=(lock.targets[0]._replace(gpus=("RTX 4090\nevil",)),),
    )
    for text in emitter.render(typed).values():
        assert not [line for line in text.splitlines() if line.startswith(("RUN evil", "evil"))]
