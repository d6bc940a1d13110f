"""Every YAML file here is a list of cases; each becomes a test. README.md describes the keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import yaml

from scenario import WrongAnswerError, ask, differences, ill_told

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

CASE = frozenset(("name", "why", "request", "expect", "xfail"))
MOST_FACTS = 6


def pytest_collect_file(parent: pytest.Collector, file_path: Path) -> pytest.Collector | None:
    if file_path.suffix != ".yaml":
        return None
    return ScenarioFile.from_parent(parent, path=file_path)


class ScenarioFile(pytest.File):
    """One YAML file."""

    def collect(self) -> Iterator[pytest.Item]:
        for case in yaml.safe_load(self.path.read_text(encoding="utf-8")):
            if not CASE >= case.keys() >= {"name", "why", "request", "expect"}:
                raise self.CollectError(
                    f"{self.path}: a case has name, why, request, expect and may have xfail: {case}"
                )
            item = Scenario.from_parent(self, name=case["name"], case=case)
            if "xfail" in case:
                item.add_marker(pytest.mark.xfail(reason=case["xfail"]["reason"], strict=True, raises=WrongAnswerError))
            yield item


class Scenario(pytest.Item):
    """One case: ask, and compare what was expected with what was answered."""

    def __init__(self, *, case: Mapping[str, Any], **rest: Any) -> None:
        super().__init__(**rest)
        self.case = case

    def runtest(self) -> None:
        answer = ask(self.case["request"])
        problems = [
            *differences(self.case["expect"], answer),
            *ill_told(answer, self.case["expect"].get("facts_at_most", MOST_FACTS)),
        ]
        if problems:
            raise WrongAnswerError("\n".join([*problems, "", f"why: {self.case['why']}", "", str(answer)]))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if isinstance(excinfo.value, WrongAnswerError):
            return f"{self.name}\n{excinfo.value}"
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, None, str]:
        return self.path, None, self.name
