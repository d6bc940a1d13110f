"""The environment document as people write it."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from compatsolver.errors import InputError
from compatsolver.model.environment import Environment
from compatsolver.observation.environment import LARGEST, load_environment, read_environment

if TYPE_CHECKING:
    from pathlib import Path

WRITTEN = """
# the build server
gpu: 2x GeForce RTX 5070
Compute-Capability: 12.0
driver: 580.10
os: Ubuntu 22.04
python: 3.10
wsl: false
container: docker, CUDA 12.1
packages: {torch: 2.7.0+cu128, vllm: "0.9.x (needs torch==2.7.0)", odd: [1]}
env:
  CUDA_VISIBLE_DEVICES: 0
"""


def test_yaml_keeps_numbers_as_they_are_spelled() -> None:
    assert read_environment(WRITTEN, "box.yaml") == Environment(
        gpu=("2x GeForce RTX 5070",),
        compute_capability=("12.0",),
        driver="580.10",
        os="Ubuntu 22.04",
        python="3.10",
        wsl=False,
        container="docker, CUDA 12.1",
        packages={"torch": "2.7.0+cu128", "vllm": "0.9.x (needs torch==2.7.0)"},
        env={"CUDA_VISIBLE_DEVICES": "0"},
    )


def test_json_keeps_numbers_as_they_are_spelled() -> None:
    environment = read_environment('{"gpu": ["T4", "H100"], "driver": 580.10, "python": 3.10, "wsl": true}', "box.json")
    assert environment == Environment(gpu=("T4", "H100"), driver="580.10", python="3.10", wsl=True)


@pytest.mark.parametrize(
    ("text", "gpu"),
    [
        ("gpu: none", ()),
        ("gpu: []", ()),
        ("gpu: cpu", ()),
        ("gpu: null\nos: Linux", None),
        ("gpu:\nos: Linux", None),
        ("gpu: [T4, none]", ("T4",)),
        ("gpu: 4090", ("4090",)),
    ],
)
def test_no_gpu_is_not_an_unnamed_gpu(text: str, gpu: tuple[str, ...] | None) -> None:
    environment = read_environment(text, "box.yaml")
    assert (environment.gpu, environment.not_understood) == (gpu, ())


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("colour: green", "colour"),
        ("driver: latest", "driver"),
        ("driver: [535.98]", "driver"),
        ("python: '3.10 or 3.11'", "python"),
        ("python: '>=3.10'", "python"),
        ("glibc: musl 1.2.4", "glibc"),
        ("os: Plan 9", "os"),
        ("arch: ppc64le", "os"),
        ("packages: torch", "packages"),
        ("gpu: {name: T4}", "gpu"),
        ("gpu: [[T4]]", "gpu"),
        ("wsl: [2]", "wsl"),
        ("not_understood: ['gpu: a riddle']", "gpu"),
    ],
)
def test_what_is_not_understood_is_listed(text: str, key: str) -> None:
    problems = read_environment(text, "box.yaml").not_understood
    assert [problem.split(":")[0] for problem in problems] == [key]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "empty"),
        (" \n\t\n", "empty"),
        ("# only a comment", "empty"),
        ("{}", "empty"),
        ("null", "empty"),
        ("RTX 4090", "not a mapping"),
        ("- RTX 4090", "not a mapping"),
        ("[1, 2]", "not a mapping"),
        ("gpu: \0", "binary"),
        ("gpu: \x07", "neither JSON nor YAML"),
        ("gpu: 'T4", "line 1: neither JSON nor YAML"),
        ("gpu: T4\n\tdriver: 1", "line 2: neither JSON nor YAML"),
        ("gpu: T4\n---\ngpu: T4", "neither JSON nor YAML"),
        ("? [gpu]\n: T4", "neither JSON nor YAML"),
        ("a: &a [x]\nb: *a", "anchors and aliases"),
        ("gpu: &name T4", "anchors and aliases"),
        ("gpu: " + "[" * 40 + "]" * 40, "nested too deeply"),
        ("[" * 200_000, "nested too deeply"),
        ("{x: " * 200_000, "nested too deeply"),
        ("gpu: " + "x" * LARGEST, "larger than 5 MB"),
    ],
)
def test_what_is_no_document_is_refused(text: str, words: str) -> None:
    with pytest.raises(InputError, match=words) as caught:
        read_environment(text, "box.yaml")
    assert str(caught.value).startswith("box.yaml")
    assert caught.value.hint


def test_what_is_listed_is_short() -> None:
    (problem,) = read_environment(f"driver: {'x' * 100_000}", "box.yaml").not_understood
    assert len(problem) < 120


def test_bomb_of_aliases_is_refused_before_it_grows() -> None:
    lines = ["a0: &a0 [boom]", *(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 30))]
    with pytest.raises(InputError, match="anchors"):
        read_environment("\n".join(lines), "bomb.yaml")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_encodings_of_editors(tmp_path: Path, encoding: str) -> None:
    file = tmp_path / "box.yaml"
    file.write_text("gpu: RTX™ 4090\n", encoding=encoding)
    assert load_environment(file).gpu == ("RTX™ 4090",)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "empty"),
        (b"gpu: caf\xe9", "UTF-8"),
        (b"\xff\xfeg", "UTF-16"),
        (b"\x7fELF\x02\x01\x01\0\0\0", "binary"),
        ("gpu: T4".encode("utf-16-le"), "binary"),
        (b"#" * (LARGEST + 1), "larger than 5 MB"),
    ],
)
def test_files_that_are_no_text(tmp_path: Path, data: bytes, words: str) -> None:
    file = tmp_path / "box.yaml"
    file.write_bytes(data)
    with pytest.raises(InputError, match=words):
        load_environment(file)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file"):
        load_environment(tmp_path / "box.yaml")
    with pytest.raises(InputError, match="directory"):
        load_environment(tmp_path)


def test_json_does_not_import_yaml() -> None:
    program = (
        "import sys; from compatsolver.observation.environment import read_environment; "
        "read_environment('{\"gpu\": \"T4\"}', 'box.json'); print('yaml' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


texts = st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=1).map(str.strip).filter(bool)


@given(gpu=st.lists(texts.map("RTX {}".format)), packages=st.dictionaries(texts, texts), kernel=texts)
def test_a_document_is_read_back_as_it_was(gpu: list[str], packages: dict[str, str], kernel: str) -> None:
    environment = Environment(
        gpu=tuple(gpu), wsl=f"kernel {kernel}", packages=packages, driver="580.10", not_understood=("nvcc: odd",)
    )
    written = environment.to_dict()
    assert read_environment(json.dumps(written), "json") == environment
    assert read_environment(yaml.safe_dump(written), "yaml") == environment


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        environment = read_environment(text, "box.yaml")
    except InputError:
        return
    assert isinstance(environment, Environment)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


keys = st.sampled_from(["gpu", "driver", "wsl", "packages", "env", "python", "os", "x"])


@given(st.dictionaries(keys, values, min_size=1))
def test_any_values_are_read(document: dict[str, object]) -> None:
    environment = read_environment(json.dumps(document), "box.json")
    assert read_environment(json.dumps(environment.to_dict() | {"os": "Linux"}), "again.json").os == "Linux"


def test_variables_may_differ_by_case_alone() -> None:
    environment = read_environment('{"env": {"http_proxy": "a", "HTTP_PROXY": "b"}}', "box.json")
    assert environment.env == {"http_proxy": "a", "HTTP_PROXY": "b"}
