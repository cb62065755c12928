"""`dev.py test`: pytest over the built site and the package."""

from __future__ import annotations

import argparse

from tools import node_env, paths, site
from tools.chromium import ensure_chromium
from tools.command import Command
from tools.process import run


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "arguments", nargs="*", metavar="PYTEST_ARGUMENT", help="for example: tests/cluster -k slots"
    )


def _perform(arguments: argparse.Namespace) -> int:
    node_env.set_up()
    chromium = ensure_chromium()
    site.ensure()
    return run([paths.VENV_PYTHON, "-m", "pytest", *arguments.arguments], GPULAB_CHROMIUM=chromium)


COMMAND = Command(
    "test",
    "build the site and run all tests; what follows goes to pytest",
    _add_arguments,
    _perform,
    passes_on=True,
)
