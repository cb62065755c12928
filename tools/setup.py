"""`dev.py setup`: .venv/ with gpulab in it, and node_modules/."""

from __future__ import annotations

import argparse

from tools import node_env, paths
from tools.command import Command, no_arguments
from tools.process import say


def _perform(_: argparse.Namespace) -> int:
    node_env.set_up()  # .venv/ is made by now: this runs in it
    say(f"Set up: {paths.from_root(paths.VENV_BIN)}/gpulab is ready.")
    return 0


COMMAND = Command(
    "setup",
    "make .venv/ with gpulab in it, and node_modules/; quick when nothing changed",
    no_arguments,
    _perform,
)
