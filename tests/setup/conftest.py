"""A project of one's own for tests of dev.py, so that none touches the .venv/ and site/ it runs in."""

from __future__ import annotations

from pathlib import Path

import pytest

import dev


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the project's declarations and locks, and every path of dev.py pointing into it."""
    for path in (
        dev.ROOT / "pyproject.toml",
        dev.ROOT / "requirements.in",
        dev.ROOT / "requirements-node.in",
        *dev.PYTHON_LOCKS,
        dev.PACKAGE_JSON,
        dev.PACKAGE_LOCK,
    ):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    locks = {
        tmp_path / lock.name: tuple(tmp_path / source.name for source in sources)
        for lock, sources in dev.PYTHON_LOCKS.items()
    }
    monkeypatch.setattr(dev, "PYTHON_LOCKS", locks)
    root = dev.ROOT
    for name, value in list(vars(dev).items()):
        if isinstance(value, Path) and value.is_relative_to(root):
            monkeypatch.setattr(dev, name, tmp_path / value.relative_to(root))
    dev.CACHE.mkdir()
    return tmp_path
