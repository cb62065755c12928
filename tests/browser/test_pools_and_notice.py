"""A reader divides workloads over node pools and writes the notice to users: by mouse, keyboard, finger, from a link."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from labs.browser import respond
from labs.library import builtin_library
from labs.teaching.form_lab.announce_lab import PRESETS, SLICED
from tests.browser.check_page import VIOLATIONS
from tests.browser.lab_page import (
    ARTICLE,
    ROOTS,
    OpenTab,
    Show,
    at,
    every_language,
    one_language,
    words,
)
from tests.browser.test_access import found_by_axe
from tests.browser.test_fingers import PHONE, TOO_SMALL

every_lab = pytest.mark.parametrize("lab_id", ["may-they", "announce"])
TOLD = {
    "may-they": ("summary", "pools", "rest", "files", "command"),
    "announce": ("summary", "notice", "files", "command"),
}


class FormInPage:
    """A form lab of a page that is open."""

    def __init__(self, page: Page, lab_id: str) -> None:
        self.page, self.lab_id = page, lab_id
        self.root = page.locator(f"#lab-{lab_id}")

    def region(self, name: str) -> Locator:
        return self.root.locator(f'[data-region="{name}"]')

    def field(self, key: str) -> Locator:
        return self.root.locator(f'[data-field="{key}"]')

    def button(self, name: str) -> Locator:
        """A button by the end of its id: `preset-no-mig`, `groups-add`."""
        return self.root.locator(f'[id="lab-{self.lab_id}-{name}"]')

    def says(self, answer: dict[str, Any]) -> None:
        """Waits until the page shows that answer."""
        for name in TOLD[self.lab_id]:
            expect(self.region(name)).to_have_text(words(answer["regions"][name]))


def opened(
    tab: Page | Show, site_url: str, lab_id: str, language: str = "en", fragment: str = ""
) -> FormInPage:
    lab = FormInPage(at(tab, f"{site_url}{ROOTS[language]}labs/{lab_id}/{fragment}"), lab_id)
    lab.root.scroll_into_view_if_needed()
    return lab


def answer_of_python(
    lab_id: str, language: str, values: dict[str, str] | None = None, *changes: dict[str, Any]
) -> dict[str, Any]:
    """What this machine's Python answers to the request that a page makes."""
    request = {"kind": "form", "lab": lab_id, "element": f"lab-{lab_id}", "lang": language}
    told = respond(json.dumps({**request, "values": values or {}, "changes": changes}))
    answer: dict[str, Any] = json.loads(told)
    return answer


@one_language
def test_every_situation_of_the_pools_is_a_click_away(show: Show, site_url: str, language: str) -> None:
    lab = opened(show, site_url, "may-they", language)
    lab.says(answer_of_python("may-they", language))
    for preset in ("company", "servers", "article"):
        lab.button(f"preset-{preset}").click()
        lab.says(answer_of_python("may-they", language, None, {"preset": preset}))
    expect(lab.region("summary")).to_have_attribute("role", "status")


@one_language
def test_yesterday_is_a_click_away_and_so_are_the_other_languages(
    show: Show, site_url: str, language: str
) -> None:
    lab = opened(show, site_url, "announce", language)
    lab.says(answer_of_python("announce", language))
    lab.button("preset-mps").click()
    lab.says(answer_of_python("announce", language, None, {"preset": "mps"}))
    for other in ROOTS:
        lab.field("language").select_option(other)
        lab.says(answer_of_python("announce", language, {**PRESETS["mps"], "language": other}))
        expect(lab.region("notice").locator("article")).to_have_attribute("lang", other)


def test_pools_go_by_keyboard_alone(show: Show, site_url: str) -> None:
    lab = opened(show, site_url, "may-they")
    lab.field("groups.0.count").focus()
    lab.page.keyboard.press("Control+a")
    lab.page.keyboard.type("11")
    lab.says(answer_of_python("may-they", "en", {"groups.0.count": "11"}))
    lab.field("groups.2.bears").focus()
    lab.page.keyboard.type("slowness and fa")
    lab.says(
        answer_of_python("may-they", "en", {"groups.0.count": "11", "groups.2.bears": "slowness-faults"})
    )
    lab.button("groups-add").focus()
    lab.page.keyboard.press("Enter")
    expect(lab.field("groups.3.name")).to_be_focused()
    expect(lab.region("pools")).to_contain_text("workload")


def test_the_notice_follows_what_is_typed(show: Show, site_url: str) -> None:
    lab = opened(show, site_url, "announce")
    lab.field("config").fill(SLICED.replace("replicas: 5", "replicas: 3"))
    lab.field("contact").fill("<b>#ops</b>")
    told = {"config": SLICED.replace("replicas: 5", "replicas: 3"), "contact": "<b>#ops</b>"}
    lab.says(answer_of_python("announce", "en", told))
    lab.field("config").fill(SLICED.replace("replicas: 5", "replicas: 1"))
    expect(lab.region("summary")).to_contain_text("number of replicas must be >= 2")
    expect(lab.region("notice")).to_be_empty()
    lab.field("config").fill("apiVersion: v1\nkind: Pod\n")
    expect(lab.root.locator('[data-problem="config"]')).to_contain_text(
        "holds no config of the device plugin"
    )


@every_lab
def test_a_phone_shows_it_whole(open_tab: OpenTab, site_url: str, lab_id: str) -> None:
    page = open_tab(**PHONE)
    lab = opened(page, site_url, lab_id, "ko")
    lab.says(answer_of_python(lab_id, "ko"))
    for folded in page.locator(".gl-more > summary, .gl-further > summary").all():
        folded.tap()
    assert page.evaluate(TOO_SMALL) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for field in lab.root.locator(".gl-field:not([hidden])").all():
        expect(field).to_be_visible()


@every_lab
def test_axe_finds_nothing(open_tab: OpenTab, site_url: str, lab_id: str) -> None:
    page = open_tab(bypass_csp=True)
    lab = opened(page, site_url, lab_id)
    lab.says(answer_of_python(lab_id, "en"))
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true })")
    assert found_by_axe(page) == []


@every_lab
def test_a_link_opens_the_same_values(show: Show, site_url: str, lab_id: str) -> None:
    values = {"groups.0.count": "7"} if lab_id == "may-they" else {"start": "Monday"}
    request = {"kind": "form", "lab": lab_id, "lang": "en", "values": values, "only": ["link"]}
    link = json.loads(respond(json.dumps(request)))["link"]
    lab = opened(show, site_url, lab_id, fragment=f"#{link}")
    lab.says(answer_of_python(lab_id, "en", values))


@every_lab
def test_a_hostile_link_changes_nothing_and_runs_nothing(
    open_tab: OpenTab, site_url: str, lab_id: str
) -> None:
    page = open_tab()
    page.add_init_script(VIOLATIONS)
    hostile = {"contact": "<img src=x onerror=alert(1)>", "groups.0.name": "<script>alert(1)</script>"}
    values = {
        key: value for key, value in hostile.items() if key.startswith("groups") == (lab_id == "may-they")
    }
    request = {"kind": "form", "lab": lab_id, "lang": "en", "values": values, "only": ["link"]}
    link = json.loads(respond(json.dumps(request)))["link"]
    lab = opened(page, site_url, lab_id, fragment=f"#{link}")
    lab.says(answer_of_python(lab_id, "en", values))
    assert lab.root.locator("img, script").count() == 0
    lab = opened(page, site_url, lab_id, fragment=f"#{link[:-3]}!!!")
    page.reload()
    lab.says(answer_of_python(lab_id, "en"))
    assert page.evaluate("violations") == []


@every_language
def test_the_article_has_both_where_they_belong(show: Show, site_url: str, language: str) -> None:
    page = show(f"{site_url}{ROOTS[language]}{ARTICLE}")
    order = page.evaluate("[...document.querySelectorAll('h3[id], gpu-form')].map((each) => each.id)")
    for section, lab_id in (("may-they-kill-each-other", "may-they"), ("what-you-promised", "announce")):
        assert order[order.index(section) + 1] == f"lab-{lab_id}"
        lab = FormInPage(page, lab_id)
        lab.says(answer_of_python(lab_id, language))
        assert lab.root.locator("figure > p > a").evaluate("(link) => link.href") == page.url + f"#{section}"


def test_a_notice_is_saved_as_it_is_read(show: Show, site_url: str, tmp_path: Path) -> None:
    lab = opened(show, site_url, "announce", "ja")
    lab.says(answer_of_python("announce", "ja"))
    lab.root.locator(".gl-form-lab > .gl-more > summary").click()
    with lab.page.expect_download() as caught:
        lab.region("files").get_by_role("button", name="notice.ja.md").click()
    saved = tmp_path / "notice.md"
    caught.value.save_as(saved)
    assert caught.value.suggested_filename == "notice.ja.md"
    assert saved.read_text("utf-8").startswith("# 【お知らせ】")
    assert builtin_library().messages["ja"].text("announce.ask.open") in saved.read_text("utf-8")
