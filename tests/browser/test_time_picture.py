"""The picture of time in a page: complete without scripts, changed by the form, with the moment of the slider in it."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from labs.library import builtin_library
from tests.browser.lab_page import (
    ARTICLE,
    ROOTS,
    LabInPage,
    OpenTab,
    Show,
    answer_of_python,
    every_language,
    words,
)
from tests.some import some

LIBRARY = builtin_library()
TIME_LABS = ("utilization-trap", "blast-radius")

every_lab = pytest.mark.parametrize("lab_id", TIME_LABS)


def answer(lab_id: str, language: str, **request: Any) -> dict[str, Any]:
    """What this machine's Python answers for that lab."""
    asked = {"text": LIBRARY.lab(lab_id).scenario, **request}
    return answer_of_python(language, lab=lab_id, **asked)


@every_lab
@every_language
def test_it_is_there_without_scripts(open_tab: OpenTab, site_url: str, language: str, lab_id: str) -> None:
    page = open_tab(java_script_enabled=False)
    page.goto(f"{site_url}{ROOTS[language]}labs/{lab_id}/")
    lab = LabInPage(page, lab_id)
    lab.says(answer(lab_id, language))
    picture = lab.region("picture").locator("svg.gl-over-time.gl-wide")
    expect(picture).to_be_visible()
    heading = LIBRARY.messages[language].text("timeline.heading")
    expect(picture.get_by_text(heading, exact=True)).to_be_visible()
    has_cards = LIBRARY.lab(lab_id).picture.has_cards
    expect(lab.region("picture").locator("svg.gl-wide:not(.gl-over-time)")).to_have_count(int(has_cards))


@every_lab
@every_language
def test_every_situation_shows_what_the_terminal_would(
    show: Show, site_url: str, language: str, lab_id: str
) -> None:
    lab = LabInPage(show(f"{site_url}{ROOTS[language]}labs/{lab_id}/"), lab_id)
    for preset in some(LIBRARY.lab(lab_id).presets):
        lab.root.locator(f'[data-preset="{preset.id}"]').click()
        told = answer(lab_id, language, changes=[{"preset": preset.id}])
        lab.says(told)
        expect(lab.region("picture").locator("svg.gl-over-time.gl-wide desc")).to_have_text(
            words(
                told["regions"]["picture"]
                .split("gl-wide gl-over-time")[1]
                .split("<desc")[1]
                .split("</desc>")[0]
            ).partition(">")[2]
        )
        for control, state in told["controls"].items():
            expect(lab.control(control)).to_be_disabled() if state["disabled"] else expect(
                lab.control(control)
            ).to_be_enabled()


@every_language
def test_a_slider_moved_by_keyboard_changes_when_everybody_is_done(
    show: Show, site_url: str, language: str
) -> None:
    lab = LabInPage(show(f"{site_url}{ROOTS[language]}{ARTICLE}"), "utilization-trap")
    lab.press("replicas", "ArrowLeft", times=3)
    told = answer("utilization-trap", language, changes=[{"control": "replicas", "value": "2"}])
    lab.says(told)
    two = answer("utilization-trap", language, changes=[{"preset": "two"}])
    assert told["traceHash"] == two["traceHash"]


def test_the_moment_of_the_slider_is_a_line_in_the_picture(show: Show, site_url: str) -> None:
    lab = LabInPage(show(f"{site_url}en/labs/blast-radius/"), "blast-radius")
    line = lab.region("picture").locator("svg.gl-over-time.gl-wide .gl-now")
    expect(line).to_have_count(0)
    lab.root.locator("[data-time]").focus()
    lab.page.keyboard.press("Home")
    expect(line).to_have_count(2)
    lab.page.keyboard.press("End")
    expect(line).to_have_count(0)


def test_another_fault_is_chosen_and_the_radius_grows(show: Show, site_url: str) -> None:
    lab = LabInPage(show(f"{site_url}en/labs/blast-radius/"), "blast-radius")
    lab.root.locator('[data-preset="mig"]').click()
    mig = answer("blast-radius", "en", changes=[{"preset": "mig"}])
    lab.says(mig)
    lab.control("kind").select_option("xid-reset")
    reset = answer(
        "blast-radius", "en", text=mig["text"], changes=[{"control": "kind", "value": "xid-reset"}]
    )
    lab.says(reset)
    expect(lab.sentence).to_contain_text("all 4 Pods")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@every_lab
def test_on_a_phone_the_narrow_pictures_are_shown_and_nothing_sticks_out(
    open_tab: OpenTab, site_url: str, lab_id: str, scheme: str
) -> None:
    page = open_tab(
        viewport={"width": 360, "height": 740},
        color_scheme=scheme,
        has_touch=True,
        is_mobile=True,
        saves_data=True,
    )
    for root in some(ROOTS.values()):
        page.goto(f"{site_url}{root}labs/{lab_id}/")
        lab = LabInPage(page, lab_id)
        expect(lab.region("picture").locator("svg.gl-over-time.gl-narrow")).to_be_visible()
        expect(lab.region("picture").locator("svg.gl-over-time.gl-wide")).to_be_hidden()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@every_lab
def test_no_id_stands_twice_in_a_page(page_as_built: Page, site_url: str, lab_id: str) -> None:
    page_as_built.goto(f"{site_url}en/{ARTICLE}")
    page_as_built.locator(f'gpu-lab[lab="{lab_id}"]').wait_for()
    ids: list[str] = page_as_built.evaluate(
        "[...document.querySelectorAll('[id]')].map((element) => element.id)"
    )
    assert len(ids) == len(set(ids))
    assert any(name.startswith(f"lab-{lab_id}-time-") for name in ids)
