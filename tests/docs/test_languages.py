"""Three languages: the same pages in each, each saying which language it is and where its siblings are."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from urllib.parse import urljoin
from xml.etree import ElementTree

import pytest

from tests.docs.built_page import BuiltPage
from tests.docs.conftest import PUBLISHED_AT
from tests.some import some

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
PREFIXES = {"ja": "", "ko": "ko/", "en": "en/"}
SITEMAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
XHTML = "{http://www.w3.org/1999/xhtml}"

ENGLISH_ONLY = {f"contributing/{name}/" for name in ("adding", "architecture", "decisions", "names")}
"""Pages for contributors; the index above them is there in each language."""

Pages = dict[str, BuiltPage]
Target = Callable[[str, str], tuple[Path, str]]


def language_and_page(address: str) -> tuple[str, str]:
    """The language of an address and the address without it: "ko/labs/" -> ("ko", "labs/")."""
    for language in ("ko", "en"):
        if address.startswith(PREFIXES[language]):
            return language, address.removeprefix(PREFIXES[language])
    return "ja", address


def siblings(address: str) -> dict[str, str]:
    page = language_and_page(address)[1]
    languages = ("en",) if page in ENGLISH_ONLY else tuple(PREFIXES)
    return {language: PREFIXES[language] + page for language in languages}


def led_to(address: str) -> dict[str, str]:
    """Where the language links lead: to the siblings, or to the index where a page has none."""
    return {language: f"{prefix}contributing/" for language, prefix in PREFIXES.items()} | siblings(address)


def test_each_language_has_the_same_pages(pages: Pages) -> None:
    by_language: dict[str, set[str]] = {language: set() for language in PREFIXES}
    for address in pages:
        language, page = language_and_page(address)
        by_language[language].add(page)
    assert by_language["ja"] == by_language["ko"] == by_language["en"] - ENGLISH_ONLY
    assert by_language["en"] >= ENGLISH_ONLY
    assert by_language["ja"] >= {"", "articles/gpu-sharing/", "labs/", "contributing/"}


def test_each_page_says_its_language(pages: Pages) -> None:
    assert {address: page.one("html")["lang"] for address, page in pages.items()} == {
        address: language_and_page(address)[0] for address in pages
    }


def test_each_page_names_its_siblings_relatively(pages: Pages) -> None:
    for address, page in some(pages.items()):
        base = "http://any.example/some/path/"
        named = {
            link["hreflang"]: urljoin(base + address, link["href"])
            for link in page.all("link", rel="alternate")
        }
        expected = {language: base + sibling for language, sibling in siblings(address).items()}
        assert named == expected | {"x-default": expected["en"]}, address
        assert list(page.all("link", rel="canonical")) == []


@pytest.mark.slow
def test_a_published_page_names_itself_and_its_siblings_absolutely(published_pages: Pages) -> None:
    for address, page in some(published_pages.items()):
        assert page.one("link", rel="canonical")["href"] == PUBLISHED_AT + address
        named = {link["hreflang"]: link["href"] for link in page.all("link", rel="alternate")}
        expected = {language: PUBLISHED_AT + sibling for language, sibling in siblings(address).items()}
        assert named == expected | {"x-default": expected["en"]}, address


def test_the_switch_leads_to_the_same_page(pages: Pages, site: Path, target: Target) -> None:
    for address, page in some(pages.items()):
        links = {link["lang"]: link for link in page.all("a", inside="gl-languages")}
        assert {language: link.text for language, link in links.items()} == {
            "ja": "日本語",
            "ko": "한국어",
            "en": "English",
        }
        leads = {language: target(address, link["href"])[0] for language, link in links.items()}
        assert leads == {
            language: (site / sibling / "index.html").resolve()
            for language, sibling in led_to(address).items()
        }
        current = [language for language, link in links.items() if link["aria-current"]]
        assert current == [language_and_page(address)[0]]


def test_headings_have_the_same_ascii_ids_in_each_language(pages: Pages) -> None:
    for address, page in some(pages.items()):
        headings = [heading["id"] for heading in page.all(*HEADINGS, inside="gl-article")]
        assert all(heading.isascii() and heading for heading in headings), (address, headings)
        for sibling in siblings(address).values():
            other = pages[sibling].all(*HEADINGS, inside="gl-article")
            assert [heading["id"] for heading in other] == headings, (address, sibling)


def test_names_and_menus_are_in_the_language_of_the_page(pages: Pages) -> None:
    expected = {
        "ja": ("GPU共有ラボ", ["記事", "ラボ", "リファレンス", "開発に参加する"]),
        "ko": ("GPU 공유 실습", ["글", "실습", "레퍼런스", "함께 만들기"]),
        "en": ("GPU Sharing Labs", ["Articles", "Labs", "Reference", "Contributing"]),
    }
    for address, page in some(pages.items()):
        name, sections = expected[language_and_page(address)[0]]
        assert page.title.endswith(name), address
        assert [link.text for link in page.all("a", inside="gl-sections")] == sections, address


def test_titles_and_descriptions_tell_pages_apart(pages: Pages) -> None:
    titles = [page.title for page in pages.values()]
    assert len(set(titles)) == len(titles)
    assert all(len(page.one("meta", name="description")["content"]) > 20 for page in pages.values())


@pytest.mark.parametrize(
    ("fixture", "base"), [("site", "http://127.0.0.1:8000/"), ("published", PUBLISHED_AT)]
)
def test_the_sitemap_lists_every_page_with_its_siblings(
    fixture: str, base: str, pages: Pages, request: pytest.FixtureRequest
) -> None:
    root = ElementTree.fromstring((request.getfixturevalue(fixture) / "sitemap.xml").read_text("utf-8"))
    listed = {
        entry.findtext(f"{SITEMAP}loc"): {
            link.get("hreflang"): link.get("href") for link in entry.iter(f"{XHTML}link")
        }
        for entry in root.iter(f"{SITEMAP}url")
    }
    expected = {}
    for address in pages:
        named = {language: base + sibling for language, sibling in siblings(address).items()}
        expected[base + address] = named | {"x-default": named["en"]}
    assert listed == expected
