"""A reader passes a lab on as a link, and opens one from somebody else: nothing runs from it and nothing is lost to it."""

from __future__ import annotations

import base64
import zlib
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from labs.library import builtin_library
from tests.browser.lab_page import ARTICLE, LAB, ROOTS, SCENARIO, LabInPage, OpenTab, Show, answer_of_python
from tests.browser.test_access import found_by_axe

PLACE = f"labs/{LAB}/"
SMALL = f"lab={LAB}&v=1&set.big=6"
CLIPBOARD = ["clipboard-read", "clipboard-write"]


def words(key: str, language: str = "en") -> str:
    return builtin_library().messages[language].text(key)


def packed(text: str) -> str:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return base64.urlsafe_b64encode(packer.compress(text.encode()) + packer.flush()).rstrip(b"=").decode()


def share(lab: LabInPage) -> None:
    lab.root.locator('[data-action="share"]').click()


def changed(language: str = "en", value: str = "6") -> dict[str, object]:
    return answer_of_python(language, changes=[{"control": "big", "value": value}])


# Making a link


@pytest.mark.slow
def test_a_copied_link_shows_another_reader_the_same_in_each_language(
    open_tab: OpenTab, site_url_under_path: str
) -> None:
    page = open_tab(permissions=CLIPBOARD)
    page.goto(f"{site_url_under_path}{ARTICLE}#how-it-works")
    lab = LabInPage(page)
    lab.press("big", "ArrowLeft", times=32)
    lab.says(changed("ja"))
    share(lab)
    expect(lab.region("taken")).to_have_text(words("script.copied", "ja"))
    expect(lab.region("taken")).to_have_attribute("role", "status")
    assert page.evaluate("navigator.clipboard.readText()") == f"{site_url_under_path}{ARTICLE}#{SMALL}"

    for language, root in ROOTS.items():
        other = open_tab()
        other.goto(f"{site_url_under_path}{root}{ARTICLE}#{SMALL}")
        theirs = LabInPage(other)
        theirs.says(changed(language))
        expect(theirs.region("opened")).to_have_text(words("share.opened", language))
        expect(theirs.control("big")).to_have_value("6")
        expect(theirs.root).to_be_in_viewport()


def test_where_copying_is_not_allowed_the_link_can_be_selected(open_tab: OpenTab, site_url: str) -> None:
    page = open_tab(bypass_csp=True)  # for axe
    page.add_init_script("delete Navigator.prototype.clipboard")  # as on a page of plain http
    page.goto(f"{site_url}en/{PLACE}")
    lab = LabInPage(page)
    share(lab)
    field = lab.region("taken").get_by_label(words("script.link"))
    expect(field).to_be_focused()
    expect(field).to_have_value(f"{site_url}en/{PLACE}#lab={LAB}&v=1")
    expect(field).to_have_attribute("readonly", "")
    assert page.evaluate("getSelection().toString()") == f"{site_url}en/{PLACE}#lab={LAB}&v=1"
    expect(lab.region("taken")).to_contain_text(words("script.by-hand"))
    assert found_by_axe(page) == []


def test_an_edit_that_no_control_makes_is_shared_as_text(
    show: Show, open_tab: OpenTab, site_url: str
) -> None:
    page = show(f"{site_url}en/{PLACE}")
    lab = LabInPage(page)
    edited = SCENARIO.replace("memory: 38GiB", "memory: 12.5GiB  # 共有と공유")
    lab.unfold()
    lab.yaml.fill(edited)
    lab.says(answer_of_python("en", text=edited))
    share(lab)
    expect(lab.region("taken")).to_have_text(words("script.copied"))
    other = open_tab()
    other.goto(page.evaluate("navigator.clipboard.readText()"))
    theirs = LabInPage(other)
    theirs.says(answer_of_python("en", text=edited))
    expect(theirs.yaml).to_have_value(edited)


def test_a_scenario_too_long_for_a_link_is_not_copied(show: Show, site_url: str) -> None:
    lab = LabInPage(show(f"{site_url}en/{PLACE}"))
    lab.unfold()
    lab.yaml.fill("#" * 100_001)
    share(lab)
    expect(lab.region("taken")).to_have_text(words("share.too-much"))


# Opening a link


def test_a_draft_is_kept_beside_the_link_and_brought_back(page: Page, site_url: str) -> None:
    page.goto(f"{site_url}en/{PLACE}")
    lab = LabInPage(page)
    lab.press("replicas", "ArrowLeft")
    mine = answer_of_python("en", changes=[{"control": "replicas", "value": "4"}])
    lab.says(mine)

    page.goto(f"{site_url}en/{PLACE}#{SMALL}")  # in the same page: the address alone changes
    lab.says(changed())
    page.reload()
    lab.says(changed())
    opened = lab.region("opened")
    expect(opened).to_contain_text(words("script.aside"))
    opened.get_by_role("button", name=words("script.restore")).press("Enter")
    lab.says(mine)
    expect(lab.yaml).to_have_value(str(mine["text"]))
    assert urlsplit(page.url).fragment == ""
    expect(opened.get_by_role("button").first).to_be_focused()

    page.reload()  # what the link said is now the one that is kept
    expect(lab.yaml).to_have_value(str(mine["text"]))
    opened.get_by_role("button", name=words("script.discard")).press("Enter")
    expect(opened).to_be_empty()
    expect(opened).to_be_focused()
    page.reload()
    expect(opened).to_be_empty()
    expect(lab.yaml).to_have_value(str(mine["text"]))


def test_after_an_edit_the_address_is_no_longer_the_links(page: Page, site_url: str) -> None:
    page.goto(f"{site_url}en/{PLACE}#{SMALL}")
    lab = LabInPage(page)
    lab.says(changed())
    lab.press("big", "ArrowLeft")
    lab.says(changed(value="5"))
    assert urlsplit(page.url).fragment == ""
    expect(lab.region("opened")).to_be_empty()
    page.reload()
    expect(lab.yaml).to_have_value(str(changed(value="5")["text"]))


def test_another_language_shows_the_same_link(page: Page, site_url: str) -> None:
    page.goto(f"{site_url}en/{PLACE}#{SMALL}")
    LabInPage(page).says(changed())
    page.locator('.gl-languages a[lang="ko"]').first.click()
    page.wait_for_url(f"{site_url}ko/{PLACE}#{SMALL}")
    LabInPage(page).says(changed("ko"))


def test_a_link_works_in_a_frame(page: Page, site_url: str) -> None:
    page.goto(f"{site_url}contributing/")
    page.evaluate(
        "(src) => document.body.replaceChildren(Object.assign(document.createElement('iframe'),"
        " {src, width: 800, height: 700}))",
        f"{site_url}en/{PLACE}#{SMALL}",
    )
    lab = page.frame_locator("iframe").locator(f'gpu-lab[lab="{LAB}"]')
    expect(lab.locator('[data-region="hash"] code')).to_have_text(str(changed()["traceHash"]))


HOSTILE = {
    f"lab={LAB}&v=1&set.big=6&text=x": "broken",
    f"lab={LAB}&v=1&set.big=<img src=x onerror=document.title='taken'>": "broken",
    f"lab={LAB}&v=2&text=x": "newer",
    f"lab={LAB}&v=1&text=" + "A" * 9_000: "too-long",
    f"lab={LAB}&v=1&text=" + packed("a" * 4_000_000): "too-long",
    "lab=<img src=x onerror=document.title='taken'>&v=1": "broken",
    "lab=no-such-lab&v=1": "other-lab",
}


@pytest.mark.parametrize(("fragment", "problem"), HOSTILE.items(), ids=[*map(str, range(len(HOSTILE)))])
def test_a_link_that_cannot_be_opened_leaves_the_draft_and_says_what_to_do(
    page: Page, site_url: str, fragment: str, problem: str
) -> None:
    page.goto(f"{site_url}en/contributing/")
    lab = LabInPage(page)
    draft = SCENARIO.replace("memory: 38GiB", "memory: 12GiB")
    page.evaluate(
        "([key, value]) => localStorage.setItem(key, value)", [f"gpu-sharing-labs/1/draft/{LAB}", draft]
    )
    page.goto("about:blank")
    page.goto(f"{site_url}en/labs/{LAB}/#{fragment}")
    expect(lab.region("opened")).to_have_text(words(f"share.{problem}"))
    expect(lab.yaml).to_have_value(draft)
    if problem == "newer":  # what the lab answers then has nothing to do with why
        lab.says(answer_of_python("en", text=draft))
    assert page.title() != "taken"
    assert page.locator("img[src=x]").count() == 0


BOMBS = {
    "flow": "a: " + "[" * 9_900 + "]" * 9_900,
    "maps": "a: " + "{a: " * 9_000 + "}" * 9_000,
    "blocks": "- " * 9_900 + "a",
    "config": SCENARIO.replace("version: v1", "version: " + "[" * 9_900 + "]" * 9_900),
    "aliases": "a: &a [1]\n" + "".join(f"b{n}: &a [*a, *a, *a, *a]\n" for n in range(60)),
}


@pytest.mark.parametrize("bomb", BOMBS.values(), ids=list(BOMBS))
def test_a_bomb_in_a_link_is_told_as_too_much_and_python_answers_on(
    show: Show, site_url: str, bomb: str
) -> None:
    assert bomb != SCENARIO
    lab = LabInPage(show(f"{site_url}en/labs/{LAB}/#lab={LAB}&v=1&text={packed(bomb)}"))
    expect(lab.region("opened")).to_contain_text(words("share.opened"))
    expect(lab.sentence).to_contain_text("1 thing in the scenario needs mending")
    expect(lab.status).to_be_empty()
    lab.root.locator('[data-preset="small"]').click()
    lab.says(answer_of_python("en", changes=[{"preset": "small"}]))


def test_a_text_with_markup_in_a_link_is_only_text(show: Show, site_url: str) -> None:
    attack = "format: 1\n<img src=x onerror=document.title='taken'>: 1\n"
    page = show(f"{site_url}en/labs/{LAB}/#lab={LAB}&v=1&text={packed(attack)}")
    lab = LabInPage(page)
    expect(lab.sentence).to_contain_text("onerror")
    expect(lab.yaml).to_have_value(attack)
    assert page.locator("img[onerror], img[src=x]").count() == 0
    assert page.title() != "taken"
