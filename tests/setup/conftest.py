"""A project of one's own for tests of `tools`, so that none touches the .venv/ and site/ it runs in."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from tools import cli, lock, paths
from tools.process import CommandLine

Installed = list[str]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the project's declarations and locks, and every path of `tools` pointing into it."""
    sources = [path for several in lock.PYTHON_LOCKS.values() for path in several]
    for path in (*sources, *lock.PYTHON_LOCKS, *lock.NODE_LOCKS, *lock.NODE_LOCKS.values()):
        copy = tmp_path / path.relative_to(paths.ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(path.read_bytes())
    root = paths.ROOT

    def there(path: Path) -> Path:
        return tmp_path / path.relative_to(root)

    python_locks = {there(path): tuple(map(there, sources)) for path, sources in lock.PYTHON_LOCKS.items()}
    node_locks = {there(path): there(source) for path, source in lock.NODE_LOCKS.items()}
    monkeypatch.setattr(lock, "PYTHON_LOCKS", python_locks)
    monkeypatch.setattr(lock, "NODE_LOCKS", node_locks)
    for module in modules():
        for name, value in list(vars(module).items()):
            if isinstance(value, Path) and value.is_relative_to(root):
                monkeypatch.setattr(module, name, there(value))
    paths.CACHE.mkdir()
    return tmp_path


@pytest.fixture
def installed(project: Path, monkeypatch: pytest.MonkeyPatch) -> Installed:
    """Names what would be installed, without uv on PATH, and makes a .venv/ that has a Python and pip."""
    names: Installed = []

    def record(what: str, command: CommandLine, **environment: str) -> None:
        names.append(what)
        if what == "A virtual environment":
            paths.VENV_BIN.mkdir(parents=True, exist_ok=True)
            paths.VENV_PYTHON.symlink_to(sys.executable)

    set_everywhere(monkeypatch, "install", record)
    monkeypatch.setattr("shutil.which", lambda name, path=None: None)
    return names


def modules() -> Iterator[ModuleType]:
    """The modules of `tools` that the command line imports: all."""
    assert cli.COMMANDS
    yield from [module for name, module in sys.modules.items() if name.startswith("tools.")]


def set_everywhere(monkeypatch: pytest.MonkeyPatch, name: str, value: object) -> None:
    """Replaces what modules of `tools` import under that name."""
    for module in modules():
        if name in vars(module):
            monkeypatch.setattr(module, name, value)
