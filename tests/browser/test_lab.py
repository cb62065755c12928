"""A person uses the lab in the article, in every language."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from labs.library import builtin_library
from tests.browser.lab_page import (
    ARTICLE,
    PRESETS,
    ROOTS,
    SCENARIO,
    LabInPage,
    OpenTab,
    Show,
    answer_of_python,
    every_language,
    one_language,
)
from tests.some import some


@pytest.fixture
def lab(show: Show, site_url: str, language: str) -> LabInPage:
    """The lab of the article, just opened."""
    return LabInPage(show(f"{site_url}{ROOTS[language]}{ARTICLE}"))


@every_language
def test_the_result_is_there_without_scripts(open_tab: OpenTab, site_url: str, language: str) -> None:
    page = open_tab(java_script_enabled=False)
    page.goto(f"{site_url}{ROOTS[language]}{ARTICLE}")
    lab = LabInPage(page)
    lab.says(answer_of_python(language))
    expect(lab.sentence).to_contain_text("4")
    expect(lab.region("picture").locator("svg").first).to_be_visible()
    lab.unfold()
    expect(lab.region("table").locator("table").first).to_be_visible()
    expect(lab.yaml).to_be_visible()
    expect(lab.yaml).to_have_value(SCENARIO)


@every_language
def test_with_38_gib_four_pods_run_out_of_memory_and_with_6_nobody_does(
    lab: LabInPage, language: str
) -> None:
    lab.press("big", "ArrowLeft", times=32)
    expect(lab.control("big")).to_have_value("6")
    small = answer_of_python(language, changes=[{"preset": "small"}])
    lab.says(small)
    expect(lab.output("big")).to_have_text(small["controls"]["big"]["output"])
    expect(lab.control("big")).to_be_focused()
    expect(lab.root.locator("[aria-busy]")).to_have_count(0)

    lab.press("big", "ArrowRight", times=32)
    lab.says(answer_of_python(language))
    expect(lab.sentence).to_contain_text("4")


@one_language
def test_one_replica_is_refused_with_the_loaders_reason(lab: LabInPage, language: str) -> None:
    lab.press("replicas", "Home")
    lab.says(answer_of_python(language, changes=[{"control": "replicas", "value": "1"}]))
    expect(lab.root).to_contain_text("number of replicas must be >= 2")


@one_language
def test_a_preset_shows_what_the_terminal_would(lab: LabInPage, language: str) -> None:
    for preset in some(PRESETS):
        lab.root.locator(f'[data-preset="{preset}"]').click()
        answer = answer_of_python(language, changes=[{"preset": preset}])
        lab.says(answer)
        expect(lab.yaml).to_have_value(answer["text"])
        for control, state in answer["controls"].items():
            expect(lab.output(control)).to_have_text(state["output"])


@one_language
def test_the_form_follows_the_yaml_and_a_mistake_is_told_with_its_line(lab: LabInPage, language: str) -> None:
    lab.unfold()
    edited = answer_of_python(language, text=SCENARIO.replace("memory: 38GiB", "memory: 12GiB"))
    lab.yaml.fill(edited["text"])
    lab.says(edited)
    expect(lab.control("big")).to_have_value("12")
    expect(lab.output("big")).to_have_text(edited["controls"]["big"]["output"])

    broken = SCENARIO.replace("memory: 38GiB", "memoryy: 38GiB")
    line = next(n for n, text in enumerate(broken.splitlines(), 1) if "memoryy" in text)
    lab.yaml.fill(broken)
    expect(lab.sentence).to_contain_text("memoryy")
    expect(lab.sentence).to_contain_text(str(line))
    expect(lab.control("big")).to_be_disabled()
    expect(lab.region("picture").locator("svg").first).to_be_visible()
    expect(lab.region("stale")).to_have_text(builtin_library().messages[language].text("lab.stale"))
    expect(lab.hash).to_have_text("–")
    expect(lab.yaml).to_be_focused()

    lab.root.locator('[data-action="reset"]').click()
    lab.says(answer_of_python(language))
    expect(lab.yaml).to_have_value(SCENARIO)
    expect(lab.control("big")).to_be_enabled()
    expect(lab.region("stale")).to_be_empty()


@one_language
def test_the_picture_goes_back_in_time(lab: LabInPage, language: str) -> None:
    time = lab.root.locator("[data-time]")
    first = answer_of_python(language, moment=0, only=["picture", "time"])
    expect(time).to_have_attribute("max", str(first["time"]["max"]))
    sentence = lab.sentence.text_content()
    time.focus()
    lab.page.keyboard.press("Home")
    expect(lab.output("time")).to_have_text(first["time"]["output"])
    expect(time).to_have_attribute("aria-valuetext", first["time"]["text"])
    expect(lab.sentence).to_have_text(sentence or "")


@pytest.mark.slow
def test_an_edit_outlives_a_reload_and_each_change_of_language(page: Page, site_url: str) -> None:
    first, *others = ROOTS
    page.goto(f"{site_url}{ROOTS[first]}{ARTICLE}")
    lab = LabInPage(page)
    lab.press("big", "ArrowLeft", times=32)
    lab.says(answer_of_python(first, changes=[{"preset": "small"}]))
    edited = answer_of_python(first, changes=[{"control": "big", "value": "6"}])["text"]
    expect(lab.yaml).to_have_value(edited)

    page.reload()
    lab.root.scroll_into_view_if_needed()
    lab.says(answer_of_python(first, changes=[{"preset": "small"}]))
    expect(lab.control("big")).to_have_value("6")

    for other in others:
        page.locator(f'.gl-languages a[lang="{other}"]').first.click()
        page.wait_for_url(f"{site_url}{ROOTS[other]}{ARTICLE}*")
        lab.root.scroll_into_view_if_needed()
        lab.says(answer_of_python(other, changes=[{"preset": "small"}]))
        expect(lab.yaml).to_have_value(edited)

    lab.root.locator('[data-action="reset"]').click()
    lab.says(answer_of_python(others[-1]))
    page.reload()
    expect(lab.yaml).to_have_value(SCENARIO)


@one_language
def test_while_python_works_its_status_is_read_out_and_only_the_result_is_busy(
    page: Page, site_url: str, language: str
) -> None:
    page.goto(f"{site_url}{ROOTS[language]}{ARTICLE}")
    lab = LabInPage(page)
    lab.unfold()
    edited = answer_of_python(language, text=SCENARIO.replace("memory: 38GiB", "memory: 37GiB"))
    lab.yaml.fill(edited["text"])
    for region in ("picture", "sentence"):
        expect(lab.region(region)).to_have_attribute("aria-busy", "true")
    assert lab.root.evaluate("(root) => [...root.querySelectorAll('[aria-busy]')].length") == 2
    assert lab.status.evaluate("(status) => status.closest('[aria-busy]')") is None
    lab.says(edited)
    expect(lab.root.locator("[aria-busy]")).to_have_count(0)


def test_a_table_is_a_stop_for_the_keyboard_only_where_it_scrolls(open_tab: OpenTab, site_url: str) -> None:
    """The tables of the page, and those that take their place."""
    page = open_tab(viewport={"width": 1280, "height": 900})
    page.goto(f"{site_url}{ROOTS['en']}{ARTICLE}")
    lab = LabInPage(page)
    lab.unfold()
    boxes = lab.region("table").locator(".gl-scroll")
    stops = lab.region("table").locator(".gl-scroll[tabindex='0']")
    expect(boxes).to_have_count(3)
    expect(stops).to_have_count(0)
    wide = answer_of_python(
        "en", text=SCENARIO.replace("{kind: idle}", "{kind: service, soloTime: 88ms, rate: 2/s}")
    )
    lab.yaml.fill(wide["text"])
    lab.says(wide)
    expect(stops).to_have_count(0)
    page.set_viewport_size({"width": 320, "height": 700})
    expect(boxes.first).to_have_attribute("tabindex", "0")
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    page.set_viewport_size({"width": 1280, "height": 900})
    expect(stops).to_have_count(0)
