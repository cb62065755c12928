"""`dev.py fuzz`: everything that is tested with random examples, at length and with new ones each time."""

from __future__ import annotations

import argparse
import random

from tools import paths
from tools.command import Command
from tools.process import CommandLine, run, say

TIMES = 20
COUNT = 100_000
SEEDS = 1_000_000_000


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seed", type=int, help="of all that is drawn (a new one each time, printed)")
    parser.add_argument(
        "--times", type=int, default=TIMES, help=f"as many examples as in a test, so often ({TIMES})"
    )
    parser.add_argument("--count", type=int, default=COUNT, help=f"mutated files for gpulab check ({COUNT})")


def _perform(arguments: argparse.Namespace) -> int:
    seed = random.randrange(SEEDS) if arguments.seed is None else arguments.seed
    say(
        f"The same again: python3 dev.py fuzz --seed {seed} --times {arguments.times} --count {arguments.count}"
    )
    properties: CommandLine = [
        paths.VENV_PYTHON,
        "-m",
        "pytest",
        "-m",
        "hypothesis",
        "--timeout=0",
        f"--hypothesis-seed={seed}",
    ]
    files: CommandLine = [
        paths.VENV_PYTHON,
        "-m",
        "tests.fuzz_check",
        "--seed",
        str(seed),
        "--count",
        str(arguments.count),
    ]
    broken = [run(properties, GPULAB_FUZZ_TIMES=str(arguments.times)) != 0, run(files) != 0]
    return int(any(broken))


COMMAND = Command("fuzz", "draw many more random examples than the tests do", _add_arguments, _perform)
