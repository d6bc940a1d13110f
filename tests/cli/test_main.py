"""The frame of the command: how it finds commands and what it makes of their errors."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Callable
from types import ModuleType

import pytest

from compatsolver import cli
from compatsolver.errors import CompatError, InputError, ProbeError, SolverLimit

Fail = Callable[[BaseException], None]


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> Fail:
    """Add a command `failing` that raises what it is told; the frame around it is the real one."""

    def install(error: BaseException) -> None:
        def run(options: Namespace) -> int:
            raise error

        command = ModuleType("compatsolver.cli.failing")
        command.parse = lambda arguments: Namespace(format=arguments[0])  # type: ignore[attr-defined]
        command.run = run  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, command.__name__, command)
        monkeypatch.setitem(cli.COMMANDS, "failing", "raises")

    return install


def test_help_is_a_success_and_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--help"]) == 0
    text = capsys.readouterr().out
    assert all(name in text for name in cli.COMMANDS)
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("arguments", [[], ["solve"], ["--gpu", "T4"], ["resolve", "--no-such-flag"]])
def test_usage_errors_exit_2_on_stderr(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(arguments) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert "usage:" in output.err


@pytest.mark.parametrize(
    "arguments", [["solve\x1b[31m"], ["resolve", "--policy", "\x1b[31m"], ["catalog", "a\x1b[31m"]]
)
def test_usage_errors_do_not_steer_the_terminal(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(arguments) == 2
    message = capsys.readouterr().err
    assert "[31m" in message
    assert "\x1b" not in message


def test_an_unknown_command_is_answered_with_those_that_exist(capsys: pytest.CaptureFixture[str]) -> None:
    cli.main(["solve"])
    message = capsys.readouterr().err
    assert all(name in message for name in cli.COMMANDS)


@pytest.mark.parametrize("error", [InputError("unreadable", hint="write it so"), ProbeError("gone"), SolverLimit(1000)])
def test_an_error_brings_its_own_exit_code(
    error: CompatError, failing: Fail, capsys: pytest.CaptureFixture[str]
) -> None:
    failing(error)
    assert cli.main(["failing", "text"]) == error.exit_code
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.startswith(f"error: {error.message}")


def test_with_json_an_error_is_one_document(failing: Fail, capsys: pytest.CaptureFixture[str]) -> None:
    failing(InputError("unreadable", hint="write it so"))
    assert cli.main(["failing", "json"]) == 2
    output = capsys.readouterr()
    assert json.loads(output.out)["code"] == "input"
    assert "hint: write it so" in output.err


@pytest.mark.parametrize(("variable", "shown"), [(None, False), ("1", True)])
def test_an_internal_fault_asks_for_a_report(
    variable: str | None,
    shown: bool,
    failing: Fail,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if variable:
        monkeypatch.setenv("COMPATSOLVER_TRACEBACK", variable)
    else:
        monkeypatch.delenv("COMPATSOLVER_TRACEBACK", raising=False)
    failing(KeyError("torch"))
    assert cli.main(["failing", "text"]) == 70
    message = capsys.readouterr().err
    assert "internal fault" in message
    assert "please report" in message
    assert ("Traceback" in message) is shown


@pytest.mark.parametrize(("error", "code"), [(BrokenPipeError(), 141), (KeyboardInterrupt(), 130)])
def test_a_reader_or_user_who_leaves_is_no_error(
    error: BaseException, code: int, failing: Fail, capsys: pytest.CaptureFixture[str]
) -> None:
    failing(error)
    assert cli.main(["failing", "text"]) == code
    assert capsys.readouterr() == ("", "")
