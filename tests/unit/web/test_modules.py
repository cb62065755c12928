"""Runs the tests of the browser's pure modules (`*.test.mjs`, beside this file) in Node."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tools.node_env import find_node

TESTS = sorted(Path(__file__).parent.glob("*.test.mjs"))


@pytest.mark.parametrize("path", TESTS, ids=lambda path: path.name.partition(".")[0])
def test_module(path: Path) -> None:
    command = [find_node().node, "--test", str(path)]
    result = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert result.returncode == 0, result.stdout + result.stderr
