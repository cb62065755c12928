"""What reads the prose is large, so it is not part of set-up, and comes once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.setup.conftest import Installed
from tools import node_env, paths, prose, python_env

READERS = ("What reads the Korean prose", "What reads the Japanese prose")


@pytest.fixture(autouse=True)
def set_up(installed: Installed, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(node_env, "find_node", lambda: node_env.Node("node", "npm"))
    (project / ".npmrc").touch()
    python_env.set_up()
    installed.clear()


def test_its_readers_are_not_part_of_set_up_and_come_once(installed: Installed) -> None:
    prose.set_up()
    prose.set_up()
    assert installed == list(READERS)


@pytest.mark.parametrize("changed", [0, 1])
def test_a_changed_lock_brings_its_reader_anew(installed: Installed, changed: int) -> None:
    prose.set_up()
    lock = (prose.LOCK, paths.PROSE_LOCK)[changed]
    lock.write_text(lock.read_text("utf-8") + "\n", "utf-8")
    prose.set_up()
    assert installed == [*READERS, READERS[changed]]
