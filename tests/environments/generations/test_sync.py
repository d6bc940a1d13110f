"""Environments made from locks by uv and by pip: built, left alone, changed, returned to."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator

import compatsolver
from compatsolver.errors import BuildFailed, InputError, ProofFailed
from compatsolver.model.request import Target
from compatsolver.observation.live import here
from compatsolver.render.generations_text import synced_text
from environments.generations.conftest import LIB, app
from process import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from environments.generations.conftest import Place

pytestmark = pytest.mark.skipif(os.name == "nt", reason="interpreters where POSIX systems have them")


@pytest.mark.parametrize("installer", ["uv", "pip"])
def test_an_environment_is_built_beside_the_old_and_takes_its_place(place: Place, installer: str) -> None:
    one, two = place.lock("one.toml", app("1.0"), LIB), place.lock("two.toml", app("2.0"), LIB)
    first = place.sync(one, installer=installer)
    assert (first.status, first.generation.number, first.generation.installer) == ("built", 1, installer)
    assert first.generation.packages == {"app": "1.0", "lib": "1.0"}
    assert first.generation.proof.passed == ("imports",)
    assert place.version() == "1.0"
    second = place.sync(two, installer=installer)
    assert (second.generation.number, second.previous, place.version()) == (2, 1, "2.0")
    assert second.before is not None
    assert second.after is not None
    assert 0 < second.before < second.after
    assert place.left == set()


def test_the_same_lock_again_asks_nobody(place: Place) -> None:
    lock = place.lock("one.toml", app("1.0"), LIB)
    place.sync(lock)
    asked = len(place.loopback.requests)
    again = place.sync(lock)
    assert (again.status, again.before, place.numbers(), len(place.loopback.requests)) == (
        "unchanged",
        None,
        [1],
        asked,
    )


def test_an_earlier_lock_is_switched_to_and_not_built_again(place: Place) -> None:
    one, two = place.lock("one.toml", app("1.0"), LIB), place.lock("two.toml", app("2.0"), LIB)
    for lock in (one, two):
        place.sync(lock)
    asked = len(place.loopback.requests)
    assert place.sync(one).status == "switched"
    assert (place.version(), place.numbers(), len(place.loopback.requests)) == ("1.0", [2, 1], asked)


def test_what_was_changed_by_hand_is_built_anew(place: Place) -> None:
    lock = place.lock("one.toml", app("1.0"), LIB)
    place.sync(lock)
    (information,) = place.environment.glob("lib/python3*/site-packages/lib-1.0.dist-info/METADATA")
    information.unlink()  # uv's cache has a name for the same file
    information.write_text("Metadata-Version: 2.1\nName: lib\nVersion: 1.1\n", encoding="utf-8")
    done = place.sync(lock)
    assert (done.status, done.generation.number) == ("built", 2)
    assert done.notes == ("generation 1 was changed since: lib is 1.1, was 1.0",)


def test_a_project_that_was_moved_gets_a_new_generation(place: Place) -> None:
    lock = place.lock("one.toml", app("1.0"), LIB)
    place.sync(lock)
    project = place.environment.parent
    moved = project.rename(project.with_name("moved"))
    was, place.environment = place.environment, moved / ".venv"
    done = place.sync(lock)
    assert done.notes == (f"generation 1 was moved here from {was}, which its scripts still name",)
    assert (done.generation.number, place.version()) == (2, "1.0")


def test_more_proof_is_shown_without_building(place: Place) -> None:
    lock = place.lock("one.toml", app("1.0"), LIB)
    assert place.sync(lock, prove="none").generation.proof.level == "none"
    done = place.sync(lock, prove="full")
    assert (done.generation.number, done.generation.proof.level) == (1, "full")
    assert place.sync(lock).status == "unchanged"


def test_some_generations_are_kept_and_that_before_is_among_them(place: Place) -> None:
    locks = [place.lock(f"{number}.toml", app(f"{number}.0"), LIB) for number in (1, 2, 3, 4)]
    for lock in locks[:3]:
        place.sync(lock)
    compatsolver.rollback(1, place.environment)
    done = place.sync(locks[3], keep=2)
    assert (done.removed, place.numbers(), place.left) == ((2, 3), [4, 1], set())


def test_one_generation_is_kept_and_none_to_go_back_to_is_named(place: Place) -> None:
    place.sync(place.lock("one.toml", app("1.0"), LIB))
    done = place.sync(place.lock("two.toml", app("2.0"), LIB), keep=1)
    assert (done.removed, place.numbers()) == ((1,), [2])
    assert "rollback" not in synced_text(done)


@pytest.mark.parametrize("record", [None, b"", b'{"a": 1}'])
def test_what_is_in_use_stays_whatever_its_record_says(place: Place, record: bytes | None) -> None:
    place.sync(place.lock("one.toml", app("1.0"), LIB))
    (file,) = place.environment.parent.glob(".venv.generations/1-*.json")
    file.unlink() if record is None else file.write_bytes(record)
    with pytest.raises(InputError, match="the records of"):
        compatsolver.generations(place.environment)
    with pytest.raises(ProofFailed) as failure:
        place.sync(place.lock("none.toml", app("9.9", "raise RuntimeError"), LIB))
    assert "a generation whose record cannot be read" in failure.value.context[-1]
    assert place.version() == "1.0"
    done = place.sync(place.lock("two.toml", app("2.0"), LIB))
    assert (done.generation.number, place.version()) == (2, "2.0")


@pytest.mark.parametrize("name", ["a'b", 'a"b', "a:b", "l" * 300])
def test_a_path_that_nothing_could_activate_is_refused(place: Place, name: str) -> None:
    place.environment = place.environment.with_name(name)
    with pytest.raises(InputError) as failure:
        place.sync(place.lock("one.toml", app("1.0"), LIB))
    assert failure.value.hint == "name another path with --env"


def test_a_path_may_begin_with_a_dash(place: Place) -> None:
    place.environment = place.environment.with_name("-env")
    assert place.sync(place.lock("one.toml", app("1.0"), LIB)).status == "built"


def test_rollback_returns_to_the_one_before_or_to_a_number(place: Place) -> None:
    for version in ("1.0", "2.0", "3.0"):
        place.sync(place.lock("pylock.toml", app(version), LIB), keep=5)
    rolled = compatsolver.rollback(environment=place.environment)
    assert (rolled.generation.number, rolled.previous, place.version()) == (2, 3, "2.0")
    compatsolver.rollback(environment=place.environment)
    assert place.version() == "1.0"
    with pytest.raises(InputError, match="before the one in use"):
        compatsolver.rollback(environment=place.environment)
    with pytest.raises(InputError, match="no generation 7"):
        compatsolver.rollback(7, place.environment)
    compatsolver.rollback(3, place.environment)
    assert (place.version(), compatsolver.generations(place.environment).active) == ("3.0", 3)


@pytest.mark.parametrize("installer", ["uv", "pip"])
def test_a_shell_that_activated_it_follows(place: Place, installer: str) -> None:
    place.sync(place.lock("one.toml", app("1.0"), LIB), installer=installer)
    script = f". '{place.environment}/bin/activate'; read line; python -c 'import app; print(app.__version__)'"
    shell = subprocess.Popen(
        ["sh", "-c", script],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8",
    )  # fmt: skip
    place.sync(place.lock("two.toml", app("2.0"), LIB))
    assert shell.communicate("\n", timeout=60)[0] == "2.0\n"


@pytest.mark.parametrize("installer", ["uv", "pip"])
def test_a_wheelhouse_needs_no_network(place: Place, installer: str, tmp_path: Path) -> None:
    lock = place.lock("one.toml", app("1.0"), LIB)
    house = tmp_path / "house"
    house.mkdir()
    app("1.0").write(house)
    with pytest.raises(BuildFailed) as failure:
        place.sync(lock, installer=installer, wheelhouse=house)
    assert "there is no .venv yet" in failure.value.context
    LIB.write(house)
    place.sync(lock, installer=installer, wheelhouse=house)
    assert (place.version(), place.loopback.requests) == ("1.0", [])


@pytest.mark.parametrize(("installer", "own"), [("uv", "UV_DEFAULT_INDEX"), ("pip", "PIP_INDEX_URL")])
def test_the_index_of_the_other_tool_serves_one_that_has_none(
    place: Place, installer: str, own: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(own)
    place.sync(place.lock("one.toml", app("1.0"), LIB), installer=installer)
    assert (place.version(), place.loopback.count("/simple/app/")) == ("1.0", 1)


def test_offline_takes_what_uv_has_kept(place: Place) -> None:
    lock = place.lock("one.toml", app("1.0"), LIB)
    with pytest.raises(BuildFailed):
        place.sync(lock, installer="uv", offline=True)
    assert place.loopback.requests == []
    place.sync(lock, installer="uv")
    place.sync(place.lock("again.toml", LIB, app("1.0")), installer="uv", offline=True)
    assert place.numbers() == [2, 1]
    with pytest.raises(InputError, match="pip cannot"):
        place.sync(place.lock("two.toml", app("2.0"), LIB), installer="pip", offline=True)


def document(place: Place, schema: str, *arguments: str | Path) -> dict[str, Any]:
    """What a command prints for programs, held against its schema."""
    process = place.start(*arguments, "--format", "json")
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    described = json.loads((ROOT / f"docs/schema/{schema}.schema.json").read_text(encoding="utf-8"))
    found: dict[str, Any] = json.loads(output)
    Draft202012Validator(described).validate(found)
    return found


def test_the_commands(place: Place) -> None:
    one, two = place.lock("one.toml", app("1.0"), LIB), place.lock("two.toml", app("2.0"), LIB)
    assert document(place, "sync", "sync", one)["status"] == "built"
    text, errors = place.start("sync", two).communicate(timeout=60)
    assert (text.splitlines()[0], errors) == (".venv is generation 2 now, built by uv", "")
    assert f"compatsolver rollback 1 --env {place.environment}" in text
    listing = document(place, "generations", "generations")
    assert [row["number"] for row in listing["generations"]] == [2, 1]
    assert listing["active"] == 2
    assert document(place, "sync", "rollback")["generation"]["number"] == 1
    assert place.version() == "1.0"
    refused = place.start("rollback", "9")
    assert "hint: kept: 1, 2" in refused.communicate(timeout=60)[1]
    assert refused.returncode == 2


def test_what_sync_did_not_make_is_left_alone(place: Place) -> None:
    lock = place.lock("one.toml", app("1.0"), LIB)
    place.environment.mkdir()
    (place.environment / "precious").touch()
    with pytest.raises(InputError, match="left alone") as refused:
        place.sync(lock)
    with pytest.raises(InputError, match="left alone"):
        compatsolver.generations("/")
    assert "mv .venv .venv.before" in str(refused.value)
    assert (place.environment / "precious").exists()


def test_a_lock_for_something_else_is_refused_before_anything_is_made(place: Place, tmp_path: Path) -> None:
    other = place.lock("mac.toml", app("1.0"), LIB, targets=(Target(python="3.12", platform="windows-x86_64"),))
    with pytest.raises(InputError, match="is for windows-x86_64"):
        place.sync(other)
    checkout = tmp_path / "checkout.toml"
    checkout.write_text(
        'lock-version = "1.0"\ncreated-by = "x"\n[[packages]]\nname = "here"\ndirectory = { path = "." }\n', "utf-8"
    )
    with pytest.raises(InputError, match="here has no version and no hash"):
        place.sync(checkout)
    assert not list((tmp_path / "project").iterdir())
    with pytest.raises(InputError, match="made no environment"):
        compatsolver.generations(place.environment)


def test_an_interpreter_that_the_lock_is_not_for_is_refused(place: Place) -> None:
    lock = place.lock("old.toml", app("1.0"), LIB, targets=(Target(python="3.9", platform=here.platform()),))
    with pytest.raises(InputError, match=r"is for Python 3\.9") as refused:
        place.sync(lock, python=sys.executable)
    assert "there is no .venv yet" in refused.value.context


@pytest.mark.parametrize("wrong", [{"keep": 0}, {"prove": "much"}, {"installer": "conda"}, {"device": "tpu"}])
def test_options_that_mean_nothing_are_refused(place: Place, wrong: dict[str, object]) -> None:
    with pytest.raises(InputError):
        place.sync(place.lock("one.toml", LIB), **wrong)
