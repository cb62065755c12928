"""`gpulab check` gives each measured input the answer of the real loader, in the JSON that scripts rely on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from labs.cli import main
from labs.library import LANGUAGES

CASES = [
    json.loads(line)
    for line in (Path(__file__).parents[2] / "cases" / "config.jsonl").read_text("utf-8").splitlines()
]
REFUSED = "version: v1\nsharing:\n  timeSlicing:\n    resources: [{name: nvidia.com/gpu, replicas: 1}]\n"


def checked(path: Path, *options: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, Any]]:
    code = main(["check", str(path), "--format", "json", *options])
    answer: dict[str, Any] = json.loads(capsys.readouterr().out)
    return code, answer


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_a_measured_input_gets_the_loaders_answer(
    case: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "config.yaml"
    path.write_bytes(case["yaml"].encode("utf-8"))

    options = ("--kind", case["kind"], "--env", "MPS_ROOT=/run/nvidia/mps")
    code, answer = checked(path, *options, capsys=capsys)

    (file,) = answer["files"]
    (document,) = file["documents"]
    assert (file["path"], document["kind"]) == (str(path), case["kind"])
    assert document["loads"] is case["loads"]
    errors = [found for found in answer["findings"] if found["severity"] == "error"]
    assert code == (1 if errors or not case["loads"] else 0)
    if case["kind"] == "device-plugin":
        assert document["strategy"] == (case["strategy"] if case["loads"] else None)
        assert document["effective"] == (case["effective"] if case["loads"] else None)
        assert document["error"] == case.get("error")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_person_reads_place_verdict_and_the_loaders_own_words(
    language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "config.yaml"
    path.write_text(f"kind: Pod\napiVersion: v1\n---\n{REFUSED}", "utf-8")

    assert main(["check", str(path), "--lang", language]) == 1

    first, second, words, *_ = capsys.readouterr().out.splitlines()
    assert (first.startswith(f"{path}:1"), second.startswith(f"{path}:4")) == (True, True)
    assert words.strip().endswith("number of replicas must be >= 2")


@pytest.mark.parametrize("language", ["en", "ja", "ko"])
def test_a_folder_without_yaml_files_is_warned_of(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], language: str
) -> None:
    (tmp_path / "config.txt").write_text("version: v1\n", "utf-8")
    assert main(["check", "--lang", language, str(tmp_path)]) == 0
    said = capsys.readouterr().err
    assert said.startswith(str(tmp_path))
    assert ".yaml, .yml" in said


def test_a_folder_means_its_yaml_files_in_order(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("b/two.yml", "a/one.yaml", "a/notes.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("version: v1\nsharing: {}\n", "utf-8")

    code, answer = checked(tmp_path, capsys=capsys)

    assert code == 0
    assert [Path(file["path"]).name for file in answer["files"]] == ["one.yaml", "two.yml"]


def test_a_file_that_is_not_there_is_wrong_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(tmp_path / "none.yaml")]) == 2
    assert "none.yaml" in capsys.readouterr().err
