"""The command line of dev.py."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence

from tools import bench, build, check, hashes, lock, prose, python_env, release, serve, setup, test
from tools.command import Command
from tools.process import Failure

COMMANDS: tuple[Command, ...] = (
    setup.COMMAND,
    serve.COMMAND,
    test.COMMAND,
    build.COMMAND,
    check.COMMAND,
    prose.COMMAND,
    bench.COMMAND,
    lock.COMMAND,
    hashes.COMMAND,
    release.COMMAND,
)


def bootstrap(argv: Sequence[str]) -> int:
    """Makes .venv/ and goes on inside it; `--help` and wrong usage are answered before anything is installed."""
    arguments(argv)

    def perform() -> int:
        python_env.set_up()
        return python_env.hand_over(argv)

    return answer(perform)


def main(argv: Sequence[str]) -> int:
    """Performs a command inside .venv/; the answer is its exit code."""
    asked = arguments(argv)
    return answer(lambda: asked.command.perform(asked))


def arguments(argv: Sequence[str]) -> argparse.Namespace:
    """What is asked, the command as `command`. Ends the program for `--help` and, with code 2, for wrong usage."""
    passing_on = {command.name for command in COMMANDS if command.passes_on}
    passes_on = argv[:1] and argv[0] in passing_on and list(argv[1:2]) not in (["-h"], ["--help"])
    asked = parser().parse_args(argv[:1] if passes_on else argv)
    if passes_on:
        asked.arguments = list(argv[1:])
    return asked


def parser() -> argparse.ArgumentParser:
    """The whole command line."""
    top = argparse.ArgumentParser(
        prog="dev.py",
        description="All that is done with GPU Sharing Labs. Each command first sets up what it needs.",
        epilog="Set-up uses uv if it is on PATH, else venv and pip, with their own settings for mirrors.",
    )
    commands = top.add_subparsers(metavar="COMMAND", required=True)
    for command in COMMANDS:
        below = commands.add_parser(command.name, help=command.help)
        command.add_arguments(below)
        below.set_defaults(command=command)
    return top


def answer(perform: Callable[[], int]) -> int:
    """The exit code of a command; what stops it is said in words, without a traceback."""
    try:
        return perform()
    except Failure as failure:
        print(f"dev.py: {failure}", file=sys.stderr)
        return 1
    except OSError as error:
        place = f" ({error.filename})" if error.filename else ""
        print(
            f"dev.py: {error.strerror}{place}: mend that, then run the same command again.", file=sys.stderr
        )
        return 1
    except KeyboardInterrupt:
        return 130
