"""Read a directory of tables, validate every file, and report all problems of all files at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel, ValidationError

from compatsolver.authoring import schema, tablefiles, yamlfile
from compatsolver.errors import CatalogError
from compatsolver.model.version import NumericVersion

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pydantic_core import ErrorDetails

File = TypeVar("File", bound=tablefiles.TableFile)

_TIPS = {
    "missing": "write the key, with null where nobody knows the value",
    "extra_forbidden": "not a key of this row; see docs/data-format.md for its keys",
    "string_type": "write it in quotes",
    "literal_error": "use one of these; quote yes and no, which YAML reads as true and false",
    "date_type": "write a day as 2026-11-30, without quotes",
}


def load_tables(matrices: Path) -> schema.Tables:
    """Every table under `matrices`; raises CatalogError with one line, `file:line: where: what; tip`, per problem."""
    problems: list[str] = []
    places: dict[int, str] = {}
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
            places.update(_places(name, file, raw))
    problems = problems or _absent(files)
    if problems:
        count = "1 problem" if len(problems) == 1 else f"{len(problems)} problems"
        raise CatalogError(
            f"the tables under {matrices} have {count}",
            problems=tuple(problems),
            hint="docs/data-format.md describes the keys of every table",
        )
    return _tables(files, places)


def _validate(name: str, raw: Any, problems: list[str]) -> tablefiles.TableFile | None:
    """The file as a model, or None after adding what is wrong with it to `problems`."""
    table = raw.get("table") if isinstance(raw, yamlfile.Mapping) else None
    if not isinstance(table, str) or table not in tablefiles.FILES:
        what = "the file is empty" if raw is None else "`table` does not name a table"
        line = yamlfile.line_of(raw, ("table",))
        problems.append(f"{name}:{line}: {what}; write `table:` and one of {', '.join(tablefiles.FILES)}")
        return None
    try:
        file = tablefiles.FILES[table].model_validate(raw)
    except ValidationError as error:
        problems += [_sentence(name, raw, detail) for detail in error.errors(include_url=False)]
        return None
    expected = _path(file)
    if name != expected:
        problems.append(f"{name}:{yamlfile.line_of(raw, ('table',))}: this table belongs in {expected}; move the file")
        return None
    return file


def _sentence(name: str, raw: Any, detail: ErrorDetails) -> str:
    where = ".".join(str(part) for part in detail["loc"])
    tip = _TIPS.get(detail["type"])
    message = detail["msg"].removeprefix("Value error, ")
    sentence = f"{name}:{yamlfile.line_of(raw, detail['loc'])}: {f'{where}: ' if where else ''}{message}"
    return f"{sentence}; {tip}" if tip else sentence


def _path(file: tablefiles.TableFile) -> str:
    """Where under the matrices a file has to lie."""
    if isinstance(file, tablefiles.TorchFile):
        return f"torch/{file.line}.yaml"
    if isinstance(file, tablefiles.LibraryFile):
        return f"libraries/{file.component}.yaml"
    return f"{file.table}.yaml"


def _places(name: str, model: BaseModel, raw: yamlfile.Mapping) -> Iterator[tuple[int, str]]:
    """The identity of a model and of all models inside it → `file:line`."""
    yield id(model), f"{name}:{raw.line}"
    for key, value in model:
        written = raw.get(key)
        inside = [(value, written)]
        if isinstance(written, yamlfile.Sequence):
            inside = list(zip(value, written, strict=True))
        elif isinstance(value, dict) and isinstance(written, yamlfile.Mapping):
            inside = [(value[entry], written[entry]) for entry in value]
        for child, child_written in inside:
            if isinstance(child, BaseModel) and isinstance(child_written, yamlfile.Mapping):
                yield from _places(name, child, child_written)


def _absent(files: list[tablefiles.TableFile]) -> list[str]:
    present = {file.table for file in files}
    return [f"{table}: no file holds this table; add one" for table in tablefiles.FILES if table not in present]


def _tables(files: list[tablefiles.TableFile], places: dict[int, str]) -> schema.Tables:
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
        torch=[release for line in lines for release in line.releases],
        libraries={file.component: file.releases for file in files if isinstance(file, tablefiles.LibraryFile)},
        places=places,
    )


def _only(files: list[tablefiles.TableFile], kind: type[File]) -> File:
    return next(file for file in files if isinstance(file, kind))
