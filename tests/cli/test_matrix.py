"""The flags of `matrix`: what is not said is refused, not guessed."""

from __future__ import annotations

import pytest

from compatsolver.cli import main


@pytest.mark.parametrize("flag", ["--gpu", "--driver", "--python"])
@pytest.mark.parametrize("value", ["", ",", "T4,", "580,,570"])
def test_an_empty_value_is_refused(flag: str, value: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["matrix", "torch>=2.8", flag, value]) == 2
    assert "an empty value" in capsys.readouterr().err
