"""What there is to read: the pages and the messages of a language, and which of them were changed."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

from checks.prose import Line, messages_prose

_PLACE = re.compile(r"docs/(?P<page>ja|ko)/.+\.md|labs/messages/(?:rules/)?(?P<messages>ja|ko)/[\w-]+\.toml")

_PLACEHOLDER = re.compile(r"(?<![A-Za-z0-9])x(?![A-Za-z0-9])")


def language_of(path: str) -> str | None:
    """The language of a path from the root that holds Japanese or Korean prose; None for any other."""
    place = _PLACE.fullmatch(path)
    return place and (place["page"] or place["messages"])


def all_sources(root: Path) -> list[str]:
    """Every file of prose in Japanese or Korean, by its path from the root."""
    files = [*(root / "docs").rglob("*.md"), *(root / "labs" / "messages").rglob("*.toml")]
    return sorted(path for path in (file.relative_to(root).as_posix() for file in files) if language_of(path))


def changed_sources(root: Path) -> list[str]:
    """Those of them that differ from where the branch left `main`, or are new; all of them without git."""
    base = _git(root, "merge-base", "HEAD", "main") or _git(root, "rev-parse", "--verify", "HEAD")
    if not base:
        return all_sources(root)
    changed = {
        *_git(root, "diff", "--name-only", "--no-renames", "--relative", base[0]),
        *_git(root, "ls-files", "--others", "--exclude-standard"),
    }
    return [path for path in all_sources(root) if path in changed]


def spoken_messages(root: Path, language: str) -> Iterator[Line]:
    """The sentences of the program with a number in each place, since a morphology stumbles over letters."""
    for path, number, line in messages_prose(root, language):
        yield path, number, _PLACEHOLDER.sub("3", line)


def _git(root: Path, *arguments: str) -> list[str]:
    """What git prints, line by line; nothing where it fails or there is no git."""
    command = ["git", "-c", "core.quotePath=off", *arguments]
    try:
        done = subprocess.run(command, cwd=root, capture_output=True, text=True, encoding="utf-8")
    except OSError:
        return []
    return done.stdout.splitlines() if done.returncode == 0 else []
