"""`dev.py check`: formatter, linter, types, locks and languages, in seconds."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import NamedTuple

from tools import lock, node_env, paths, release
from tools.command import Command
from tools.process import CommandLine, run, say


class Check(NamedTuple):
    """One thing that is looked at: its commands, all of which must succeed, and what mends a failure."""

    name: str
    commands: Sequence[CommandLine]
    remedy: str


def checks() -> list[Check]:
    """All of them, in order."""
    python: CommandLine = [paths.VENV_PYTHON, "-m"]
    compiler = paths.NODE_MODULES / "typescript" / "bin" / "tsc"
    workflows = sorted((paths.ROOT / ".github" / "workflows").glob("*.yml"))
    return [
        Check(
            "format", [[*python, "ruff", "format", "--check", "--quiet", "."]], "python3 dev.py check --fix"
        ),
        Check(
            "lint",
            [[*python, "ruff", "check", "--quiet", "."]],
            "python3 dev.py check --fix, the rest by hand",
        ),
        Check("types", [[*python, "mypy", "--no-error-summary"]], "mend the places named above"),
        Check(
            "scripts",
            [[node_env.find_node().node, compiler, "--project", paths.ROOT / "tsconfig.json"]],
            "mend the places named above",
        ),
        Check(
            "workflows",
            [
                [node_env.find_node().node, paths.ROOT / "checks" / "workflows.mjs", *workflows],
                [
                    paths.VENV_BIN / "zizmor",
                    "--offline",
                    "--no-progress",
                    "--quiet",
                    "--persona",
                    "pedantic",
                    *workflows,
                ],
            ],
            "mend the places named above",
        ),
        Check("content", [[*python, "checks"]], "as each line above says"),
        Check("prose of changed pages", [[*python, "checks.wording"]], "as each line above says"),
    ]


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--fix", action="store_true", help="first mend what the formatter and the linter can")


def _perform(arguments: argparse.Namespace) -> int:
    node_env.set_up()
    if arguments.fix:
        run([paths.VENV_PYTHON, "-m", "ruff", "check", "--fix", "--quiet", "."])
        run([paths.VENV_PYTHON, "-m", "ruff", "format", "--quiet", "."])
    failed = [(problem, "python3 dev.py lock") for problem in lock.problems()]
    failed += [(problem, "as it says") for problem in release.problems()]
    for name, commands, remedy in checks():
        say(f"{name} ...")
        if any([run(command) != 0 for command in commands]):  # noqa: C419  all of them, not up to the first
            failed.append((f"{name} failed", remedy))
    for problem, remedy in failed:
        say(f"dev.py: {problem}: {remedy}")
    if not failed:
        say("All checks passed.")
    return 1 if failed else 0


COMMAND = Command(
    "check",
    "formatter, linter, types, locks, changelog, languages, workflows, changed prose: seconds",
    _add_arguments,
    _perform,
)
