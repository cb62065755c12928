"""Patterns of what is left out below a folder, in the manner of `.gitignore`.

Source: git-scm.com, gitignore, "PATTERN FORMAT".
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

_LONGEST_PATTERN = 1_000
_MOST_PATTERNS = 2_000


@dataclass(frozen=True, slots=True)
class _Pattern:
    expression: re.Pattern[str]
    folders_only: bool
    kept: bool


@dataclass(frozen=True, slots=True)
class Patterns:
    """Patterns that are relative to a folder; of several that match the last counts."""

    patterns: tuple[_Pattern, ...]

    def leaves_out(self, path: str, folder: bool) -> bool | None:
        """Whether a path relative to the folder, with slashes, is left out; None where no pattern says anything."""
        for pattern in reversed(self.patterns):
            if (folder or not pattern.folders_only) and pattern.expression.fullmatch(path):
                return not pattern.kept
        return None


def patterns(lines: Iterable[str]) -> Patterns:
    """The patterns of lines; comments, empty lines and what is no pattern are passed over."""
    read = (_pattern(line) for line in list(lines)[:_MOST_PATTERNS])
    return Patterns(tuple(pattern for pattern in read if pattern is not None))


def _pattern(line: str) -> _Pattern | None:
    text = line.rstrip("\r\n")
    while text.endswith(" ") and not text.endswith("\\ "):
        text = text[:-1]
    if not text or text.startswith("#") or len(text) > _LONGEST_PATTERN:
        return None
    kept = text.startswith("!")
    text = text.removeprefix("!")
    folders_only = text.endswith("/")
    text = text.rstrip("/")
    anchored = "/" in text
    text = text.removeprefix("/")
    try:
        expression = re.compile(("" if anchored else "(?:.*/)?") + _expression(text), re.DOTALL)
    except re.error:
        return None
    return _Pattern(expression, folders_only, kept)


def _expression(text: str) -> str:
    """A pattern as a regular expression: `*` and `?` stay in a folder, `**` does not."""
    parts: list[str] = []
    at = 0
    while at < len(text):
        rest = text[at:]
        if rest.startswith("**/"):
            part, step = "(?:[^/]+/)*", 3
        elif rest == "**":
            part, step = ".+", 2
        elif rest[0] == "*":
            part, step = "[^/]*", len(rest) - len(rest.lstrip("*"))
        elif rest[0] == "?":
            part, step = "[^/]", 1
        elif rest[0] == "[" and (end := rest.find("]", 2)) > 0:
            inner = rest[1:end].replace("\\", "\\\\").replace("[", "\\[")
            part, step = f"(?!/)[{'^' + inner[1:] if inner[0] in '!^' else inner}]", end + 1
        elif rest[0] == "\\" and len(rest) > 1:
            part, step = re.escape(rest[1]), 2
        else:
            part, step = re.escape(rest[0]), 1
        parts.append(part)
        at += step
    return "".join(parts)
