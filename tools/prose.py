"""`dev.py prose`: reads Japanese and Korean prose, with what it needs for that."""

from __future__ import annotations

import argparse
import shutil

from tools import node_env, paths, python_env
from tools.command import Command
from tools.process import install, run, say
from tools.stamps import digest, is_stamped

LOCK = paths.REQUIREMENTS / "prose.txt"


def set_up() -> None:
    """Gets what reads the Japanese and Korean prose: a third of a gigabyte that nothing else needs."""
    stamp = paths.VENV / "prose.stamp"
    if not is_stamped(stamp, digest(LOCK)):
        say("Getting what reads the Korean prose (once, and again when its lock file changes).")
        python_env.install_more("What reads the Korean prose", LOCK)
        stamp.write_text(digest(LOCK), encoding="utf-8")
    stamp = paths.TEXTLINT / ".stamp"
    inputs = digest(paths.PROSE_JSON, paths.PROSE_LOCK)
    if not is_stamped(stamp, inputs):
        say("Getting what reads the Japanese prose (once, and again when its lock file changes).")
        paths.TEXTLINT.mkdir(parents=True, exist_ok=True)
        for source in (paths.PROSE_JSON, paths.PROSE_LOCK, paths.ROOT / ".npmrc"):
            shutil.copy(source, paths.TEXTLINT)
        npm = node_env.find_node().npm
        install("What reads the Japanese prose", [npm, "--prefix", paths.TEXTLINT, "ci"])
        stamp.write_text(inputs, encoding="utf-8")


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--all", action="store_true", help="all pages and all sentences of the program")


def _perform(arguments: argparse.Namespace) -> int:
    return run([paths.VENV_PYTHON, "-m", "checks.wording", *(["--all"] if arguments.all else [])])


COMMAND = Command("prose", "read the Japanese and Korean prose that was changed", _add_arguments, _perform)
