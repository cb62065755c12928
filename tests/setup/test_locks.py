"""Lock files are fresh, name no address, and carry a hash for all that is installed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tools import lock, paths, python_env
from tools.process import Failure


def test_the_committed_locks_are_fresh_and_name_no_address() -> None:
    assert lock.problems() == []


@pytest.mark.parametrize("path", list(lock.PYTHON_LOCKS), ids=lambda path: path.name)
def test_every_python_package_is_locked_with_hashes(path: Path) -> None:
    entries = path.read_text("utf-8").replace("\\\n", "").splitlines()
    packages = [entry for entry in entries if "==" in entry]
    assert packages
    assert [entry for entry in packages if "--hash=sha256:" not in entry] == []


@pytest.mark.parametrize("path", list(lock.NODE_LOCKS), ids=paths.from_root)
def test_every_browser_package_is_locked_with_a_hash(path: Path) -> None:
    packages = json.loads(path.read_text("utf-8"))["packages"]
    assert [name for name, entry in packages.items() if name and "integrity" not in entry] == []


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ("dev.in", "requirements/dev.txt is older than pyproject.toml or requirements/dev.in"),
        ("node.in", "requirements/node.txt is older than requirements/node.in"),
        ("prose.in", "requirements/prose.txt is older than requirements/prose.in"),
    ],
)
def test_a_lock_is_older_than_a_changed_source(project: Path, changed: str, problem: str) -> None:
    source = paths.REQUIREMENTS / changed
    source.write_text(source.read_text("utf-8") + "attrs\n", "utf-8")
    assert lock.problems() == [problem]


def test_a_changed_dependency_of_the_package_makes_its_lock_old(project: Path) -> None:
    declaration = project / "pyproject.toml"
    declaration.write_text(declaration.read_text("utf-8").replace("simpy>=4.1", "simpy>=4.2"), "utf-8")
    assert lock.problems() == ["requirements/dev.txt is older than pyproject.toml or requirements/dev.in"]


@pytest.mark.parametrize("folder", ["", "checks/wording/"])
def test_a_changed_package_json_makes_its_lock_old(project: Path, folder: str) -> None:
    source = project / folder / "package.json"
    asked = json.loads(source.read_text("utf-8"))
    asked["devDependencies"]["left-pad"] = "1.3.0"
    source.write_text(json.dumps(asked), "utf-8")
    assert lock.problems() == [f"{folder}package-lock.json is older than {folder}package.json"]


def test_an_address_in_a_lock_is_a_problem(project: Path) -> None:
    with python_env.LOCK.open("a", encoding="utf-8") as file:
        file.write("--index-url https://mirror.example/simple\n")
    assert lock.problems() == ["requirements/dev.txt names an address"]


def test_locking_without_uv_says_so(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name, path=None: None)
    with pytest.raises(Failure, match="install uv"):
        lock.write(upgrade=False)
