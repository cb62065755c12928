"""`.venv/` is made once, mended after an interrupted set-up, and made with whatever installer is there."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.setup.conftest import Installed, set_everywhere
from tools import paths, python_env
from tools.process import CommandLine, Failure

EVERYTHING = ["A virtual environment", "The Python packages", "gpulab"]


def test_a_fresh_folder_gets_everything_once(installed: Installed) -> None:
    python_env.set_up()
    python_env.set_up()
    assert installed == EVERYTHING


def test_a_changed_lock_is_installed_into_the_same_environment(installed: Installed) -> None:
    python_env.set_up()
    python_env.LOCK.write_text(python_env.LOCK.read_text("utf-8") + "# changed\n", "utf-8")
    mark = paths.VENV / "kept"
    mark.touch()
    python_env.set_up()
    assert installed[len(EVERYTHING) :] == ["The Python packages", "gpulab"]
    assert mark.exists()


def test_a_changed_tool_setting_installs_nothing(installed: Installed, project: Path) -> None:
    python_env.set_up()
    declaration = project / "pyproject.toml"
    text = declaration.read_text("utf-8")
    declaration.write_text(text.replace("line-length = 110", "line-length = 100"), "utf-8")
    python_env.set_up()
    assert declaration.read_text("utf-8") != text
    assert installed == EVERYTHING


def test_a_moved_folder_is_set_up_again(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = python_env.inputs()
    monkeypatch.setattr(paths, "ROOT", project / "elsewhere")
    (project / "elsewhere").mkdir()
    (project / "pyproject.toml").rename(project / "elsewhere" / "pyproject.toml")
    assert python_env.inputs() != before


def test_an_environment_without_a_python_is_made_anew(installed: Installed) -> None:
    leftover = paths.VENV / "lib" / "half-made"
    leftover.mkdir(parents=True)
    python_env.set_up()
    assert installed == EVERYTHING
    assert not leftover.exists()


def test_a_failed_set_up_is_tried_again(installed: Installed, monkeypatch: pytest.MonkeyPatch) -> None:
    record = vars(python_env)["install"]

    def fail(what: str, command: CommandLine, **environment: str) -> None:
        if what == "gpulab":
            raise Failure("no")
        record(what, command)

    with monkeypatch.context() as failing:
        set_everywhere(failing, "install", fail)
        with pytest.raises(Failure):
            python_env.set_up()
    python_env.set_up()
    assert installed[-1] == "gpulab"


def test_an_environment_in_which_installing_was_cut_off_is_made_anew(
    installed: Installed, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cut_off() -> None:
        python_env.pip()
        raise KeyboardInterrupt

    with monkeypatch.context() as interrupted:
        interrupted.setattr(python_env, "install_packages", cut_off)
        with pytest.raises(KeyboardInterrupt):
            python_env.set_up()
    python_env.set_up()
    python_env.set_up()
    assert installed == ["A virtual environment", *EVERYTHING]


@pytest.mark.skipif(os.name == "nt", reason="no process can be asked there whether it runs")
def test_an_environment_into_which_another_process_installs_is_left_alone(installed: Installed) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        python_env.UNFINISHED.write_text(str(other.pid), "utf-8")
        half_made = paths.VENV / "lib" / "half-made"
        half_made.mkdir(parents=True)
        with pytest.raises(Failure, match=f"Process {other.pid} is setting up .venv/: wait"):
            python_env.set_up()
        assert half_made.exists()
        assert installed == []
        other.communicate(b"\n")
    python_env.set_up()
    assert not half_made.exists()
    assert installed == EVERYTHING


def test_pip_takes_over_where_uv_fails(
    installed: Installed, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    record = vars(python_env)["install"]

    def fail_with_uv(what: str, command: CommandLine, **environment: str) -> None:
        if command[0] == "/bin/uv":
            raise Failure("uv knows no mirror.")
        record(what, command)

    set_everywhere(monkeypatch, "install", fail_with_uv)
    monkeypatch.setattr("shutil.which", lambda name, path=None: "/bin/uv" if name == "uv" else None)
    python_env.set_up()
    assert installed == EVERYTHING
    assert "uv did not do it, so pip will try. uv knows no mirror." in capsys.readouterr().out


def test_a_python_without_venv_is_told_which_package_to_install(
    installed: Installed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(python_env, "can_make_venv", lambda: False)
    with pytest.raises(
        Failure, match=rf"apt-get install python3\.{sys.version_info[1]}-venv\) or install uv"
    ):
        python_env.set_up()
