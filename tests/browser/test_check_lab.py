"""A reader checks files in the page: writes them, sees what is found, goes there, has it mended, takes it along."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from labs.library import builtin_library
from labs.teaching.check_lab.checking import TEXT_LIMIT
from tests.browser.check_page import (
    CHECK,
    SAMPLE,
    SAMPLES,
    VIOLATIONS,
    CheckInPage,
    answer_of_python,
)
from tests.browser.lab_page import (
    ARTICLE,
    ROOTS,
    OpenTab,
    Show,
    at,
    every_language,
    listening_worker,
    one_language,
)
from tests.browser.test_access import found_by_axe

OWN = """\
version: v1
sharing:
  timeSlicing:
    failRequestsGreaterThanOne: true
    resources:
      - name: nvidia.com/gpu
        replicas: 0
"""
EDITOR = "**/assets/labs/editor.js"


def opened(tab: Page | Show, site_url: str, language: str = "en") -> CheckInPage:
    lab = CheckInPage(at(tab, f"{site_url}{ROOTS[language]}{CHECK}"))
    lab.edit()
    return lab


def message(key: str, language: str = "en") -> str:
    return builtin_library().messages[language].text(key)


# Writing and reading


@every_language
def test_what_is_written_is_checked_marked_and_told(show: Show, site_url: str, language: str) -> None:
    lab = opened(show, site_url, language)
    lab.write(OWN)
    answer = answer_of_python(language, text=OWN)
    lab.says(answer)
    [mark] = answer["marks"]
    expect(lab.signs).to_have_text(["✕"])
    expect(lab.signs).to_have_attribute("title", f"{mark['word']}: {mark['message']}")
    expect(lab.root.locator(".cm-found")).to_have_text([OWN[mark["from"] : mark["to"]]])
    expect(lab.region("summary")).to_have_attribute("role", "status")
    expect(lab.root.locator("[aria-busy]")).to_have_count(0)
    expect(lab.findings.locator(".gl-code")).to_have_attribute("href", "../../rules/gl202/")


def test_the_first_answer_marks_the_sample_unasked(show: Show, site_url: str) -> None:
    lab = opened(show, site_url)
    expect(lab.signs).to_have_count(1)


@one_language
def test_a_sample_comes_with_its_node_its_deployer_and_its_story(
    show: Show, site_url: str, language: str
) -> None:
    lab = opened(show, site_url, language)
    lab.field("sample").select_option("operator-strategy")
    answer = answer_of_python(language, changes=[{"sample": "operator-strategy"}])
    lab.says(answer)
    expect(lab.area).to_have_value(SAMPLES["operator-strategy"].text)
    expect(lab.field("node")).to_have_value("a100-40gb-mig-7x1g-x2")
    expect(lab.field("deployer")).to_have_value("operator")
    expect(lab.region("story")).to_have_text(message("check-sample.operator-strategy.story", language))
    expect(lab.region("story")).to_be_visible()
    lab.write(OWN)
    lab.says(answer_of_python(language, text=OWN, node="a100-40gb-mig-7x1g-x2", deployer="operator"))
    expect(lab.region("story")).to_be_hidden()


def test_node_and_deployer_are_taken_into_account(show: Show, site_url: str) -> None:
    lab = opened(show, site_url)
    lab.field("node").select_option("t4-x1")
    lab.says(answer_of_python("en", node="t4-x1"))
    lab.field("deployer").select_option("operator")
    lab.says(answer_of_python("en", node="t4-x1", deployer="operator"))


def test_a_huge_text_is_refused_with_a_sentence(show: Show, site_url: str) -> None:
    lab = opened(show, site_url)
    huge = "# a\n" * TEXT_LIMIT
    lab.write(huge)
    lab.says(answer_of_python("en", text=huge[: TEXT_LIMIT + 1]))
    lab.write(OWN)
    lab.says(answer_of_python("en", text=OWN))


# By keyboard


def test_the_list_leads_into_the_text_and_a_fix_mends_it_by_keyboard(show: Show, site_url: str) -> None:
    lab = opened(show, site_url)
    lab.findings.locator(".gl-place").first.focus()
    lab.page.keyboard.press("Enter")
    expect(lab.editor).to_be_focused()
    lab.page.keyboard.insert_text("timeSlicing")  # in the place of what the link has selected
    mended = SAMPLES[SAMPLE].text.replace("time-slicing", "timeSlicing")
    lab.says(answer_of_python("en", text=mended))
    expect(lab.area).to_have_value(mended)
    lab.page.keyboard.press("ControlOrMeta+Z")
    lab.says(answer_of_python("en"))
    lab.findings.locator("[data-fix]").focus()
    lab.page.keyboard.press("Enter")
    lab.says(answer_of_python("en", text=mended))
    expect(lab.region("findings")).to_be_focused()
    expect(lab.signs).to_have_count(0)


def test_tab_leaves_the_editor_both_ways(show: Show, site_url: str) -> None:
    lab = opened(show, site_url)
    lab.editor.focus()
    lab.page.keyboard.press("Tab")
    expect(lab.editor).not_to_be_focused()
    assert lab.page.evaluate("document.activeElement.matches('.gl-place')") is True
    lab.page.keyboard.press("Shift+Tab")
    expect(lab.editor).to_be_focused()
    lab.page.keyboard.press("Shift+Tab")
    expect(lab.editor).not_to_be_focused()
    expect(lab.area).to_have_value(SAMPLES[SAMPLE].text)


@pytest.mark.parametrize(
    ("steps", "text"),
    [(("k", "きょ", "きょうゆう", "共有"), "共有"), (("ㄱ", "고", "공", "공ㅇ", "공유"), "공유")],
    ids=["ja", "ko"],
)
def test_an_input_method_is_left_alone_until_it_is_done(
    show: Show, site_url: str, steps: tuple[str, ...], text: str
) -> None:
    lab = opened(show, site_url)
    expect(lab.signs).to_have_count(1)
    lab.editor.focus()
    lab.page.keyboard.press("ControlOrMeta+End")
    lab.page.keyboard.insert_text("# ")
    asked = SAMPLES[SAMPLE].text + "# "
    lab.says(answer_of_python("en", text=asked))
    keyboard = lab.page.context.new_cdp_session(lab.page)
    for step in steps:
        keyboard.send(
            "Input.imeSetComposition", {"text": step, "selectionStart": len(step), "selectionEnd": len(step)}
        )
    lab.page.wait_for_timeout(500)
    expect(lab.area).to_have_value(asked)  # nothing is asked about half a word
    keyboard.send("Input.insertText", {"text": text})
    expect(lab.area).to_have_value(asked + text)
    expect(lab.editor).to_contain_text(f"# {text}")
    expect(lab.signs).to_have_count(1)


# Taking along, and coming back


def test_a_draft_outlives_a_reload_and_a_change_of_language(page: Page, site_url: str) -> None:
    first, _, other = ROOTS
    lab = opened(page, site_url, first)
    lab.write(OWN)
    lab.field("node").select_option("t4-x1")
    lab.says(answer_of_python(first, text=OWN, node="t4-x1"))
    page.reload()
    lab.edit()
    lab.says(answer_of_python(first, text=OWN, node="t4-x1"))
    page.locator(f'.gl-languages a[lang="{other}"]').first.click()
    lab.edit()
    lab.says(answer_of_python(other, text=OWN, node="t4-x1"))
    expect(lab.area).to_have_value(OWN)


def test_a_text_of_ones_own_is_not_lost_to_a_sample(show: Show, site_url: str) -> None:
    lab = opened(show, site_url)
    lab.write(OWN)
    lab.says(answer_of_python("en", text=OWN))
    lab.field("sample").select_option("fine")
    lab.says(answer_of_python("en", changes=[{"sample": "fine"}]))
    expect(lab.region("opened")).to_contain_text(message("script.aside"))
    lab.region("opened").get_by_role("button", name=message("script.restore")).click()
    lab.says(answer_of_python("en", text=OWN))
    expect(lab.editor).to_contain_text("replicas: 0")


def test_a_link_shows_another_reader_the_same_in_each_language(show: Show, site_url: str) -> None:
    lab = opened(show, site_url, "ja")
    text = f"{OWN}# 共有 공유 <b>\n"
    lab.write(text)
    lab.says(answer_of_python("ja", text=text))
    lab.root.locator('[data-action="share"]').click()
    expect(lab.region("taken")).to_have_text(message("script.copied", "ja"))
    start, mark, fragment = lab.page.evaluate("navigator.clipboard.readText()").partition("#")
    assert (start, mark) == (f"{site_url}{CHECK}", "#")
    for language, root in ROOTS.items():
        other = show(f"{site_url}{root}{CHECK}#{fragment}")
        theirs = CheckInPage(other)
        theirs.says(answer_of_python(language, text=text))
        expect(theirs.region("opened")).to_have_text(message("check-share.opened", language))
        expect(theirs.area).to_have_value(text)
        other.goto(f"{site_url}{root}{CHECK}#lab=check-{SAMPLE}&v=1&text=AAAA")
        expect(theirs.region("opened")).to_contain_text(message("check-share.broken", language))


def test_a_file_is_saved_that_says_how_to_check_it(show: Show, site_url: str) -> None:
    lab = opened(show, site_url)
    lab.field("node").select_option("t4-x1")
    lab.says(answer_of_python("en", node="t4-x1"))
    with lab.page.expect_download() as download:
        lab.root.locator('[data-action="download"]').click()
    saved = Path(download.value.path()).read_text("utf-8")
    assert download.value.suggested_filename == "config.yaml"
    head, _, rest = saved.partition("\n")
    assert head.endswith("gpulab check config.yaml --node t4-x1")
    assert rest == SAMPLES[SAMPLE].text


# Trouble


def test_without_its_editor_the_text_area_does(page: Page, site_url: str) -> None:
    page.context.route(EDITOR, lambda route: route.abort("aborted"))
    page.goto(f"{site_url}en/{CHECK}")
    lab = CheckInPage(page)
    lab.area.fill(OWN)
    answer = answer_of_python("en", text=OWN)
    lab.says(answer)
    expect(lab.editor).to_have_count(0)
    expect(lab.findings.locator(".gl-source")).to_be_visible()
    lab.findings.locator(".gl-place").first.click()
    expect(lab.area).to_be_focused()
    chosen = lab.area.evaluate("area => area.value.slice(area.selectionStart, area.selectionEnd)")
    [mark] = answer["marks"]
    assert chosen == OWN[mark["from"] : mark["to"]]


def test_a_breakdown_is_told_and_a_retry_goes_on_with_the_text(page: Page, site_url: str) -> None:
    lab = opened(page, site_url)
    expect(lab.signs).to_have_count(1)
    worker = listening_worker(page)
    worker.evaluate("void (self.onmessage = () => postMessage({kind: 'crashed', reason: 'out of memory'}))")
    lab.write(OWN)
    expect(lab.region("status")).to_contain_text(message("check-script.crashed"))
    expect(lab.region("status")).to_have_attribute("role", "alert")
    expect(lab.area).to_have_value(OWN)
    lab.region("status").get_by_role("button").click()
    lab.says(answer_of_python("en", text=OWN))
    expect(lab.region("status")).to_be_empty()


@every_language
def test_without_script_the_sample_is_a_whole_result_to_read(
    open_tab: OpenTab, site_url: str, language: str
) -> None:
    page = open_tab(java_script_enabled=False)
    page.goto(f"{site_url}{ROOTS[language]}{CHECK}")
    lab = CheckInPage(page)
    lab.says(answer_of_python(language))
    expect(lab.area).to_have_value(SAMPLES[SAMPLE].text)
    expect(lab.area).to_have_attribute("readonly", "")
    expect(lab.findings.locator(".gl-source").first).to_be_visible()
    for control in (*lab.root.locator("button").all(), *lab.root.locator("select").all()):
        expect(control).to_be_hidden()


# Manners


def test_the_strict_policy_is_never_touched(page: Page, site_url: str) -> None:
    page.add_init_script(VIOLATIONS)
    lab = opened(page, site_url)
    lab.write(OWN)
    lab.says(answer_of_python("en", text=OWN))
    lab.signs.first.hover()
    lab.root.locator(".cm-found").first.hover()
    expect(lab.root.locator(".cm-told")).to_be_visible()
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    assert page.evaluate("violations") == []
    assert page.evaluate("document.querySelectorAll('style, [style]').length") == 0


@one_language
def test_axe_finds_nothing_in_an_editor_with_findings(
    open_tab: OpenTab, site_url: str, language: str
) -> None:
    page = open_tab(bypass_csp=True)
    lab = opened(page, site_url, language)
    lab.field("sample").select_option("renamed")
    lab.says(answer_of_python(language, changes=[{"sample": "renamed"}]))
    for details in lab.root.locator("details").all():
        details.locator("summary").click()
    assert found_by_axe(page) == []


def test_the_labs_of_an_article_share_one_python_and_wait_until_they_are_near(
    page: Page, site_url: str
) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{site_url}en/{ARTICLE}", wait_until="networkidle")
    assert [url for url in asked if "/editor.js" in url] == []
    for sample in ("fine", "two-slots"):
        lab = CheckInPage(page, sample)
        lab.edit()
        lab.says(answer_of_python("en", sample))
        expect(lab.field("sample")).to_have_count(0)
    expect(CheckInPage(page, "two-slots").signs).to_have_count(1)
    assert len(page.workers) == 1
    assert len([url for url in asked if "/editor.js" in url]) == 1


def test_pages_without_a_check_lab_ask_for_none_of_it(page: Page, site_url: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{site_url}en/labs/slots-and-memory/", wait_until="networkidle")
    assert [url for url in asked if "editor" in url or "check" in url] == []
