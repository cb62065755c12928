"""The reference pages of the lint rules, `docs/<language>/rules/`: written from the rules and their words, and kept fresh.

`python -m checks rules --update` writes them; the check compares.
"""

from __future__ import annotations

from pathlib import Path

from checks.generated import compare, write
from checks.languages import LANGUAGES
from checks.problem import Problem
from labs.library import builtin_library
from labs.lint.core import ExplanationError
from labs.lint.registry import RULES
from labs.report.pages import RulePages
from labs.report.writing import MessageError

FOLDER = "rules"
UPDATE = "run python -m checks rules --update"


def check(root: Path) -> list[Problem]:
    """Pages that are missing, stale, or of no rule."""
    try:
        wanted = pages()
    except (ExplanationError, MessageError) as error:
        return [Problem(f"docs/*/{FOLDER}", 0, f"the pages can't be written: {error}", "see rule-words")]
    return compare(root, FOLDER, wanted, UPDATE)


def update(root: Path) -> int:
    """Writes all pages, and removes those of no rule; how many changed."""
    return write(root, FOLDER, pages())


def pages() -> dict[str, str]:
    """The text of every page by its path below `docs/`."""
    library = builtin_library()
    found: dict[str, str] = {}
    for language in LANGUAGES:
        writer = RulePages(library.messages[language], library.rules[language], library.catalog)
        found[f"{language}/{FOLDER}/index.md"] = writer.index(RULES)
        for rule in RULES:
            found[f"{language}/{FOLDER}/{rule.code.lower()}.md"] = writer.page(rule)
    return found
