"""The search: the right section in the right language, by keyboard, at once, and under a strict policy."""

from __future__ import annotations

import unicodedata
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.lab_page import ARTICLE, ROOTS, OpenTab, every_language
from tests.browser.test_access import found_by_axe
from tests.some import some

CASES = [
    ("ja", "スライシング", "time-slicing"),
    ("ja", "メモリ分離", "how-it-works"),
    ("ja", "ｆａｉｌＲｅｑｕｅｓｔｓ", "fail-requests-greater-than-one"),
    ("ko", "격리는", "how-it-works"),
    ("ko", "타임슬라이싱", "time-slicing"),
    ("ko", "슬라이싱을", "time-slicing"),
    ("ko", "메모리 격리", "how-it-works"),
    ("en", "isolate", "how-it-works"),
    ("en", "memory isolation", "how-it-works"),
    *((language, "failRequestsGreaterThanOne", "fail-requests-greater-than-one") for language in ROOTS),
]
COUNTS = {"ja": "件見つかりました。", "ko": "건을 찾았다.", "en": " result"}


@pytest.fixture
def page(page_as_built: Page) -> Page:
    return page_as_built


def compared(words: str) -> str:
    """As words are compared, whatever their width and case."""
    return unicodedata.normalize("NFKC", words).casefold()


class Search:
    """The search of a page that is open."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.button = page.locator(".gl-search-open")
        self.dialog = page.get_by_role("dialog")
        self.input = self.dialog.get_by_role("searchbox")
        self.status = self.dialog.get_by_role("status")
        self.links = self.dialog.locator("li a")

    def ask(self, words: str) -> list[str]:
        """Types into the open search and returns where its results lead, once it has answered."""
        self.input.fill("")
        expect(self.status).to_be_empty()
        self.input.fill(words)
        expect(self.status).not_to_be_empty()
        return [str(link.evaluate("(link) => link.href")) for link in self.links.all()]


def search_on(page: Page, address: str) -> Search:
    page.goto(address)
    page.keyboard.press("/")
    search = Search(page)
    expect(search.input).to_be_focused()
    return search


def focused(locator: Locator) -> None:
    expect(locator).to_be_focused()


@every_language
def test_the_right_section_is_among_the_first_two(
    page: Page, site_url_under_path: str, language: str
) -> None:
    root = f"{site_url_under_path}{ROOTS[language]}"
    search = search_on(page, f"{root}labs/")
    for words, section in some((words, section) for of, words, section in CASES if of == language):
        assert f"{root}{ARTICLE}#{section}" in search.ask(words)[:2], words


@every_language
def test_a_section_of_that_very_name_comes_first(page: Page, site_url: str, language: str) -> None:
    found = search_on(page, f"{site_url}{ROOTS[language]}").ask("mig")
    assert found[0] == f"{site_url}{ROOTS[language]}{ARTICLE}#mig"


@every_language
def test_every_result_is_in_the_language_of_the_page_and_says_the_words(
    page: Page, site_url: str, language: str
) -> None:
    search = search_on(page, f"{site_url}{ROOTS[language]}")
    for words in some(words for of, words, _ in CASES if of == language):
        judge(search, language, words)


def judge(search: Search, language: str, words: str) -> None:
    """Holds what a search for the words comes to."""
    found = search.ask(words)
    others = [root for other, root in ROOTS.items() if root and other != language]
    paths = [urlsplit(address).path.removeprefix("/") for address in found]
    assert all(path.startswith(ROOTS[language]) for path in paths)
    assert [path for path in paths if path.startswith(tuple(others))] == []
    assert len(found) == len(set(found)) > 0
    expect(search.status).to_contain_text(f"{len(found)}{COUNTS[language]}")
    plain = [item for item in search.dialog.locator("li").all() if not item.locator("mark").count()]
    # Headings that stand alone have no text to mark.
    headings = [compared(item.locator("a").inner_text()) for item in plain]
    wanted = compared(words)[:-1] if language == "ko" else compared(words)  # a particle may be attached
    assert [heading for heading in headings if wanted not in heading] == []


@every_language
def test_it_is_used_by_keyboard_alone(page: Page, site_url: str, language: str) -> None:
    page.goto(f"{site_url}{ROOTS[language]}labs/")
    search = Search(page)
    search.button.focus()
    page.keyboard.press("Enter")
    focused(search.input)
    search.ask("failRequestsGreaterThanOne")
    page.keyboard.press("ArrowDown")
    focused(search.links.nth(0))
    page.keyboard.press("ArrowDown")
    focused(search.links.nth(1))
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    focused(search.input)
    page.keyboard.press("Escape")
    expect(search.dialog).to_be_hidden()
    focused(search.button)
    page.keyboard.press("Control+k")
    focused(search.input)
    expect(search.links.first).to_be_visible()
    page.keyboard.press("Enter")
    page.wait_for_url(f"{site_url}{ROOTS[language]}{ARTICLE}#fail-requests-greater-than-one")


def test_enter_opens_what_was_typed_also_before_the_search_is_loaded(page: Page, site_url: str) -> None:
    search = search_on(page, f"{site_url}en/")
    page.keyboard.type("failRequestsGreaterThanOne")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{site_url}en/{ARTICLE}#fail-requests-greater-than-one")
    expect(search.dialog).to_be_hidden()


def test_enter_opens_what_was_typed_and_not_what_was_found_before(page: Page, site_url: str) -> None:
    search = search_on(page, f"{site_url}en/")
    search.ask("busy")
    page.evaluate(
        """() => {
          const input = document.querySelector('.gl-search input');
          input.value = 'failRequestsGreaterThanOne';
          input.dispatchEvent(new Event('input'));
          input.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', bubbles: true, cancelable: true}));
        }"""
    )
    page.wait_for_url(f"{site_url}en/{ARTICLE}#fail-requests-greater-than-one")


@pytest.mark.parametrize("composing", ["{isComposing: true}", "{keyCode: 229}"])  # the second is Safari's
def test_enter_that_ends_a_word_of_an_input_method_opens_nothing(
    page: Page, site_url: str, composing: str
) -> None:
    search = search_on(page, site_url)
    search.ask("スライシング")
    page.evaluate(
        f"document.querySelector('.gl-search input').dispatchEvent(new KeyboardEvent('keydown',"
        f" {{key: 'Enter', bubbles: true, cancelable: true, ...{composing}}}))"
    )
    page.wait_for_timeout(300)
    expect(search.dialog).to_be_visible()
    assert page.url == site_url


def test_a_question_without_a_space_does_not_widen_the_sheet(open_tab: OpenTab, site_url: str) -> None:
    page = open_tab(viewport={"width": 390, "height": 800}, saves_data=True)
    page.goto(f"{site_url}en/")
    search = Search(page)
    search.button.click()
    assert search.ask("x" * 5_000) == []
    assert page.evaluate(
        "[...document.querySelectorAll('.gl-search, .gl-search :not(input)')].every((part) => part.scrollWidth <= innerWidth)"
    )


def test_a_section_of_the_page_that_is_open_is_shown_without_the_dialog(page: Page, site_url: str) -> None:
    search = search_on(page, f"{site_url}en/{ARTICLE}")
    search.ask("failRequestsGreaterThanOne")
    page.keyboard.press("Enter")
    expect(search.dialog).to_be_hidden()
    expect(page.locator("#fail-requests-greater-than-one")).to_be_in_viewport()


def test_where_a_reader_writes_a_slash_is_a_letter(page: Page, site_url: str) -> None:
    page.goto(f"{site_url}en/labs/slots-and-memory/")
    page.locator("gpu-lab .gl-more > summary").click()
    page.locator("gpu-lab [data-yaml]").press("/")
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.locator('gpu-lab [data-control="big"]').press("/")
    expect(page.get_by_role("dialog")).to_be_visible()


@every_language
def test_nothing_found_is_said(page: Page, site_url: str, language: str) -> None:
    search = search_on(page, f"{site_url}{ROOTS[language]}")
    assert search.ask("<b>qqzz</b>") == []
    expect(search.status).to_contain_text("<b>qqzz</b>")
    assert search.dialog.locator("b").count() == 0


def test_none_of_it_is_loaded_before_a_reader_goes_there(page: Page, site_url: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(urlsplit(request.url).path))
    page.goto(f"{site_url}en/{ARTICLE}", wait_until="networkidle")
    assert [path for path in asked if "/assets/search/" in path or path.endswith("/search.js")] == []
    with page.context.expect_event("request", lambda request: request.url.endswith(".pf_meta")):
        Search(page).button.focus()


def test_once_loaded_it_opens_and_answers_within_100_ms(page: Page, site_url: str) -> None:
    search = search_on(page, f"{site_url}en/{ARTICLE}")
    search.ask("isolate")
    page.keyboard.press("Escape")
    opened = page.evaluate(
        """() => new Promise((done) => {
          const start = performance.now();
          document.querySelector('.gl-search-open').click();
          requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)));
        })"""
    )
    answered = page.evaluate(
        """() => new Promise((done) => {
          const input = document.querySelector('.gl-search input');
          const start = performance.now();
          new MutationObserver(() => done(performance.now() - start))
            .observe(document.querySelector('.gl-search ol'), {childList: true});
          input.value = 'memory isolation';
          input.dispatchEvent(new Event('input'));
        })"""
    )
    # What was promised, and as much again and more for a machine that is busy with other tests.
    assert opened < 100 + 200
    assert answered < 100 + 200


def test_an_index_that_does_not_come_is_told_and_the_next_letter_tries_again(
    page: Page, site_url: str, complaints: list[str]
) -> None:
    page.context.route("**/assets/search/pagefind.js", lambda route: route.abort())
    search = search_on(page, f"{site_url}en/")
    assert search.ask("isolate") == []
    expect(search.status).to_have_text(str(search.dialog.get_attribute("data-failed")))
    page.context.unroute("**/assets/search/pagefind.js")
    assert search.ask("isolation") != []
    complaints.clear()


@pytest.mark.parametrize("width", [390, 1280])
@every_language
def test_axe_finds_nothing_in_the_open_search(
    open_tab: OpenTab, site_url: str, language: str, width: int
) -> None:
    page = open_tab(
        viewport={"width": width, "height": 800}, reduced_motion="reduce", bypass_csp=True, saves_data=True
    )
    search = search_on(page, f"{site_url}{ROOTS[language]}labs/")
    assert search.ask("MPS") != []
    assert found_by_axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
