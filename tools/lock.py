"""`dev.py lock`: lock files with hashes and no addresses, and what makes one old."""

from __future__ import annotations

import argparse
import json
import shutil
import tomllib
from collections.abc import Sequence
from pathlib import Path

from tools import node_env, paths, prose, python_env
from tools.command import Command
from tools.process import CommandLine, Failure, environment, install
from tools.stamps import digest

OLDEST_PYTHON = "3.11"

# Each lock of packages with the file or files that it is made from.
PYTHON_LOCKS = {
    python_env.LOCK: (paths.ROOT / "pyproject.toml", paths.REQUIREMENTS / "dev.in"),
    node_env.WHEEL_LOCK: (paths.REQUIREMENTS / "node.in",),
    prose.LOCK: (paths.REQUIREMENTS / "prose.in",),
}
NODE_LOCKS = {paths.PACKAGE_LOCK: paths.PACKAGE_JSON, paths.PROSE_LOCK: paths.PROSE_JSON}


def problems() -> list[str]:
    """Locks that are older than what they are made from, or that name an address."""
    old = []
    for lock, sources in PYTHON_LOCKS.items():
        if lock.read_text("utf-8").partition("\n")[0] != mark(sources):
            old.append(f"{paths.from_root(lock)} is older than {' or '.join(map(paths.from_root, sources))}")
    for lock, source in NODE_LOCKS.items():
        asked = json.loads(source.read_text("utf-8"))
        locked = json.loads(lock.read_text("utf-8"))["packages"][""]
        if any(asked.get(key) != locked.get(key) for key in ("dependencies", "devDependencies", "engines")):
            old.append(f"{paths.from_root(lock)} is older than {paths.from_root(source)}")
    named = [lock for lock in (*PYTHON_LOCKS, *NODE_LOCKS) if "://" in lock.read_text("utf-8")]
    return old + [f"{paths.from_root(lock)} names an address" for lock in named]


def mark(sources: Sequence[Path]) -> str:
    """The first line of a lock: a hash of what its sources ask for."""
    asked = [
        json.dumps(tomllib.loads(path.read_text("utf-8"))["project"]["dependencies"])
        if path.suffix == ".toml"
        else path.read_text("utf-8")
        for path in sources
    ]
    return f"# python3 dev.py lock; sha256 of what was asked for: {digest(*asked)}"


def write(upgrade: bool) -> None:
    """Writes the lock files anew, keeping the versions that still fit, or with the newest ones."""
    uv = shutil.which("uv", path=environment()["PATH"])
    if uv is None:
        raise Failure(
            "Lock files are made with uv, which is not on PATH: install uv, then run the same command again."
        )
    for target, sources in PYTHON_LOCKS.items():
        compile_ = [uv, "pip", "compile", "--universal", "--python-version", OLDEST_PYTHON]
        compile_ += ["--generate-hashes", "--no-emit-index-url", "--no-header", "--quiet"]
        compile_ += ["--upgrade"] if upgrade else []
        compile_ += ["--output-file", paths.from_root(target), *map(paths.from_root, sources)]
        install(paths.from_root(target), compile_)
        target.write_text(
            f"{mark(sources)}\n{target.read_text(encoding='utf-8')}", encoding="utf-8", newline="\n"
        )
    for target in NODE_LOCKS:
        npm: CommandLine = [node_env.find_node().npm, "--prefix", target.parent]
        install(paths.from_root(target), [*npm, "update" if upgrade else "install", "--package-lock-only"])
        locked_packages = json.loads(target.read_text("utf-8"))
        for package in locked_packages["packages"].values():
            package.pop("funding", None)
            package.pop("resolved", None)
        target.write_text(json.dumps(locked_packages, indent=2) + "\n", encoding="utf-8", newline="\n")


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--upgrade", action="store_true", help="take the newest versions that fit")


def _perform(arguments: argparse.Namespace) -> int:
    write(arguments.upgrade)
    return 0


COMMAND = Command(
    "lock", "write the lock files anew, after a change of what they are made from", _add_arguments, _perform
)
