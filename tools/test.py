"""`dev.py test`: pytest over the built site and the package."""

from __future__ import annotations

import argparse

from tools import node_env, paths, site
from tools.chromium import ensure_chromium
from tools.command import Command
from tools.process import run

ALL_AT_ONCE = ("-n", "auto", "--dist", "worksteal")
"""How all tests share the processor's cores: in order, so that what a folder needs is made once, and stolen at the end."""


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "arguments", nargs="*", metavar="PYTEST_ARGUMENT", help="for example: tests/unit/cluster -k slots"
    )


def _perform(arguments: argparse.Namespace) -> int:
    node_env.set_up()
    chromium = ensure_chromium()
    site.ensure()  # once, and not by each process that shares the tests
    pytest = [paths.VENV_PYTHON, "-m", "pytest", *(arguments.arguments or ALL_AT_ONCE)]
    return run(pytest, GPULAB_CHROMIUM=chromium)


COMMAND = Command(
    "test",
    "build the site and run all tests; what follows goes to pytest",
    _add_arguments,
    _perform,
    passes_on=True,
)
