"""The command line: `python -m checks.wording [--all | PATH...]`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from checks.problem import Problem
from checks.wording import japanese, korean
from checks.wording.sources import all_sources, changed_sources, language_of
from tools.process import Failure

READERS: dict[str, Callable[[Path, Sequence[str]], list[Problem]]] = {
    "ja": japanese.read,
    "ko": korean.read,
}


def main(arguments: list[str] | None = None) -> int:
    """Read prose; 0 where all is well, 1 with problems or where a reader does not run, 2 for wrong usage."""
    parser = argparse.ArgumentParser(
        prog="python -m checks.wording",
        description="Read the Japanese and Korean prose that was changed since main.",
    )
    parser.add_argument("paths", nargs="*", metavar="PATH", help="read these pages or messages instead")
    parser.add_argument("--all", action="store_true", help="read all pages and messages")
    parser.add_argument("--root", type=Path, default=Path(), help="the repository (default: this folder)")
    options = parser.parse_args(arguments)
    if options.all and options.paths:
        parser.error("give paths or --all, not both")
    root = options.root.resolve()
    paths = options.paths or (all_sources(root) if options.all else changed_sources(root))
    for path in paths:
        if language_of(path) is None or not (root / path).is_file():
            parser.error(f'"{path}" is no page or messages in Japanese or Korean: give a path from the root')
    try:
        problems = read(root, paths)
    except Failure as failure:
        print(failure, file=sys.stderr)
        return 1
    for problem in problems:
        print(problem)
    print(f"prose of {len(paths)} file(s): {f'{len(problems)} problem(s)' if problems else 'all well'}")
    return 1 if problems else 0


def read(root: Path, paths: Sequence[str]) -> list[Problem]:
    """What each language's reader finds in its files."""
    found = [
        reader(root, [path for path in paths if language_of(path) == language])
        for language, reader in READERS.items()
    ]
    return sorted(problem for problems in found for problem in problems)


if __name__ == "__main__":
    sys.exit(main())
