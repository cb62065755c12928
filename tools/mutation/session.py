"""How pytest is run here: quietly, in this process, without what is for people or for several processes."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

ARGUMENTS = (
    "-o",
    "addopts=",
    "--import-mode=importlib",
    "--timeout=0",
    "--hypothesis-profile=unshrunk",
    "-qq",
    "--capture=no",
    "-p",
    "no:cacheprovider",
    "-p",
    "no:xdist",
)


def run(names: Sequence[str], plugins: Sequence[object]) -> int:
    """Runs the tests of files and folders; the exit code of pytest."""
    return int(pytest.main([*ARGUMENTS, *names], plugins=list(plugins)))
