"""The reference pages of the rules: written from the rules, and every way to be stale is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from checks import rule_pages
from checks.languages import LANGUAGES
from labs.lint.core.explanation import ExplanationError
from labs.lint.registry import RULES
from labs.report.writing.messages import MessageError

WRITTEN = rule_pages.pages()


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tree with all pages in it."""
    monkeypatch.setattr(rule_pages, "pages", lambda: dict(WRITTEN))
    rule_pages.update(tmp_path)
    return tmp_path


def told(tree: Path) -> list[str]:
    return [f"{problem.path}: {problem.message}" for problem in rule_pages.check(tree)]


def test_every_rule_has_a_page_in_every_language_and_each_language_an_index() -> None:
    names = ["index", *(rule.code.lower() for rule in RULES)]
    assert sorted(WRITTEN) == sorted(
        f"{language}/rules/{name}.md" for language in LANGUAGES for name in names
    )


def test_pages_that_are_what_the_rules_say_pass(tree: Path) -> None:
    assert told(tree) == []
    assert rule_pages.update(tree) == 0


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["gl201.md", "index.md"])
def test_a_page_that_is_missing_is_told_and_written(tree: Path, language: str, name: str) -> None:
    page = tree / "docs" / language / "rules" / name
    page.unlink()
    (message,) = told(tree)
    assert message.startswith(f"docs/{language}/rules/{name}: ")
    assert rule_pages.update(tree) == 1
    assert page.read_text("utf-8") == WRITTEN[f"{language}/rules/{name}"]


def test_a_page_that_somebody_changed_is_told_and_written_anew(tree: Path) -> None:
    page = tree / "docs/ko/rules/gl301.md"
    page.write_text(page.read_text("utf-8") + "\n", "utf-8")
    (message,) = told(tree)
    assert message.startswith("docs/ko/rules/gl301.md: ")
    assert rule_pages.update(tree) == 1
    assert told(tree) == []


def test_a_page_of_no_rule_is_told_and_removed(tree: Path) -> None:
    page = tree / "docs/en/rules/gl999.md"
    page.write_text("# GL999\n", "utf-8")
    (message,) = told(tree)
    assert message.startswith("docs/en/rules/gl999.md: ")
    assert rule_pages.update(tree) == 1
    assert not page.exists()


@pytest.mark.parametrize("error", [ExplanationError("GL201: no headings"), MessageError("no message")])
def test_pages_that_cannot_be_written_are_one_problem(
    tree: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def broken() -> dict[str, str]:
        raise error

    monkeypatch.setattr(rule_pages, "pages", broken)
    assert told(tree) == [f"docs/*/rules: the pages can't be written: {error}"]
