"""The reference pages of the lint rules, `docs/<language>/rules/`: written from the rules and their words, and kept fresh.

`python -m checks rules --update` writes them; the check compares.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from checks.languages import LANGUAGES
from checks.problem import Problem
from labs.library import builtin_library
from labs.lint.explanation import ExplanationError
from labs.lint.registry import RULES
from labs.report.messages import MessageError
from labs.report.rule_pages import RulePages

FOLDER = "rules"
UPDATE = "run python -m checks rules --update"


def check(root: Path) -> list[Problem]:
    """Pages that are missing, stale, or of no rule."""
    problems: list[Problem] = []
    try:
        wanted = pages()
    except (ExplanationError, MessageError) as error:
        return [Problem(f"docs/*/{FOLDER}", 0, f"the pages can't be written: {error}", "see rule-words")]
    for path, text in wanted.items():
        file = root / "docs" / path
        if not file.is_file():
            problems.append(Problem(f"docs/{path}", 0, "the page of this rule is missing", UPDATE))
        elif file.read_text(encoding="utf-8") != text:
            problems.append(Problem(f"docs/{path}", 0, "the page is not what the rule now says", UPDATE))
    problems.extend(
        Problem(f"docs/{path}", 0, "no rule has this page", UPDATE)
        for path in _standing(root)
        if path not in wanted
    )
    return problems


def update(root: Path) -> int:
    """Writes all pages, and removes those of no rule; how many changed."""
    changed = 0
    wanted = pages()
    for path, text in wanted.items():
        file = root / "docs" / path
        if not file.is_file() or file.read_text(encoding="utf-8") != text:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
            changed += 1
    for path in _standing(root):
        if path not in wanted:
            (root / "docs" / path).unlink()
            changed += 1
    return changed


def _standing(root: Path) -> Iterator[str]:
    for language in LANGUAGES:
        for file in sorted((root / "docs" / language / FOLDER).glob("*.md")):
            yield f"{language}/{FOLDER}/{file.name}"


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
