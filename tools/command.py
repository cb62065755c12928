"""A command of dev.py, as `tools.cli` lists them."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import NamedTuple


def no_arguments(_: argparse.ArgumentParser) -> None:
    """For a command that takes none."""


class Command(NamedTuple):
    """What is typed, what `--help` says of it, what may follow, and what it does.

    `perform` sets up what it needs beside .venv/, and returns the exit code. With `passes_on`, what follows the name
    reaches it as it stands, as `arguments`, for the program behind it to read.
    """

    name: str
    help: str
    add_arguments: Callable[[argparse.ArgumentParser], None]
    perform: Callable[[argparse.Namespace], int]
    passes_on: bool = False
