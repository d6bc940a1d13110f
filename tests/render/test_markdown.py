from __future__ import annotations

from typing import TYPE_CHECKING

from compatsolver.render.markdown import plan_markdown

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from compatsolver.model.resolution import Resolution


def test_markdown_is_the_golden_one(named_answer: tuple[str, Resolution], golden: Callable[[str, str], str]) -> None:
    name, plan = named_answer
    written = plan_markdown(plan)
    assert written == golden(f"{name}.md", written)


def test_what_people_typed_is_not_read_as_markdown(answers: Mapping[str, Resolution]) -> None:
    plan = answers["cpu"]._replace(notes=("a|b <script> _x_ *y* [z](w) `q` keep_this",))
    assert r"a\|b \<script> \_x\_ \*y\* \[z\](w) \`q\` keep_this" in plan_markdown(plan)


def test_addresses_of_sources_stay_links(answers: Mapping[str, Resolution]) -> None:
    link = "<https://docs.nvidia.com/datacenter/tesla/drivers/cuda-toolkit-driver-and-architecture-matrix.html>"
    assert link in plan_markdown(answers["conflict"])


def test_no_page_steers_a_terminal(answers: Mapping[str, Resolution]) -> None:
    missing = answers["undetermined"].missing[0]._replace(how="pip\x1b[2J", why="\x1b[31mred")
    plan = answers["undetermined"]._replace(notes=("\x1b]0;title\x07",), missing=(missing,))
    text = plan_markdown(plan)
    assert "red" in text
    assert text.replace("\n", "").isprintable()
