from __future__ import annotations

import pytest

from compatsolver.cli import resolve
from compatsolver.cli.target import target_of

NOTHING_GIVEN: dict[str, object] = {
    "gpu": None,
    "driver": None,
    "python": None,
    "platform": None,
    "glibc": None,
    "wsl": False,
    "container": None,
    "environment": None,
    "cuda": None,
    "policy": "newest",
    "catalog": None,
    "overlay": [],
}


@pytest.fixture(autouse=True)
def _no_catalog_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COMPATSOLVER_CATALOG", raising=False)


def test_not_given_is_none() -> None:
    assert target_of(resolve.parse([])) == NOTHING_GIVEN


def test_every_flag_reaches_the_library_as_it_was_typed() -> None:
    line = (
        "--gpu T4 --gpu H100 --driver 580.95.05 --python 3.14t --platform linux-x86_64 --glibc 2.35 --wsl"
        " --container nvcr.io/nvidia/pytorch --environment machine.yaml --cuda ==12.6.* --catalog newer.json"
        " --overlay ours.yaml --overlay theirs.yaml"
    )
    assert target_of(resolve.parse(line.split())) == {
        "gpu": ["T4", "H100"],
        "driver": "580.95.05",
        "python": "3.14t",
        "platform": "linux-x86_64",
        "glibc": "2.35",
        "wsl": True,
        "container": "nvcr.io/nvidia/pytorch",
        "environment": "machine.yaml",
        "cuda": "==12.6.*",
        "policy": "newest",
        "catalog": "newer.json",
        "overlay": ["ours.yaml", "theirs.yaml"],
    }


def test_requirements_may_stand_anywhere() -> None:
    options = resolve.parse(["torch==2.6.0", "--gpu", "T4", "torchvision", "--format", "json", "torchaudio"])
    assert options.requirements == ["torch==2.6.0", "torchvision", "torchaudio"]
    assert options.format == "json"


def test_flags_are_not_abbreviated(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        resolve.parse(["--drive", "535.98"])
    assert "--drive" in capsys.readouterr().err


def test_the_variable_names_a_catalogue_and_the_flag_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPATSOLVER_CATALOG", "from-variable.json")
    assert target_of(resolve.parse([]))["catalog"] == "from-variable.json"
    assert target_of(resolve.parse(["--catalog", "from-flag.json"]))["catalog"] == "from-flag.json"
