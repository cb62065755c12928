"""`dev.py bench`: measures the site, the build and the simulator; `benchmarks` says what."""

from __future__ import annotations

import argparse

from tools import paths, site
from tools.chromium import ensure_chromium
from tools.command import Command
from tools.process import run


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "arguments", nargs="*", metavar="ARGUMENT", help="goes to python -m benchmarks; --help lists them"
    )


def _perform(arguments: argparse.Namespace) -> int:
    chromium = ensure_chromium()
    site.ensure()
    return run([paths.VENV_PYTHON, "-m", "benchmarks", *arguments.arguments], GPULAB_CHROMIUM=chromium)


COMMAND = Command(
    "bench", "measure pages, labs, build and simulator, as a table", _add_arguments, _perform, passes_on=True
)
