"""compatsolver, asked as its users ask it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from choices.answers import DEFAULT, Answer
from compatsolver import plan
from compatsolver.model.resolution import RESOLVED

if TYPE_CHECKING:
    from choices.answers import Question

NAME = "compatsolver"


def ask(question: Question) -> Answer:
    """The torch of the plan, by its build; none where there is no plan, or not enough is known for one."""
    answer = plan(
        ("torch",),
        gpu=question.gpu,
        driver=question.driver,
        python=question.python,
        platform=question.platform,
        glibc=question.glibc if question.platform.startswith("linux") else None,
    )
    if answer.verdict != RESOLVED:
        return Answer()
    (pin,) = [pin for pin in answer.pins if pin.name == "torch"]
    return Answer((pin.build or DEFAULT,), pin.version)
