"""Locks of a frozen world: what is in them, what is not, and what a failure says."""

from __future__ import annotations

import tarfile
from io import BytesIO
from typing import TYPE_CHECKING

import pytest
from packaging.version import Version

from compatsolver.errors import HashMismatch, InputError, NoClosure, NoSolution, NotCached, ProbeError
from loopback import CHANGED, Listed
from wheels import Wheel

if TYPE_CHECKING:
    from pathlib import Path

    from locking.conftest import World

LIBRARIES = ("transformers", "peft", "accelerate")


def test_the_closure_holds_the_plan_and_all_below_it(world: World) -> None:
    lock = world.lock(*LIBRARIES)
    versions = {package.name: package.version for package in lock.packages}
    assert versions.pop("torch") == world.torch
    planned = {name: pin.version for name, pin in world.pins.items() if name != "torch"}
    assert planned.items() <= versions.items()
    assert {"sympy", "mpmath", "typing-extensions"} == versions.keys() - planned.keys()
    assert versions["mpmath"] == "1.3.0"
    assert lock.package("peft").requires == ("accelerate", "numpy", "torch", "transformers")
    assert all(file.hashes and file.url for package in lock.packages for file in package.files)
    assert lock.accelerator.capabilities == ("8.9",)


def test_torch_never_comes_from_another_index(world: World) -> None:
    impostor = Wheel("torch", world.torch, requires=("evil",))
    world.add(impostor, Wheel("torch", "99.0", requires=("evil",)), Wheel("evil", "1"))
    lock = world.lock(*LIBRARIES)
    torch = lock.package("torch")
    assert torch.index == world.pytorch.rstrip("/")
    assert "evil" not in {package.name for package in lock.packages}
    assert impostor.sha256 not in torch.files[0].hashes.values()
    assert [package.name for package in lock.packages if package.index] == ["torch"]


def test_a_pin_below_moves_the_stack(world: World) -> None:
    """A library's ceiling on numpy moves numpy, and the plan stays what the catalogue allows."""
    ceiling = world.pins["numpy"].version
    older = next(version for version in ("2.3.5", "2.2.6", "2.1.3") if Version(version) < Version(ceiling))
    world.add(Wheel("numpy", older, "cp312-cp312-manylinux_2_17_x86_64"))
    world.add(Wheel("oldlib", "1.0", requires=(f"numpy<{ceiling}",)))
    lock = world.lock("peft", "oldlib")
    assert lock.package("numpy").version == older
    assert lock.package("torch").version == world.torch


def test_a_library_gives_way_before_the_stack(world: World) -> None:
    ceiling = world.pins["numpy"].version
    world.add(Wheel("lib", "2.0", requires=(f"numpy<{ceiling}",)), Wheel("lib", "1.0", requires=("numpy",)))
    lock = world.lock("peft", "lib")
    assert (lock.package("lib").version, lock.package("numpy").version) == ("1.0", ceiling)


def test_no_closure_is_explained_by_what_refutes_it(world: World) -> None:
    world.add(Wheel("oldlib", "1.0", requires=("torch<2.1",)), Wheel("oldlib", "1.1", requires=("torch<2.1",)))
    with pytest.raises(NoSolution) as error:
        world.lock(f"torch=={world.pins['torch'].version}", "oldlib")
    conflict = error.value.plan.conflicts[0]
    assert any("oldlib" in fact.statement and "torch<2.1" in fact.statement for fact in conflict.because)
    assert error.value.plan.pins == ()
    assert error.value.plan.fixes == ()


def test_a_search_that_takes_too_long_is_explained_too(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("compatsolver.locking.closure.MOST_ROUNDS", 20)
    for number in range(1, 30):
        world.add(Wheel("lib", f"{number}.0", requires=(f"gone=={number}",)))
    world.add(Wheel("gone", "0.1"))
    with pytest.raises(NoSolution) as error:
        world.lock("lib")
    assert any("requires gone==" in fact.statement for fact in error.value.plan.conflicts[0].because)


def test_a_conflict_outside_the_catalogue_is_minimal(world: World) -> None:
    world.add(Wheel("one", "1.0", requires=("shared<2",)), Wheel("two", "1.0", requires=("shared>=2",)))
    world.add(Wheel("shared", "1.5"), Wheel("shared", "2.5"))
    with pytest.raises(NoSolution) as error:
        world.lock("peft", "one", "two")
    (conflict,) = error.value.plan.conflicts
    assert sorted(conflict.assumptions) == ["one", "two"]
    assert sorted(fact.statement for fact in conflict.because) == [
        "one 1.0 requires shared<2",
        "two 1.0 requires shared>=2",
    ]


def test_what_is_not_proven_is_not_called_impossible(world: World) -> None:
    """What a source requires is not known without running it, so nothing is proven about it."""
    world.loopback.serve("simple", [Listed("strange-1.0.tar.gz", b"no archive", "strange")])
    with pytest.raises(NoClosure, match="not shown that there is none") as error:
        world.lock("peft", "strange")
    assert any("strange 1.0" in line for line in error.value.met)


def source(name: str, metadata: str) -> Listed:
    """A source archive with this PKG-INFO."""
    buffer, data = BytesIO(), f"{metadata}Name: {name}\nVersion: 1.0\nRequires-Dist: mpmath<2\n".encode()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        entry = tarfile.TarInfo(f"{name}-1.0/PKG-INFO")
        entry.size = len(data)
        archive.addfile(entry, BytesIO(data))
    return Listed(f"{name}-1.0.tar.gz", buffer.getvalue(), name)


def test_of_sources_only_static_metadata_counts(world: World) -> None:
    world.loopback.serve("simple", [source("static", "Metadata-Version: 2.2\n")])
    world.loopback.serve("simple", [source("older", "Metadata-Version: 2.1\n")])
    world.loopback.serve("simple", [source("dynamic", "Metadata-Version: 2.2\nDynamic: Requires-Dist\n")])
    lock = world.lock("torch", "static")
    assert lock.package("static").requires == ("mpmath",)
    assert any("builds it from source: static" in note for note in lock.notes)
    for name in ("older", "dynamic"):
        with pytest.raises(NoClosure) as error:
            world.lock("torch", name)
        assert any("when its code is run" in line for line in error.value.met)


def test_a_package_that_no_index_has(world: World) -> None:
    with pytest.raises(NoSolution) as error:
        world.lock("peft", "no-such-package")
    assert error.value.plan.conflicts[0].assumptions == ("no-such-package",)


@pytest.mark.parametrize(
    ("python", "platform", "file"),
    [
        ("3.12", "linux-x86_64", "native-1.0-cp312-cp312-manylinux_2_28_x86_64.whl"),
        ("3.13", "linux-x86_64", "native-1.0-cp311-abi3-manylinux_2_17_x86_64.whl"),
    ],
)
def test_files_are_those_of_the_target(world: World, python: str, platform: str, file: str) -> None:
    for tag in ("cp312-cp312-manylinux_2_28_x86_64", "cp312-cp312-win_amd64", "cp311-abi3-manylinux_2_17_x86_64"):
        world.add(Wheel("native", "1.0", tag))
    world.add(Wheel("torch", world.torch, "cp313-cp313-manylinux_2_28_x86_64", ("sympy",)), index=world.builds)
    lock = world.lock("torch", "native", python=python, platform=platform)
    assert lock.package("native").files[0].name == file
    assert not any("win" in locked.name for locked in lock.package("native").files)


def test_markers_and_extras_are_read_for_the_target(world: World) -> None:
    requires = (
        "posix; sys_platform == 'linux'",
        "windows; sys_platform == 'win32'",
        "old; python_version < '3.12'",
        "tea; extra == 'tea'",
        "coffee; extra == 'coffee'",
    )
    world.add(Wheel("app", "1.0", requires=requires, extras=("tea", "coffee")), Wheel("posix", "1"), Wheel("tea", "1"))
    lock = world.lock("torch", "app[tea]")
    assert {"posix", "tea"} <= {package.name for package in lock.packages}
    assert not {"windows", "old", "coffee"} & {package.name for package in lock.packages}
    assert lock.package("app").extras == ("tea",)


def test_withdrawn_and_early_releases(world: World) -> None:
    world.add(Wheel("lib", "1.0"))
    world.add(Wheel("lib", "2.0"), yanked=True)
    world.add(Wheel("lib", "3.0rc1"))
    assert world.lock("lib").package("lib").version == "1.0"
    assert world.lock("lib==2.0").package("lib").version == "2.0"
    assert world.lock("lib", prereleases=True).package("lib").version == "3.0rc1"
    assert world.lock("lib>=3.0rc1").package("lib").version == "3.0rc1"


def test_constraints_bind_without_bringing_in(world: World, tmp_path: Path) -> None:
    (tmp_path / "c.txt").write_text("lib<2\nnever==1\n", encoding="utf-8")
    world.add(Wheel("app", "1.0", requires=("lib",)), Wheel("lib", "1.0"), Wheel("lib", "2.0"))
    lock = world.lock("app", constraints=[tmp_path / "c.txt"])
    assert lock.package("lib").version == "1.0"
    assert "never" not in {package.name for package in lock.packages}


def test_a_file_without_a_hash_is_read_for_it(world: World) -> None:
    bare = Wheel("bare", "1.0")
    world.add(bare, hashed=False)
    assert world.lock("bare").package("bare").files[0].hashes == {"sha256": bare.sha256}


def test_metadata_that_lies_is_no_lock(world: World) -> None:
    lib = Wheel("lib", "1.0")
    world.add(lib, metadata=lib.metadata)
    world.loopback.faults[f"/simple/files/{lib.filename}.metadata"] = [CHANGED]
    with pytest.raises(HashMismatch):
        world.lock("lib")


def test_local_wheels_and_addresses(world: World, tmp_path: Path) -> None:
    local, far = Wheel("local", "1.0", requires=("mpmath<2",)), Wheel("far", "2.0")
    world.add(far)
    path = local.write(tmp_path)
    address = f"{world.loopback.address}/simple/files/{far.filename}#sha256={far.sha256}"
    lock = world.lock("torch", str(path), f"far @ {address}")
    assert lock.package("local").files[0].path == str(path)
    assert lock.package("local").files[0].hashes == {"sha256": local.sha256}
    assert (lock.package("far").direct, lock.package("far").index) == (True, None)
    with pytest.raises(InputError, match="editable"):
        world.lock("-e .")
    with pytest.raises(InputError, match="source tree"):
        world.lock(str(tmp_path))
    with pytest.raises(InputError, match="chosen by the catalogue"):
        world.lock(str(Wheel("peft", "9.9").write(tmp_path)))


def test_offline_is_the_same_lock_or_says_what_is_missing(world: World) -> None:
    lock = world.lock(*LIBRARIES)
    before = len(world.loopback.requests)
    assert world.lock(*LIBRARIES, offline=True) == lock
    assert len(world.loopback.requests) == before
    with pytest.raises(NotCached) as error:
        world.lock("absent-one", "absent-two", offline=True)
    assert [line.split(" on ")[0] for line in sorted(error.value.missing)] == [
        "the page of absent-one",
        "the page of absent-two",
    ]


def test_a_lock_that_cannot_be_written_leaves_the_old_one(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = world.lock("torch")
    target = tmp_path / "out" / "pylock.toml"
    lock.write(target)
    old = target.read_bytes()

    def full(*_arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.replace", full)
    with pytest.raises(ProbeError, match="No space left"):
        lock.write(target)
    assert target.read_bytes() == old
    assert [path.name for path in target.parent.iterdir()] == ["pylock.toml"]


def test_what_this_machine_is_configured_with_is_told_and_not_written(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    constraints, settings = tmp_path / "constraints.txt", tmp_path / "pip.conf"
    constraints.write_text("mpmath<2\n", encoding="utf-8")
    settings.write_text(f"[global]\nconstraint = {constraints}\n", encoding="utf-8")
    monkeypatch.setenv("PIP_CONFIG_FILE", str(settings))
    lock = world.lock("torch")
    assert any(str(constraints) in remark for remark in lock.remarks)
    assert str(tmp_path) not in "".join(lock.rendered("pylock").values())
    assert str(tmp_path) not in "".join(lock.rendered("requirements").values())
