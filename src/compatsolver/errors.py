"""Every error a caller can meet, as one tree.

CompatError
├─ InputError            the request cannot be read                        exit 2
│  ├─ InvalidRequirement a requirement that does not follow PEP 508
│  ├─ UnknownComponent   a name the catalogue does not hold, with near names
│  └─ OutOfScope         an AMD, Intel or other GPU: understood, not ours
├─ NoSolution            proven impossible, carries the explanation        exit 1
├─ InsufficientFacts     cannot be decided, carries the missing facts      exit 3
├─ CatalogError          our data is wrong, damaged or stale               exit 4
├─ SolverLimit           the budget is spent; says nothing about truth     exit 5
├─ NoClosure             no closure was found; that none exists is unshown exit 5
├─ ProbeError            this machine could not be read                    exit 6
├─ BuildFailed           an environment could not be built                 exit 6
├─ ProofFailed           an environment was built and does not work        exit 1
├─ IndexUnavailable      a package index gave no usable answer             exit 6
│  ├─ NotCached          what working offline would have needed
│  └─ HashMismatch       a file is not the one that was announced
└─ EngineDisagreement    a fault of ours, with the case to report          exit 70

Fields come first, the sentence is made in `__str__`: a headline that says what cannot be, then facts, then `hint:`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from compatsolver.model.resolution import Resolution


class CompatError(Exception):
    """Base of all errors; `exit_code` is what the command returns for it."""

    code = "error"
    exit_code = 70

    def __init__(self, message: str, *, context: tuple[str, ...] = (), hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.context = context
        self.hint = hint

    def __str__(self) -> str:
        lines = [self.message, *(f"  {line}" for line in self.context)]
        if self.hint:
            lines.append(f"hint: {self.hint}")
        return "\n".join(lines)

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self.__dict__.copy())


def _rebuild(kind: type[CompatError], fields: dict[str, Any]) -> CompatError:
    error = kind.__new__(kind)
    Exception.__init__(error, fields["message"])
    error.__dict__.update(fields)
    return error


class InputError(CompatError):
    """The request cannot be read; nothing was decided."""

    code = "input"
    exit_code = 2


class InvalidRequirement(InputError):
    """A requirement that does not follow PEP 508."""

    code = "invalid-requirement"


class UnknownComponent(InputError):
    """A package or value the catalogue does not hold; `near` are the closest names it does."""

    code = "unknown-component"

    def __init__(self, message: str, *, near: tuple[str, ...] = (), hint: str | None = None) -> None:
        super().__init__(message, hint=hint or (f"did you mean {' or '.join(near)}?" if near else None))
        self.near = near


class OutOfScope(InputError):
    """A target that is understood and is not an NVIDIA GPU."""

    code = "out-of-scope"


class CatalogError(CompatError):
    """Our data is wrong, damaged or older than its sources; `problems` lists all that was found."""

    code = "catalogue"
    exit_code = 4

    def __init__(self, message: str, *, problems: tuple[str, ...] = (), hint: str | None = None) -> None:
        super().__init__(message, context=problems, hint=hint)
        self.problems = problems


class NoSolution(CompatError):
    """Proven: nothing satisfies the request on that target. `plan` carries the conflicts and their facts."""

    code = "no-solution"
    exit_code = 1

    def __init__(self, plan: Resolution) -> None:
        summaries = tuple(conflict.summary for conflict in plan.conflicts)
        super().__init__("no combination satisfies the request on this target", context=summaries)
        self.plan = plan


class InsufficientFacts(CompatError):
    """Not decidable without the facts in `plan.missing`."""

    code = "insufficient-facts"
    exit_code = 3

    def __init__(self, plan: Resolution) -> None:
        facts = tuple(f"{missing.fact}: {missing.why}" for missing in plan.missing)
        super().__init__("the known facts do not decide this request", context=facts)
        self.plan = plan


class SolverLimit(CompatError):
    """The search spent its budget of `nodes` decisions; neither possible nor impossible was shown."""

    code = "solver-limit"
    exit_code = 5

    def __init__(self, nodes: int) -> None:
        super().__init__(
            f"the search stopped after {nodes} decisions without an answer",
            hint="narrow the request (pin torch, or name fewer packages) and try again",
        )
        self.nodes = nodes


class NoClosure(CompatError):
    """The indexes were searched without finding a closure, and the last obstacles prove nothing; `met` names them."""

    code = "no-closure"
    exit_code = 5

    def __init__(self, met: tuple[str, ...]) -> None:
        super().__init__(
            "no complete set of packages was found, and it is not shown that there is none",
            context=met,
            hint="loosen or pin one of the requirements named above",
        )
        self.met = met


class ProbeError(CompatError):
    """This machine, a file or a device could not be read or written."""

    code = "probe"
    exit_code = 6


class BuildFailed(CompatError):
    """An installer did not come to a good end; `output` is what it printed last. Nothing of the environment is left."""

    code = "build-failed"
    exit_code = 6

    def __init__(self, message: str, output: tuple[str, ...]) -> None:
        super().__init__(message, context=output, hint="mend what the lines above tell, and run the same again")
        self.output = output


class ProofFailed(CompatError):
    """The checks in an environment failed; `problems` says which and why. It is not taken into use."""

    code = "proof-failed"
    exit_code = 1

    def __init__(self, level: str, problems: tuple[str, ...]) -> None:
        super().__init__(
            f"the environment of the lock fails its proof ({level}) and is not taken into use",
            context=problems,
            hint="`compatsolver explain` may know the fault; --prove none takes the environment as it is",
        )
        self.level = level
        self.problems = problems


class IndexUnavailable(CompatError):
    """A package index, or a file on it, could not be read."""

    code = "index-unavailable"
    exit_code = 6


class NotCached(IndexUnavailable):
    """Working offline, and something was never fetched; `missing` names all of it that is known."""

    code = "not-cached"

    def __init__(self, missing: tuple[str, ...]) -> None:
        super().__init__(
            "the cache does not hold what this request needs",
            context=missing,
            hint="run the same request once without --offline, or copy a cache that has it",
        )
        self.missing = missing


class HashMismatch(IndexUnavailable):
    """The bytes of a file are not those that its hash promises; nothing of it was kept."""

    code = "hash-mismatch"

    def __init__(self, file: str, expected: str, found: str) -> None:
        super().__init__(
            f"{file} is not the file that was announced",
            context=(f"expected {expected}", f"found    {found}"),
            hint="the file was changed or damaged on the way: do not install it, and tell the index's owner",
        )
        self.file = file
        self.expected = expected
        self.found = found


class EngineDisagreement(CompatError):
    """Two parts of the engine contradict each other: a fault of ours, never an answer."""

    code = "engine-disagreement"
    exit_code = 70

    def __init__(self, message: str, *, case: str) -> None:
        super().__init__(
            message, context=(case,), hint="please report this with the lines above; no answer was given because of it"
        )
        self.case = case
