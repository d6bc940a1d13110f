"""The smallest change that makes machines one: each of their stacks is tried on the others, and compared again."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from compatsolver.environments.comparison.builds import pinned, spelled
from compatsolver.environments.comparison.commands import install_commands
from compatsolver.environments.comparison.differences import Rules, differences
from compatsolver.environments.comparison.floors import key_of
from compatsolver.environments.comparison.moving import Moved
from compatsolver.environments.comparison.traits import HARDWARE, traits_of
from compatsolver.environments.comparison.trying import Trial, tried
from compatsolver.model.comparison import MATTERS, Change
from compatsolver.model.version import package_version

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from compatsolver.catalog.catalogue import Catalog
    from compatsolver.environments.comparison.machines import Machine
    from compatsolver.model.comparison import Difference


class Plan(NamedTuple):
    """All machines made like one of them; `lasting` are the titles of what matters and stays different."""

    model: Machine
    trials: tuple[Trial, ...]
    lasting: tuple[str, ...]
    departures: int

    @property
    def rank(self) -> tuple[int, int, int]:
        """How many machines cannot be made like the model, how far it departs from its torch, what the others cost."""
        failed = sum(bool(trial.obstacles) for trial in self.trials)
        return failed, self.departures, sum(trial.cost for trial in self.trials)


def smallest_change(catalog: Catalog, rules: Rules, machines: Sequence[Machine]) -> Plan | None:
    """The cheapest plan, one after which torch has what it requires before others.

    Of two that cost the same that with the newer torch, then that of the first name. A lock says what is meant, so that
    beside locks only they are models. None where no machine tells its torch.
    """
    told = [machine for machine in machines if spelled(catalog, machine.stack)]
    models: dict[tuple[object, ...], Machine] = {}
    for machine in [machine for machine in told if machine.is_lock] or told:
        traits = traits_of(catalog, machine)
        models.setdefault(tuple((name, traits[name]) for name in sorted(traits) if name not in HARDWARE), machine)
    plans = [_plan(catalog, rules, machines, model) for model in models.values()]
    newest = sorted(plans, key=lambda plan: package_version(plan.model.stack.torch or "0"), reverse=True)
    return min(newest, key=lambda plan: plan.rank, default=None)


def changes_of(catalog: Catalog, plan: Plan) -> Iterator[Change]:
    """The changes of a plan, those of several machines that are the same told once."""
    alike: dict[Change, list[str]] = {}
    for trial in plan.trials:
        if trial.fixes or trial.obstacles:
            commands = () if trial.obstacles else install_commands(catalog, trial.change)
            change = Change((), plan.model.name, trial.fixes, commands, not trial.obstacles, trial.obstacles)
            alike.setdefault(change, []).append(trial.machine.name)
    for change, names in alike.items():
        yield change._replace(machines=tuple(names))


def _plan(catalog: Catalog, rules: Rules, machines: Sequence[Machine], model: Machine) -> Plan:
    trials = _trials(catalog, machines, model)
    after = differences(catalog, rules, [trial.machine for trial in trials])
    lasting = [entry for entry in after if entry.weight == MATTERS]
    stays = [entry for entry in lasting if entry.trait not in HARDWARE]
    for place, trial in enumerate(trials):
        told = [f"{entry.title} stays different" for entry in stays if trial.machine.name in _apart(entry, model)]
        if told:
            trials[place] = trial._replace(obstacles=(*trial.obstacles, *told))
    titles = tuple(entry.title for entry in lasting if entry not in stays)
    return Plan(model, tuple(trials), titles, _departures(catalog, model))


def _departures(catalog: Catalog, model: Machine) -> int:
    """How many CUDA libraries the model has in another version than its torch requires."""
    packages = model.stack.packages
    required = pinned(catalog, model.stack)
    return sum(packages.get(name, version) != version for name, version in required.items())


def _trials(catalog: Catalog, machines: Sequence[Machine], model: Machine) -> list[Trial]:
    """Each machine tried; those with the same packages and hardware once."""
    known: dict[tuple[object, ...], Trial] = {}
    trials = []
    for machine in machines:
        key = (machine.kind, machine.is_complete, *key_of(machine.stack))
        if key not in known:
            known[key] = Trial(Moved(machine)) if machine.is_lock else tried(catalog, machine, model)
        trials.append(_named(known[key], machine))
    return trials


def _named(trial: Trial, machine: Machine) -> Trial:
    """A trial as that of another machine, which tells the rest of itself as it did."""
    after = replace(trial.machine.stack, reading=machine.stack.reading)
    return trial._replace(change=trial.change._replace(machine=machine._replace(stack=after)))


def _apart(entry: Difference, model: Machine) -> set[str]:
    return {name for group in entry.groups if model.name not in group.machines for name in group.machines}
