"""The reference pages that the build writes hold to what is asked of pages written by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from checks import glossary, parity, scripts
from checks.languages import LANGUAGES
from hooks.reference import written_pages
from labs.library import builtin_library
from labs.lint.registry import RULES
from labs.report.pages.card_pages import families
from tests.checks.trees import write


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tree of the pages, where the build places them."""
    root = tmp_path_factory.mktemp("pages")
    return write(root, {f"docs/{path}": text for path, text in written_pages(root / "cache").items()})


def test_every_rule_card_and_language_has_its_page(root: Path) -> None:
    names = ["accuracy/index", "hardware/index", "rules/index"]
    names += [f"hardware/{family.lower()}" for family in families(builtin_library().catalog)]
    names += [f"rules/{rule.code.lower()}" for rule in RULES]
    found = [path.relative_to(root / "docs").as_posix() for path in (root / "docs").rglob("*.md")]
    assert sorted(found) == sorted(f"{language}/{name}.md" for language in LANGUAGES for name in names)


def test_the_languages_are_in_step(root: Path) -> None:
    assert parity.differences(parity.read_docs(root)) == []


def test_the_words_are_those_of_the_glossary(root: Path) -> None:
    assert glossary.check(root) == []


def test_each_language_is_written_in_its_own_letters(root: Path) -> None:
    assert scripts.check(root) == []
