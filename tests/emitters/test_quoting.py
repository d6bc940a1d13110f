"""Arguments in the quotes of the target's shell."""

from __future__ import annotations

import pytest

from compatsolver.emitters.quoting import quoted


@pytest.mark.parametrize("platform", ["linux-x86_64", "linux-aarch64", "wsl-x86_64", "macos-arm64"])
def test_posix_shells_get_single_quotes(platform: str) -> None:
    assert quoted("torch>=2.6,<2.10", platform) == "'torch>=2.6,<2.10'"


def test_windows_shells_get_double_quotes() -> None:
    assert quoted("torch>=2.6,<2.10", "windows-x86_64") == '"torch>=2.6,<2.10"'


@pytest.mark.parametrize("mark", ["'", '"', "`", "$", "\n"])
@pytest.mark.parametrize("platform", ["linux-x86_64", "windows-x86_64"])
def test_what_would_leave_its_quotes_is_refused(mark: str, platform: str) -> None:
    with pytest.raises(ValueError, match="cannot be quoted safely"):
        quoted(f"torch{mark}whoami", platform)
