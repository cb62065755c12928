"""The reference pages of the cards, `docs/<language>/hardware/`: written from the catalog and the messages, and kept fresh.

`python -m checks cards --update` writes them; the check compares.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from checks.generated import compare, write
from checks.languages import LANGUAGES
from checks.problem import Problem
from labs.library import builtin_library
from labs.report.pages import CardPages, families

FOLDER = "hardware"
UPDATE = "run python -m checks cards --update"


def check(root: Path) -> list[Problem]:
    """Pages that are missing, stale, or of no architecture."""
    return compare(root, FOLDER, pages(), UPDATE)


def update(root: Path) -> int:
    """Writes all pages, and removes others; how many changed."""
    return write(root, FOLDER, pages())


def pages() -> dict[str, str]:
    """The text of every page by its path below `docs/`."""
    return dict(_pages())


def _pages() -> Iterator[tuple[str, str]]:
    library = builtin_library()
    for language in LANGUAGES:
        writer = CardPages(library.messages[language], library.catalog)
        yield f"{language}/{FOLDER}/index.md", writer.index()
        for family, models in families(library.catalog).items():
            yield f"{language}/{FOLDER}/{family.lower()}.md", writer.page(family, models)
