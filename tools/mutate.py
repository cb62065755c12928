"""`dev.py mutate`: whether the tests notice small faults put into the code; `tools.mutation` says how."""

from __future__ import annotations

import argparse

from tools import paths
from tools.command import Command
from tools.process import run


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "arguments", nargs="*", metavar="ARGUMENT", help="goes to python -m tools.mutation; --help lists them"
    )


def _perform(arguments: argparse.Namespace) -> int:
    return run([paths.VENV_PYTHON, "-m", "tools.mutation", *arguments.arguments])


COMMAND = Command(
    "mutate", "measure how many small faults the tests notice", _add_arguments, _perform, passes_on=True
)
