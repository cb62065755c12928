"""A Python that is too old is answered with a sentence."""

from __future__ import annotations

import ast
import subprocess
import sys

import pytest

import dev
from tools import lock
from tools.paths import ROOT

SOURCE = ROOT / "dev.py"


def test_it_parses_on_an_old_python() -> None:
    ast.parse(SOURCE.read_text("utf-8"), feature_version=(3, 6))


def test_nothing_before_the_guard_needs_a_new_python() -> None:
    """What runs before the guard is imports of old modules, and the function that judges the version."""
    before: list[ast.stmt] = []
    for statement in ast.parse(SOURCE.read_text("utf-8")).body:
        if isinstance(statement, ast.If):
            break
        before.append(statement)
    assert [type(statement).__name__ for statement in before] == [
        *("Expr", "Import", "Import", "Assign", "FunctionDef")
    ]
    assert {name.name for node in before if isinstance(node, ast.Import) for name in node.names} == {
        "shutil",
        "sys",
    }


@pytest.mark.parametrize("version", [(3, 11), (3, 12), (3, 14), (3, 19), (4, 0)])
def test_a_python_from_the_oldest_on_has_no_problem(version: tuple[int, int]) -> None:
    assert dev.python_problem(version) == ""


@pytest.mark.parametrize("version", [(3, 6), (3, 10)])
def test_an_older_python_is_told_which_one_to_install(
    version: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)
    assert dev.python_problem(version) == (
        f"Python 3.11 or later is needed and this is {version[0]}.{version[1]}; "
        "install one and run it with that: python3.13 dev.py setup"
    )


def test_an_older_python_is_told_of_the_right_one_on_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: "/bin/it" if name == "python3.12" else None)
    assert dev.python_problem((3, 9)).endswith("run it with the one on this machine: python3.12 dev.py setup")


def test_the_guard_ends_the_program_with_that_sentence_alone() -> None:
    pretend = f"import runpy, sys; sys.version_info = (3, 9, 2); runpy.run_path({str(SOURCE)!r})"
    done = subprocess.run([sys.executable, "-c", pretend], capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith("dev.py: Python 3.11 or later is needed and this is 3.9; ")
    assert len(done.stderr.splitlines()) == 1


def test_the_package_and_the_locks_ask_for_the_same_python() -> None:
    oldest = ".".join(map(str, dev.OLDEST))
    assert oldest == lock.OLDEST_PYTHON
    assert f'requires-python = ">={oldest}"' in (ROOT / "pyproject.toml").read_text("utf-8")
