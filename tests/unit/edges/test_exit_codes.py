"""The end of each command's --help says what its exit code says, and that is so."""

from __future__ import annotations

from pathlib import Path

import pytest

from labs.cli import COMMANDS, main
from labs.library import LANGUAGES, builtin_library

ACTIONS = ("place", "plan", "profiles")
WITHOUT_BAD_NEWS = {"explain", "serve", "mig profiles"}
HALTED = """format: 1
rollout:
  nodes: 3
  behaviour: [{nodes: [node-2], revisions: [r2], pod: init-stuck}]
  events: [{at: 0, template: r2}]
"""
SURGES_AND_WAITS_FOR_NONE = """format: 1
rollout:
  nodes: 3
  updateStrategy: {type: RollingUpdate, rollingUpdate: {maxUnavailable: 0, maxSurge: 0}}
  events: [{at: 0, template: r2}]
"""
OUT_OF_MEMORY = """format: 1
seed: 1
horizon: 1m
nodes: [{name: node-1, gpus: {model: t4-16gb, count: 1}}]
workloads: [{name: large, request: {nvidia.com/gpu: 1}, memory: 40GiB}]
"""
WARNED = "version: v1\nsharing: {timeSlicing: {resources: [{name: nvidia.com/gpu, replicas: 2}]}}\n"


def words_of(language: str, *command: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["--lang", language, *command, "--help"]) == 0
    return " ".join(capsys.readouterr().out.rpartition("\n\n")[2].split())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("command", [*COMMANDS, *(f"mig {action}" for action in ACTIONS)])
def test_every_command_says_what_its_exit_code_says(
    command: str, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    told = words_of(language, *command.split(), capsys=capsys)
    without = builtin_library().messages[language].text("cli.exit.codes-without")
    assert (told == without) == (command in WITHOUT_BAD_NEWS)
    assert {"0", "2"} <= set(told)


@pytest.mark.parametrize(
    ("command", "text", "expected"),
    [
        ("rollout", HALTED, 0),
        ("rollout", SURGES_AND_WAITS_FOR_NONE, 1),
        ("run", OUT_OF_MEMORY, 0),
        ("run", OUT_OF_MEMORY + "expect: {oom: 0}\n", 1),
        ("check", WARNED, 0),
        ("check", WARNED.replace("replicas: 2", "replicas: 1"), 1),
    ],
)
def test_what_a_simulation_shows_is_no_bad_news(
    command: str, text: str, expected: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "scenario.yaml"
    file.write_text(text, "utf-8")
    code = main([command, str(file), "--lang", "en"])
    assert (code, capsys.readouterr().err) == (expected, "")
