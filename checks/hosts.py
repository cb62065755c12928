"""No committed file names a package registry's host or a path of somebody's machine.

Locks come without addresses, so that the project installs from whatever registry its user has. The
patterns are put together from pieces, so that this file does not find itself.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

from checks.problem import Problem

_DOT, _SLASH = r"\.", "/"

REGISTRY_HOSTS = tuple(
    _DOT.join(parts)
    for parts in (
        ("pypi", "org"),
        ("python" + "hosted", "org"),
        ("registry", "npmjs", "org"),
        ("registry", "yarnpkg", "com"),
        ("npm", "pkg", "github", "com"),
        ("npmmirror", "com"),
        ("proxy", "golang", "org"),
        ("conda", "anaconda", "org"),
    )
)
HOST = re.compile(rf"(?<![\w.-])(?:[\w-]+\.)*(?:{'|'.join(REGISTRY_HOSTS)})(?![\w-])", re.IGNORECASE)

ADDRESS = re.compile(
    r"(?:--?(?:extra-)?index-url|--find-links|\bregistry)\b[\s\"']*[=:]?[\s\"']*"
    + rf"https?:{_SLASH * 2}(?!localhost|127\.|[\w.-]+\.example\b)"
    + r"|\"resolved\":\s*\"https?:"
)

MACHINE_PATH = re.compile(
    "|".join(
        (
            rf"(?<![\w.<]){_SLASH}(?:home|Users){_SLASH}(?!runner\b)[a-z][\w.-]*{_SLASH}",
            rf"(?<![\w.<]){_SLASH}root{_SLASH}[\w.]",
            rf"(?<![\w.<]){_SLASH}work{_SLASH}(?:main|shared|\.\w)",
            rf"(?<![\w.<]){_SLASH}tmp{_SLASH}bash_",
            rf"\b[A-Z]:\\{'Users'}\\\w",
        )
    )
)

_FINDINGS = (
    (HOST, "a package registry's host", "leave the address out: installers know their registry"),
    (ADDRESS, "a package registry's address", "leave the address out: installers know their registry"),
    (MACHINE_PATH, "a path of one machine", "write it relative to the repository"),
)
_NOT_OURS = {".git", ".venv", "node_modules", "site", ".cache", "build", "dist", "__pycache__"}


def check(root: Path) -> list[Problem]:
    """Every registry host, registry address and machine path in tracked files."""
    problems: list[Problem] = []
    for path in tracked_files(root):
        file = root / path
        if not file.is_file():
            continue
        content = file.read_bytes()
        if b"\0" not in content:
            problems.extend(_in_text(path, content.decode("utf-8", errors="replace")))
    return problems


def tracked_files(root: Path) -> list[str]:
    """The files that git knows under `root`; all files of the project where this is no git checkout."""
    try:
        answer = subprocess.run(
            ["git", "-C", str(root), "ls-files", "-z"],
            capture_output=True,
            text=True,
            check=True,
            encoding="utf-8",
        )
        return sorted(filter(None, answer.stdout.split("\0")))
    except (OSError, subprocess.CalledProcessError):
        files = (file.relative_to(root) for file in root.rglob("*") if file.is_file())
        return sorted(file.as_posix() for file in files if not _NOT_OURS & set(file.parts))


def _in_text(path: str, text: str) -> Iterator[Problem]:
    for number, line in enumerate(text.split("\n"), start=1):
        for pattern, what, remedy in _FINDINGS:
            if match := pattern.search(line):
                yield Problem(path, number, f'"{match[0].strip()}" is {what}', remedy)
