"""A reader stops a rollout in the page, looks at it and repairs it; plays, steps and scrubs; takes it along."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from labs.cli import main
from labs.library import builtin_library
from tests.browser.check_page import VIOLATIONS
from tests.browser.lab_page import (
    ROOTS,
    OpenTab,
    Show,
    at,
    every_language,
    listening_worker,
    one_language,
)
from tests.browser.rollout_page import LAB, ROLLOUT, RolloutInPage, answer_of_python
from tests.browser.test_access import found_by_axe
from tests.browser.test_fingers import PHONE, TOO_SMALL

CRASH = "void (self.onmessage = () => postMessage({kind: 'crashed', reason: 'out of memory'}))"
REPAIR = {"act": "repair", "node": "node-05"}


def opened(tab: Page | Show, site_url: str, language: str = "en") -> RolloutInPage:
    lab = RolloutInPage(at(tab, f"{site_url}{ROOTS[language]}{ROLLOUT}"))
    lab.root.scroll_into_view_if_needed()
    return lab


def message(key: str, language: str = "en") -> str:
    return builtin_library().messages[language].text(key)


def ended(language: str, *changes: dict[str, Any]) -> dict[str, Any]:
    """The end of the rollout after some changes, as the page shows it."""
    text = answer_of_python(language, *changes)["text"]
    return answer_of_python(language, {"show": True}, text=text, node=changes[-1].get("node"))


# Doing something


@one_language
def test_an_act_lets_time_go_on_to_the_end(show: Show, site_url: str, language: str) -> None:
    lab = opened(show, site_url, language)
    lab.part("act-repair").click()
    expect(lab.play).to_have_text(message("rollout-lab.pause", language))
    expect(lab.region("sentence")).to_have_attribute("aria-live", "off")
    lab.says(ended(language, REPAIR))
    expect(lab.play).to_have_text(message("rollout-lab.play", language))
    expect(lab.region("sentence")).to_have_attribute("aria-live", "polite")
    expect(lab.root.locator("[aria-busy]")).to_have_count(0)


def test_what_was_done_is_taken_back(show: Show, site_url: str) -> None:
    lab = opened(show, site_url)
    lab.part("act-cordon").click()
    expect(lab.root.locator(".gl-deed")).to_have_count(2)
    lab.part("take-back-1").click()
    lab.says(answer_of_python("en", {"show": True}, node="node-05"))
    expect(lab.yaml).to_have_value(LAB.scenario)


@one_language
def test_every_situation_is_a_click_away(show: Show, site_url: str, language: str) -> None:
    lab = opened(show, site_url, language)
    for preset in LAB.presets:
        lab.part(f"preset-{preset.id}").click()
        lab.says(answer_of_python(language, {"preset": preset.id}))


def test_settings_make_another_rollout(show: Show, site_url: str) -> None:
    lab = opened(show, site_url)
    changes = [("failure", "node-down"), ("failing-node", "node-02"), ("fleet", "5"), ("maxSurge", "1")]
    done: list[dict[str, Any]] = []
    for control, value in changes:
        lab.part(control).select_option(value if control != "failing-node" else "node-02")
        done.append({"control": control, "value": value})
        lab.says(answer_of_python("en", *done))
    expect(lab.region("sentence")).to_contain_text("may not be set when maxUnavailable is non-zero")
    lab.part("reset").click()
    lab.says(answer_of_python("en", {"reset": True}))


def test_a_node_is_chosen_in_the_picture_or_in_the_menu(show: Show, site_url: str) -> None:
    lab = opened(show, site_url)
    lab.root.locator('.gl-wide [data-node="node-08"]').first.click()
    expect(lab.part("node")).to_have_value("node-08")
    lab.part("node").select_option("node-03")
    expect(lab.root.locator('.gl-wide [data-node="node-03"] .gl-chosen')).to_have_count(1)
    lab.part("act-cordon").click()
    expect(lab.region("deeds")).to_contain_text("kubectl cordon node-03")
    expect(lab.part("act-cordon")).to_have_text(message("rollout-lab.act.uncordon"))


def test_the_scenario_may_be_written_too(show: Show, site_url: str) -> None:
    lab = opened(show, site_url)
    lab.root.locator(".gl-more summary").last.click()
    text = "rollout: {nodes: 3, events: [{at: 0, template: r2}]}\n"
    lab.yaml.fill(text)
    lab.says(answer_of_python("en", {"text": text}))
    lab.yaml.fill("rollout: {nodes: 3, evnts: []}")
    expect(lab.region("sentence")).to_contain_text("events")
    expect(lab.region("stale")).to_have_text(message("rollout-lab.stale"))
    lab.yaml.fill(text)
    lab.says(answer_of_python("en", {"text": text}))
    expect(lab.region("stale")).to_be_empty()


# Time


def test_time_is_stepped_scrubbed_and_played_and_nothing_moves_unasked(show: Show, site_url: str) -> None:
    lab = opened(show, site_url)
    lab.part("back").click()
    lab.says(answer_of_python("en", {"step": -1}))
    lab.time.fill("12")
    lab.says(answer_of_python("en", {"at": 12}))
    lab.part("on").click()
    at = answer_of_python("en", {"step": 1}, at=12)
    lab.says(at)
    lab.page.wait_for_timeout(1500)
    expect(lab.time).to_have_value(str(at["at"]))
    lab.play.click()
    lab.says(answer_of_python("en", {"end": True}))
    expect(lab.play).to_have_text(message("rollout-lab.play"))
    lab.play.click()  # from the start
    expect(lab.region("sentence")).to_contain_text("under way")
    lab.play.click()
    expect(lab.play).to_have_text(message("rollout-lab.play"))
    shown = lab.region("kubectl").inner_text()
    lab.page.wait_for_timeout(1500)
    assert lab.region("kubectl").inner_text() == shown


def test_all_of_it_goes_by_keyboard_alone(show: Show, site_url: str) -> None:
    lab = opened(show, site_url)
    lab.part("node").focus()
    lab.page.keyboard.press("Tab")
    expect(lab.part("act-repair")).to_be_focused()
    lab.page.keyboard.press("Enter")
    lab.says(ended("en", REPAIR))
    expect(lab.part("act-repair")).to_be_focused()
    lab.part("take-back-1").focus()
    lab.page.keyboard.press("Enter")
    lab.says(answer_of_python("en", {"show": True}, node="node-05"))
    lab.time.focus()
    for _ in range(3):
        lab.page.keyboard.press("ArrowLeft")
    at = int(lab.time.input_value())
    lab.says(answer_of_python("en", {"at": at}, node="node-05"))
    expect(lab.time).to_be_focused()
    lab.part("failure").focus()
    lab.page.keyboard.press("Home")
    lab.says(answer_of_python("en", {"control": "failure", "value": "none"}, node="node-05"))
    expect(lab.part("failure")).to_be_focused()


def test_every_button_is_reached_with_the_tab_key(show: Show, site_url: str) -> None:
    lab = opened(show, site_url)
    lab.part("preset-stops").focus()
    reached = {lab.page.evaluate("document.activeElement.id")}
    for _ in range(50):
        lab.page.keyboard.press("Tab")
        reached.add(lab.page.evaluate("document.activeElement.id"))
    buttons = lab.root.locator("button[id], select[id]:enabled").evaluate_all("all => all.map(one => one.id)")
    assert set(buttons) <= reached


def test_a_finger_on_a_phone_does_it_too(open_tab: OpenTab, site_url: str) -> None:
    page = open_tab(**PHONE)
    lab = opened(page, site_url, "ko")
    assert page.evaluate(TOO_SMALL) == []
    lab.part("preset-surge").tap()
    lab.says(answer_of_python("ko", {"preset": "surge"}))
    lab.root.locator('.gl-narrow [data-node="node-07"]').first.tap()
    expect(lab.part("node")).to_have_value("node-07")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


# Taking along, and coming back


def test_a_draft_outlives_a_reload_and_a_change_of_language(page: Page, site_url: str) -> None:
    first, _, other = ROOTS
    lab = opened(page, site_url, first)
    lab.part("act-cordon").click()
    mine = ended(first, {"act": "cordon", "node": "node-05"})
    lab.says(mine, only=("deeds",))
    page.reload()
    lab.root.scroll_into_view_if_needed()
    lab.says(mine, only=("deeds",))
    page.locator(f'.gl-languages a[lang="{other}"]').first.click()
    lab.root.scroll_into_view_if_needed()
    lab.says(ended(other, {"act": "cordon", "node": "node-05"}), only=("deeds",))


def test_ones_own_rollout_is_not_lost_to_one_to_try(show: Show, site_url: str) -> None:
    lab = opened(show, site_url)
    lab.part("failure").select_option("pending")
    mine = answer_of_python("en", {"control": "failure", "value": "pending"})
    lab.says(mine)
    lab.part("preset-surge").click()
    lab.says(answer_of_python("en", {"preset": "surge"}))
    lab.region("opened").get_by_role("button", name=message("script.restore")).click()
    lab.says(mine)


def test_a_link_shows_another_reader_the_same_moment_in_each_language(show: Show, site_url: str) -> None:
    lab = opened(show, site_url, "ja")
    lab.part("failure").select_option("pending")
    lab.time.fill("12")
    done: list[dict[str, Any]] = [{"control": "failure", "value": "pending"}, {"at": 12}]
    lab.says(answer_of_python("ja", *done))
    lab.root.locator('[data-action="share"]').click()
    expect(lab.region("taken")).to_have_text(message("script.copied", "ja"))
    start, mark, fragment = lab.page.evaluate("navigator.clipboard.readText()").partition("#")
    assert (start, mark) == (f"{site_url}{ROLLOUT}", "#")
    for language, root in ROOTS.items():
        other = show(f"{site_url}{root}{ROLLOUT}#{fragment}")
        theirs = RolloutInPage(other)
        theirs.says(answer_of_python(language, *done))
        expect(theirs.region("opened")).to_have_text(message("rollout-lab.opened", language))


@pytest.mark.parametrize("rest", ["", "&v=1&text=AAAA", "&v=1&preset=none", "&v=9", "&v=1&at=<script>"])
def test_a_hostile_link_leaves_the_lab_as_it_was(show: Show, site_url: str, rest: str) -> None:
    lab = RolloutInPage(show(f"{site_url}en/{ROLLOUT}#lab={LAB.id}{rest}"))
    expect(lab.region("opened")).not_to_be_empty()
    lab.says(answer_of_python("en", {"show": True}))


def test_the_file_gives_the_same_hash_in_a_terminal(
    show: Show, site_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lab = opened(show, site_url)
    lab.part("act-undo").click()
    lab.says(ended("en", {"act": "undo"}))
    with lab.page.expect_download() as download:
        lab.root.locator('[data-action="download"]').click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    assert file.read_text("utf-8").partition("\n")[0].endswith(f"gpulab rollout {file.name}")
    assert main(["rollout", str(file), "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["traceHash"] in (lab.region("hash").text_content() or "")


# Trouble and manners


def test_a_breakdown_is_told_and_a_retry_goes_on_with_the_rollout(page: Page, site_url: str) -> None:
    lab = opened(page, site_url)
    lab.part("failure").select_option("pending")
    done = [{"control": "failure", "value": "pending"}]
    lab.says(answer_of_python("en", *done))
    while not page.evaluate(
        "gpuLabRuntime.isWarm"
    ):  # it is the reader's own request that is to meet the breakdown
        page.wait_for_timeout(50)
    worker = listening_worker(page)
    worker.evaluate(CRASH)
    lab.part("maxUnavailable").select_option("2")
    expect(lab.region("status")).to_contain_text(message("rollout-lab.script.crashed"))
    expect(lab.region("status")).to_have_attribute("role", "alert")
    lab.region("status").get_by_role("button").click()
    lab.says(answer_of_python("en", *done, {"control": "maxUnavailable", "value": "2"}))
    expect(lab.region("status")).to_be_empty()


@every_language
def test_without_script_the_end_is_a_whole_result_to_read(
    open_tab: OpenTab, site_url: str, language: str
) -> None:
    page = open_tab(java_script_enabled=False)
    page.goto(f"{site_url}{ROOTS[language]}{ROLLOUT}")
    lab = RolloutInPage(page)
    lab.says(answer_of_python(language, {"show": True}), only=("sentence", "kubectl"))
    expect(lab.root.locator("svg")).to_have_count(4)
    for control in (*lab.root.locator("button").all(), *lab.root.locator("select").all()):
        expect(control).to_be_hidden()


def test_the_strict_policy_is_never_touched(page: Page, site_url: str) -> None:
    page.add_init_script(VIOLATIONS)
    lab = opened(page, site_url)
    lab.part("preset-surge").click()
    lab.says(answer_of_python("en", {"preset": "surge"}))
    assert page.evaluate("violations") == []
    assert page.evaluate("document.querySelectorAll('style, [style]').length") == 0


@one_language
def test_axe_finds_nothing_in_a_rollout_that_was_repaired(
    open_tab: OpenTab, site_url: str, language: str
) -> None:
    page = open_tab(bypass_csp=True)
    lab = opened(page, site_url, language)
    lab.part("act-undo").click()
    lab.says(ended(language, {"act": "undo"}))
    assert found_by_axe(page) == []
