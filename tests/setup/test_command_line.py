"""The commands are those that the README and CONTRIBUTING name, and each explains itself."""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import dev

COMMANDS = {"setup", "serve", "test", "build", "check", "prose", "bench", "lock"}


def test_help_names_every_command() -> None:
    done = subprocess.run([sys.executable, dev.__file__, "--help"], capture_output=True, text=True)
    assert done.returncode == 0
    listed = re.findall(r"^    (\w+) ", done.stdout, re.MULTILINE)
    assert set(listed) == COMMANDS


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", ".ci/run"])
def test_the_commands_that_pages_name_exist(page: str) -> None:
    named = set(re.findall(r"dev\.py (\w+)", (Path(dev.__file__).parent / page).read_text("utf-8")))
    assert named
    assert named - COMMANDS == set()


@pytest.mark.parametrize("argv", [[], ["tset"], ["serve", "--port", "many"]])
def test_wrong_usage_is_exit_code_2_with_the_usage(
    argv: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        dev.main(argv)
    assert ended.value.code == 2
    assert "usage: dev.py" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["test", "bench"])
@pytest.mark.parametrize(
    "passed_on",
    [[], ["-k", "slots and not mps"], ["tests/cluster", "-x", "--lf"], ["-q", "--", "tests/unit"]],
)
def test_what_follows_test_and_bench_is_passed_on_as_it_stands(
    command: str, passed_on: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[argparse.Namespace] = []

    def record(arguments: argparse.Namespace) -> int:
        seen.append(arguments)
        return 5

    monkeypatch.setattr(dev, "perform", record)
    assert dev.main([command, *passed_on]) == 5
    assert seen[0].arguments == passed_on


def test_every_command_but_lock_sets_up_first(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []

    def record(name: str) -> Callable[..., int]:
        def call(*_: object, **__: object) -> int:
            done.append(name)
            return 0

        return call

    monkeypatch.setattr(dev, "set_up", record("set up"))
    for name in ("build", "test", "check", "bench", "serve"):
        monkeypatch.setattr(dev, name, record(name))
        assert dev.main([name]) == 0
        assert done[-2:] == ["set up", name]
    monkeypatch.setattr(dev, "run", record("run"))
    assert dev.main(["prose"]) == 0
    assert done[-2:] == ["set up", "run"]


def test_lock_comes_before_set_up_which_refuses_an_old_lock(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[bool] = []
    monkeypatch.setattr(
        dev, "set_up", lambda: pytest.fail("an old lock would stop the command that mends it")
    )
    monkeypatch.setattr(dev, "lock", done.append)
    assert dev.main(["lock", "--upgrade"]) == 0
    assert done == [True]
