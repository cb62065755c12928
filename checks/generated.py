"""Pages that are written by a command and compared with what it would write now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from checks.languages import LANGUAGES
from checks.problem import Problem

Wanted = Mapping[str, str]
"""The text of every page by its path below `docs/`."""


def compare(root: Path, folder: str, wanted: Wanted, remedy: str) -> list[Problem]:
    """Pages of `docs/*/<folder>/` that are missing, differ from what is wanted, or should not be there."""
    problems: list[Problem] = []
    for path, text in wanted.items():
        file = root / "docs" / path
        if not file.is_file():
            problems.append(Problem(f"docs/{path}", 0, "the page is missing", remedy))
        elif file.read_text(encoding="utf-8") != text:
            problems.append(Problem(f"docs/{path}", 0, "the page is not what its source now says", remedy))
    problems.extend(
        Problem(f"docs/{path}", 0, "nothing has this page", remedy)
        for path in _standing(root, folder)
        if path not in wanted
    )
    return problems


def write(root: Path, folder: str, wanted: Wanted) -> int:
    """Writes what is wanted and removes what is not; how many files changed."""
    changed = 0
    for path, text in wanted.items():
        file = root / "docs" / path
        if not file.is_file() or file.read_text(encoding="utf-8") != text:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
            changed += 1
    for path in [path for path in _standing(root, folder) if path not in wanted]:
        (root / "docs" / path).unlink()
        changed += 1
    return changed


def _standing(root: Path, folder: str) -> Iterator[str]:
    for language in LANGUAGES:
        for file in sorted((root / "docs" / language / folder).glob("*.md")):
            yield f"{language}/{folder}/{file.name}"
