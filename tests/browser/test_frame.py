"""What stands around a page: an offer in the reader's language, the page for missing addresses, and paper."""

from __future__ import annotations

import pytest
from playwright.sync_api import FrameLocator, Page, expect

from labs.site_server import POLICY
from tests.browser.lab_page import ARTICLE, LAB, ROOTS, OpenTab, answer_of_python, every_language
from tests.browser.test_access import found_by_axe

READ = {
    "ja": "このページを日本語で読む",
    "ko": "이 페이지를 한국어로 읽기",
    "en": "Read this page in English",
}
HOME = {"ja": "トップページへ", "ko": "첫 페이지로", "en": "To the home page"}


class TestTheOfferInTheReadersLanguage:
    @pytest.mark.parametrize(
        ("page_language", "locale", "offered"),
        [
            ("ja", "ko-KR", "ko"),
            ("ja", "en-US", "en"),
            ("ko", "ja", "ja"),
            ("en", "ja-JP", "ja"),
            ("ja", "ja-JP", None),
            ("en", "en-GB", None),
            ("ko", "fr", None),
        ],
    )
    def test_it_is_made_in_that_language_and_only_where_it_is_another(
        self, open_tab: OpenTab, site_url: str, page_language: str, locale: str, offered: str | None
    ) -> None:
        page = open_tab(locale=locale, bypass_csp=True, saves_data=True)  # for axe
        page.goto(f"{site_url}{ROOTS[page_language]}labs/")
        visible = page.locator(".gl-offer:visible")
        assert [text.split("\n")[0].strip() for text in visible.all_inner_texts()] == (
            [READ[offered]] if offered else []
        )
        if offered:
            assert visible.get_attribute("lang") == offered
            assert found_by_axe(page) == []

    def test_it_leads_to_the_same_section_and_is_not_made_again(
        self, open_tab: OpenTab, site_url_under_path: str
    ) -> None:
        page = open_tab(locale="ko", saves_data=True)
        page.goto(f"{site_url_under_path}en/{ARTICLE}#mig")
        page.get_by_role("link", name=READ["ko"]).click()
        page.wait_for_url(f"{site_url_under_path}ko/{ARTICLE}#mig")
        page.goto(f"{site_url_under_path}{ARTICLE}")
        expect(page.locator(".gl-offer:visible")).to_have_count(0)

    def test_it_goes_away_for_good_and_hands_the_keyboard_on(self, open_tab: OpenTab, site_url: str) -> None:
        page = open_tab(locale="ja", saves_data=True)
        page.goto(f"{site_url}en/{ARTICLE}")
        page.locator(".gl-offer:visible button").press("Enter")
        expect(page.locator(".gl-offer:visible")).to_have_count(0)
        expect(page.locator("#content")).to_be_focused()
        for address in ("en/labs/", "ko/"):
            page.goto(f"{site_url}{address}")
            expect(page.locator(".gl-offer:visible")).to_have_count(0)

    def test_a_language_that_was_chosen_is_no_longer_questioned(
        self, open_tab: OpenTab, site_url: str
    ) -> None:
        page = open_tab(locale="ja", saves_data=True)
        page.goto(f"{site_url}en/labs/")
        page.locator('.gl-languages a[lang="ko"]').click()
        page.wait_for_url(f"{site_url}ko/labs/")
        expect(page.locator(".gl-offer:visible")).to_have_count(0)

    def test_nothing_moves_when_it_comes_however_slowly(self, open_tab: OpenTab, site_url: str) -> None:
        page = open_tab(locale="ko", saves_data=True)
        page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 6})
        page.add_init_script(
            "window.moved = 0; new PerformanceObserver((list) => { for (const e of list.getEntries())"
            " moved += e.value }).observe({type: 'layout-shift', buffered: true})"
        )
        page.goto(f"{site_url}en/{ARTICLE}", wait_until="networkidle")
        expect(page.locator(".gl-offer:visible")).to_have_count(1)
        assert page.evaluate("moved") < 0.02

    def test_where_storage_is_forbidden_it_can_still_be_dismissed(
        self, open_tab: OpenTab, site_url: str
    ) -> None:
        page = open_tab(locale="ko", saves_data=True)
        page.add_init_script(
            "Object.defineProperty(window, 'localStorage', {get() { throw new Error('forbidden') }})"
        )
        page.goto(f"{site_url}en/labs/")
        page.locator(".gl-offer:visible button").click()
        expect(page.locator(".gl-offer:visible")).to_have_count(0)


class TestThePageForMissingAddresses:
    @pytest.mark.parametrize(
        ("place", "missing"),
        [
            ("site_url", "nothing"),
            ("site_url_under_path", "labs/nothing/"),
            ("site_url_under_path", "a/b/c/nothing.html?x=1"),
        ],
    )
    @every_language
    def test_it_speaks_the_language_of_the_address_and_leads_home(
        self,
        page: Page,
        complaints: list[str],
        request: pytest.FixtureRequest,
        language: str,
        place: str,
        missing: str,
    ) -> None:
        root = f"{request.getfixturevalue(place)}{ROOTS[language]}"
        response = page.goto(f"{root}{missing}", wait_until="networkidle")
        assert response is not None
        assert response.status == 404
        expect(page.locator("h1:visible")).to_have_count(1)
        assert page.locator("html").get_attribute("lang") == language
        assert page.title() == page.locator("h1:visible").inner_text()
        assert page.evaluate("getComputedStyle(document.body).margin") == "0px"  # the style sheets are there
        # It looks for the site in the folders above, so that it must not know under which path it is served.
        assert [line for line in complaints if not line.startswith("answered 404: ")] == []
        looked_for = {line.rpartition("/")[2] for line in complaints}
        assert looked_for <= {"missing.js", missing.rpartition("/")[2]}
        complaints.clear()
        page.get_by_role("link", name=HOME[language]).click()
        page.wait_for_url(root)

    def test_without_script_it_says_it_in_every_language(
        self, open_tab: OpenTab, site_url: str, complaints: list[str]
    ) -> None:
        page = open_tab(java_script_enabled=False)
        page.goto(f"{site_url}ko/nothing/")
        assert page.locator("h1:visible").count() == len(ROOTS)
        complaints.clear()


class TestOnPaper:
    @pytest.fixture
    def paper(self, open_tab: OpenTab, site_url: str) -> Page:
        """An article as a printer gets it from a reader of dark pages."""
        page = open_tab(
            color_scheme="dark", locale="ko", viewport={"width": 794, "height": 1123}, saves_data=True
        )
        page.add_init_script("localStorage.setItem('gpulab.scheme', 'dark')")
        page.goto(f"{site_url}en/{ARTICLE}")
        page.emulate_media(media="print")
        return page

    def test_a_lab_shows_picture_sentence_and_table_and_no_controls(self, paper: Page) -> None:
        lab = paper.locator(f'gpu-lab[lab="{LAB}"]')
        for shown in (".gl-title", ".gl-wide", ".gl-sentence", ".gl-caption", ".gl-result >> nth=0"):
            expect(lab.locator(shown)).to_be_visible()
        assert (
            lab.locator(":is(button, input, select, textarea, summary, label, .gl-narrow):visible").count()
            == 0
        )

    def test_the_frame_is_left_out_and_the_notes_are_not(self, paper: Page) -> None:
        around = (
            ":is(.gl-offer, .gl-header, .gl-toc, .gl-local, .gl-steps, .gl-footer, .gl-copy, .headerlink)"
        )
        assert paper.locator(f"{around}:visible").count() == 0
        assert paper.locator(".footnote-backref:visible").count() == 0
        assert paper.locator(".footnote li:visible").count() > 5

    def test_it_is_black_on_white(self, paper: Page) -> None:
        colours = paper.evaluate(
            "['color', 'backgroundColor'].map((name) => getComputedStyle(document.body)[name])"
        )
        assert colours == ["rgb(0, 0, 0)", "rgb(255, 255, 255)"]
        assert paper.evaluate("getComputedStyle(document.documentElement).colorScheme") == "light"

    def test_only_links_that_leave_the_site_print_their_address(self, paper: Page) -> None:
        printed = paper.evaluate(
            "[...document.querySelectorAll('.gl-article a')]"
            ".filter((a) => getComputedStyle(a, '::after').content !== 'none').map((a) => a.getAttribute('href'))"
        )
        assert [href for href in printed if not href.startswith("http")] == []

    @every_language
    def test_no_table_of_a_lab_is_cut_off(self, open_tab: OpenTab, site_url: str, language: str) -> None:
        page = open_tab(viewport={"width": 673, "height": 1000}, saves_data=True)  # A4 without its margins
        page.goto(f"{site_url}{ROOTS[language]}{ARTICLE}")
        page.emulate_media(media="print")
        cut = page.evaluate(
            "[...document.querySelectorAll('.gl-scroll, .gl-table, pre')]"
            ".filter((box) => box.checkVisibility() && box.scrollWidth > box.clientWidth + 1)"
            ".map((box) => box.textContent.slice(0, 40))"
        )
        assert cut == []

    def test_nothing_is_wider_than_the_page(self, paper: Page) -> None:
        assert paper.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert paper.pdf(prefer_css_page_size=True).startswith(b"%PDF-")


@every_language
def test_the_policy_is_sent_with_every_page(page_as_built: Page, site_url: str, language: str) -> None:
    response = page_as_built.goto(f"{site_url}{ROOTS[language]}")
    assert response is not None
    assert response.headers["content-security-policy"] == POLICY


def test_the_words_of_a_link_stay_as_whole_as_those_around_it(page_as_built: Page, site_url: str) -> None:
    page_as_built.goto(f"{site_url}ko/{ARTICLE}")
    broken = page_as_built.evaluate(
        """() => {
            const links = [...document.querySelectorAll(".md-typeset :is(p, li, td) a")];
            return [links.length > 0, links.filter((link) => getComputedStyle(link).wordBreak !== "keep-all").length];
        }"""
    )
    assert broken == [True, 0]


def test_code_that_may_not_be_copied_is_selected(page: Page, site_url: str) -> None:
    page.add_init_script("navigator.clipboard.writeText = () => Promise.reject(new Error('as in a frame'))")
    page.goto(f"{site_url}en/hosting/")
    block = page.locator("div.highlight").first
    block.get_by_role("button").click()
    page.wait_for_function("getSelection().toString() !== ''")
    code = block.locator("code").inner_text().strip()
    assert page.evaluate("getSelection().toString()").strip() == code


class TestInAFrameOfAnotherOrigin:
    def embedded(self, page: Page, address: str, sandbox: str | None) -> FrameLocator:
        attribute = "" if sandbox is None else f'sandbox="{sandbox}"'
        page.set_content(
            f'<iframe src="{address}" title="A page" width="900" height="800" {attribute}></iframe>'
        )
        return page.frame_locator("iframe")

    @pytest.mark.parametrize("sandbox", [None, "allow-scripts allow-same-origin"])
    def test_labs_and_search_work(self, page: Page, site_url: str, sandbox: str | None) -> None:
        frame = self.embedded(page, f"{site_url}en/{ARTICLE}", sandbox)
        lab = frame.locator(f'gpu-lab[lab="{LAB}"]')
        lab.locator('[data-control="big"]').press("Home")
        answer = answer_of_python("en", changes=[{"control": "big", "value": "1"}])
        expect(lab.locator('[data-region="hash"] code')).to_have_text(answer["traceHash"])
        frame.locator(".gl-search-open").click()
        frame.get_by_role("searchbox").fill("isolate")
        expect(frame.get_by_role("dialog").get_by_role("listitem").first).to_be_visible()

    def test_a_sandbox_without_scripts_leaves_the_page_as_it_was_built(
        self, page: Page, site_url: str, complaints: list[str]
    ) -> None:
        frame = self.embedded(page, f"{site_url}en/{ARTICLE}", "")
        lab = frame.locator(f'gpu-lab[lab="{LAB}"]')
        expect(lab.locator('[data-region="sentence"]')).to_be_visible()
        expect(lab.locator(".gl-wide")).to_be_visible()
        complaints.clear()
