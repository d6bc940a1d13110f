"""The shape of the tables that diagnosis reads: symptoms, kinds of fault, host compilers, early releases."""

from typing import Literal

from compatsolver.authoring.rows import Row
from compatsolver.authoring.schema_facts import Bounds, Evidence, Fact

Certainty = Literal["certain", "likely", "possible"]
Severity = Literal["error", "warning", "info"]
Applicability = Literal["safe", "unsafe", "display-only"]
Texts = str | list[str]
"""A template, or several of which the first whose names are all known is taken."""


class Condition(Row):
    """What must be known for a symptom to count.

    `fact` is a name that templates use, or a template; `matches` is a pattern on its value, `known: false` asks that
    nobody knows it, `lacks` that a text (a template) is not in it; `published` says whether the tables have that build.
    """

    fact: str
    known: bool | None = None
    matches: str | None = None
    differs: str | None = None
    lacks: str | None = None
    published: bool | None = None
    within: Bounds | None = None
    versions: str | None = None


class FixRow(Row):
    """A fix as a template. `versions`, `cuda` on torch: the build is computed, solved again and named by its values."""

    change: str
    to: Texts | None = None
    cuda: Texts | None = None
    versions: Texts | None = None
    action: Texts | None = None
    command: Texts | None = None
    applicability: Applicability = "safe"


class QuestionRow(Row):
    """A fact that would decide, why, and the command that gets it."""

    fact: str
    why: str
    how: str


class SymptomRow(Row):
    """A pattern in what people paste, what it proves and what it only suggests.

    `marks` are lower-case texts of which every match holds one; `pattern` is searched only where one occurs.
    """

    name: str
    marks: list[str]
    pattern: str
    when: list[Condition] = []
    kind: str | None
    certainty: Certainty = "certain"
    severity: Severity = "error"
    suggests: list[str] = []
    era: str | None = None
    summary: Texts
    requires: Texts = ""
    found: Texts = ""
    fixes: list[FixRow] = []
    asks: list[QuestionRow] = []
    examples: list[str]
    evidence: Evidence
    sources: list[str]
    notes: list[str] = []


class KindRow(Row):
    """A kind of fault: its page. `explains`: kinds that are its consequences where both are seen."""

    kind: str
    title: str
    meaning: str
    shows: list[str]
    confirm: list[str]
    mend: list[str]
    explains: list[str] = []
    sources: list[str]


class HostCompilerRow(Fact):
    """The newest host compilers that a toolkit accepts (majors of gcc and clang), Visual Studio by its years."""

    cuda: str
    gcc: str | None
    clang: str | None
    visual_studio: str | None


class ArchivedTorchRow(Fact):
    """A torch line that is older than the tables: the CUDA builds it had on PyTorch's index and in its conda channel.

    `default_cuda` is the runtime of the default index's Linux build.
    """

    line: str
    versions: list[str]
    default_cuda: str | None
    cuda: list[str]
    newest_python: str | None = None
    conda: list[str] = []


class NcclSymbolRow(Fact):
    """A function of NCCL and the first release that has it."""

    symbol: str
    first: str
