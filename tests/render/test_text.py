from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from compatsolver.render.text import plan_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from compatsolver.model.resolution import Resolution


def test_text_is_the_golden_one(named_answer: tuple[str, Resolution], golden: Callable[[str, str], str]) -> None:
    name, plan = named_answer
    written = plan_text(plan)
    assert written == golden(f"{name}.txt", written)


def test_only_command_lines_pass_80_columns(named_answer: tuple[str, Resolution]) -> None:
    _, plan = named_answer
    commands = {f"  {line}" for lines in plan.commands.values() for line in lines}
    too_long = [line for line in plan_text(plan).splitlines() if len(line) > 80 and line not in commands]
    assert too_long == []


def test_a_plan_takes_about_a_dozen_lines(answers: Mapping[str, Resolution]) -> None:
    lines = [line for line in plan_text(answers["resolved"]).splitlines() if line]
    assert len(lines) <= 16


def test_commands_stay_whole_with_uv_first(answers: Mapping[str, Resolution]) -> None:
    plan = answers["resolved"]
    lines = plan_text(plan).splitlines()
    uv, pip = plan.install_command("uv"), plan.install_command("pip")
    assert lines.index(f"  {uv}") < lines.index(f"  {pip}")


def test_colour_touches_the_headline_only(named_answer: tuple[str, Resolution]) -> None:
    _, plan = named_answer
    plain, coloured = plan_text(plan), plan_text(plan, colour=True)
    assert "\x1b" not in plain
    assert coloured.splitlines()[0].startswith("\x1b[1;")
    assert coloured.splitlines()[1:] == plain.splitlines()[1:]


def test_escape_codes_in_a_name_do_not_reach_the_terminal(answers: Mapping[str, Resolution]) -> None:
    plan = answers["cpu"]._replace(target={"gpu": [{"name": "evil\x1b[2J"}]}, notes=("note\x1b]0;title\x07",))
    assert "\x1b" not in plan_text(plan)


@pytest.mark.parametrize(
    ("names", "headline"),
    [
        (("GeForce GTX 1080", "H100"), "PyTorch 2.14.1 with CUDA 12.6 for GeForce GTX 1080 and H100, driver 535.98"),
        (("H100",) * 8, "PyTorch 2.14.1 with CUDA 12.6 for 8 × H100, driver 535.98"),
        (
            ("NVIDIA RTX PRO 6000 Blackwell Max-Q",),
            "PyTorch 2.14.1 with CUDA 12.6 for NVIDIA RTX PRO 6000 Blackwell Max-Q",
        ),
        (
            ("NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition",),
            "PyTorch 2.14.1 with CUDA 12.6, driver 535.98",
        ),
    ],
)
def test_headline_fits_80_columns(answers: Mapping[str, Resolution], names: tuple[str, ...], headline: str) -> None:
    plan = answers["resolved"]
    plan = plan._replace(target={**plan.target, "gpu": [{"name": name} for name in names]})
    assert plan_text(plan).splitlines()[0] == headline
