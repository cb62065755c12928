"""A reader fills a form lab in the page: moves a slider, types, adds and removes, mends what is wrong, takes it along."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from labs.hardware.catalog import builtin_catalog
from labs.library import builtin_library
from labs.simulation.outcome.evaluate import evaluate
from tests.browser.check_page import VIOLATIONS
from tests.browser.form_page import ESTIMATE, FOUR_WAYS, FormInPage, answer_of_python
from tests.browser.lab_page import (
    ROOTS,
    OpenTab,
    Show,
    at,
    every_language,
    listening_worker,
    one_language,
    words,
)
from tests.browser.test_access import found_by_axe
from tests.browser.test_fingers import PHONE, TOO_SMALL

every_lab = pytest.mark.parametrize("lab", [FOUR_WAYS, ESTIMATE])
CRASH = "void (self.onmessage = () => postMessage({kind: 'crashed', reason: 'out of memory'}))"


def opened(tab: Page | Show, site_url: str, lab: str, language: str = "en") -> FormInPage:
    form = FormInPage(at(tab, f"{site_url}{ROOTS[language]}labs/{lab}/"), lab)
    form.root.scroll_into_view_if_needed()
    return form


def message(key: str, language: str = "en") -> str:
    return builtin_library().messages[language].text(key)


# By keyboard, by touch


@one_language
def test_copies_are_moved_by_keyboard_alone(show: Show, site_url: str, language: str) -> None:
    lab = opened(show, site_url, FOUR_WAYS, language)
    lab.field("copies").focus()
    for _ in range(3):
        lab.page.keyboard.press("ArrowRight")
    lab.says(answer_of_python(FOUR_WAYS, language, {"copies": "7"}))
    expect(lab.field("copies")).to_be_focused()
    expect(lab.field("copies")).to_have_attribute("aria-valuetext", "7")
    expect(lab.region("summary")).to_have_attribute("role", "status")
    expect(lab.root.locator("[aria-busy]")).to_have_count(0)


def test_a_measurement_is_added_typed_and_removed_by_keyboard(show: Show, site_url: str) -> None:
    lab = opened(show, site_url, ESTIMATE)
    lab.button("measured-add").focus()
    lab.page.keyboard.press("Enter")
    expect(lab.field("measured.1.way")).to_be_focused()
    lab.field("measured.1.way").select_option("time-slicing")
    lab.field("measured.1.copies").focus()
    for _ in range(4):
        lab.page.keyboard.press("ArrowLeft")
    lab.field("measured.1.time").fill("293ms")
    both = {
        "measured": "2",
        "measured.1.way": "time-slicing",
        "measured.1.copies": "3",
        "measured.1.time": "293ms",
    }
    lab.says(answer_of_python(ESTIMATE, "en", both))
    lab.button("measured.0-remove").focus()
    lab.page.keyboard.press("Enter")
    one = {"measured.0.way": "time-slicing", "measured.0.copies": "3", "measured.0.time": "293ms"}
    lab.says(answer_of_python(ESTIMATE, "en", one))
    expect(lab.field("measured.0.way")).to_be_focused()


def test_fields_come_and_go_with_what_they_are_about(show: Show, site_url: str) -> None:
    lab = opened(show, site_url, FOUR_WAYS)
    expect(lab.field("solo")).to_be_hidden()
    lab.field("workload").select_option("own")
    expect(lab.field("solo")).to_be_visible()
    lab.says(answer_of_python(FOUR_WAYS, "en", {"workload": "own"}))
    expect(lab.field("card").locator('option[value="measured"]')).to_have_count(0)
    lab.field("demand").fill("95%")
    expect(lab.problem("demand")).to_contain_text("greater than the residency")


@every_language
def test_what_is_wrong_stands_at_its_field_and_goes_when_it_is_mended(
    show: Show, site_url: str, language: str
) -> None:
    lab = opened(show, site_url, ESTIMATE, language)
    first = answer_of_python(ESTIMATE, language)
    lab.field("solo").fill("<b>soon")
    wrong = answer_of_python(ESTIMATE, language, {"solo": "<b>soon"})
    expect(lab.problem("solo")).to_contain_text("<b>soon")
    expect(lab.field("solo")).to_have_attribute("aria-invalid", "true")
    expect(lab.region("stale")).to_have_text(words(wrong["regions"]["stale"]))
    lab.says(first)
    expect(lab.field("solo")).to_be_focused()
    lab.field("solo").fill("88.15ms")
    expect(lab.problem("solo")).to_be_empty()
    expect(lab.region("stale")).to_be_empty()
    lab.says(first)


def test_a_finger_on_a_phone_does_it_too(open_tab: OpenTab, site_url: str) -> None:
    page = open_tab(**PHONE)
    lab = opened(page, site_url, ESTIMATE, "ko")
    assert page.evaluate(TOO_SMALL) == []
    lab.button("preset-both").tap()
    lab.says(answer_of_python(ESTIMATE, "ko", {}, {"preset": "both"}))
    lab.button("measured.1-remove").tap()
    one = {"measured.0.way": "time-slicing", "measured.0.copies": "3", "measured.0.time": "293ms"}
    lab.says(answer_of_python(ESTIMATE, "ko", one))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


# Taking along, and coming back


def test_a_draft_outlives_a_reload_and_a_change_of_language(page: Page, site_url: str) -> None:
    first, other, _ = ROOTS
    lab = opened(page, site_url, FOUR_WAYS, first)
    lab.button("preset-memory").click()
    lab.field("copies").fill("5")
    values = {"copies": "5", "memory": "12", "mps": "plugin"}
    lab.says(answer_of_python(FOUR_WAYS, first, values))
    page.reload()
    lab.root.scroll_into_view_if_needed()
    lab.says(answer_of_python(FOUR_WAYS, first, values))
    page.locator(f'.gl-languages a[lang="{other}"]').first.click()
    lab.root.scroll_into_view_if_needed()
    lab.says(answer_of_python(FOUR_WAYS, other, values))


def test_what_one_typed_is_not_lost_to_a_preset(show: Show, site_url: str) -> None:
    lab = opened(show, site_url, ESTIMATE)
    lab.field("solo").fill("50ms")
    mine = answer_of_python(ESTIMATE, "en", {"solo": "50ms"})
    lab.says(mine)
    lab.button("preset-utilization").click()
    lab.says(answer_of_python(ESTIMATE, "en", {}, {"preset": "utilization"}))
    lab.region("opened").get_by_role("button", name=message("script.restore")).click()
    lab.says(mine)
    expect(lab.field("solo")).to_have_value("50ms")
    lab.root.locator(".gl-reset").click()
    lab.says(answer_of_python(ESTIMATE, "en"))


def test_a_link_shows_another_reader_the_same_and_a_hostile_one_changes_nothing(
    show: Show, site_url: str
) -> None:
    lab = opened(show, site_url, ESTIMATE, "ja")
    values = {"solo": "11.3/s"}
    lab.field("solo").fill(values["solo"])
    lab.says(answer_of_python(ESTIMATE, "ja", values))
    lab.root.locator('[data-action="share"]').click()
    expect(lab.region("taken")).to_have_text(message("script.copied", "ja"))
    start, mark, fragment = lab.page.evaluate("navigator.clipboard.readText()").partition("#")
    assert (start, mark) == (f"{site_url}labs/{ESTIMATE}/", "#")
    for language, root in ROOTS.items():
        other = show(f"{site_url}{root}labs/{ESTIMATE}/#{fragment}")
        theirs = FormInPage(other, ESTIMATE)
        theirs.says(answer_of_python(ESTIMATE, language, values))
        expect(theirs.region("opened")).to_have_text(message("form-share.opened", language))
        other.goto(f"{site_url}{root}labs/{ESTIMATE}/#lab={ESTIMATE}&v=1&set.kind=%3Cscript%3E")
        expect(theirs.region("opened")).to_contain_text(message("form-share.broken", language))
        theirs.says(answer_of_python(ESTIMATE, language, values))


def test_a_scenario_is_saved_and_has_the_hash_that_the_lab_shows(show: Show, site_url: str) -> None:
    lab = opened(show, site_url, FOUR_WAYS)
    lab.field("copies").fill("7")
    lab.says(answer_of_python(FOUR_WAYS, "en", {"copies": "7"}))
    lab.root.locator(".gl-more > summary").click()
    with lab.page.expect_download() as download:
        lab.root.locator('[data-file="four-ways-mps.yaml"]').click()
    saved = Path(download.value.path()).read_text("utf-8")
    assert saved.startswith("# Run this scenario in a terminal: gpulab run four-ways-mps.yaml\n")
    trace_hash = evaluate(saved, builtin_catalog()).trace_hash
    expect(lab.region("files")).to_contain_text(trace_hash[:12])


# Trouble and manners


def test_a_breakdown_is_told_and_a_retry_goes_on_with_the_values(page: Page, site_url: str) -> None:
    lab = opened(page, site_url, FOUR_WAYS)
    lab.field("copies").fill("5")
    lab.says(answer_of_python(FOUR_WAYS, "en", {"copies": "5"}))
    worker = listening_worker(page)
    worker.evaluate(CRASH)
    lab.field("copies").fill("6")
    expect(lab.region("status")).to_contain_text(message("form-script.crashed"))
    expect(lab.region("status")).to_have_attribute("role", "alert")
    lab.region("status").get_by_role("button").click()
    lab.says(answer_of_python(FOUR_WAYS, "en", {"copies": "6"}))
    expect(lab.region("status")).to_be_empty()


@every_language
@every_lab
def test_without_script_a_form_is_a_whole_result_to_read(
    open_tab: OpenTab, site_url: str, lab: str, language: str
) -> None:
    page = open_tab(java_script_enabled=False)
    page.goto(f"{site_url}{ROOTS[language]}labs/{lab}/")
    form = FormInPage(page, lab)
    form.says(answer_of_python(lab, language))
    expect(form.root.locator("svg").first).to_be_visible()
    for control in (*form.root.locator("button").all(), *form.root.locator("select").all()):
        expect(control).to_be_hidden()


@every_lab
def test_the_strict_policy_is_never_touched(page: Page, site_url: str, lab: str) -> None:
    page.add_init_script(VIOLATIONS)
    form = opened(page, site_url, lab)
    preset = "small" if lab == FOUR_WAYS else "both"
    form.button(f"preset-{preset}").click()
    form.says(answer_of_python(lab, "en", {}, {"preset": preset}))
    assert page.evaluate("violations") == []
    assert page.evaluate("document.querySelectorAll('style, [style]').length") == 0


@one_language
@every_lab
def test_axe_finds_nothing_in_a_form_with_a_fault(
    open_tab: OpenTab, site_url: str, lab: str, language: str
) -> None:
    page = open_tab(bypass_csp=True)
    form = opened(page, site_url, lab, language)
    if lab == FOUR_WAYS:
        form.field("workload").select_option("own")
        form.field("demand").fill("95%")
        expect(form.problem("demand")).not_to_be_empty()
    else:
        form.field("solo").fill("soon")
        expect(form.problem("solo")).not_to_be_empty()
    form.root.locator(".gl-more > summary").click()
    assert found_by_axe(page) == []


def test_pages_without_a_form_lab_ask_for_none_of_it(page: Page, site_url: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{site_url}en/labs/check/", wait_until="networkidle")
    assert [url for url in asked if "form" in url] == []
