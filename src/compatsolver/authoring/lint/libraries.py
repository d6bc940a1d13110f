"""Libraries and names: what a release requires exists, and its wheels fit what it says about Pythons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from packaging.specifiers import SpecifierSet

from compatsolver.authoring.lint.problem import Finding, Lint, every_row
from compatsolver.authoring.rules.wheels import ANY, admits
from compatsolver.authoring.schema import BuildRow, Tables, WheelRow
from compatsolver.model.request import normalised
from compatsolver.model.version import PythonVersion

if TYPE_CHECKING:
    from collections.abc import Iterator


def requirement_met(tables: Tables) -> Iterator[Finding]:
    """What a release requires has a table, and a release there satisfies it: else the row can never be used.

    Yanked releases are never used; some were yanked for exactly this.
    """
    released = {name: [row.version for row in rows] for name, rows in tables.libraries.items()}
    released["torch"] = [row.version for row in tables.torch]
    for library, rows in tables.libraries.items():
        for row in (row for row in rows if not row.yanked):
            for name, text in row.requires.items():
                wanted = f"{library} {row.version} requires {name} {text}"
                if name not in released:
                    yield Finding(row, f"{wanted}, which has no table", "correct the name, or add its table")
                elif not any(SpecifierSet(text).contains(version, True) for version in released[name]):
                    yield Finding(row, f"{wanted}: no such release", "correct the specifier, or add the release")


def library_is_component(tables: Tables) -> Iterator[Finding]:
    """A library with a table is declared as a package in components.yaml: otherwise nobody can ask for it."""
    packages = {row.name for row in tables.components if row.kind == "package"}
    for library, rows in tables.libraries.items():
        if library not in packages and rows:
            yield Finding(rows[0], f"{library} is no package of components.yaml", "add it there")


def package_has_table(tables: Tables) -> Iterator[Finding]:
    """A package of components.yaml has a table: otherwise it can be asked for, and nothing is known of it."""
    tabled = {"torch", *tables.libraries}
    for row in tables.components:
        if row.kind == "package" and row.name not in tabled:
            yield Finding(row, f"there is no table of {row.name}", "add libraries/<name>.yaml, or remove the component")


def wheels_once(tables: Tables) -> Iterator[Finding]:
    """A release has one row of wheels per platform."""
    for library, rows in tables.libraries.items():
        for row in rows:
            platforms = [wheel.platform for wheel in row.wheels]
            if len(set(platforms)) < len(platforms):
                yield Finding(row, f"{library} {row.version} lists a platform twice", "join the rows")


def wheels_admitted(tables: Tables) -> Iterator[Finding]:
    """Wheels are for Pythons that `requires_python` admits: an installer would refuse the others."""
    for library, rows in tables.libraries.items():
        for row in rows:
            pythons = {text for wheel in row.wheels if wheel.pythons != "any" for text in wheel.pythons}
            refused = sorted(text for text in pythons if not admits(row.requires_python, PythonVersion.parse(text)))
            if refused:
                wheels = f"{library} {row.version} has wheels for Python {', '.join(refused)}"
                yield Finding(row, f"{wheels} and requires {row.requires_python}", "correct one of them")


def wheels_for_known_hosts(tables: Tables) -> Iterator[Finding]:
    """Platforms and Pythons of wheels are values of the host components, which are all a user can ask for."""
    values = {row.name: row.values for row in tables.components}
    for row in every_row(tables):
        if isinstance(row, (BuildRow, WheelRow)):
            pythons = row.pythons if isinstance(row.pythons, list) else []
            platforms = [row.platform] if row.platform != ANY else []
            for component, texts in (("platform", platforms), ("python", pythons)):
                strangers = [text for text in texts if text not in (values.get(component) or texts)]
                if strangers:
                    message = f"wheels for {', '.join(strangers)}, which the component {component} does not list"
                    yield Finding(row, message, "add it to components.yaml or correct it")


def wheel_glibc_on_linux(tables: Tables) -> Iterator[Finding]:
    """Only Linux wheels have a glibc floor."""
    for library, rows in tables.libraries.items():
        for row in rows:
            for wheel in row.wheels:
                if wheel.glibc is not None and not wheel.platform.startswith("linux"):
                    message = f"{library} {row.version}: the {wheel.platform} wheel needs glibc {wheel.glibc}"
                    yield Finding(wheel, message, "leave it out off Linux")


def alias_target(tables: Tables) -> Iterator[Finding]:
    """An alias stands for a component and is not one itself."""
    names = {row.name for row in tables.components}
    for alias, row in tables.aliases.items():
        if row.component not in names:
            yield Finding(row, f"{alias} stands for {row.component}, which is no component", "correct the name")
        if alias in names:
            yield Finding(row, f"{alias} is a component and an alias", "remove the alias")


def alias_reachable(tables: Tables) -> Iterator[Finding]:
    """An alias is spelled as requirements are compared (PEP 503): another spelling is never looked up."""
    for alias, row in tables.aliases.items():
        if normalised(alias) != alias:
            yield Finding(row, f"nobody is led to the alias {alias!r}", f"write it {normalised(alias)!r}")


def profile_packages(tables: Tables) -> Iterator[Finding]:
    """A profile names packages of the catalogue, each once: of others nothing could be said."""
    packages = {row.name for row in tables.components if row.kind == "package"}
    for profile, row in tables.profiles.items():
        odd = [name for name in row.packages if name not in packages]
        if odd:
            yield Finding(row, f"{', '.join(odd)} in the profile {profile} is no package", "correct the name")
        if len(set(row.packages)) < len(row.packages):
            yield Finding(row, f"the profile {profile} names a package twice", "keep one of them")


LINTS: tuple[Lint, ...] = (
    requirement_met,
    library_is_component,
    package_has_table,
    wheels_once,
    wheels_admitted,
    wheels_for_known_hosts,
    wheel_glibc_on_linux,
    alias_target,
    alias_reachable,
    profile_packages,
)
