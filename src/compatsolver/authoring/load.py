"""Read a directory of tables, validate every file, and report all problems of all files at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from compatsolver.authoring import schema, tablefiles, yamlfile
from compatsolver.authoring.rows import Problem, Row, RowError
from compatsolver.errors import CatalogError
from compatsolver.model.version import NumericVersion

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

File = TypeVar("File", bound=tablefiles.TableFile)


def load_tables(matrices: Path) -> schema.Tables:
    """Every table under `matrices`; raises CatalogError with one line, `file:line: where: what; tip`, per problem."""
    problems: list[str] = []
    found: dict[int, str] = {}
    files: list[tablefiles.TableFile] = []
    for path in sorted(matrices.rglob("*.yaml")):
        name = path.relative_to(matrices).as_posix()
        try:
            raw = yamlfile.read(path.read_bytes())
        except yamlfile.YamlError as problem:
            problems.append(f"{name}:{problem.line}: {problem.message}")
            continue
        except OSError as error:
            problems.append(f"{name}:1: cannot be read: {error.strerror}")
            continue
        file = _validate(name, raw, problems)
        if file:
            files.append(file)
            found.update(places(file, raw, name))
    problems = problems or _absent(files)
    if problems:
        count = "1 problem" if len(problems) == 1 else f"{len(problems)} problems"
        raise CatalogError(
            f"the tables under {matrices} have {count}",
            problems=tuple(problems),
            hint="docs/data-format.md describes the keys of every table",
        )
    return _tables(files, found)


def _validate(name: str, raw: Any, problems: list[str]) -> tablefiles.TableFile | None:
    """The file as a model, or None after adding what is wrong with it to `problems`."""
    table = raw.get("table") if isinstance(raw, yamlfile.Mapping) else None
    if not isinstance(table, str) or table not in tablefiles.FILES:
        what = "the file is empty" if raw is None else "`table` does not name a table"
        line = yamlfile.line_of(raw, ("table",))
        problems.append(f"{name}:{line}: {what}; write `table:` and one of {', '.join(tablefiles.FILES)}")
        return None
    try:
        file = tablefiles.FILES[table].read(raw)
    except RowError as error:
        problems += [sentence(name, raw, problem) for problem in error.problems]
        return None
    expected = _path(file)
    if name != expected:
        problems.append(f"{name}:{yamlfile.line_of(raw, ('table',))}: this table belongs in {expected}; move the file")
        return None
    return file


def sentence(name: str, raw: Any, problem: Problem) -> str:
    """`file:line: where: what; tip` for a problem with what was read from a file."""
    where = ".".join(str(part) for part in problem.place)
    told = f"{name}:{yamlfile.line_of(raw, problem.place)}: {f'{where}: ' if where else ''}{problem.message}"
    return f"{told}; {problem.tip}" if problem.tip else told


def _path(file: tablefiles.TableFile) -> str:
    """Where under the matrices a file has to lie."""
    if isinstance(file, tablefiles.TorchFile):
        return f"torch/{file.line}.yaml"
    if isinstance(file, tablefiles.LibraryFile):
        return f"libraries/{file.component}.yaml"
    if isinstance(file, tablefiles.MeasuredFile):
        return f"measured/{file.component}.yaml"
    if isinstance(file, tablefiles.SymptomsFile):
        return f"symptoms/{file.subject}.yaml"
    return f"{file.table}.yaml"


def places(value: Any, written: Any, name: str = "") -> Iterator[tuple[int, str]]:
    """The identity of every row in a value → `file:line`, for rows that were read from a file."""
    if isinstance(value, Row):
        if isinstance(written, yamlfile.Mapping):
            yield id(value), f"{written.file or name}:{written.line}"
        for key, inside in value.columns():
            if key in written:
                yield from places(inside, written[key], name)
    elif isinstance(value, list):
        for inside, entry in zip(value, written, strict=True):
            yield from places(inside, entry, name)
    elif isinstance(value, dict):
        for key, inside in value.items():
            yield from places(inside, written[key], name)


def _absent(files: list[tablefiles.TableFile]) -> list[str]:
    present = {file.table for file in files}
    needed = (name for name, kind in tablefiles.FILES.items() if not issubclass(kind, tablefiles.OptionalFile))
    return [f"{table}: no file holds this table; add one" for table in needed if table not in present]


def _tables(files: list[tablefiles.TableFile], found: dict[int, str]) -> schema.Tables:
    gpus = _only(files, tablefiles.GpusFile)
    cuda = _only(files, tablefiles.CudaFile)
    lines = [file for file in files if isinstance(file, tablefiles.TorchFile)]
    lines.sort(key=lambda file: NumericVersion.parse(file.line), reverse=True)
    return schema.Tables(
        horizon=max(file.horizon for file in files),
        sources=_only(files, tablefiles.SourcesFile).sources,
        components=_only(files, tablefiles.ComponentsFile).components,
        aliases=_only(files, tablefiles.AliasesFile).aliases,
        profiles=_only(files, tablefiles.ProfilesFile).profiles,
        capabilities=_only(files, tablefiles.ArchitecturesFile).capabilities,
        products=gpus.products,
        nvidia_smi_names=gpus.nvidia_smi_names,
        other_vendors=gpus.other_vendors,
        branches=_only(files, tablefiles.DriversFile).branches,
        toolkits=cuda.toolkits,
        compatibility=cuda.compatibility,
        cudnn=_only(files, tablefiles.CudnnFile).capabilities,
        cudnn_releases=_only(files, tablefiles.CudnnFile).releases,
        nccl_releases=[row for file in files if isinstance(file, tablefiles.NcclFile) for row in file.releases],
        torch=[release for line in lines for release in line.releases],
        libraries={file.component: file.releases for file in files if isinstance(file, tablefiles.LibraryFile)},
        measured={file.component: file.wheels for file in files if isinstance(file, tablefiles.MeasuredFile)},
        symptoms=_every(files, "symptoms"),
        kinds=_every(files, "kinds"),
        compilers=_every(files, "compilers"),
        nccl_symbols=_every(files, "nccl_symbols"),
        archive=_every(files, "archive"),
        issues=_every(files, "issues"),
        models=_every(files, "models"),
        traits=_every(files, "traits"),
        places=found,
    )


def _every(files: list[tablefiles.TableFile], column: str) -> list[Any]:
    """The rows of a column that several files, or none, may hold."""
    return [row for file in files for row in getattr(file, column, ())]


def _only(files: list[tablefiles.TableFile], kind: type[File]) -> File:
    return next(file for file in files if isinstance(file, kind))
