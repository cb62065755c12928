"""Node.js comes from PATH, else from a Python package; what it installs comes once."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.setup.conftest import Installed
from tools import node_env, paths


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    """Nothing is remembered of another test's Node.js, nor of these tests' own."""
    node_env.find_node.cache_clear()
    yield
    node_env.find_node.cache_clear()


def write_programs(folder: Path, version: str) -> None:
    """Stand-ins for node and npm that say this version."""
    for name in ("node", "npm"):
        program = folder / name
        program.write_text(f"#!/bin/sh\necho {version}\n", "utf-8")
        program.chmod(0o755)


@pytest.mark.skipif(os.name == "nt", reason="the stand-ins are shell scripts")
@pytest.mark.parametrize(("version", "is_taken"), [("v18.20.8", False), ("v20.0.0", True), ("v24.1.0", True)])
def test_only_a_new_enough_node_with_npm_is_taken(tmp_path: Path, version: str, is_taken: bool) -> None:
    write_programs(tmp_path, version)
    assert (node_env.node_in(str(tmp_path)) is not None) == is_taken
    (tmp_path / "npm").unlink()
    assert node_env.node_in(str(tmp_path)) is None


@pytest.mark.skipif(os.name == "nt", reason="the stand-ins are shell scripts")
def test_without_a_node_on_path_a_python_package_brings_one(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def install_more(what: str, lock: Path) -> None:
        assert (what, lock.name) == ("Node.js", "node.txt")
        paths.VENV_BIN.mkdir(parents=True)
        write_programs(paths.VENV_BIN, "v24.1.0")

    monkeypatch.setenv("PATH", "/bin" if not os.path.exists("/bin/node") else str(project))
    monkeypatch.setattr("tools.python_env.install_more", install_more)
    assert node_env.find_node().npm == str(paths.VENV_BIN / "npm")
    monkeypatch.setattr("tools.python_env.install_more", lambda *_: pytest.fail("it is there already"))
    node_env.find_node.cache_clear()
    assert node_env.find_node().npm == str(paths.VENV_BIN / "npm")


def test_packages_are_installed_again_only_after_a_change(
    installed: Installed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(node_env, "find_node", lambda: node_env.Node("node", "npm"))
    paths.NODE_MODULES.mkdir()
    node_env.set_up()
    node_env.set_up()
    assert installed == ["The browser's packages"]
    paths.PACKAGE_LOCK.write_text(paths.PACKAGE_LOCK.read_text("utf-8") + "\n", "utf-8")
    node_env.set_up()
    assert installed == ["The browser's packages"] * 2
