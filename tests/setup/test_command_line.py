"""The commands are those that the README and CONTRIBUTING name, and each explains itself."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from tools import cli
from tools.paths import ROOT

COMMANDS = {command.name for command in cli.COMMANDS}


def test_before_anything_is_installed_help_names_every_command() -> None:
    """`-S` and `-I` hide all that is installed."""
    script = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r}); from tools import cli; cli.bootstrap(['--help'])"
    )
    done = subprocess.run([sys.executable, "-S", "-I", "-c", script], capture_output=True, text=True)
    assert done.stderr == ""
    assert set(re.findall(r"^    (\w+) ", done.stdout, re.MULTILINE)) == COMMANDS


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", ".ci/run"])
def test_the_commands_that_pages_name_exist(page: str) -> None:
    named = set(re.findall(r"dev\.py (\w+)", (ROOT / page).read_text("utf-8")))
    assert named
    assert named - COMMANDS == set()


@pytest.mark.parametrize("argv", [[], ["tset"], ["serve", "--port", "many"]])
def test_wrong_usage_is_exit_code_2_with_the_usage_and_installs_nothing(
    argv: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tools.python_env.set_up", lambda: pytest.fail("it was set up"))
    with pytest.raises(SystemExit) as ended:
        cli.bootstrap(argv)
    assert ended.value.code == 2
    assert "usage: dev.py" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["test", "bench"])
@pytest.mark.parametrize(
    "passed_on",
    [[], ["-k", "slots and not mps"], ["tests/cluster", "-x", "--lf"], ["-q", "--", "tests/unit"]],
)
def test_what_follows_test_and_bench_is_passed_on_as_it_stands(command: str, passed_on: list[str]) -> None:
    asked = cli.arguments([command, *passed_on])
    assert (asked.command.name, asked.arguments) == (command, passed_on)


def test_a_command_is_performed_in_the_environment_that_is_made_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done: list[object] = []

    def hand_over(argv: list[str]) -> int:
        done.append(argv)
        return 5

    monkeypatch.setattr("tools.python_env.set_up", lambda: done.append("set up"))
    monkeypatch.setattr("tools.python_env.hand_over", hand_over)
    assert cli.bootstrap(["test", "-x"]) == 5
    assert done == ["set up", ["test", "-x"]]


def test_locks_are_written_also_where_the_browsers_packages_are_older_than_what_is_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done: list[bool] = []
    monkeypatch.setattr("tools.node_env.set_up", lambda: pytest.fail("an old lock would stop what mends it"))
    monkeypatch.setattr("tools.lock.write", done.append)
    assert cli.main(["lock", "--upgrade"]) == 0
    assert done == [True]
