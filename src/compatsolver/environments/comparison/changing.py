"""The smallest change that makes machines one: each of their stacks is tried on the others, and compared again."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from compatsolver.environments.comparison.commands import install_commands
from compatsolver.environments.comparison.differences import Rules, differences
from compatsolver.environments.comparison.floors import EVERY_RULE
from compatsolver.environments.comparison.moving import Moved, fixes_of, moved, spelled
from compatsolver.environments.comparison.traits import HARDWARE, traits_of
from compatsolver.explanation.cores import independent_cores
from compatsolver.explanation.diagnosis.rulings import finding_of
from compatsolver.explanation.fixes.cost import cost
from compatsolver.explanation.fixes.premises import problem_of
from compatsolver.model.comparison import MATTERS, Change
from compatsolver.model.diagnosis import CERTAIN
from compatsolver.model.version import package_version
from compatsolver.solver.certify import Undecided, solve

if TYPE_CHECKING:
    from collections.abc import Sequence

    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.environments.comparison.machines import Machine
    from compatsolver.model.comparison import Difference
    from compatsolver.model.fix import Fix
    from compatsolver.solver.problem import Problem


class Trial(NamedTuple):
    """One machine after a change: what it took, and why the change does not hold, if it does not."""

    machine: Machine
    fixes: tuple[Fix, ...] = ()
    commands: tuple[str, ...] = ()
    obstacles: tuple[str, ...] = ()


class Plan(NamedTuple):
    """All machines made like one of them; `lasting` are the titles of what matters and stays different."""

    model: Machine
    trials: tuple[Trial, ...]
    lasting: tuple[str, ...]

    @property
    def changes(self) -> tuple[Change, ...]:
        """The changes, those of several machines that are the same told once."""
        alike: dict[Change, list[str]] = {}
        for machine, fixes, commands, obstacles in self.trials:
            if fixes or obstacles:
                change = Change((), self.model.name, fixes, commands, not obstacles, obstacles)
                alike.setdefault(change, []).append(machine.name)
        return tuple(change._replace(machines=tuple(names)) for change, names in alike.items())

    @property
    def rank(self) -> tuple[int, int]:
        """How many machines cannot be made like the model, and what the others cost."""
        return sum(bool(trial.obstacles) for trial in self.trials), sum(
            cost(fix) for trial in self.trials for fix in trial.fixes
        )


def smallest_change(catalog: Catalog, rules: Rules, machines: Sequence[Machine]) -> Plan | None:
    """The cheapest plan; of two that cost the same that with the newer torch, then that of the first name.

    A lock says what is meant, so that beside locks only they are models. None where no machine tells its torch.
    """
    told = [machine for machine in machines if spelled(catalog, machine.stack)]
    models: dict[tuple[object, ...], Machine] = {}
    for machine in [machine for machine in told if machine.is_lock] or told:
        software = {k: v for k, v in traits_of(catalog, machine).items() if k not in HARDWARE}
        models.setdefault(tuple(sorted(software.items())), machine)
    plans = [_plan(catalog, rules, machines, model) for model in models.values()]
    newest = sorted(plans, key=lambda plan: package_version(plan.model.stack.torch or "0"), reverse=True)
    return min(newest, key=lambda plan: plan.rank, default=None)


def _plan(catalog: Catalog, rules: Rules, machines: Sequence[Machine], model: Machine) -> Plan:
    trials = [Trial(machine) if machine.is_lock else _trial(catalog, machine, model) for machine in machines]
    after = differences(catalog, rules, [trial.machine for trial in trials])
    lasting = [entry for entry in after if entry.weight == MATTERS]
    stays = [entry for entry in lasting if entry.trait not in HARDWARE]
    for place, trial in enumerate(trials):
        told = [f"{entry.title} stays different" for entry in stays if trial.machine.name in _apart(entry, model)]
        if told:
            trials[place] = trial._replace(commands=(), obstacles=(*trial.obstacles, *told))
    return Plan(model, tuple(trials), tuple(entry.title for entry in lasting if entry not in stays))


def _apart(entry: Difference, model: Machine) -> set[str]:
    return {name for group in entry.groups if model.name not in group.machines for name in group.machines}


def _trial(catalog: Catalog, machine: Machine, model: Machine) -> Trial:
    """The machine with the model's packages, held against every rule; a driver moves where nothing else would do."""
    change = moved(catalog, machine, model)
    problem = problem_of(catalog, change.machine.stack, without=EVERY_RULE)
    obstacles = _unknown_packages(catalog, change, problem)
    cores = independent_cores(problem)
    if not cores and not obstacles:
        obstacles = _doubts(problem) if not change.is_same else ()
        return _tried(catalog, change, (), obstacles)
    stack = change.machine.stack
    found = [finding_of(catalog, stack, problem, cores, core, CERTAIN) for core in cores]
    drivers = [next((fix for fix in finding.fixes if fix.change == "driver"), None) for finding in found]
    driver = next(iter(drivers)) if len(drivers) == 1 else None
    if driver is None or obstacles:
        return _tried(catalog, change, (), (*obstacles, *(finding.summary for finding in found)))
    lowest = (driver.to or "").partition(",")[0].removeprefix(">=")
    newer = change.machine._replace(stack=replace(stack, driver=lowest, ceiling=None))
    problem = problem_of(catalog, newer.stack, without=EVERY_RULE)
    obstacles = tuple(found[0].summary for _ in independent_cores(problem)[:1]) or _doubts(problem)
    return _tried(catalog, change._replace(machine=newer), (driver,), obstacles)


def _tried(catalog: Catalog, change: Moved, before: tuple[Fix, ...], obstacles: tuple[str, ...]) -> Trial:
    fixes = (*before, *fixes_of(change))
    if obstacles:
        return Trial(change.machine, tuple(fix._replace(verified=False) for fix in fixes), (), obstacles)
    return Trial(change.machine, fixes, install_commands(catalog, change))


def _unknown_packages(catalog: Catalog, change: Moved, problem: Problem) -> tuple[str, ...]:
    """What would be installed and the catalogue has no release of, so that no rule can be asked."""
    assumed = {entry.slot for entry in problem.assumptions}
    wanted = [move for move in change.moves if move.after and move.name in catalog.components]
    return tuple(f"the catalogue does not hold {m.name} {m.after}" for m in wanted if m.name not in assumed)


def _doubts(problem: Problem) -> tuple[str, ...]:
    verdict = solve(problem)
    known = verdict.guards if isinstance(verdict, Undecided) else ()
    return tuple(dict.fromkeys(rule.unknown.why for rule in known if rule.unknown))
