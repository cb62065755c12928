#!/usr/bin/env python3
"""Sets up, serves, tests, builds and checks GPU Sharing Labs: `python3 dev.py --help`.

It needs nothing but Python. This file runs on 3.6 and later, so that an old one is answered with a sentence and not
with a SyntaxError; all that is done is in `tools/`.
"""

import shutil
import sys

OLDEST = (3, 11)


def python_problem(version: "tuple[int, ...]") -> str:
    """What is wrong with running this project on that Python, and what to do; empty where nothing is."""
    if version >= OLDEST:
        return ""
    names = [f"python3.{minor}" for minor in range(19, OLDEST[1] - 1, -1)]
    installed = next((name for name in names if shutil.which(name)), "")
    remedy = (
        "run it with the one on this machine: " + installed
        if installed
        else "install one and run it with that: python3.13"
    )
    return f"Python {OLDEST[0]}.{OLDEST[1]} or later is needed and this is {version[0]}.{version[1]}; {remedy} dev.py setup"


if python_problem(sys.version_info[:2]):
    sys.exit("dev.py: " + python_problem(sys.version_info[:2]))

from tools import cli  # noqa: E402 (an old Python must get its sentence before this is read)

if __name__ == "__main__":
    sys.exit(cli.bootstrap(sys.argv[1:]))
