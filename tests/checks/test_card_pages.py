"""The pages of the cards are written by a command, and what differs from it is told."""

from __future__ import annotations

from pathlib import Path

from checks import card_pages
from checks.languages import LANGUAGES

AMPERE = "docs/en/hardware/ampere.md"


def test_what_was_written_is_fresh(tmp_path: Path) -> None:
    assert card_pages.update(tmp_path) == len(card_pages.pages())
    assert card_pages.check(tmp_path) == []
    assert card_pages.update(tmp_path) == 0
    assert {path.split("/")[0] for path in card_pages.pages()} == set(LANGUAGES)


def test_a_missing_a_changed_and_a_needless_page_are_told_and_put_right(tmp_path: Path) -> None:
    card_pages.update(tmp_path)
    (tmp_path / AMPERE).write_text("by hand\n", "utf-8")
    (tmp_path / "docs/ja/hardware/hopper.md").unlink()
    (tmp_path / "docs/ko/hardware/pascal.md").write_text("by hand\n", "utf-8")
    told = {(problem.path, problem.message) for problem in card_pages.check(tmp_path)}
    assert told == {
        ("docs/ja/hardware/hopper.md", "the page is missing"),
        (AMPERE, "the page is not what its source now says"),
        ("docs/ko/hardware/pascal.md", "nothing has this page"),
    }
    card_pages.update(tmp_path)
    assert card_pages.check(tmp_path) == []
