"""A person uses the article's other labs, in the article and on the page of each, in every language."""

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
    one_language,
)
from tests.some import some

LIBRARY = builtin_library()
OTHERS = ("before-sharing", "too-large-request", "pods-on-mig")

every_lab = pytest.mark.parametrize("lab_id", OTHERS)


def answer(lab_id: str, language: str, **request: Any) -> dict[str, Any]:
    """What this machine's Python answers for that lab."""
    asked = {"text": LIBRARY.lab(lab_id).scenario, **request}
    return answer_of_python(language, lab=lab_id, **asked)


@every_lab
@every_language
def test_the_page_of_a_lab_is_complete_without_scripts(
    open_tab: OpenTab, site_url: str, language: str, lab_id: str
) -> None:
    page = open_tab(java_script_enabled=False)
    page.goto(f"{site_url}{ROOTS[language]}labs/{lab_id}/")
    lab = LabInPage(page, lab_id)
    lab.says(answer(lab_id, language))
    expect(lab.region("picture").locator("svg").first).to_be_visible()
    lab.unfold()
    expect(lab.yaml).to_have_value(LIBRARY.lab(lab_id).scenario)


@every_lab
@one_language
def test_every_situation_shows_what_the_terminal_would(
    show: Show, site_url: str, language: str, lab_id: str
) -> None:
    lab = LabInPage(show(f"{site_url}{ROOTS[language]}labs/{lab_id}/"), lab_id)
    for preset in some(LIBRARY.lab(lab_id).presets):
        lab.root.locator(f'[data-preset="{preset.id}"]').click()
        told = answer(lab_id, language, changes=[{"preset": preset.id}])
        lab.says(told)
        expect(lab.yaml).to_have_value(told["text"])
        for control, state in told["controls"].items():
            expect(lab.output(control)).to_have_text(state["output"])
            expect(lab.control(control)).to_be_disabled() if state["disabled"] else expect(
                lab.control(control)
            ).to_be_enabled()


@one_language
def test_replicas_come_into_use_with_sharing(show: Show, site_url: str, language: str) -> None:
    lab = LabInPage(show(f"{site_url}{ROOTS[language]}{ARTICLE}"), "before-sharing")
    expect(lab.control("replicas")).to_be_disabled()
    lab.root.locator('[data-preset="shared"]').click()
    shared = answer("before-sharing", language, changes=[{"preset": "shared"}])
    lab.says(shared)
    lab.press("replicas", "ArrowLeft", times=2)
    fewer = {"control": "replicas", "value": "3"}
    lab.says(answer("before-sharing", language, text=shared["text"], changes=[fewer]))
    lab.root.locator('[data-action="reset"]').click()
    lab.says(answer("before-sharing", language))
    expect(lab.control("replicas")).to_be_disabled()


@one_language
def test_the_switch_is_turned_off_by_keyboard_and_back(show: Show, site_url: str, language: str) -> None:
    lab = LabInPage(show(f"{site_url}{ROOTS[language]}{ARTICLE}"), "too-large-request")
    expect(lab.sentence).to_contain_text("UnexpectedAdmissionError")
    lab.press("failRequestsGreaterThanOne", "Space")
    lab.says(answer("too-large-request", language, changes=[{"preset": "allowed"}]))
    expect(lab.sentence).to_contain_text("pair-0")
    expect(lab.control("failRequestsGreaterThanOne")).to_be_focused()
    lab.press("failRequestsGreaterThanOne", "Space")
    lab.says(answer("too-large-request", language))


def test_every_lab_of_the_article_keeps_its_own_edits(page: Page, site_url: str) -> None:
    page.goto(f"{site_url}{ROOTS['en']}{ARTICLE}")
    chosen = {"before-sharing": "bought", "slots-and-memory": "small", "too-large-request": "packed"}
    for lab_id, preset in chosen.items():
        lab = LabInPage(page, lab_id)
        lab.root.locator(f'[data-preset="{preset}"]').click()
        lab.says(answer(lab_id, "en", changes=[{"preset": preset}]))
    page.reload()
    for lab_id, preset in chosen.items():
        lab = LabInPage(page, lab_id)
        lab.root.scroll_into_view_if_needed()
        lab.says(answer(lab_id, "en", changes=[{"preset": preset}]))


@every_lab
def test_on_a_phone_nothing_sticks_out(open_tab: OpenTab, site_url: str, lab_id: str) -> None:
    page = open_tab(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True, saves_data=True)
    for root in some(ROOTS.values()):
        page.goto(f"{site_url}{root}labs/{lab_id}/")
        lab = LabInPage(page, lab_id)
        expect(lab.region("picture").locator("svg.gl-narrow")).to_be_visible()
        expect(lab.region("picture").locator("svg.gl-wide")).to_be_hidden()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@one_language
def test_on_mig_one_fails_alone_and_without_walls_it_hurts_the_others(
    show: Show, site_url: str, language: str
) -> None:
    lab = LabInPage(show(f"{site_url}{ROOTS[language]}{ARTICLE}"), "pods-on-mig")
    picture = lab.region("picture").locator("svg.gl-wide")
    expect(picture.locator(".gl-wasted")).not_to_have_count(0)
    expect(lab.control("strategy")).to_be_enabled()
    lab.root.locator('[data-preset="time-sliced"]').click()
    lab.says(answer("pods-on-mig", language, changes=[{"preset": "time-sliced"}]))
    expect(picture.locator(".gl-wasted")).to_have_count(0)
    expect(lab.control("strategy")).to_be_disabled()
    lab.root.locator('[data-preset="sevenths"]').click()
    sevenths = answer("pods-on-mig", language, changes=[{"preset": "sevenths"}])
    lab.says(sevenths)
    lab.press("others", "ArrowRight", times=2)
    more = {"control": "others", "value": "6"}
    lab.says(answer("pods-on-mig", language, text=sevenths["text"], changes=[more]))


@one_language
def test_a_profile_is_found_by_its_name_on_every_card(page: Page, site_url: str, language: str) -> None:
    page.goto(f"{site_url}{ROOTS[language]}hardware/")
    rows = page.locator(".gl-profiles tbody tr")
    wanted = [
        profile.name
        for model in LIBRARY.catalog.models
        for profile in model.mig_profiles
        if "1g.10gb" in profile.name
    ]
    page.locator("gl-filter input").fill("1g.10gb")
    expect(rows.locator("visible=true").locator("td:first-child")).to_have_text(wanted)
    expect(page.locator("gl-filter [role=status]")).to_contain_text(str(len(wanted)))
    rows.locator("visible=true").first.get_by_role("link").click()
    expect(page.locator("h2#a100-40gb")).to_be_in_viewport()
