"""The command line of the checks: `python -m checks [NAME...]`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from checks import (
    glossary,
    hosts,
    html,
    imports,
    messages,
    names,
    parity,
    rooms,
    rule_words,
    scripts,
    vacuous_tests,
)
from checks.parity_lock import LockError, acknowledge, update
from checks.problem import Problem

CHECKS: dict[str, Callable[[Path], list[Problem]]] = {
    "parity": parity.check,
    "glossary": glossary.check,
    "scripts": scripts.check,
    "messages": messages.check,
    "rule-words": rule_words.check,
    "hosts": hosts.check,
    "imports": imports.check,
    "rooms": rooms.check,
    "vacuous-tests": vacuous_tests.check,
    "names": names.check,
    "html": html.check,
}


def main(arguments: list[str] | None = None) -> int:
    """Run checks, or write `parity.lock`; 0 where all is well, 1 with problems, 2 for wrong usage."""
    parser = _parser()
    options = parser.parse_args(arguments)
    unknown = [name for name in options.names if name not in CHECKS]
    if unknown:
        parser.error(f'unknown check "{unknown[0]}": expected one of {", ".join(CHECKS)}')
    writes = options.update or options.acknowledge is not None
    if writes and options.names != ["parity"]:
        parser.error(
            "--update and --acknowledge belong to the parity check: python -m checks parity --update"
        )
    if (options.reason is None) != (options.acknowledge is None):
        parser.error("--acknowledge PAGE#SECTION and --reason TEXT go together")
    root = options.root.resolve()
    try:
        if options.acknowledge is not None:
            changed = acknowledge(root, parity.read_docs(root), options.acknowledge, options.reason)
            print(f"{options.acknowledge}: accepted that only {' and '.join(changed)} changed")
        if options.update:
            written, remaining = update(root, parity.read_docs(root))
            print(f"parity.lock: {written} section(s) written, {remaining} still out of step")
    except LockError as error:
        print(error, file=sys.stderr)
        return 1
    return _run(root, options.names or list(CHECKS))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m checks",
        description="Check what no linter knows: languages in step, words, messages, hosts, layers.",
    )
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"a check: {', '.join(CHECKS)} (default: all)"
    )
    parser.add_argument("--root", type=Path, default=Path(), help="the repository (default: this folder)")
    parser.add_argument(
        "--update", action="store_true", help="parity: write what is new or changed everywhere"
    )
    parser.add_argument(
        "--acknowledge", metavar="PAGE#SECTION", help="parity: accept a change of some languages"
    )
    parser.add_argument("--reason", metavar="TEXT", help="why the other languages may stay as they are")
    return parser


def _run(root: Path, chosen: list[str]) -> int:
    problems = {name: CHECKS[name](root) for name in chosen}
    for name, reported in problems.items():
        for problem in reported:
            print(f"{problem} [{name}]")
    count = sum(map(len, problems.values()))
    print(f"{', '.join(chosen)}: {f'{count} problem(s)' if count else 'all well'}")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
