"""The search index: what the pages say, per language, and the same bytes from the same pages."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from tests.docs.built_page import BuiltPage
from tests.docs.test_languages import language_and_page
from tests.some import some


@pytest.fixture(scope="module")
def indexed(site: Path) -> dict[str, dict[str, Any]]:
    """What Pagefind keeps of each page, by the page's address relative to the site's root."""
    found = {}
    for path in (site / "assets" / "search" / "fragment").iterdir():
        page = json.loads(gzip.decompress(path.read_bytes()).removeprefix(b"pagefind_dcd"))
        found[page["url"].removeprefix("/")] = page | {"language": path.name.partition("_")[0]}
    return found


def test_every_page_is_in_the_index_of_its_language(
    indexed: dict[str, dict[str, Any]], pages: dict[str, BuiltPage]
) -> None:
    assert {address: page["language"] for address, page in indexed.items()} == {
        address: language_and_page(address)[0] for address in pages
    }


def test_sections_are_found_by_their_headings(
    indexed: dict[str, dict[str, Any]], pages: dict[str, BuiltPage]
) -> None:
    shown = {
        (address, heading["id"]): heading.text.removesuffix("#").strip()
        for address in indexed
        for heading in pages[address].all("h2", "h3", "h4", inside="gl-article")
    }
    found = {
        (address, anchor["id"]): anchor["text"].strip()
        for address, page in indexed.items()
        for anchor in page["anchors"]
    }
    assert len(shown) > len(indexed)
    assert {place: found.get(place) for place in shown} == shown


def test_controls_files_menus_and_marks_are_left_out(
    indexed: dict[str, dict[str, Any]], pages: dict[str, BuiltPage]
) -> None:
    for address, page in some(indexed.items()):
        text = page["content"].replace("\u200b", "")
        built = pages[address]
        kept_out = [element.text for element in built.all("textarea", "desc", inside="gl-lab")]
        assert [words for words in kept_out if words in text] == [], address
        written = any("format: 1" in code.text for code in built.all("code"))  # in the prose, not in a lab
        assert "format: 1" not in text or written, address
        assert "#" not in page["meta"]["title"], address
        assert next(built.all("p", inside="gl-footer")).text not in text, address


def test_nothing_that_the_theme_does_not_use_is_published(site: Path) -> None:
    names = sorted(path.name for path in (site / "assets" / "search").glob("*.*s*"))
    assert [name for name in names if name.endswith((".js", ".css"))] == ["pagefind-worker.js", "pagefind.js"]


def test_the_same_pages_make_the_same_index(site: Path, published: Path) -> None:
    """The two sites differ in the heads of their pages only, which are no part of the text."""

    def files(root: Path) -> dict[str, bytes]:
        folder = root / "assets" / "search"
        return {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for path in sorted(folder.rglob("*"))
            if path.is_file()
        }

    assert files(site) == files(published)
