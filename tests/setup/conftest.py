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
        dev.ROOT / "requirements-prose.in",
        *dev.PYTHON_LOCKS,
        *dev.NODE_LOCKS,
        *dev.NODE_LOCKS.values(),
    ):
        copy = tmp_path / path.relative_to(dev.ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(path.read_bytes())
    root = dev.ROOT
    python_locks = {
        tmp_path / lock.name: tuple(tmp_path / source.name for source in sources)
        for lock, sources in dev.PYTHON_LOCKS.items()
    }
    node_locks = {
        tmp_path / lock.relative_to(root): tmp_path / source.relative_to(root)
        for lock, source in dev.NODE_LOCKS.items()
    }
    monkeypatch.setattr(dev, "PYTHON_LOCKS", python_locks)
    monkeypatch.setattr(dev, "NODE_LOCKS", node_locks)
    for name, value in list(vars(dev).items()):
        if isinstance(value, Path) and value.is_relative_to(root):
            monkeypatch.setattr(dev, name, tmp_path / value.relative_to(root))
    dev.CACHE.mkdir()
    return tmp_path
